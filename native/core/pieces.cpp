#include "core/pieces.hpp"

#include <algorithm>
#include <cmath>

#include "core/activations.hpp"

namespace geco {
namespace {

// What the units that stay on add at the low end and per t, and a number that is not finite if one of them is not; in
// `turned` which of them begin or end on the way.
struct Ends {
  double constant, slope, finite;
};

// In wide registers as through_relu is: the same to the last bit.
GECO_WIDE Ends look_at_ends(std::size_t units, const double* __restrict rest, const double* __restrict of,
                            const double* __restrict weights, double low, double high, double* __restrict turned) {
  const auto first = [=](std::size_t i) { return rest[i] + low * of[i]; };
  const auto last = [=](std::size_t i) { return rest[i] + high * of[i]; };
  const auto stays = [=](std::size_t i) { return first(i) > 0 && last(i) > 0 ? weights[i] : 0.0; };
  for (std::size_t i = 0; i < units; ++i) turned[i] = (first(i) > 0 ? 1.0 : 0.0) - (last(i) > 0 ? 1.0 : 0.0);
  return {sum_of(units, [=](std::size_t i) { return stays(i) * first(i); }),
          sum_of(units, [=](std::size_t i) { return stays(i) * of[i]; }),
          sum_of(units, [=](std::size_t i) { return first(i) - last(i); })};
}

}  // namespace

bool Pieces::begin(std::size_t units, const double* __restrict rest, const double* __restrict of,
                   const double* __restrict weights, double low, double high) {
  low_ = low;
  breaks_.clear();
  turned_.resize(units);
  const Ends ends = look_at_ends(units, rest, of, weights, low, high, turned_.data());
  if (!std::isfinite(ends.finite)) return false;
  for (std::size_t i = 0; i < units; ++i) {
    if (turned_[i] == 0) continue;
    const double first = rest[i] + low * of[i];
    breaks_.push_back({-first / of[i], {weights[i] * first, weights[i] * of[i]}, of[i] > 0});
  }
  std::sort(breaks_.begin(), breaks_.end(), [](const Break& a, const Break& b) { return a.t < b.t; });
  add_up({ends.constant, ends.slope});
  return true;
}

bool Pieces::begin(double constant, double slope, double low, double high) {
  low_ = low;
  breaks_.clear();
  add_up({constant + low * slope, slope});
  return std::isfinite(low * slope - high * slope + constant);
}

// From either end towards the other, so that nothing is subtracted and no error builds up.
void Pieces::add_up(Straight always) {
  const std::size_t n = breaks_.size();
  pieces_.assign(n + 1, {});
  piece_ = 0;
  Straight ended;
  for (std::size_t p = n; p-- > 0;) {
    if (!breaks_[p].begins) ended += breaks_[p].unit;
    pieces_[p] += ended;
  }
  for (std::size_t p = 0; p <= n; ++p) {
    pieces_[p] += always;
    if (p < n && breaks_[p].begins) always += breaks_[p].unit;
  }
}

std::size_t Pieces::before(double t) {
  const double from = t - low_;
  while (piece_ < breaks_.size() && from > breaks_[piece_].t) ++piece_;
  while (piece_ > 0 && from <= breaks_[piece_ - 1].t) --piece_;
  return piece_;
}

double Pieces::at(double t) {
  const Straight& piece = pieces_[before(t)];
  return piece.constant + (t - low_) * piece.slope;
}

}  // namespace geco
