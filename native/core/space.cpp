#include "core/space.hpp"

#include <algorithm>
#include <cmath>

namespace geco {

bool Predicate::mentions(std::int32_t g) const { return std::find(groups.begin(), groups.end(), g) != groups.end(); }

// Here and below without branches: which way a row goes is as good as random, and guessing wrong is most of the cost.
std::vector<Row> Group::choices() const {
  if (ruler_) return ruler_->choices();
  std::vector<Row> rows(allowed.size());
  std::size_t n = 0;
  for (Row r = 1; r < static_cast<Row>(allowed.size()); ++r) {
    rows[n] = r;
    n += allowed[r];
  }
  rows.resize(n);
  return rows;
}

bool Group::halves_change(Row r, Row other) const {
  // Half as a table writes its numbers: 9.6 to 17.3 is half of 9.6 to 25, which their binary fractions miss by a hair.
  constexpr double kRounding = 1 + 1e-12;
  const double whole = std::abs(size(other)), part = size(r);
  return part >= 0 && whole > 0 && 2 * part <= whole * kRounding;
}

Listed Group::listed(Shared<Row> order) const {
  Listed made;
  const std::size_t n = order.size();
  made.cost.resize(n), made.halves[0].resize(n), made.halves[1].resize(has_sides() ? n : 0);
  std::size_t sizes[2] = {0, 0};
  for (std::size_t i = 0; i < n; ++i) {
    made.cost[i] = total(order[i]);
    const bool is_above = has_sides() && above(order[i]);
    made.halves[is_above][sizes[is_above]++] = static_cast<std::int32_t>(i);
  }
  for (int half : {0, 1}) made.halves[half].resize(sizes[half]);
  made.order = std::move(order);
  return made;
}

const std::vector<double>& Group::running() const {
  return lists_->running.get([this] {
    std::vector<double> running;
    running.reserve(count_);
    double sum = 0;
    for (const Row row : order()) running.push_back(sum += weights_[row]);
    return running;
  });
}

void Group::choose(std::size_t count, Shared<Row> order, Order later) {
  count_ = count;
  order_ = std::move(order);
  later_ = later;
  lists_ = std::make_shared<const Lists>();
}

void Group::choose(std::vector<Row> order) {
  const std::size_t count = order.size();
  choose(count, std::move(order), nullptr);
}

void Group::choose_later(std::size_t count, Order order) { choose(count, {}, order); }

std::optional<Outwards> Group::outwards() const {
  if (!ruler_ || !ruler_->sides() || !order_.empty() || count_ == 0) return std::nullopt;
  return Outwards(*ruler_);
}

std::size_t Group::nearer_than(double cost) const {
  if (const auto by_place = outwards()) return by_place->nearer_than(cost);
  const std::vector<double>& costs = listed().cost;
  return std::lower_bound(costs.begin(), costs.end(), cost) - costs.begin();
}

std::size_t Group::nearer_than(int half, double cost) const {
  if (const auto by_place = outwards()) return by_place->nearer_than(half, cost);
  const auto& [order, costs, halves] = listed();
  const std::vector<std::int32_t>& of = halves[half];
  return std::partition_point(of.begin(), of.end(), [&](std::int32_t i) { return costs[i] < cost; }) - of.begin();
}

Row Group::last_within(int half, double cost) const {
  if (const auto by_place = outwards()) return by_place->last_within(half, cost);
  const auto& [order, costs, halves] = listed();
  const auto end = std::partition_point(halves[half].begin(), halves[half].end(),
                                        [&](std::int32_t position) { return costs[position] <= cost; });
  return end == halves[half].begin() ? Row{0} : order[*(end - 1)];
}

std::vector<Row> sorted_by_cost(const Group& group, std::vector<Row> choices) {
  auto nearer = [&](Row a, Row b) { return group.total(a) < group.total(b); };
  // All values of one category are equally far, and then there is nothing to do.
  if (!std::is_sorted(choices.begin(), choices.end(), nearer)) std::stable_sort(choices.begin(), choices.end(), nearer);
  return choices;
}

Space::Space(std::vector<Group> groups_, std::vector<Rule> rules_, std::vector<Column> columns_,
             std::vector<std::int32_t> topological_)
    : groups(std::move(groups_)), rules(std::move(rules_)), columns(std::move(columns_)),
      topological(std::move(topological_)), defining(groups.size()), start(groups.size(), 0) {
  for (std::size_t r = 0; r < rules.size(); ++r) {
    if (rules[r].defines >= 0) defining[rules[r].defines].push_back(static_cast<std::int32_t>(r));
    else filters.push_back(static_cast<std::int32_t>(r));
  }
  for (std::int32_t g : topological)
    if (!defining[g].empty() || !groups[g].allowed[0]) guarded.push_back(g);
}

double Space::distance(const Row* rows) const {
  double sum = 0, largest = 0;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (rows[g] == 0) continue;
    sum += groups[g].additive(rows[g]);
    largest = std::max(largest, groups[g].largest(rows[g]));
  }
  return sum + largest;
}

bool Space::holds(const Predicate& p, const Row* rows) const {
  if (p.group >= 0) return p.truth[rows[p.group]];
  double stack[64];
  int top = -1;
  for (const Step& s : p.steps) {
    switch (s.op) {
      case Step::constant: stack[++top] = s.value; continue;
      case Step::column: stack[++top] = columns[s.index][rows[columns[s.index].group]]; continue;
      case Step::negate: stack[top] = -stack[top]; continue;
      default: break;
    }
    const double b = stack[top--], a = stack[top];
    const bool known = !std::isnan(a) && !std::isnan(b);
    double& out = stack[top];
    switch (s.op) {
      case Step::add: out = a + b; break;
      case Step::subtract: out = a - b; break;
      case Step::multiply: out = a * b; break;
      case Step::divide: out = b == 0 ? std::nan("") : a / b; break;
      case Step::eq: out = known && a == b; break;
      case Step::ne: out = known && a != b; break;
      case Step::le: out = known && a <= b; break;
      case Step::lt: out = known && a < b; break;
      case Step::ge: out = known && a >= b; break;
      case Step::gt: out = known && a > b; break;
      case Step::both: out = a != 0 && b != 0; break;
      case Step::either: out = a != 0 || b != 0; break;
      default: break;
    }
  }
  return stack[0] != 0;
}

bool Space::holds(const Rule& r, const Row* rows) const {
  for (const Predicate& p : r.antecedents)
    if (!holds(p, rows)) return true;
  return holds(r.consequent, rows);
}

std::int32_t Space::first_broken(const Row* rows) const {
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (!groups[g].allowed[rows[g]]) return kNotAllowed;
  for (std::size_t r = 0; r < rules.size(); ++r)
    if (!holds(rules[r], rows)) return static_cast<std::int32_t>(r);
  return kNoneBroken;
}

bool Space::left_out(const Row* rows, const Row* way) const {
  bool shared = false, halved = true;  // apart from what is forced
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (way[g] == 0) continue;
    if (rows[g] == 0) return false;
    if (is_forced(g)) continue;
    shared = true;
    halved = halved && groups[g].halves_change(rows[g], way[g]);
  }
  return !(shared && halved);
}

std::vector<std::int32_t> Space::required(const Row* rows) const {
  std::vector<Row> undone(rows, rows + groups.size());
  std::vector<std::int32_t> broken;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (rows[g] == 0) continue;
    undone[g] = 0;
    broken.push_back(first_broken(undone.data()));
    undone[g] = rows[g];
  }
  return broken;
}

}  // namespace geco
