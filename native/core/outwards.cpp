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

// Who stands there by their numbers alone is mostly right, and then two costs say so.
template <class Within>
std::size_t Outwards::count(bool up, double cost, Within within) const {
  const std::size_t all = up ? above_ : below_;
  const auto inside = [&](std::size_t i) { return within(up ? up_cost(i) : down_cost(i)); };
  if (!slopes_ || !straight_ || all == 0) return first_not(0, all, inside);
  const double end = ruler_.number_at(up, cost);
  const double* numbers = slopes_->numbers;
  const auto i = static_cast<std::size_t>(
      up ? std::upper_bound(numbers + up_, numbers + up_ + all, end) - (numbers + up_)
         : numbers + down_ + 1 - std::lower_bound(numbers + down_ + 1 - all, numbers + down_ + 1, end));
  if (i < all && inside(i)) return first_not(i + 1, all, inside);
  return i > 0 && !inside(i - 1) ? first_not(0, i - 1, inside) : i;
}

std::size_t Outwards::nearer_than(double cost) const { return nearer_than(0, cost) + nearer_than(1, cost); }

std::size_t Outwards::nearer_than(int side, double cost) const {
  return count(side == 1, cost, [&](double other) { return other < cost; });
}

Row Outwards::last_within(int side, double cost) const {
  const std::size_t end = count(side == 1, cost, [&](double other) { return other <= cost; });
  if (end == 0) return 0;
  return side == 1 ? up(end - 1) : down_in_order(end - 1, down_cost(end - 1));
}

}  // namespace geco
