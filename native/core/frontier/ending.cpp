#include "core/frontier/ending.hpp"

namespace geco {

void Ending::nothing_left(bool enough_found) {
  converged_ = true;
  stopped_by_ = enough_found ? Stopped::converged : Stopped::exhausted;
}

bool Ending::told(double bound, double nearest, double farthest) {
  ++rounds_;
  const bool same = bound == bound_ && nearest == nearest_ && farthest == farthest_;
  unchanged_ = same && (bound < kInfinity || farthest < kInfinity) ? unchanged_ + 1 : 0;
  bound_ = bound;
  nearest_ = nearest;
  farthest_ = farthest;
  return !converged_ && (rounds_ >= settings_.max_rounds || stalled());
}

void Ending::settle(std::size_t found, std::size_t settled) {
  const bool all_settled = found > 0 && settled == found;
  const bool long_enough = settled > 0 && rounds_ >= settings_.max_rounds + settings_.end_game;
  // What was found in the last round of all still has its undos to be asked.
  const int most = settings_.patience + (found > 0 ? settings_.end_game : 0);
  if (all_settled || long_enough || rounds_ >= most) {
    converged_ = true;
    stopped_by_ = stalled() ? Stopped::converged : Stopped::budget;
  } else if (found > 0) {
    only_undos_ = true;
  }
}

}  // namespace geco
