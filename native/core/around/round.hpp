// Which of some numbers is the roundest.
#pragma once
#include <cstdint>
#include <functional>

namespace geco {

// Of the positions from first to last (numbers do not fall) that of the roundest number, the nearest to `chosen` of
// several; `chosen` if it is as round as any. Round is what is a multiple of a large power of ten, as far as the digits
// of a double or, where it is one, of a float go.
std::int64_t roundest(const std::function<double(std::int64_t)>& number, std::int64_t chosen, std::int64_t first,
                      std::int64_t last);

}  // namespace geco
