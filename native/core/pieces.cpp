#include "core/pieces.hpp"

#include <algorithm>
#include <cmath>

#include "core/activations.hpp"

namespace geco {

bool Pieces::begin(std::size_t units, const double* __restrict rest, const double* __restrict of,
                   const double* __restrict weights, double low, double high) {
  low_ = low;
  breaks_.clear();
  const auto first = [=](std::size_t i) { return rest[i] + low * of[i]; };
  const auto last = [=](std::size_t i) { return rest[i] + high * of[i]; };
  const auto stays = [=](std::size_t i) { return first(i) > 0 && last(i) > 0 ? weights[i] : 0.0; };
  if (!std::isfinite(sum_of(units, [=](std::size_t i) { return first(i) - last(i); }))) return false;
  for (std::size_t i = 0; i < units; ++i)
    if ((first(i) > 0) != (last(i) > 0))
      breaks_.push_back({-first(i) / of[i], {weights[i] * first(i), weights[i] * of[i]}, of[i] > 0});
  std::sort(breaks_.begin(), breaks_.end(), [](const Break& a, const Break& b) { return a.t < b.t; });
  add_up({sum_of(units, [=](std::size_t i) { return stays(i) * first(i); }),
          sum_of(units, [=](std::size_t i) { return stays(i) * of[i]; })});
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
