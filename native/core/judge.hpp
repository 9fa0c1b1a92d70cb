// M(x') in [0, 1] from the model's number: good above 0.5. See src/geco/models/goal/goal.py for what each kind means.
#pragma once
#include <algorithm>
#include <cmath>

namespace geco {

struct Judge {
  enum Kind { threshold, lead, decision, interval } kind = threshold;
  double at = 0.5;                 // threshold
  double low = 0, high = 0;        // interval
  double softness = 1;             // interval: the gap at which a miss has lost most of its outcome
  double margin = 0, sign = 1;     // decision

  double operator()(double number) const {
    if (std::isnan(number)) return number;
    if (kind == interval) {
      const double gap = number < low ? low - number : number > high ? number - high : 0.0;
      return gap == 0 ? 1.0 : 0.5 * std::exp(-felt(gap / softness));
    }
    if (kind == decision) {
      const double beyond = sign * number - margin;
      return never_even(beyond > 0, 1 / (1 + std::exp(-std::clamp(beyond, -500.0, 500.0))));
    }
    if (kind == lead) return never_even(number > 0, 0.5 + number / 2);
    if (number > at) return never_even(true, 0.5 + (number - at) / (2 * (1 - at)));
    return never_even(false, at > 0 ? number / (2 * at) : 0.0);
  }

  // At an end of an interval the outcome jumps, so that rounding may decide though it is far from 0.5.
  bool at_an_end(double number) const {
    constexpr double rounding = 1e-9;
    auto at = [&](double end) {
      return std::isfinite(end) && std::abs(number - end) <= rounding * std::max(1.0, std::abs(end));
    };
    return kind == interval && (at(low) || at(high));
  }

 private:
  // Very far off the exponential would be 0 for all: from there on it is a power of the gap, and nearer stays better.
  static double felt(double gap) {
    constexpr double far = 30;
    return gap <= far ? gap : far * (1 + std::log(gap / far));
  }
  // Good must stay strictly above 0.5 and bad must not rise above it, whatever rounding does.
  static double never_even(bool good, double outcome) {
    constexpr double just_good = 0x1.0000000000001p-1;
    return good ? std::clamp(outcome, just_good, 1.0) : std::clamp(outcome, 0.0, 0.5);
  }
};

}  // namespace geco
