// Points that walk trees abreast, a bit for each of up to 64.
//
// Whom a test sends left is one word, looked up by its cut: what is sorted once for all trees need not be asked of each
// point at each node. Leaves are the forest's own and reached in the order of trees.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/forest.hpp"

namespace geco {

class Forest::Abreast {
 public:
  static constexpr std::size_t kMost = 64;

  // `ranks`: [n, many], of up to kMost points.
  Abreast(const Forest& forest, const std::int32_t* ranks, std::size_t many, std::size_t n)
      : forest_(forest), all_(~std::uint64_t{0} >> (kMost - n)), columns_(many) {
    std::vector<std::int32_t> low(ranks, ranks + many), high(low);
    for (const std::int32_t* of_point = ranks; of_point < ranks + n * many; of_point += many)
      for (std::size_t t = 0; t < many; ++t)
        low[t] = std::min(low[t], of_point[t]), high[t] = std::max(high[t], of_point[t]);
    std::vector<Place> order(n);
    for (std::size_t t = 0; t < many; ++t) {
      if (low[t] == high[t]) {
        add(columns_[t], low[t]);
        continue;
      }
      for (std::size_t i = 0; i < n; ++i)
        order[i] = static_cast<Place>(std::int64_t{ranks[i * many + t]} - kLowest) * kMost + i;
      std::sort(order.begin(), order.end());
      add(columns_[t], order);
    }
  }

  // Takes them through a tree; calls `reached(leaf, points)` where some end.
  template <class Reached>
  void walk(const Trees& trees, std::size_t t, Reached reached) const {
    part(trees.nodes.data(), trees.roots[t], all_, reached);
  }

 private:
  static constexpr std::size_t kParts = 64;
  using Place = std::uint64_t;  // a rank and whose it is

  // The ranks that the points have in a tested column.
  struct Column {
    std::size_t first = 0, end = 0;  // where in ranks_ they stand, rising
    std::int32_t low = 0, high = 0;  // the lowest; the highest that is not kHighest
    std::uint64_t up_to_high = 0;  // whose rank is no higher than that
    int shift = 0;
    // From low on the range is cut into parts as long as this power of two: where in ranks_ those of each begin.
    std::array<std::uint8_t, kParts> parts;

    Column() {}  // leaves the parts as they are: most columns have none
  };

  // All have the same rank.
  void add(Column& column, std::int32_t rank) {
    column.first = ranks_.size();
    ranks_.insert(ranks_.end(), {rank, kHighest});
    below_.insert(below_.end(), {0, all_});
    column.end = column.first + 1;
    column.low = column.high = rank;
    column.up_to_high = all_;
  }
  void add(Column& column, std::span<const Place> order) {
    column.first = ranks_.size();
    std::uint64_t below = 0;
    for (const Place place : order) {
      const auto rank = static_cast<std::int32_t>(static_cast<std::int64_t>(place / kMost) + kLowest);
      if (ranks_.size() == column.first || ranks_.back() != rank) ranks_.push_back(rank), below_.push_back(below);
      below |= std::uint64_t{1} << place % kMost;
    }
    column.end = ranks_.size();
    ranks_.push_back(kHighest), below_.push_back(below);
    const bool missing = column.end - column.first > 1 && ranks_[column.end - 1] == kHighest;
    column.low = ranks_[column.first], column.high = ranks_[column.end - 1 - missing];
    column.up_to_high = below_[column.end - missing];
    const auto range = static_cast<std::uint32_t>(column.high - column.low);
    column.shift = std::max<int>(0, std::bit_width(range) - std::countr_zero(kParts));
    std::size_t at = column.first;
    for (std::uint32_t part = 0; part <= range >> column.shift; ++part) {
      while (static_cast<std::uint32_t>(ranks_[at] - column.low) < part << column.shift) ++at;
      column.parts[part] = static_cast<std::uint8_t>(at - column.first);
    }
  }

  std::uint64_t of_left(const Node& node) const {
    const Column& column = columns_[node.tested];
    if (node.cut < 0) return of_left_set(node, column);
    if (node.cut <= column.low) return 0;
    if (node.cut > column.high) return column.up_to_high;
    std::size_t at = column.first + column.parts[(node.cut - column.low) >> column.shift];
    while (ranks_[at] < node.cut) ++at;
    return below_[at];
  }
  std::uint64_t of_left_set(const Node& node, const Column& column) const {
    std::uint64_t left = 0;
    for (std::size_t at = column.first; at < column.end; ++at)
      if (forest_.goes_left(node, ranks_[at])) left |= below_[at + 1] ^ below_[at];
    return left;
  }

  template <class Reached>
  void part(const Node* nodes, std::int32_t from, std::uint64_t points, const Reached& reached) const {
    const Node* node = nodes + from;
    while (node->tested >= 0) {
      const std::uint64_t left = points & of_left(*node);
      const bool together = left == 0 || left == points;
      if (!together) part(nodes, node->left, left, reached), points ^= left;
      node = nodes + (together && left != 0 ? node->left : node->right);
    }
    reached(*node, points);
  }

  const Forest& forest_;
  std::uint64_t all_;
  std::vector<Column> columns_;
  std::vector<std::int32_t> ranks_;
  std::vector<std::uint64_t> below_;  // for each of those, the points whose rank is lower
};

}  // namespace geco
