// About: distances that rounding alone tells apart are the same.
//
// Sums of the same terms, put into groups in another way, differ in the last bit; which answer comes first must not
// depend on that.
#pragma once
#include <bit>
#include <cstdint>

namespace geco {

// To 40 bits, about twelve digits; what is not farther stays not farther.
inline double about(double distance) {
  constexpr std::uint64_t kLess = 12;  // bits
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(distance) + (std::uint64_t{1} << (kLess - 1));
  return std::bit_cast<double>(bits & ~((std::uint64_t{1} << kLess) - 1));
}

}  // namespace geco
