#include "core/outwards.hpp"

#include <algorithm>
#include <limits>

#include "core/halving.hpp"

namespace geco {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();  // the cost of nobody

}  // namespace

// `i` below x come before this position if the one at i does not and the one at i - 1 does; each cost is looked at
// once, for the guess is mostly right and then its costs say all.
Row Outwards::at(std::size_t position) {
  if (position < position_) position_ = passed_ = 0;
  const std::size_t least = std::max(passed_, position - std::min(position, above_));
  const std::size_t most = std::min(passed_ + (position - position_), below_);
  // Of two that are equally far, the one below x comes first.
  const auto before = [&](std::size_t i) { return down_cost(i) <= up_cost(position - i - 1); };
  std::size_t i = guess(least, most, position);
  double down = i < below_ ? down_cost(i) : kNone, up = position - i < above_ ? up_cost(position - i) : kNone;
  const bool more = i < most && down <= up_cost(position - i - 1);
  if (more || (i > least && !(down_cost(i - 1) <= up))) {
    i = more ? first_not(i + 1, most, before) : first_not(least, i - 1, before);
    down = i < below_ ? down_cost(i) : kNone, up = position - i < above_ ? up_cost(position - i) : kNone;
  }
  passed_ = i, position_ = position;
  return i < below_ && (position - i == above_ || down <= up) ? down_in_order(i, down) : this->up(position - i);
}

// How many of those below x come before a position, `least` to `most`, by a look at nothing but numbers. It is right
// but for rounding, and where rows or slopes are not as plain as most are.
std::size_t Outwards::guess(std::size_t least, std::size_t most, std::size_t position) const {
  if (!slopes_ || !straight_ || least == most) return least;
  const auto [numbers, x, below, above] = *slopes_;
  const double *downwards = numbers + down(least), *upwards = numbers + up(position - least - 1);
  std::ptrdiff_t from = 0;
  for (std::ptrdiff_t left = most - least; left > 0;) {  // without branches: they could not be guessed
    const std::ptrdiff_t half = left / 2, i = from + half;
    const bool before = (x - downwards[-i]) * below <= (upwards[-i] - x) * above;
    from = before ? i + 1 : from;
    left = before ? left - half - 1 : half;
  }
  return least + from;
}

// Numbers too close together to be told apart by distance stand in the order of their rows, below x as well.
Row Outwards::down_in_order(std::size_t i, double cost) const {
  if ((i == 0 || down_cost(i - 1) != cost) && (i + 1 == below_ || down_cost(i + 1) != cost)) return down(i);
  const std::size_t first = first_not(0, i, [&](std::size_t k) { return down_cost(k) < cost; });
  const std::size_t end = first_not(i, below_, [&](std::size_t k) { return down_cost(k) <= cost; });
  return down(first + (end - 1 - i));
}

std::size_t Outwards::nearer_than(double cost) const {
  return first_not(0, below_, [&](std::size_t i) { return down_cost(i) < cost; }) +
         first_not(0, above_, [&](std::size_t i) { return up_cost(i) < cost; });
}

Row Outwards::last_within(int side, double cost) const {
  if (side == 1) {
    const std::size_t end = first_not(0, above_, [&](std::size_t i) { return up_cost(i) <= cost; });
    return end == 0 ? 0 : up(end - 1);
  }
  const std::size_t end = first_not(0, below_, [&](std::size_t i) { return down_cost(i) <= cost; });
  return end == 0 ? 0 : down_in_order(end - 1, down_cost(end - 1));
}

}  // namespace geco
