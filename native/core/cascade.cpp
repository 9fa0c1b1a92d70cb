#include "core/cascade.hpp"

#include <algorithm>
#include <optional>

namespace geco {
namespace {

// The rules defining group g that still bind once the groups outside g are fixed.
class Binding {
 public:
  Binding(const Space& space, std::int32_t g, Row* rows) : space_(space), g_(g), rows_(rows) {
    for (std::int32_t r : space.defining[g]) {
      const Rule& rule = space.rules[r];
      const bool fires = std::all_of(rule.antecedents.begin(), rule.antecedents.end(),
                                     [&](const Predicate& p) { return p.mentions(g) || space.holds(p, rows); });
      if (fires) rules_.push_back(r);
    }
  }
  bool fits(Row row) {
    if (!space_.groups[g_].allowed[row]) return false;
    const Row before = rows_[g_];
    rows_[g_] = row;
    const bool ok =
        std::all_of(rules_.begin(), rules_.end(), [&](std::int32_t r) { return space_.holds(space_.rules[r], rows_); });
    rows_[g_] = before;
    return ok;
  }
  // Whom to blame when no row fits: the first rule broken now, or (rules.size()) no row being allowed at all.
  std::size_t culprit() const {
    for (std::int32_t r : rules_)
      if (!space_.holds(space_.rules[r], rows_)) return r;
    return space_.rules.size();
  }

 private:
  const Space& space_;
  std::int32_t g_;
  Row* rows_;
  std::vector<std::int32_t> rules_;
};

Row nearest(const Group& group, Binding& binding) {
  if (binding.fits(0)) return 0;
  for (Row row : group.order())
    if (binding.fits(row)) return row;
  return -1;
}

Row drawn(const Group& group, Binding& binding, Rng& rng) {
  if (group.count() == 0) return binding.fits(0) ? 0 : -1;
  // Rejection keeps the weights and spares a scan of a large table; the scan decides when it fails.
  const Shared<Row>& order = group.order();
  const std::vector<double>& running = group.running();
  for (int tries = 0; tries < 24; ++tries) {
    const double u = rng.uniform() * running.back();
    const auto at = std::upper_bound(running.begin(), running.end(), u) - running.begin();
    const Row row = order[std::min<std::size_t>(at, order.size() - 1)];
    if (binding.fits(row)) return row;
  }
  double total = 0;
  Row chosen = -1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!binding.fits(order[i])) continue;
    const double weight = running[i] - (i ? running[i - 1] : 0.0);
    total += weight;
    if (chosen < 0 || rng.uniform() * total < weight) chosen = order[i];
  }
  if (chosen < 0 && binding.fits(0)) return 0;
  return chosen;
}

// All that may be chosen, nearest first. A compiled model leaves a search only the rows that it tells apart
// (Forest::thin); the others are no less allowed.
std::vector<Row> every_choice(const Group& group) {
  std::vector<Row> choices = group.choices();
  if (choices.size() == group.count()) return {group.order().begin(), group.order().end()};
  return sorted_by_cost(group, std::move(choices));
}

bool about_x_alone(const Rule& rule) {
  return rule.consequent.groups.empty() && std::all_of(rule.antecedents.begin(), rule.antecedents.end(),
                                                       [](const Predicate& p) { return p.groups.empty(); });
}

}  // namespace

bool Cascade::apply(const Space& space, Row* rows, Rng* rng, CascadeCounts& counts, std::int32_t pinned) {
  for (std::int32_t g : space.guarded) {
    const Group& group = space.groups[g];
    Binding binding(space, g, rows);
    if (binding.fits(rows[g])) continue;
    const Row row = g == pinned ? -1 : rng ? drawn(group, binding, *rng) : nearest(group, binding);
    if (row < 0) {
      ++counts.dropped[binding.culprit()];
      return false;
    }
    rows[g] = row;
    ++counts.repaired;
  }
  for (std::int32_t f : space.filters)
    if (!space.holds(space.rules[f], rows)) {
      ++counts.dropped[f];
      return false;
    }
  return true;
}

static bool keeps_filters(const Space& space, const Row* rows) {
  return std::all_of(space.filters.begin(), space.filters.end(),
                     [&](std::int32_t f) { return space.holds(space.rules[f], rows); });
}

// A rule about x alone holds for every candidate or for none: no need to try them all.
static bool x_alone_keeps_rules(const Space& space, const Row* rows) {
  return std::none_of(space.filters.begin(), space.filters.end(), [&](std::int32_t f) {
    return about_x_alone(space.rules[f]) && !space.holds(space.rules[f], rows);
  });
}

// The last group of all may be the one; to find that by trying all others would take forever.
static bool some_group_has_no_row(const Space& space) {
  return std::any_of(space.groups.begin(), space.groups.end(),
                     [](const Group& group) { return !group.allowed[0] && group.choices().empty(); });
}

Feasible any_allowed(const Space& space, Row* rows, bool not_x, Patience patience, std::int32_t kept) {
  const std::size_t depth = space.topological.size();
  std::fill(rows, rows + depth, 0);
  if (!x_alone_keeps_rules(space, rows) || some_group_has_no_row(space)) return Feasible::no;
  // Made where slot 0 does not fit; most groups stay as they are.
  std::vector<std::optional<std::vector<Row>>> choices(depth);
  if (kept >= 0) choices[kept].emplace();
  std::vector<std::int64_t> at(depth + 1, -1);  // position in the choices of each level: -1 = slot 0, then choices[]
  std::size_t level = 0;
  at[0] = -2;
  while (true) {
    if (level == depth) {
      const bool changed = std::any_of(rows, rows + depth, [](Row r) { return r != 0; });
      if ((changed || !not_x) && keeps_filters(space, rows)) return Feasible::yes;
      if (level-- == 0) return Feasible::no;
      continue;
    }
    if (!patience.step()) return Feasible::unknown;
    const std::int32_t g = space.topological[level];
    rows[g] = 0;
    Binding binding(space, g, rows);
    std::int64_t next = at[level] + 1;
    auto is_there = [&](std::int64_t i) {
      if (i >= 0 && !choices[g]) choices[g] = every_choice(space.groups[g]);
      return i < 0 || i < static_cast<std::int64_t>(choices[g]->size());
    };
    auto row_at = [&](std::int64_t i) { return i < 0 ? Row{0} : (*choices[g])[i]; };
    while (is_there(next) && !binding.fits(row_at(next))) {
      if (!patience.step()) return Feasible::unknown;
      ++next;
    }
    if (!is_there(next)) {
      rows[g] = 0;
      if (level-- == 0) return Feasible::no;
      continue;
    }
    at[level] = next;
    rows[g] = row_at(next);
    at[++level] = -2;
  }
}

}  // namespace geco
