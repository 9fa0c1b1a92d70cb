// What is told of a candidate: what changes, how far it is, why it must; and of an answer what else would do and the
// order in which its changes can be made.
#pragma once
#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "core/archive.hpp"
#include "core/around/walk.hpp"
#include "core/order.hpp"

namespace geco {

// What the user's model said of a candidate; NaN where it was not asked.
struct Said {
  double outcome = std::numeric_limits<double>::quiet_NaN(), number = outcome;
  bool heard() const { return outcome == outcome; }
};

struct Facts {
  double distance = 0;
  double number = std::numeric_limits<double>::quiet_NaN();  // the model's; NaN where it never said one
  std::vector<std::int32_t> changed;                         // groups
  std::vector<Row> rows;                                     // of each of them
  std::vector<std::int32_t> required;  // of each what first_broken says once that change is undone

  // Of answers alone:
  std::size_t place = 0;  // in what the confirmation asked about
  std::shared_ptr<const Facts> unrounded;
  std::vector<Range> ranges;
  Way way;
  std::vector<Said> between;  // of each candidate on the way
  bool all_heard() const {
    return std::all_of(between.begin(), between.end(), [](const Said& s) { return s.heard(); });
  }
};

// A candidate, with the number that the archive has of it.
Facts facts(const Space& space, const Archive& archive, const Row* rows);

}  // namespace geco
