// LineRules: does a candidate on a line break a rule? Only one group varies there: what does not look at it is decided
// once, for all rows of the line.
#pragma once
#include <algorithm>
#include <vector>

#include "core/space.hpp"

namespace geco {

class LineRules {
 public:
  explicit LineRules(const Space& space) : space_(space) {}

  static bool mentions(const Rule& rule, std::int32_t group) {
    const auto in = [=](const Predicate& p) { return p.mentions(group); };
    return in(rule.consequent) || std::any_of(rule.antecedents.begin(), rule.antecedents.end(), in);
  }

  // The line through this candidate along `group`, whose own row there does not matter.
  void begin(const Row* rows, std::int32_t group) {
    group_ = group;
    all_broken_ = false;
    theirs_.clear();
    for (std::int32_t g = 0; g < space_.width() && !all_broken_; ++g)
      all_broken_ = g != group && !space_.groups[g].allowed[rows[g]];
    for (const Rule& rule : space_.rules) {
      if (mentions(rule, group)) theirs_.push_back(&rule);
      else all_broken_ = all_broken_ || !space_.holds(rule, rows);
    }
  }

  // A candidate of that line; the same as `first_broken`, but for which rule it is. Its row is one of the group's
  // choices, all of which are allowed, or slot 0.
  bool broken(const Row* rows) const {
    if (all_broken_ || (rows[group_] == 0 && !space_.groups[group_].allowed[0])) return true;
    return std::any_of(theirs_.begin(), theirs_.end(), [&](const Rule* rule) { return !space_.holds(*rule, rows); });
  }

 private:
  const Space& space_;
  std::int32_t group_ = 0;
  bool all_broken_ = false;
  std::vector<const Rule*> theirs_;  // rules that look at the group
};

}  // namespace geco
