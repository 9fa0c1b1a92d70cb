#include "core/ranked.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace geco {

std::optional<Ranked> Ranked::of(const Options::OfGroup& group, const Forest& forest, std::size_t g,
                                 std::span<const std::int32_t> x) {
  if (!forest.sorted(g)) return std::nullopt;
  Ranked made;
  std::vector<std::int32_t> rank_of;
  for (Row row : group.rows) {
    rank_of.push_back(forest.sorted_rank(g, x, row));
    if (rank_of.back() < 0) return std::nullopt;
  }
  made.order_.resize(rank_of.size());
  std::iota(made.order_.begin(), made.order_.end(), 0);
  std::stable_sort(made.order_.begin(), made.order_.end(),
                   [&](std::int32_t a, std::int32_t b) { return rank_of[a] < rank_of[b]; });
  const auto nearest = std::min_element(made.order_.begin(), made.order_.end());
  if (!std::is_sorted(made.order_.begin(), nearest, std::greater<>()) || !std::is_sorted(nearest, made.order_.end()))
    return std::nullopt;
  made.valley_ = nearest - made.order_.begin();
  for (std::int32_t option : made.order_) made.ranks_.push_back(rank_of[option]);
  made.words_ = group.words;
  std::vector<Word> so_far(group.words);
  for (std::size_t i = 0; i < made.order_.size(); ++i) {
    if (i % kApart == 0) made.kept_.insert(made.kept_.end(), so_far.begin(), so_far.end());
    so_far[made.order_[i] / 64] |= Word{1} << (made.order_[i] % 64);
  }
  return made;
}

void Ranked::flip_before(std::size_t place, Word* words) const {
  if (place == 0) return;
  const std::size_t kept = (place - 1) / kApart;
  for (std::size_t w = 0; w < words_; ++w) words[w] ^= kept_[kept * words_ + w];
  for (std::size_t i = kept * kApart; i < place; ++i) words[order_[i] / 64] ^= Word{1} << (order_[i] % 64);
}

void Ranked::add_words(std::size_t low, std::size_t high, std::vector<Word>& words) const {
  words.resize(words.size() + words_);
  Word* added = words.data() + words.size() - words_;
  flip_before(high, added);
  flip_before(low, added);
}

}  // namespace geco
