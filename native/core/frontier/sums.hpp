// Sums: effects of single changes put together, group by group, as far as no cheaper sum surpasses them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/frontier/round.hpp"

namespace geco {

// Rows of the groups so far, together.
struct Sum {
  double cost, effect;
  std::int32_t before;  // position in the sums of the groups before the last
  Row row;              // of the last group
};

// Sums over more and more groups: of no group, of the first, of two…
class Sums {
 public:
  // Anew, of sums nearer than the bound; of each level so many at most.
  void begin(double bound, std::size_t most) {
    bound_ = bound, most_ = most;
    all_.assign(1, {0, 0, -1, 0});
    levels_.assign({0, 1});
  }
  std::span<const Sum> last() const { return {all_.begin() + levels_[levels_.size() - 2], all_.end()}; }
  // One group more: every sum with every row of it that no cheaper one surpasses, as far as they are nearer than the
  // bound; of too many, some from the cheapest to the highest. False: nothing is left.
  bool add(std::vector<Sum>& rows);
  // The rows of which a sum of the last level is made.
  std::vector<Row> rows_of(std::size_t at) const;

 private:
  void put_together(std::span<const Sum> rows);
  void merge_pairs();

  double bound_ = 0;
  std::size_t most_ = 0;
  std::vector<Sum> all_;             // level after level
  std::vector<std::size_t> levels_;  // where each begins, and the end
  // Fronts one behind the other, where each ends, and room for them merged; they never shrink.
  std::vector<Sum> sums_, merged_;
  std::vector<std::size_t> ends_;
};

}  // namespace geco
