// Ranked: the options of a group by their rank in the one column by which a forest tests it.
//
// What goes left at a node is then an interval of them, and of an interval the nearest is known without a look at it:
// the farther from x a number is on its side, the farther is its option.
#pragma once
#include <optional>

#include "core/options.hpp"

namespace geco {

class Ranked {
 public:
  // None where the group is not tested that way, an option has no rank, or the nearest would have to be looked for.
  static std::optional<Ranked> of(const Options::OfGroup& group, const Forest& forest, std::size_t g,
                                  std::span<const std::int32_t> x);

  std::size_t count() const { return order_.size(); }
  // How many options have a rank below this one.
  std::size_t before(std::int32_t rank) const {
    return std::lower_bound(ranks_.begin(), ranks_.end(), rank) - ranks_.begin();
  }
  // Of those from `low` up to `high`, which is above it.
  std::int32_t nearest(std::size_t low, std::size_t high) const {
    return order_[low > valley_ ? low : high <= valley_ ? high - 1 : valley_];
  }
  // The same as the words of a box.
  void add_words(std::size_t low, std::size_t high, std::vector<Word>& words) const;

 private:
  static constexpr std::size_t kApart = 16;  // options between two stretches of words that are kept

  // Flips the bits of all options before this one.
  void flip_before(std::size_t place, Word* words) const;

  std::vector<std::int32_t> ranks_, order_;  // in the order of ranks: those, and which option it is
  std::size_t valley_ = 0;  // the place of the nearest of all
  std::size_t words_ = 0;
  std::vector<Word> kept_;  // words of those before every kApart-th option
};

}  // namespace geco
