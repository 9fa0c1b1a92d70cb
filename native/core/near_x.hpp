// NearX: what the trees say along the lines of x itself, as far as a search looks.
//
// The parents of a search lie near x, and most trees cannot tell a parent from x wherever the parent's lines lead. What
// such a tree adds along them is what it adds along those of x: only the other trees are walked. Sums are whole numbers
// of a small unit, so that what was added can be taken back to the last bit.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/narrowed.hpp"

namespace geco {

class Forest::NearX {
 public:
  NearX();
  ~NearX();
  NearX(NearX&&) noexcept;
  NearX& operator=(NearX&&) noexcept;
  // A sweep for one parent of this x; it can be used again.
  Sweep& sweep(std::size_t number, const Forest& forest, std::span<const std::int32_t> x);
  // Lines of x: whatever parents and lines stay within them can make use of this.
  void look(const Forest& forest, std::span<const std::int32_t> x, const LinesOfX& lines);
  std::uint64_t number() const { return number_; }
  // The trees that candidates with these ranks, one after the other, need to walk.
  const Trees& trees(const Forest& forest, std::span<const std::int32_t> ranks) const;
  // What is asked has these ranks: it need not walk more than what is left of the trees where x may go.
  void narrow(const Forest& forest, Narrowed& asked);

 private:
  friend class Sweep;
  // Cells of one group that reach a leaf together, as a walk carries them: words and lists are in cells_left_, from
  // `from` on.
  struct Left {
    std::int32_t group, low, high;
    std::uint32_t from;
  };
  struct Test {
    std::int32_t cut, tree;
  };
  // What the cells of one group add.
  struct Along {
    bool known = false;
    std::int32_t low = 0, high = 0;  // of a sorted table: those that are looked at,
    std::vector<std::int32_t> starts;  // and stretches of them that add the same
    std::vector<bool> cells;  // of another one: those that are looked at
    std::vector<Whole> added;  // per stretch, or per cell
  };
  struct Watch;
  // Trees that are left of a forest where tested columns have only these ranks.
  struct Cut {
    Trees trees;
    std::vector<Narrowed::Range> ranges;  // per tested column

    Cut() = default;
    // Nothing if the trees stay nearly what they are.
    Cut(Narrowed& narrowed, double share) : trees(narrowed.all(share)), ranges(narrowed.ranges()) {}
    explicit operator bool() const { return !trees.roots.empty(); }
    bool has(std::span<const Narrowed::Range> others) const;
    bool has(std::span<const std::int32_t> ranks) const;  // of candidates, one after the other
  };

  Narrowed::Tree tree(std::size_t t) const { return {within_.trees.nodes.data(), within_.trees.roots[t]}; }
  std::span<const Left> left(std::size_t t) const {
    return {left_.data() + left_from_[t], left_from_[t + 1] - left_from_[t]};
  }
  // Sets the bit of each tree that goes another way for these ranks than for x's.
  void tell_apart(const Forest& forest, std::span<const std::int32_t> x, std::span<const std::int32_t> ranks,
                  std::vector<std::uint64_t>& trees) const;
  void keep(const Forest& forest, Sweep& of_x, std::span<const std::int32_t> groups);

  std::vector<std::int32_t> cells_of_x_;
  std::vector<std::unique_ptr<Sweep>> sweeps_;
  std::uint64_t number_ = 0;
  Cut widest_;  // of all that has been asked so far
  int widened_ = 0;
  Cut within_;  // of the lines of x
  std::vector<std::vector<Test>> tests_;  // per tested column, on the way of x and of what leaves it
  std::vector<Left> left_;  // tree by tree
  std::vector<std::uint64_t> cells_left_;
  std::vector<std::size_t> left_from_;
  std::vector<Whole> more_;  // what they add beside x's path: [left, values of a leaf]
  std::vector<Whole> on_path_;  // what x's leaves add: [trees, values of a leaf]
  std::vector<Whole> sums_;  // of x
  std::vector<Along> along_;  // per group
};

}  // namespace geco
