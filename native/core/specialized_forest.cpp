#include "core/specialized_forest.hpp"

#include <algorithm>

namespace geco {

SpecializedForest::SpecializedForest(const Forest& forest, std::span<const std::int32_t> x,
                                     std::span<const std::int32_t> groups)
    : forest_(forest), groups_(groups.begin(), groups.end()) {
  std::vector<std::int32_t> decided(forest.tested_.size()), column(forest.tested_.size(), -1);
  forest.gather(x, std::vector<Row>(forest.width()).data(), decided.data());
  for (std::size_t i = 0; i < groups_.size(); ++i)
    for (std::int32_t t : forest.tables_[groups_[i]].tested) {
      column[t] = static_cast<std::int32_t>(columns_.size());
      columns_.push_back({static_cast<std::size_t>(t), i, x[t]});
    }
  const auto& nodes = forest.trees_.nodes;
  trees_ = forest.laid_out([&](std::int32_t at) {
    while (nodes[at].tested >= 0 && column[nodes[at].tested] < 0)
      at = forest.goes_left(nodes[at], decided[nodes[at].tested]) ? nodes[at].left : nodes[at].right;
    return at;
  });
  for (Forest::Node& node : trees_.nodes)
    if (node.tested >= 0) node.tested = column[node.tested];
}

std::vector<double> SpecializedForest::points(std::span<const Row> rows, std::size_t count) const {
  const std::size_t many = columns_.size();
  std::vector<double> out(count * outputs());
  std::vector<std::int32_t> ranks(std::min(count, Forest::kBlock) * many);
  for (std::size_t first = 0; first < count; first += Forest::kBlock) {
    const std::size_t block = std::min(Forest::kBlock, count - first);
    for (std::size_t i = 0; i < block; ++i)
      for (std::size_t c = 0; c < many; ++c) {
        const Row row = rows[(first + i) * width() + columns_[c].position];
        ranks[i * many + c] = row == 0 ? columns_[c].x : forest_.tested_[columns_[c].tested].rank[row];
      }
    forest_.sum(trees_, ranks.data(), many, block, out.data() + first * outputs());
  }
  return out;
}

}  // namespace geco
