// Along: the sum of a model along a line of one sorted column, straight but for breaks. What holds at two neighbouring
// breaks holds for all rows between them, so none of them has to be asked about.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "core/pieces.hpp"
#include "core/spans.hpp"

namespace geco {

class Along {
 public:
  // `values`: per row of the table where it is on the line; they never fall or never rise, from row 1 on. Slot 0 is not
  // read. The sum is that of the pieces and the bias; `size`: of all that it adds up, signs left out.
  Along(Pieces pieces, double bias, double size, std::span<const double> values)
      : pieces_(std::move(pieces)), bias_(bias), slack_(kSlack * size), values_(values) {}

  // The first and the last of the rows around this one up to which `good` holds of the sum, whatever rounding does;
  // itself if it does not there. `good` must hold for one stretch of sums.
  template <class Good>
  std::pair<Row, Row> stretch(Row row, Good good) {
    const auto surely = [&](double sum) { return good(sum - slack_) && good(sum + slack_); };
    const auto size = static_cast<Row>(values_.size());
    if (row < 1 || row >= size || !surely(at(values_[row]))) return {row, row};
    const Reach below = down(values_[row], surely), above = up(values_[row], surely);
    const auto in = [&](double t) {
      if (below.sure <= t && t <= above.sure) return true;
      return below.most <= t && t <= above.most && surely(at(t));
    };
    const auto begin = values_.begin(), here = begin + row;
    const auto first = std::partition_point(begin + 1, here, [&](double t) { return !in(t); });
    const auto end = std::partition_point(here + 1, values_.end(), in);
    return {static_cast<Row>(first - begin), static_cast<Row>(end - begin) - 1};
  }

 private:
  // It holds as far as `sure`, and of what is farther up to `most` for the nearer part.
  struct Reach {
    double sure, most;
  };
  static constexpr double kEnd = std::numeric_limits<double>::infinity();

  double at(double t) { return bias_ + pieces_.at(t); }

  template <class Surely>
  Reach up(double t, Surely surely) {
    Reach reach{t, kEnd};
    for (std::size_t b = pieces_.before(t); b < pieces_.breaks(); ++b) {
      if (!surely(bias_ + pieces_.at_break(b))) return {reach.sure, pieces_.place(b)};
      reach.sure = std::max(t, pieces_.place(b));
    }
    return reach;
  }

  template <class Surely>
  Reach down(double t, Surely surely) {
    Reach reach{t, -kEnd};
    for (std::size_t b = pieces_.before(t); b-- > 0;) {
      if (!surely(bias_ + pieces_.at_break(b))) return {reach.sure, pieces_.place(b)};
      reach.sure = std::min(t, pieces_.place(b));
    }
    return reach;
  }

  Pieces pieces_;
  double bias_, slack_;
  std::span<const double> values_;
};

}  // namespace geco
