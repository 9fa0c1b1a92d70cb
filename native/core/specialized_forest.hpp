// Partial evaluation of a forest (Sec. 5.2).
#pragma once
#include "core/forest.hpp"

namespace geco {

// M_Δ: the forest with every test on a group outside Δ decided by x, so that only nodes that test groups of Δ are left.
// All trees stay, in their order, and sums round as those of the forest do. The forest must outlive it.
class SpecializedForest {
 public:
  // `groups`: Δ, rising.
  SpecializedForest(const Forest& forest, std::span<const std::int32_t> x, std::span<const std::int32_t> groups);

  std::size_t outputs() const { return forest_.outputs(); }
  std::size_t width() const { return groups_.size(); }
  std::size_t rows(std::size_t i) const { return forest_.rows(groups_[i]); }
  std::size_t size() const { return trees_.nodes.size(); }

  // Sums before the link for the `count` candidates of R_Δ [count, groups of Δ]; bit by bit those of Forest::points.
  std::vector<double> points(std::span<const Row> rows, std::size_t count) const;

 private:
  struct Column {
    std::size_t tested, position;  // a tested column, and where in Δ its group is
    std::int32_t x;                // its rank in x
  };

  const Forest& forest_;
  std::vector<std::int32_t> groups_;
  std::vector<Column> columns_;
  Forest::Trees trees_;
};

}  // namespace geco
