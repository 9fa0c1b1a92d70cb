#include "core/frontier/foresight.hpp"

#include <algorithm>
#include <cmath>

namespace geco {

Foresight::Foresight(const Space& space) {
  for (auto& half : effects_) half.resize(space.groups.size());
}

Foresight::Foresight(const Space& space, const Archive& archive) : Foresight(space) {
  const std::int64_t first = archive.find(space.start.data());
  if (first < 0) return;
  const double start = log_odds(archive.outcome(first));
  std::vector<Row> probe = space.start;
  for (std::size_t g = 0; g < space.groups.size(); ++g) {
    const Group& group = space.groups[g];
    for (int half = 0; half < 2; ++half)
      for (std::size_t position = 0; position < group.halves(half).size(); ++position) {
        probe[g] = group.order()[group.halves(half)[position]];
        const std::int64_t at = archive.find(probe.data());
        if (at >= 0 && !std::isnan(archive.outcome(at)))
          effects_[half][g].push_back({position, log_odds(archive.outcome(at)) - start});
      }
    probe[g] = space.start[g];
  }
}

double Foresight::effect(const Space& space, std::int32_t g, Row row) const {
  if (row == space.start[g] || row == 0) return 0;
  const Group& group = space.groups[g];
  const int half = group.has_sides() && group.above(row);
  const auto& of_half = group.halves(half);
  const auto& effects = effects_[half][g];
  if (effects.empty()) return 0;
  const double cost = group.total(row);
  auto at = std::find_if(effects.begin(), effects.end(),
                         [&](const Effect& e) { return group.cost()[of_half[e.position]] >= cost; });
  if (at == effects.end()) return effects.back().log_odds;
  if (at == effects.begin()) return at->log_odds;
  const double low = group.cost()[of_half[(at - 1)->position]], high = group.cost()[of_half[at->position]];
  const double t = high > low ? (cost - low) / (high - low) : 1.0;
  return (at - 1)->log_odds + t * (at->log_odds - (at - 1)->log_odds);
}

void Foresight::positions(std::int32_t g, int half, std::size_t n, double offset, double beyond,
                          std::vector<std::size_t>& out) const {
  const auto& effects = effects_[half][g];
  double best = -kInfinity, before = 0;
  std::size_t best_position = n, last = 0;
  for (const Effect& e : effects) {
    if (e.position >= n) break;
    const auto position = static_cast<double>(e.position);
    if (offset + e.log_odds > 0) {
      const double t = e.log_odds > before ? (-offset - before) / (e.log_odds - before) : 1.0;
      const double from = &e == effects.data() ? 0.0 : static_cast<double>(last);
      const double crossing = from + std::clamp(t, 0.0, 1.0) * (position - from);
      out.push_back(static_cast<std::size_t>(std::ceil(crossing)));
      out.push_back(std::min(n - 1, static_cast<std::size_t>(std::ceil(crossing + beyond * (position - crossing)))));
      return;
    }
    if (e.log_odds > best) best = e.log_odds, best_position = e.position;
    before = e.log_odds;
    last = e.position;
  }
  if (best_position < n && best > 0) out.push_back(best_position);
}

}  // namespace geco
