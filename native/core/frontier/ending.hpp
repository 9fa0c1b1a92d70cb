// Ending: when a search stops. It stops once the best ways no longer come nearer, or after so many rounds; before that,
// rounds that undo single changes settle what was found, so that no answer is left untested.
#pragma once
#include "core/frontier/round.hpp"

namespace geco {

enum class Stopped { converged, exhausted, budget };

inline const char* name_of(Stopped by) {
  constexpr const char* names[] = {"converged", "exhausted", "budget"};
  return names[static_cast<int>(by)];
}

class Ending {
 public:
  explicit Ending(const FrontierSettings& settings) : settings_(settings) {}

  // There is nothing more to ask about.
  void nothing_left(bool enough_found);
  // A round was told: the distance of the k-th way before it, of the nearest and of the farthest of fewer. True: it may
  // have been the last, and what was found decides about that; say it to `settle`.
  bool told(double bound, double nearest, double farthest = kInfinity);
  // Of the best k ways, how many there are and how many are known to be irreducible.
  void settle(std::size_t found, std::size_t settled);

  bool converged() const { return converged_; }
  bool only_undos() const { return only_undos_; }  // expand nothing more: settle the ways found
  Stopped stopped_by() const { return stopped_by_; }
  int rounds() const { return rounds_; }

 private:
  bool stalled() const { return unchanged_ >= (bound_ < kInfinity ? settings_.stalled : settings_.stalled_few); }

  FrontierSettings settings_;
  int rounds_ = 0, unchanged_ = 0;
  double bound_ = kInfinity, nearest_ = 0, farthest_ = kInfinity;  // as they were told last
  bool converged_ = false, only_undos_ = false;
  Stopped stopped_by_ = Stopped::converged;
};

}  // namespace geco
