#include "core/hidden.hpp"

#include <algorithm>
#include <cmath>

namespace geco {

std::vector<double> Hidden::lowered_needs(std::span<const double> rounding) const {
  std::vector<double> lowered = needs;
  for (std::size_t f = 0; f < lowered.size(); ++f) {
    double lost = std::abs(biases[f]) * 0x1p-50;
    for (std::size_t u = 0; u < units; ++u) lost += std::abs(weights[f * units + u]) * rounding[u];
    lowered[f] -= lost * static_cast<double>(units + 1);
  }
  return lowered;
}

std::vector<double> Hidden::highest(std::span<const double> low, std::span<const double> high) const {
  std::vector<double> most = biases;
  for (std::size_t f = 0; f < most.size(); ++f)
    for (std::size_t u = 0; u < units; ++u) {
      const double weight = weights[f * units + u];
      most[f] += weight * std::max(0.0, weight > 0 ? high[u] : low[u]);
    }
  return most;
}

double Hidden::above(std::size_t form, std::span<const double> low, std::span<const double> high,
                     double* slopes) const {
  double constant = biases[form];
  for (std::size_t u = 0; u < units; ++u) {
    const double weight = weights[form * units + u];
    if (high[u] <= 0) {
      slopes[u] = 0;
    } else if (low[u] >= 0) {
      slopes[u] = weight;
    } else if (weight > 0) {  // the line through both ends
      slopes[u] = weight * (high[u] / (high[u] - low[u]));
      constant -= slopes[u] * low[u];
    } else {  // 0 or the unit itself, whichever is closer to the ReLU
      slopes[u] = high[u] > -low[u] ? weight : 0;
    }
  }
  return constant;
}

}  // namespace geco
