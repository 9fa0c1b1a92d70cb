// Ruler: the rows of a table of one ordered feature, as one x sees them, without a look at every row.
//
// Rows are sorted by number, so on either side of x they are sorted by distance as well. How far a row is, on which
// side, whether it may be chosen and which row of a stretch is the nearest: all of it follows from places that are
// looked up. Holds no more than a few numbers of its own.
#pragma once
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/spans.hpp"
#include "core/tables.hpp"

namespace geco {

// δ between the numbers of one feature and x's, weighted: 1 between a value and missing, 0 between two missing.
struct Apart {
  double x, divisor, weight, raising, lowering, most;

  Apart(const FeatureForm& f, double x, double most)
      : x(x), divisor(f.divisor), weight(f.weight), raising(f.raising), lowering(f.lowering), most(most) {}
  double operator()(double number) const;
};

class Ruler {
 public:
  // None where a missing value may be chosen, or where a distance may be beyond all numbers.
  static std::optional<Ruler> of(const TableForm& table, const Norm& norm, double largest_term,
                                 std::span<const double> x);

  double additive(Row r) const;  // the terms of Eq. 2
  double largest(Row r) const;
  double total(Row r) const { return additive(r) + largest(r); }
  double size(Row r) const { return apart_(number(r)); }
  // How far a row is, but for a common factor, rounding and steps that only count as changes: enough to guess a place.
  struct Slopes {
    const double* numbers;
    double x, below, above;  // of x; per unit on either side of it
  };
  std::optional<Slopes> slopes() const {
    if (!high_.empty()) return std::nullopt;
    return Slopes{numbers_.data(), apart_.x, apart_.lowering, apart_.raising};
  }
  // The number that is so far from x on one side of it, but for rounding.
  double number_at(bool above, double distance) const {
    const double changed = norm_.alpha * std::min(apart_.weight, apart_.most) / norm_.n;
    const double delta = (distance - changed) / (norm_.beta / norm_.n + norm_.gamma);
    const double away = delta * apart_.divisor / (apart_.weight * (above ? apart_.raising : apart_.lowering));
    return above ? apart_.x + away : apart_.x - away;
  }
  // The first row that is so near, and the one after the last.
  std::pair<Row, Row> nearer_than(double distance) const;
  bool sides() const { return sides_; }  // x has a number, so rows are below or above it
  bool above(Row r) const { return sides_ && r >= middle_ && r < known_; }
  // This row will be looked at soon: in a large table, waiting for its number is most of the cost.
  void fetch(Row r) const { __builtin_prefetch(&(high_.empty() ? numbers_ : high_).data()[r]); }

  // The rows that may be chosen by missing values, steps too small to count and x's own row, which is no choice.
  Spans offered(Row like_x) const;
  // From here on of these rows (and of those with enough support) some may be chosen.
  void choose(Spans allowed);
  const Spans& allowed() const { return allowed_; }
  // The choices on either side of x: how many there are below it (or as far up as it) and above, who is the first, and
  // whether nobody stands between them who is no choice.
  struct Sides {
    std::size_t below = 0, above = 0;
    Row down = 0, up = 0;
    bool straight = false;
  };
  const Sides& chosen() const { return chosen_; }
  std::size_t count() const { return chosen_.below + chosen_.above; }  // how many may be chosen
  Row choice(std::size_t at) const;  // the one with so many before it, by number
  std::vector<Row> choices() const;  // by number
  // The one nearest to x among the rows [from, to) that may be chosen, of equals the first; 0 if there is none. `cost`:
  // how far a row is; it does not fall on either side of x.
  template <class Cost>
  Row nearest(Row from, Row to, Cost cost) const;

 private:
  Ruler(const TableForm& table, const Norm& norm, double largest_term, std::span<const double> x);
  double number(Row r) const;
  std::size_t before(Row row) const;  // how many of the choices have a smaller number
  std::size_t place(Row row) const;  // how many rows with enough support come before it
  Row row_at(std::size_t place) const;

  Numbers numbers_, high_, low_;
  std::optional<Shared<Row>> supported_;
  double high_of_x_ = 0, low_of_x_ = 0;
  Apart apart_;
  Norm norm_;
  double least_step_;
  std::size_t rows_;
  Row known_;  // the first row without a number
  bool offers_missing_, sides_;
  Row middle_;  // the first row above x; where x has no number all rows are
  Spans allowed_;
  // Per span of `allowed_`: how many choices come before it, and the place where it begins.
  std::vector<std::size_t> starts_, places_;
  Sides chosen_;
};

// Here, for they are asked thousands of times in a search by halving.
inline double Apart::operator()(double number) const {
  const bool unknown = std::isnan(x), missing = std::isnan(number);
  if (unknown || missing) return unknown == missing ? 0.0 : std::min(weight, most);
  double delta = divisor == 0 ? (number - x != 0 ? 1.0 : 0.0) : std::abs(number - x) / divisor;
  if (raising != 1 || lowering != 1) delta *= number - x > 0 ? raising : lowering;
  if (weight != 1) delta *= weight;
  return delta;
}

inline double Ruler::number(Row r) const {
  if (high_.empty()) return numbers_[r];
  return (high_[r] - high_of_x_) + (low_[r] - low_of_x_);
}

inline double Ruler::additive(Row r) const {
  const double z = number(r), sum = apart_(z);
  if (norm_.alpha == 0) return sum * norm_.beta / norm_.n;
  const double rate = z > apart_.x ? apart_.raising : apart_.lowering;
  const bool differs = z < apart_.x || z > apart_.x;  // a δ too small for a double counts as a change, too
  const bool changed = sum > 0 || (differs && apart_.weight > 0 && rate > 0);
  return (norm_.alpha * (changed ? std::min(apart_.weight, apart_.most) : 0.0) + sum * norm_.beta) / norm_.n;
}

inline double Ruler::largest(Row r) const { return norm_.gamma == 0 ? 0.0 : apart_(number(r)) * norm_.gamma; }

template <class Cost>
Row Ruler::nearest(Row from, Row to, Cost cost) const {
  Row up = 0, down = 0;
  std::size_t last = 0;  // how many choices come before those above x
  if (to > middle_) {
    const std::size_t first = before(std::max(from, middle_));
    if (first < count()) up = choice(first);
    if (up >= to) up = 0;
  }
  if (from < middle_) {
    last = before(std::min(to, middle_));
    if (last > 0) down = choice(last - 1);
    if (down < from) down = 0;
  }
  if (down == 0 || (up != 0 && cost(up) < cost(down))) return up;
  const Row next = last > 1 ? choice(last - 2) : 0;
  if (next < from || cost(next) != cost(down)) return down;
  // Numbers too close together to be told apart by distance: of those the first.
  const auto least = cost(down);
  std::size_t low = before(from), high = last - 1;
  while (low < high) {
    const std::size_t half = low + (high - low) / 2;
    if (cost(choice(half)) != least) low = half + 1;
    else high = half;
  }
  return choice(low);
}

}  // namespace geco
