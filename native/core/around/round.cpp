#include "core/around/round.hpp"

#include <algorithm>
#include <cmath>

namespace geco {
namespace {

constexpr double kFloat = 1.2e-7;  // how far a float may be from the number that it stands for
constexpr double kDouble = 1e-12;
constexpr int kSmallest = -9;  // digits behind the point

bool is_multiple(double number, int exponent) {
  if (exponent >= 0) return std::fmod(number, std::pow(10.0, exponent)) == 0;
  const double scaled = number * std::pow(10.0, -exponent);
  const bool single = static_cast<double>(static_cast<float>(number)) == number;
  return std::abs(scaled - std::nearbyint(scaled)) <= (single ? kFloat : kDouble) * std::max(std::abs(scaled), 1.0);
}

}  // namespace

std::int64_t roundest(const std::function<double(std::int64_t)>& number, std::int64_t chosen, std::int64_t first,
                      std::int64_t last) {
  const double low = number(first), high = number(last), now = number(chosen);
  const double largest = std::max(std::abs(low), std::abs(high));
  if (!(1e-9 < largest && largest < 1e15)) return chosen;
  for (int exponent = static_cast<int>(std::floor(std::log10(largest))); exponent >= kSmallest; --exponent) {
    if (is_multiple(now, exponent)) return chosen;
    const double unit = std::pow(10.0, exponent);
    if (std::ceil(low / unit - 1e-6) > std::floor(high / unit + 1e-6)) continue;  // no multiple lies between them
    for (std::int64_t far = 1; chosen - far >= first || chosen + far <= last; ++far) {
      if (chosen - far >= first && is_multiple(number(chosen - far), exponent)) return chosen - far;
      if (chosen + far <= last && is_multiple(number(chosen + far), exponent)) return chosen + far;
    }
  }
  return chosen;
}

}  // namespace geco
