// InPlay: all that is scored, nearest first, of one distance the highest outcome first.
#pragma once
#include <span>
#include <vector>

#include "core/archive.hpp"

namespace geco {

struct Node {
  double distance, outcome;
  std::int64_t index;    // in the archive
  std::int32_t changed;  // the number of its set of changed groups
};

class InPlay {
 public:
  // Takes in what the archive has learned since it was last looked at. Only what is new is sorted.
  void follow(Archive& archive);
  void add(std::vector<Node> fresh);
  // What is nearer than the bound, and the counterfactuals at it; until more is added.
  std::span<const Node> within(double bound) const;
  // All indices and all numbers of sets of changed groups are below these.
  std::size_t indices() const { return indices_; }
  std::size_t changed_sets() const { return changed_sets_; }

 private:
  std::vector<Node> nodes_;
  std::vector<std::int64_t> unscored_;  // indices that were not scored yet when they were last looked at
  std::size_t seen_ = 0;                // indices of the archive looked at
  std::size_t indices_ = 0, changed_sets_ = 0;
};

}  // namespace geco
