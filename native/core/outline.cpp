#include "core/outline.hpp"

#include <algorithm>
#include <functional>

#include "core/forest.hpp"
#include "core/line_rules.hpp"

namespace geco {
namespace {

// The first from `at` on that is not passed; mostly it is near.
template <class Passed>
std::size_t leap(std::span<const std::int32_t> cells, std::size_t at, std::size_t end, Passed passed) {
  std::size_t far = 1;
  while (at + far < end && passed(cells[at + far])) at += far, far *= 2;
  const auto last = cells.begin() + static_cast<std::ptrdiff_t>(std::min(end, at + far));
  return std::partition_point(cells.begin() + static_cast<std::ptrdiff_t>(at), last, passed) - cells.begin();
}

}  // namespace

std::shared_ptr<const Outline> Outline::of(const Forest& forest, const Space& space, std::size_t group) {
  const Group& choices = space.groups[group];
  const bool ruled = std::any_of(space.rules.begin(), space.rules.end(), [&](const Rule& rule) {
    return LineRules::mentions(rule, static_cast<std::int32_t>(group));
  });
  if (ruled || !forest.adds_up() || !forest.sorted(group) || choices.outwards()) return nullptr;
  auto made = std::make_shared<Outline>();
  made->cells_ = forest.cells(group);
  made->order_ = choices.order().view();
  for (std::size_t i = 0; i < made->order_.size(); ++i)
    if (!made->add(made->order_[i], made->cells_[made->order_[i]], static_cast<std::int32_t>(i))) return nullptr;
  return made;
}

// The next nearest; false if it is not farther out than all before it.
bool Outline::add(Row row, std::int32_t cell, std::int32_t position) {
  const bool first = above_.rows.empty();
  Side& side = first || cell > above_.cells.front() ? above_ : below_;
  if (cell < 0 || (!first && cell == above_.cells.front())) return false;
  if (!side.cells.empty() && (&side == &above_ ? cell <= side.cells.back() : cell >= side.cells.back())) return false;
  side.rows.push_back(row);
  side.cells.push_back(cell);
  side.positions.push_back(position);
  return true;
}

std::int32_t Outline::position_of(Row row, std::int32_t cell) const {
  if (cell < 0) return kNowhere;
  const Side& side = !above_.cells.empty() && cell >= above_.cells.front() ? above_ : below_;
  const auto at = &side == &above_ ? std::lower_bound(side.cells.begin(), side.cells.end(), cell)
                                   : std::lower_bound(side.cells.begin(), side.cells.end(), cell, std::greater<>());
  const auto i = at - side.cells.begin();
  return at != side.cells.end() && side.rows[i] == row ? side.positions[i] : kNowhere;
}

OutlinedLine::OutlinedLine(const Outline& outline, std::size_t limit, Row now)
    : outline(&outline), limit(static_cast<std::int32_t>(limit)),
      gap(now == 0 ? Outline::kNowhere : outline.position_of(now, outline.cells_[now])), now(now) {}

Row OutlinedLine::at(std::int32_t place) const {
  const std::int32_t position = place - (now != 0);
  return outline->order_[position + (gap <= position)];
}

std::size_t OutlinedLine::count(const Outline::Side& side) const {
  return std::lower_bound(side.positions.begin(), side.positions.end(), limit) - side.positions.begin();
}

std::pair<std::int32_t, std::int32_t> OutlinedLine::cells() const {
  std::int32_t low = std::numeric_limits<std::int32_t>::max(), high = 0;
  for (const Outline::Side* side : {&outline->below_, &outline->above_}) {
    std::size_t from = 0, to = count(*side);
    if (from < to && side->rows[from] == now) ++from;
    if (from < to && side->rows[to - 1] == now) --to;
    if (from == to) continue;
    const auto [least, most] = std::minmax(side->cells[from], side->cells[to - 1]);
    low = std::min(low, least), high = std::max(high, most + 1);
  }
  return {low, high};
}

void OutlinedLine::nearest(std::span<const std::int32_t> starts, std::vector<Nearest>& found) const {
  const Outline::Side &below = outline->below_, &above = outline->above_;
  const auto stretches = static_cast<std::int32_t>(starts.size());
  found.clear();
  // Adds what stands on a side from `at` on, unless it is behind the stretch.
  auto add = [&](const Outline::Side& side, std::size_t& at, std::size_t end, std::int32_t stretch, auto within) {
    if (at < end && side.rows[at] == now) ++at;
    if (at < end && within(side.cells[at])) found.push_back({place(side.positions[at]), side.rows[at], stretch});
  };
  auto of_cell = [&](std::int32_t cell) {
    const auto after = std::upper_bound(starts.begin(), starts.end(), cell) - starts.begin();
    return std::max<std::int32_t>(0, static_cast<std::int32_t>(after) - 1);
  };
  const std::size_t higher = count(above), lower = count(below);
  std::size_t at = 0;
  for (std::int32_t s = higher > 0 ? of_cell(above.cells[0]) : stretches; s < stretches && at < higher; ++s) {
    at = leap(above.cells, at, higher, [&](std::int32_t cell) { return cell < starts[s]; });
    add(above, at, higher, s, [&](std::int32_t cell) { return s + 1 == stretches || cell < starts[s + 1]; });
  }
  const auto middle = static_cast<std::ptrdiff_t>(found.size());
  at = 0;
  for (std::int32_t s = lower > 0 ? of_cell(below.cells[0]) : -1; s >= 0 && at < lower; --s) {
    at = leap(below.cells, at, lower, [&](std::int32_t cell) { return s + 1 < stretches && cell >= starts[s + 1]; });
    add(below, at, lower, s, [&](std::int32_t cell) { return cell >= starts[s]; });
  }
  std::inplace_merge(found.begin(), found.begin() + middle, found.end(),
                     [](const Nearest& a, const Nearest& b) { return a.place < b.place; });
}

}  // namespace geco
