#include <algorithm>
#include <cmath>

#include "core/archive.hpp"

namespace geco {

std::vector<std::int64_t> rank(std::span<const double> distance, std::span<const double> outcome, std::size_t q) {
  struct Ranked {
    double score;
    std::int64_t index;
    bool bad;
    bool operator<(const Ranked& o) const {
      if (bad != o.bad) return o.bad;  // even if weights push a distance past 1
      return score != o.score ? score < o.score : index < o.index;
    }
  };
  std::vector<Ranked> ranked;
  ranked.reserve(distance.size());
  for (std::size_t i = 0; i < distance.size(); ++i) {
    if (std::isnan(outcome[i])) continue;
    const bool bad = !(outcome[i] > 0.5);
    ranked.push_back({bad ? distance[i] + 1 + (1 - outcome[i]) : distance[i], static_cast<std::int64_t>(i), bad});
  }
  q = std::min(q, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + q, ranked.end());
  std::vector<std::int64_t> order(q);
  std::transform(ranked.begin(), ranked.begin() + q, order.begin(), [](const Ranked& r) { return r.index; });
  return order;
}

}  // namespace geco
