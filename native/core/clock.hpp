// Seconds until a deadline, if there is one; one clock for Python and for the threads of the core.
#pragma once
#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/until.hpp"

namespace geco {

using Steady = Until::Clock;

inline double since(Steady::time_point start) { return std::chrono::duration<double>(Steady::now() - start).count(); }

class Clock {
 public:
  explicit Clock(double seconds) : seconds_(seconds), started_(Steady::now()) {}
  // 0 once it was stopped; infinite without a deadline.
  double left() const {
    if (std::isinf(seconds_)) return seconds_;
    return stopped_ ? 0.0 : std::max(0.0, seconds_ - since(started_));
  }
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }

 private:
  double seconds_;
  Steady::time_point started_;
  std::atomic<bool> stopped_ = false;
};

}  // namespace geco
