// The feasible space of one instance x: per group a table of numbered rows (slot 0 is x itself), which of them are
// allowed, what they cost, and the grounded rules across groups. Immutable once built; copies share all that is large.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/shared.hpp"

namespace geco {

using Row = std::int32_t;

// One step of a predicate over several groups, in postfix order. Comparisons give 1 or 0; with a missing operand 0.
struct Step {
  enum Op : std::int32_t {
    constant,
    column,
    add,
    subtract,
    multiply,
    divide,
    negate,
    eq,
    ne,
    le,
    lt,
    ge,
    gt,
    both,
    either
  };
  Op op;
  double value = 0;      // constant
  std::int32_t index = 0;  // column: index into Space::columns
};

struct Predicate {
  std::int32_t group = -1;  // >= 0: mentions this group only, and `truth` says for which of its rows it holds
  std::vector<std::uint8_t> truth;
  std::vector<Step> steps;  // otherwise
  std::vector<std::int32_t> groups;  // all groups it mentions
  bool mentions(std::int32_t g) const;
};

struct Rule {
  std::vector<Predicate> antecedents;
  Predicate consequent;
  std::int32_t defines = -1;  // the group whose row is changed to satisfy it; -1: a filter
};

struct Column {
  std::int32_t group;
  std::vector<double> numbers;
};

struct Group {
  Shared<std::uint8_t> allowed;  // per row, slot 0 included
  Shared<double> additive;       // α·ℓ0 + β·ℓ1 terms of Eq. 2
  Shared<double> largest;        // γ·ℓ∞ term
  // Σ δ with weights and costs, the size of a change; below 0 where a category of several features changes, which is
  // never a part of a larger change. Empty: the additive term says as much.
  Shared<double> sizes;
  Shared<std::int8_t> side;      // per row -1 below x, 1 above, for one ordered feature; otherwise empty
  bool free = true;              // false: the model ignores it, so it moves only by cascade
  std::int32_t features = 1;     // for the paper's size measure
  // Derived: the rows that may be chosen (never slot 0), nearest first, with their cost and running weight.
  Shared<Row> order;
  Shared<double> cost;
  Shared<double> running;
  // Positions in `order` below and above x for one ordered feature; otherwise all of them in the first half.
  Shared<std::int32_t> halves[2];

  double total(Row r) const { return additive[r] + largest[r]; }
  // Is the change to row `r` at most half of the change to `other`?
  bool halves_change(Row r, Row other) const;
  std::vector<Row> choices() const;  // allowed rows but slot 0, by number
  // Fills what is derived from `order`, which has the choices nearest first; `weight`: the count in D of the i-th of
  // them.
  template <class Weight>
  void follow(std::vector<Row> order, Weight weight);
};

template <class Weight>
void Group::follow(std::vector<Row> nearest_first, Weight weight) {
  order = std::move(nearest_first);
  const std::size_t n = order.size();
  std::vector<double> costs(n), sums(n);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    costs[i] = total(order[i]);
    sums[i] = sum += weight(i);
  }
  std::vector<std::int32_t> positions[2];
  std::size_t sizes[2] = {0, 0};
  positions[0].resize(n);
  positions[1].resize(side.empty() ? 0 : n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool above = !side.empty() && side[order[i]] > 0;
    positions[above][sizes[above]++] = static_cast<std::int32_t>(i);
  }
  cost = std::move(costs);
  running = std::move(sums);
  for (int half : {0, 1}) {
    positions[half].resize(sizes[half]);
    halves[half] = std::move(positions[half]);
  }
}

// Any choices nearest first, equals by number.
std::vector<Row> sorted_by_cost(const Group& group, std::vector<Row> choices);

class Space {
 public:
  Space(std::vector<Group> groups, std::vector<Rule> rules, std::vector<Column> columns,
        std::vector<std::int32_t> topological);

  std::int32_t width() const { return static_cast<std::int32_t>(groups.size()); }
  double distance(const Row* rows) const;
  bool holds(const Predicate& p, const Row* rows) const;
  bool holds(const Rule& r, const Row* rows) const;
  static constexpr std::int32_t kNoneBroken = -1, kNotAllowed = -2;
  // Index of the first rule (of all) that the candidate breaks, or one of the two above.
  std::int32_t first_broken(const Row* rows) const;
  // Does a candidate contain a nearer way without halving every change that the two share? It is then no way itself.
  bool left_out(const Row* rows, const Row* way) const;
  // Per changed group, the same once that change is undone.
  std::vector<std::int32_t> required(const Row* rows) const;

  std::vector<Group> groups;
  Shared<Rule> rules;
  Shared<Column> columns;
  std::vector<std::int32_t> topological;  // every group, rules read only from earlier ones
  // Those of them that a rule defines or whose slot 0 is not allowed.
  std::vector<std::int32_t> guarded;
  std::vector<std::vector<std::int32_t>> defining;  // per group: the rules that define it
  std::vector<std::int32_t> filters;
  // Groups that no allowed candidate leaves as they are in x, because x breaks a rule; empty if it breaks none.
  std::vector<std::uint8_t> forced;
  bool is_forced(std::size_t g) const { return !forced.empty() && forced[g]; }
  // Where every search begins: x itself (all 0), or x repaired when it breaks a rule as it stands.
  std::vector<Row> start;
};

}  // namespace geco
