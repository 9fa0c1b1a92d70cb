// From a model's sums, or its raw answer, to its own number and M(x'); see src/geco/models/goal/goal.py.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "core/judge.hpp"
#include "core/link.hpp"

namespace geco {

// From which sum on a model with one sum is good: at least, or (falling) at most.
struct Turn {
  double sum;
  bool rising;
  bool good(double other) const { return rising ? other >= sum : other <= sum; }
};

struct Verdict {
  Link link;
  bool both = false;                  // a single column is the probability of the second of two classes
  std::vector<std::int32_t> columns;  // the wanted ones of several
  bool by_lead = false;               // the best wanted column must lead the best unwanted one
  Judge judge;

  // What is judged has this many columns.
  std::size_t width(std::size_t many) const { return both && link.width(many) == 1 ? 2 : link.width(many); }

  bool fits(std::size_t many) const {
    const std::size_t wide = width(many);
    return wide == 1 || std::all_of(columns.begin(), columns.end(),
                                    [&](std::int32_t c) { return static_cast<std::size_t>(c) < wide; });
  }

  // One outcome and number per row of sums [n, many].
  void operator()(std::span<const double> sums, std::size_t many, double* outcome, double* number) const {
    const std::size_t wide = width(many);
    std::vector<double> raw(std::max(wide, many));
    for (std::size_t i = 0; i * many < sums.size(); ++i)
      outcome[i] = one(sums.data() + i * many, many, raw.data(), wide, number[i]);
  }

  // Of a model with one sum. Links and judges rise or fall with it, or are best between two numbers: what is good is
  // one stretch of sums.
  double operator()(double sum) const {
    double raw[2], number;
    return one(&sum, 1, raw, width(1), number);
  }
  // None where all sums are as good as each other, or where those between two numbers are.
  std::optional<Turn> turn() const;

 private:
  double one(const double* sums, std::size_t many, double* raw, std::size_t wide, double& number) const {
    link(sums, many, raw);
    if (both && link.width(many) == 1) raw[1] = raw[0], raw[0] = 1 - raw[1];
    number = of(raw, wide);
    return judge(by_lead ? number - best_other(raw, wide) - judge.margin : number);
  }
  double of(const double* raw, std::size_t wide) const {
    if (wide == 1) return raw[0];
    if (!by_lead) {
      double total = 0;
      for (std::int32_t c : columns) total += raw[c];
      return total;
    }
    double most = -std::numeric_limits<double>::infinity();
    for (std::int32_t c : columns) most = larger(most, raw[c]);
    return most;
  }
  double best_other(const double* raw, std::size_t wide) const {
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < wide; ++c)
      if (std::find(columns.begin(), columns.end(), static_cast<std::int32_t>(c)) == columns.end())
        most = larger(most, raw[c]);
    return most;
  }
  // What is not a number stays so.
  static double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }
};

inline std::optional<Turn> Verdict::turn() const {
  const auto good = [&](double sum) { return (*this)(sum) > 0.5; };
  double low = -std::numeric_limits<double>::max(), high = -low;
  const bool rising = good(high);
  if (good(low) == rising) return std::nullopt;
  // Halved as the whole numbers that doubles are sorted as.
  const auto number = [](double d) {
    const auto bits = std::bit_cast<std::int64_t>(d);
    return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
  };
  const auto of = [](std::int64_t n) {
    return std::bit_cast<double>(n < 0 ? std::numeric_limits<std::int64_t>::min() - n : n);
  };
  std::int64_t from = number(low), to = number(high);
  while (to - 1 > from) {
    const std::int64_t half = std::midpoint(from, to);
    (good(of(half)) == rising ? to : from) = half;
  }
  return Turn{of(rising ? to : from), rising};
}

}  // namespace geco
