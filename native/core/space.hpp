// The feasible space of one instance x: per group a table of numbered rows (slot 0 is x itself), which of them are
// allowed, what they cost, and the grounded rules across groups. Immutable once built; copies share all that is large.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/later.hpp"
#include "core/outwards.hpp"
#include "core/rowset.hpp"
#include "core/ruler.hpp"
#include "core/shared.hpp"

namespace geco {

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
  RowSet truth;
  std::vector<Step> steps;  // otherwise
  std::vector<std::int32_t> groups;  // all groups it mentions
  bool mentions(std::int32_t g) const;
};

struct Rule {
  std::vector<Predicate> antecedents;
  Predicate consequent;
  std::int32_t defines = -1;  // the group whose row is changed to satisfy it; -1: a filter
};

// The numbers of a column as all x find them, and x's own, which is slot 0.
struct Column {
  std::int32_t group;
  Numbers numbers;
  double x = 0;
  double operator[](Row r) const { return r == 0 ? x : numbers[r]; }
};

// The rows that may be chosen (never slot 0), nearest first, with their cost.
struct Listed {
  Shared<Row> order;
  std::vector<double> cost;
  // Positions in `order` below and above x for one ordered feature; otherwise all of them in the first half.
  std::vector<std::int32_t> halves[2];
};

// What a group's rows cost, row by row.
struct Terms {
  Shared<double> additive;  // α·ℓ0 + β·ℓ1 terms of Eq. 2
  Shared<double> largest;   // γ·ℓ∞ term; empty where it is 0
  // Σ δ with weights and costs, the size of a change; below 0 where a category of several features changes, which is
  // never a part of a larger change. Empty: the additive term says as much.
  Shared<double> sizes;
  Shared<std::int8_t> side;  // per row -1 below x, 1 above, for one ordered feature; otherwise empty
};

// One group: its terms are held row by row, or a ruler works them out from the place of a row.
class Group {
 public:
  RowSet allowed;             // slot 0 included
  bool free = true;           // false: the model ignores it, so it moves only by cascade
  std::int32_t features = 1;  // for the paper's size measure

  Group() = default;
  // `weights`: of each row of the table its count in D.
  Group(RowSet allowed, Terms terms, Numbers weights)
      : allowed(std::move(allowed)), terms_(std::move(terms)), weights_(std::move(weights)) {}
  Group(RowSet allowed, std::shared_ptr<const Ruler> ruler, Numbers weights)
      : allowed(std::move(allowed)), ruler_(std::move(ruler)), weights_(std::move(weights)) {}

  double additive(Row r) const { return ruler_ ? ruler_->additive(r) : terms_.additive[r]; }
  double largest(Row r) const { return ruler_ ? ruler_->largest(r) : terms_.largest.empty() ? 0.0 : terms_.largest[r]; }
  double total(Row r) const { return additive(r) + largest(r); }
  double size(Row r) const {
    return ruler_ ? ruler_->size(r) : terms_.sizes.empty() ? terms_.additive[r] : terms_.sizes[r];
  }
  bool has_sizes() const { return ruler_ || !terms_.sizes.empty(); }
  bool has_sides() const { return ruler_ ? ruler_->sides() : !terms_.side.empty(); }  // rows are below or above x
  bool above(Row r) const { return ruler_ ? ruler_->above(r) : terms_.side[r] > 0; }
  // Is the change to row `r` at most half of the change to `other`?
  bool halves_change(Row r, Row other) const;
  std::vector<Row> choices() const;  // allowed rows but slot 0, by number
  const Ruler* ruler() const { return ruler_.get(); }

  // What a search may choose from; lists are made when they are first asked for.
  std::size_t count() const { return count_; }
  const Shared<Row>& order() const { return order_.empty() && count_ > 0 ? listed().order : order_; }
  const std::vector<double>& cost() const { return listed().cost; }
  const std::vector<double>& running() const;  // sums of weights
  const std::vector<std::int32_t>& halves(int half) const { return listed().halves[half]; }
  // The same without lists, which is all that swept lines need; none where they are there or have to be made.
  std::optional<Outwards> outwards() const;
  std::size_t nearer_than(double cost) const;  // how many of the choices are
  std::size_t nearer_than(int half, double cost) const;  // of a half
  // The last choice of a half that costs no more; 0 if there is none.
  Row last_within(int half, double cost) const;

  // Are they in order already, or will they be only once somebody asks?
  bool in_order() const { return later_ == nullptr; }

  // These, nearest first.
  void choose(std::vector<Row> order);
  // So many, which are put in order once somebody asks.
  void choose_later(std::size_t count, std::vector<Row> (*order)(const Group&));

 private:
  using Order = std::vector<Row> (*)(const Group&);
  // Made by whichever copy of the group is asked first, as all of them would make it.
  struct Lists {
    Later<Listed> listed;
    Later<std::vector<double>> running;  // by itself, for only who draws rows asks for it
  };
  const Listed& listed() const {
    return lists_->listed.get([this] { return listed(later_ ? Shared<Row>(later_(*this)) : order_); });
  }
  Listed listed(Shared<Row> order) const;
  void choose(std::size_t count, Shared<Row> order, Order later);

  Terms terms_;
  std::shared_ptr<const Ruler> ruler_;
  Numbers weights_;
  std::size_t count_ = 0;
  Shared<Row> order_;  // empty: it is made with the rest, by this:
  Order later_ = nullptr;
  std::shared_ptr<const Lists> lists_;
};

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
  bool x_obeys() const { return first_broken(std::vector<Row>(groups.size()).data()) == kNoneBroken; }
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
