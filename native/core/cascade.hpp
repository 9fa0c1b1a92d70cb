// action_cascade (Sec. 4.2): make a candidate obey all rules across groups, or say which rule it cannot obey.
//
// Groups are visited in topological order; for each, one row is taken that satisfies *all* rules defining the group at
// once. Rule by rule, the second repair could undo the first.
#pragma once
#include <chrono>

#include "core/random.hpp"
#include "core/space.hpp"

namespace geco {

struct CascadeCounts {
  std::vector<std::int64_t> dropped;  // per rule, plus one last slot: no allowed row at all
  std::int64_t repaired = 0;          // groups changed by a cascade
  explicit CascadeCounts(const Space& space) : dropped(space.rules.size() + 1, 0) {}
};

class Cascade {
 public:
  // rng null: the nearest row that fits (slot 0 first). Otherwise one drawn by weight, slot 0 only if nothing else
  // fits. A group in `pinned` (-1: none) is never changed.
  static bool apply(const Space& space, Row* rows, Rng* rng, CascadeCounts& counts, std::int32_t pinned = -1);
};

// What may be spent on a proof: so many steps, and no longer than so many seconds.
class Patience {
 public:
  Patience(std::int64_t steps, double seconds) : steps_(steps), seconds_(seconds), begun_(Clock::now()) {}
  // One step more; false once it is over.
  bool step() {
    return --steps_ >= 0 &&
           (steps_ % kLook != 0 || std::chrono::duration<double>(Clock::now() - begun_).count() < seconds_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::int64_t kLook = 256;  // steps between two looks at the clock
  std::int64_t steps_;
  double seconds_;
  Clock::time_point begun_;
};

// Is there an allowed candidate that obeys every rule? `no` is a proof, `unknown` that patience came to its end.
enum class Feasible : std::int8_t { unknown, no, yes };

// Bounded backtracking over groups; the candidate, which may not be x if `not_x`, is written to `rows`. A group
// `kept` (-1: none) stays as it is in x.
Feasible any_allowed(const Space& space, Row* rows, bool not_x, Patience patience, std::int32_t kept = -1);

}  // namespace geco
