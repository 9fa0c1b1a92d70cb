// Options: per group the rows that a proof has to tell apart, and boxes of them.
//
// Rows of one group that the forest and the rules across groups cannot tell apart are one option, its nearest row.
// Options are sorted by cost, so the lowest bit of a set of them is the nearest. A box has one such set per group.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/forest.hpp"
#include "core/space.hpp"

namespace geco {

using Word = std::uint64_t;

class Options {
 public:
  struct OfGroup {
    std::vector<Row> rows;
    std::vector<double> additive, largest;  // their terms of Eq. 2
    std::size_t first = 0, words = 0;       // where its bits are in a box
  };

  // Rows that alone are as far as `reach` are left out.
  // `x_apart`: x only stands where a row stands that it is not equal to.
  // `sizes`: where the size of a change is another thing than its cost, rows of smaller ones are told apart.
  struct Settings {
    double reach;
    bool x_apart = false, sizes = false;
  };
  Options(const Space& space, const Forest& forest, std::span<const std::int32_t> x, Settings settings,
          const Until& until);

  std::size_t width() const { return groups_.size(); }
  std::size_t words() const { return words_; }
  const OfGroup& operator[](std::size_t g) const { return groups_[g]; }
  std::vector<Word> all() const;
  // The options of a group for which something holds, as its words of a box.
  template <class Holds>
  std::vector<Word> where(std::size_t g, Holds holds) const {
    std::vector<Word> words(groups_[g].words);
    for (std::size_t i = 0; i < groups_[g].rows.size(); ++i)
      if (holds(groups_[g].rows[i])) words[i / 64] |= Word{1} << (i % 64);
    return words;
  }
  // The nearest option of a group in a box, -1 if there is none; `within`: of those that are also in these words.
  std::int32_t nearest(std::size_t g, const Word* box) const {
    const OfGroup& group = groups_[g];
    for (std::size_t w = 0; w < group.words; ++w)
      if (box[group.first + w]) return static_cast<std::int32_t>(64 * w) + std::countr_zero(box[group.first + w]);
    return -1;
  }
  std::int32_t nearest(std::size_t g, const Word* box, const Word* within) const {
    const OfGroup& group = groups_[g];
    for (std::size_t w = 0; w < group.words; ++w)
      if (const Word both = box[group.first + w] & within[w])
        return static_cast<std::int32_t>(64 * w) + std::countr_zero(both);
    return -1;
  }
  bool single(std::size_t g, const Word* box) const;
  // No candidate of the box is nearer; infinity if the box is empty.
  double distance(const Word* box) const;
  // Keeps of each group what may be part of a candidate nearer than `reach`; false if a group has nothing left.
  bool within(double reach, Word* box) const;
  void rows_of_nearest(const Word* box, Row* rows) const;

 private:
  double least_largest(std::size_t g, const Word* box) const;

  std::vector<OfGroup> groups_;
  std::size_t words_ = 0;
  bool joined_ = false;  // γ > 0: distances do not just add up
};

}  // namespace geco
