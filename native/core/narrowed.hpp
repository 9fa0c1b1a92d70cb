// Trees cut down to the tests that come out differently among what is asked together.
//
// As the bound falls, the parents and lines of a round lie close together: most tests of a tree then come out
// the same for all of them. The paper's partial evaluation (Sec. 5.2), for one round and one tree at a time. Leaves are
// the forest's own, and what walks to them is in the same order, so sums are the same to the last bit.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/forest.hpp"

namespace geco {

class Forest::Narrowed {
 public:
  struct Tree {
    const Node* nodes;
    std::int32_t root;
  };

  // The ranks that something that is asked has in a tested column.
  struct Range {
    std::int32_t low = std::numeric_limits<std::int32_t>::max(), high = std::numeric_limits<std::int32_t>::min();
  };

  // A tree that would keep more than `most` nodes is left whole; with 0 all of them are.
  Narrowed(const Forest& forest, const Trees& trees, std::size_t most)
      : forest_(forest), trees_(&trees), most_(most), range_(forest.tested_.size()), in_vain_(most == 0 ? kTrials : 0) {
  }

  // Something that is asked has a rank from low to high in this tested column.
  void add(std::size_t tested, std::int32_t low, std::int32_t high) {
    Range& range = range_[tested];
    range.low = std::min(range.low, low), range.high = std::max(range.high, high);
  }

  // Valid until the next one.
  Tree tree(std::size_t t) {
    const std::int32_t root = trees_->roots[t];
    if (in_vain_ < kTrials) {
      nodes_.clear();
      if (cut_down(root)) {
        in_vain_ = 0;
        return {nodes_.data(), 0};
      }
      ++in_vain_;
    }
    return {trees_->nodes.data(), root};
  }

  const std::vector<Range>& ranges() const { return range_; }
  // What is asked gets no farther than these, which were cut down already.
  void use(const Trees& trees) { trees_ = &trees; }
  // All of them, cut down. None if the first few keep more than `share` of their nodes.
  Trees all(double share) {
    Trees made;
    made.depth = trees_->depth;
    for (const std::int32_t root : trees_->roots) {
      const auto so_far = static_cast<std::int32_t>(nodes_.size());
      if (made.roots.size() == kTrials && so_far > share * root) return {};
      made.roots.push_back(so_far);
      cut_down(root);
    }
    made.nodes = std::move(nodes_);
    return made;
  }

 private:
  static constexpr int kTrials = 16;  // so many trees in a row left whole, and no further one is tried

  // Where all that is asked gets to from here, a leaf or a test that parts it.
  const Node* follow(std::int32_t from) const {
    const Node* node = &trees_->nodes[from];
    while (node->tested >= 0) {
      const Range range = range_[node->tested];
      const bool left = forest_.goes_left(*node, range.low);
      const bool decided = node->cut < 0 ? range.low == range.high : left == (range.high < node->cut);
      if (!decided) break;
      node = &trees_->nodes[left ? node->left : node->right];
    }
    return node;
  }

  // Adds what is left of the subtree; false if that is too much.
  bool cut_down(std::int32_t from) {
    const Node* node = follow(from);
    if (nodes_.size() == most_) return false;
    const std::size_t at = nodes_.size();
    nodes_.push_back(*node);
    if (node->tested < 0) return true;
    nodes_[at].left = static_cast<std::int32_t>(nodes_.size());
    if (!cut_down(node->left)) return false;
    nodes_[at].right = static_cast<std::int32_t>(nodes_.size());
    return cut_down(node->right);
  }

  const Forest& forest_;
  const Trees* trees_;
  std::size_t most_;
  std::vector<Range> range_;  // per tested column
  std::vector<Node> nodes_;
  int in_vain_;
};

}  // namespace geco
