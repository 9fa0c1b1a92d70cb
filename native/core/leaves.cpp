#include "core/leaves.hpp"

#include <algorithm>
#include <cmath>

namespace geco {
namespace {

constexpr double kBeyond = 1 + 1e-9;  // times the reach: it must not be rounding that drops a leaf
constexpr std::size_t kMostWords = 16u << 20;  // 128 MB of a tree's leaves: a proof with more is not begun

// Down a tree with a box of options, cut at every node: what is left of it at each leaf nearer than `reach`.
class Walk {
 public:
  Walk(const Options& options, const Forest& forest, std::size_t tree, std::span<const std::int32_t> x, double reach,
       const Until& until)
      : options_(options), forest_(forest), groups_(forest.groups_tested(tree)), x_(x), most_(reach * kBeyond),
        until_(until), box_(options.all()), tests(options.width()) {
    down(forest.root(tree), 0);
  }

 private:
  // `distance`: of the box, as far as nodes on the way have cut it.
  void down(std::int32_t node, double distance) {
    until_.look();
    if (forest_.is_leaf(node)) {
      for (std::int32_t g : groups_) {
        const auto from = box_.begin() + options_[g].first;
        boxes.insert(boxes.end(), from, from + options_[g].words);
      }
      if (boxes.size() > kMostWords) throw OutOfTime();
      ends.push_back(node);
      return;
    }
    const std::int32_t g = forest_.group_of(node);
    if (g < 0) return down(forest_.goes_left(node, x_, 0) ? forest_.left(node) : forest_.right(node), distance);
    tests[g] = 1;
    const Options::OfGroup& group = options_[g];
    Word* box = box_.data() + group.first;
    const double before = group.additive[options_.nearest(g, box_.data())];
    const std::size_t whole = cut_.size(),
                      left = whole + group.words;  // in cut_: the group's words, those that go left
    cut_.insert(cut_.end(), box, box + group.words);
    for (std::size_t w = 0; w < group.words; ++w) cut_.push_back(going_left(node, group, w));
    for (bool to_left : {true, false}) {
      for (std::size_t w = 0; w < group.words; ++w)
        box[w] = cut_[whole + w] & (to_left ? cut_[left + w] : ~cut_[left + w]);
      const std::int32_t nearest = options_.nearest(g, box_.data());
      const double now = nearest < 0 ? 0 : distance + (group.additive[nearest] - before);
      if (nearest >= 0 && now <= most_) down(to_left ? forest_.left(node) : forest_.right(node), now);
    }
    std::copy_n(cut_.begin() + whole, group.words, box);
    cut_.resize(whole);
  }

  Word going_left(std::int32_t node, const Options::OfGroup& group, std::size_t word) const {
    Word left = 0;
    for (Word bits = box_[group.first + word]; bits; bits &= bits - 1)
      if (forest_.goes_left(node, x_, group.rows[64 * word + std::countr_zero(bits)])) left |= bits & (~bits + 1);
    return left;
  }

  const Options& options_;
  const Forest& forest_;
  const std::vector<std::int32_t>& groups_;
  std::span<const std::int32_t> x_;
  double most_;
  const Until& until_;
  std::vector<Word> box_, cut_;

 public:
  std::vector<std::uint8_t> tests;  // per group: does a node test it?
  std::vector<Word> boxes;          // per leaf, of the groups that the tree may test
  std::vector<std::int32_t> ends;   // leaves
};

Leaves tree_of(const Options& options, const Forest& forest, std::size_t tree, std::span<const std::int32_t> x,
               const Conditions& conditions, double reach, const Until& until) {
  const Walk walk(options, forest, tree, x, reach, until);
  Leaves made;
  for (std::size_t g = 0; g < walk.tests.size(); ++g)
    if (walk.tests[g]) made.test(static_cast<std::int32_t>(g), options);
  made.count = walk.ends.size();
  auto from = walk.boxes.begin();
  for (std::size_t l = 0; l < walk.ends.size(); ++l) {
    for (std::int32_t g : forest.groups_tested(tree)) {
      if (walk.tests[g]) made.masks.insert(made.masks.end(), from, from + options[g].words);
      from += options[g].words;
    }
    for (std::size_t f = 0; f < conditions.all_forms(); ++f) {
      double value = 0;
      for (std::size_t k = 0; k < forest.outputs(); ++k)
        value += conditions.weights[f * forest.outputs() + k] * forest.value(tree, walk.ends[l], k);
      made.values.push_back(value);
    }
  }
  return made;
}

}  // namespace

bool meets(std::span<const double> sums, std::span<const double> least, std::size_t forms) {
  for (std::size_t first = 0; first < least.size(); first += forms) {
    bool all = true;
    for (std::size_t f = first; f < first + forms && all; ++f) all = sums[f] >= least[f];
    if (all) return true;
  }
  return false;
}

void Leaves::test(std::int32_t group, const Options& options) {
  groups.push_back(group);
  at.push_back(stride);
  stride += options[group].words;
}

bool Leaves::meets(std::size_t leaf, const Options& options, const Word* box) const {
  for (std::size_t j = 0; j < groups.size(); ++j)
    if (options.nearest(groups[j], box, mask(leaf, j)) < 0) return false;
  return true;
}

bool Leaves::has(std::size_t leaf, std::span<const std::int32_t> chosen) const {
  for (std::size_t j = 0; j < groups.size(); ++j) {
    const std::int32_t option = chosen[groups[j]];
    if (!(mask(leaf, j)[option / 64] >> (option % 64) & 1)) return false;
  }
  return true;
}

void Leaves::narrow_to(std::size_t leaf, const Options& options, Word* box) const {
  for (std::size_t j = 0; j < groups.size(); ++j) {
    const Options::OfGroup& group = options[groups[j]];
    for (std::size_t w = 0; w < group.words; ++w) box[group.first + w] &= mask(leaf, j)[w];
  }
}

std::vector<Leaves> leaves_of(const Options& options, const Forest& forest, std::span<const std::int32_t> x,
                              const Conditions& conditions, LeavesWithin within, const Until& until) {
  double nearest = 0;
  for (std::size_t g = 0; g < options.width(); ++g) nearest += options[g].additive.front();
  std::vector<Leaves> trees;
  std::size_t words = 0;
  for (std::size_t t = 0; t < forest.tree_count(); ++t) {
    trees.push_back(tree_of(options, forest, t, x, conditions, within.reach - nearest, until));
    words += trees.back().masks.size();
    if (words > within.most_words) throw OutOfTime();
  }
  return trees;
}

std::vector<double> base_of(const Forest& forest, const Conditions& conditions) {
  std::vector<double> base(conditions.all_forms());
  for (std::size_t f = 0; f < base.size(); ++f)
    for (std::size_t k = 0; k < forest.outputs(); ++k)
      base[f] += conditions.weights[f * forest.outputs() + k] * forest.base(k);
  return base;
}

std::vector<double> rounding_of(const Forest& forest, const Conditions& conditions, const std::vector<Leaves>& trees) {
  const std::size_t forms = conditions.all_forms();
  std::vector<double> rounding(forms);
  const double unit = (forest.sums_in_single() ? 0x1p-23 : 0x1p-52) * static_cast<double>(forest.tree_count() + 4);
  for (std::size_t f = 0; f < forms; ++f) {
    for (std::size_t k = 0; k < forest.outputs(); ++k)
      rounding[f] += std::abs(conditions.weights[f * forest.outputs() + k] * forest.base(k));
    for (const Leaves& tree : trees) {
      double most = 0;
      for (std::size_t l = 0; l < tree.count; ++l) most = std::max(most, std::abs(tree.values[l * forms + f]));
      rounding[f] += most;
    }
    rounding[f] *= unit;
  }
  return rounding;
}

}  // namespace geco
