// LineDistance: how far the candidates of a line are. Only one group varies there, so the others are added up once, in
// the order in which the space adds them: the same to the last bit.
#pragma once
#include <algorithm>
#include <vector>

#include "core/space.hpp"

namespace geco {

class LineDistance {
 public:
  explicit LineDistance(const Space& space) : space_(space) {}

  // The line through this candidate along `group`, whose own row there does not matter.
  void begin(const Row* rows, std::int32_t group) {
    group_ = &space_.groups[group];
    before_ = largest_ = 0;
    after_.clear();
    for (std::int32_t g = 0; g < space_.width(); ++g) {
      if (rows[g] == 0 || g == group) continue;
      const double additive = space_.groups[g].additive(rows[g]);
      if (g < group) before_ += additive;
      else after_.push_back(additive);
      largest_ = std::max(largest_, space_.groups[g].largest(rows[g]));
    }
  }
  // Of the candidate with this row there.
  double distance(Row row) const {
    double sum = row == 0 ? before_ : before_ + group_->additive(row);
    for (double additive : after_) sum += additive;
    return sum + (row == 0 ? largest_ : std::max(largest_, group_->largest(row)));
  }

 private:
  const Space& space_;
  const Group* group_ = nullptr;
  double before_ = 0, largest_ = 0;
  std::vector<double> after_;  // of the groups after it
};

}  // namespace geco
