#include "core/frontier/to_crossing.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/line_rules.hpp"

namespace geco {

ToCrossing::ToCrossing(const Space& space, std::unique_ptr<Network::Crossings> crossings)
    : crossings_(std::move(crossings)) {
  for (std::size_t g = 0; g < space.groups.size(); ++g) {
    const bool ruled = std::any_of(space.rules.begin(), space.rules.end(), [&](const Rule& rule) {
      return LineRules::mentions(rule, static_cast<std::int32_t>(g));
    });
    known_.push_back(!ruled && space.groups[g].has_sides() && crossings_->knows(g));
  }
}

// The choices on one side of x, nearest first.
struct ToCrossing::Side {
  const Group& group;
  const std::optional<Outwards>& by_place;
  int half;
  std::size_t many = 0;      // that are looked at
  std::size_t crossing = 0;  // the first good one; `many` if there is none

  Row operator()(std::size_t i) const {
    return by_place ? by_place->at(half, i) : group.order()[group.halves(half)[i]];
  }
  std::size_t nearer_than(double cost) const {
    return by_place ? by_place->nearer_than(half, cost) : group.nearer_than(half, cost);
  }
};

bool ToCrossing::choose(const Origin& parent, std::size_t g, double cost, double shift, std::size_t spread,
                        std::vector<Row>& rows) {
  if (!known_[g]) return false;
  const Group& group = parent.space.groups[g];
  const std::optional<Outwards> by_place = group.outwards();
  Side sides[] = {{group, by_place, 0}, {group, by_place, 1}};
  auto& [below, above] = sides;
  for (Side& side : sides) side.many = side.nearer_than(cost);
  if (below.many + above.many <= spread + 2) return false;
  const Row low = below.many > 0 ? below(below.many - 1) : above(0);
  const Row high = above.many > 0 ? above(above.many - 1) : below(0);
  if (!crossings_->line(g, low, high)) return false;
  chosen_.clear();
  double nearest = kInfinity;
  for (Side& side : sides) {
    side.crossing = crossings_->first_good(0, side.many, false, side);
    if (side.crossing < side.many) nearest = std::min(nearest, group.total(side(side.crossing)));
    for (std::size_t i = side.crossing; i < std::min(side.crossing + 2, side.many); ++i) add(side, i);
    // Rounding may decide about the first of them, and about all that the model gives the same number.
    const std::size_t surely = crossings_->first_good(side.crossing, side.many, true, side);
    if (surely > side.crossing + 1 && surely < side.many) add(side, surely);
  }
  for (Side& side : sides) side.many = std::min(side.crossing, side.nearer_than(nearest));
  const std::size_t before = below.many + above.many;
  for (const Side& side : sides)
    if (side.many > 0) choose_before(side, std::max<std::size_t>(1, (spread * side.many + before / 2) / before), shift);
  std::sort(chosen_.begin(), chosen_.end(),
            [](const Chosen& a, const Chosen& b) { return a.cost != b.cost ? a.cost < b.cost : a.row < b.row; });
  for (const Chosen& chosen : chosen_)
    if (chosen.row != parent.rows[g]) rows.push_back(chosen.row);
  return true;
}

// The best of combinations lie at knees, for a line gains less for the same way behind each of them.
void ToCrossing::choose_before(const Side& side, std::size_t spread, double shift) {
  positions_.clear();
  evenly_spaced(side.many, static_cast<int>(std::min(spread, side.many)), shift, positions_);
  crossings_->knees(side.many, side, positions_);
  std::sort(positions_.begin(), positions_.end());
  positions_.erase(std::unique(positions_.begin(), positions_.end()), positions_.end());
  for (std::size_t position : positions_) add(side, position);
}

void ToCrossing::add(const Side& side, std::size_t position) {
  const Row row = side(position);
  chosen_.push_back({side.group.total(row), row});
}

}  // namespace geco
