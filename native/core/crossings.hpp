// Crossings: where along a line a model turns good that is straight there but for breaks. Its nearest good row is
// worked out from a few breaks instead of being looked for among rows (docs/decisions/0005).
#pragma once
#include <algorithm>
#include <vector>

#include "core/halving.hpp"
#include "core/network_pass.hpp"
#include "core/pieces.hpp"
#include "core/verdict.hpp"

namespace geco {

class Network::Crossings {
 public:
  // The network must outlive it.
  Crossings(const Network& network, std::span<const double> x, Turn turn)
      : n_(network), pass_(network, x), turn_(turn) {}

  bool knows(std::size_t group) const { return n_.is_straight(group); }
  // The lines asked about from here on are this one's.
  void begin(const Row* parent) { parent_ = parent, pass_.all(parent); }
  // The line of a group between two of its rows. False if nothing is known of it.
  bool line(std::size_t group, Row a, Row b);
  // Of so many of its rows, each farther out than those before it, the first from `i` on that is good, surely or as far
  // as rounding may decide; how many there are if none is.
  template <class RowAt>
  std::size_t first_good(std::size_t i, std::size_t count, bool surely, RowAt row);
  // Of so many rows those at which most has been gained for the way there: the corners of the hull above the line.
  template <class RowAt>
  void knees(std::size_t count, RowAt row, std::vector<std::size_t>& positions);

 private:
  double value(Row row) const { return (*values_)[row]; }

  const Network& n_;
  Pass pass_;
  Turn turn_;
  const Row* parent_ = nullptr;
  const std::vector<double>* values_ = nullptr;  // of the line's table
  double bias_ = 0, slack_ = 0;
  Pieces pieces_;
  struct Point {
    double t, sum;
  };
  std::vector<Point> hull_;  // room for a side's
};

// From break to break up to the first that is good, then to the row at which the piece before it turns good. A piece
// may be good between two rows only, or by rounding: then it goes on behind it, but not for ever.
template <class RowAt>
std::size_t Network::Crossings::first_good(std::size_t i, std::size_t count, bool surely, RowAt row) {
  constexpr std::size_t kTries = 100;
  if (i >= count) return count;
  const Turn turn{turn_.sum - bias_ + (surely == turn_.rising ? slack_ : -slack_), turn_.rising};
  const double last = value(row(count - 1));
  const bool rises = value(row(0)) <= last;
  for (std::size_t tries = 0; i < count && tries < kTries; ++tries) {
    const double t = value(row(i));
    if (turn.good(pieces_.at(t))) return i;
    const double from = pieces_.turns(t, last, rises, turn.sum, [&](double sum) { return turn.good(sum); });
    if (rises ? from > last : from < last) return count;
    const auto before = [&](std::size_t k) { return rises ? value(row(k)) < from : value(row(k)) > from; };
    i = first_not<std::size_t>(i + 1, count, before);
  }
  return count;
}

// `t` is how far they are from the first row, `sum` rises towards what is good.
template <class RowAt>
void Network::Crossings::knees(std::size_t count, RowAt row, std::vector<std::size_t>& positions) {
  if (count < 3) return;
  const double from = value(row(0)), last = value(row(count - 1)), way = from <= last ? 1 : -1;
  const double up = turn_.rising ? 1 : -1;
  hull_.assign(1, {0, up * pieces_.at(from)});
  const auto add = [&](double t, double sum) {
    const Point p{way * (t - from), up * sum};
    while (hull_.size() > 1) {
      const Point &b = hull_.back(), &a = hull_[hull_.size() - 2];
      if ((b.sum - a.sum) * (p.t - a.t) > (p.sum - a.sum) * (b.t - a.t)) break;
      hull_.pop_back();
    }
    if (p.sum > hull_.back().sum) hull_.push_back(p);
  };
  std::size_t b = pieces_.before(from);
  if (way > 0)
    for (; b < pieces_.breaks() && pieces_.place(b) < last; ++b) add(pieces_.place(b), pieces_.at_break(b));
  else
    while (b-- > 0 && pieces_.place(b) > last) add(pieces_.place(b), pieces_.at_break(b));
  add(last, pieces_.at(last));
  for (std::size_t i = 1, at = 0; i < hull_.size(); ++i) {
    const double t = hull_[i].t;
    at = first_not<std::size_t>(at, count, [&](std::size_t k) { return way * (value(row(k)) - from) <= t; });
    positions.push_back(std::max<std::size_t>(at, 1) - 1);
  }
}

}  // namespace geco
