#include "core/order.hpp"

#include <algorithm>

namespace geco {
namespace {

bool breaks_none(const Way& way) {
  return std::all_of(way.broken.begin(), way.broken.end(), [](std::int32_t b) { return b == Space::kNoneBroken; });
}

Way in_order(const Space& space, const Row* answer, std::vector<std::int32_t> order) {
  Way way{std::move(order), {}, {}};
  std::vector<Row> rows(space.groups.size());
  for (std::size_t i = 0; i + 1 < way.order.size(); ++i) {
    rows[way.order[i]] = answer[way.order[i]];
    way.between.insert(way.between.end(), rows.begin(), rows.end());
    way.broken.push_back(space.first_broken(rows.data()));
  }
  return way;
}

// Every subset of the changes is looked at once: what is best from there on does not depend on how one came there.
std::vector<std::int32_t> best_order(const Space& space, const Row* answer, const std::vector<std::int32_t>& groups) {
  const std::size_t every = std::size_t{1} << groups.size();
  std::vector<Row> rows(space.groups.size());
  std::vector<int> ahead(every);  // rules broken from a subset to the end, itself not counted
  std::vector<std::uint8_t> breaks(every), follows(every);
  for (std::size_t state = every; state-- > 0;) {
    for (std::size_t i = 0; i < groups.size(); ++i) rows[groups[i]] = state >> i & 1 ? answer[groups[i]] : 0;
    breaks[state] = space.first_broken(rows.data()) != Space::kNoneBroken;
    bool first = true;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const std::size_t next = state | std::size_t{1} << i;
      if (next == state) continue;
      const int broken = breaks[next] + ahead[next];
      if (!first && broken >= ahead[state]) continue;
      ahead[state] = broken, follows[state] = static_cast<std::uint8_t>(i), first = false;
    }
  }
  std::vector<std::int32_t> order;
  for (std::size_t state = 0; state + 1 < every; state |= std::size_t{1} << follows[state])
    order.push_back(groups[follows[state]]);
  return order;
}

}  // namespace

Way way_to(const Space& space, const Row* answer) {
  std::vector<std::int32_t> changed;
  for (std::size_t g = 0; g < space.groups.size(); ++g)
    if (answer[g] != 0) changed.push_back(static_cast<std::int32_t>(g));
  Way way = in_order(space, answer, changed);
  if (breaks_none(way) || changed.size() > kMostOrdered) return way;
  return in_order(space, answer, best_order(space, answer, changed));
}

}  // namespace geco
