#include "core/leaves.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/ranked.hpp"

namespace geco {
namespace {

constexpr double kBeyond = 1 + 1e-9;  // times the reach: it must not be rounding that drops a leaf
constexpr std::size_t kMostWords = 16u << 20;  // 128 MB of a tree's leaves: a proof with more is not begun

// Down a tree with a box of options, cut at every node: what is left of it at each leaf nearer than `reach`.
class Walk {
 public:
  struct Within {
    const Options& options;
    const Forest& forest;
    std::span<const std::int32_t> x;
    const Conditions& conditions;
    double reach;
    const std::vector<std::optional<Ranked>>& ranked;  // per group, where it is tested that way
  };

  Walk(const Within& within, const Until& until)
      : options_(within.options), forest_(within.forest), x_(within.x), conditions_(within.conditions),
        ranked_(within.ranked), most_(within.reach * kBeyond), until_(until), all_(options_.all()), box_(all_),
        parts_(options_.width()), tested_(options_.width()) {
    for (std::size_t g = 0; g < parts_.size(); ++g) parts_[g] = {0, ranked_[g] ? ranked_[g]->count() : 0, 0};
  }

  Leaves of(std::size_t tree) {
    made_ = Leaves();
    tree_ = tree;
    down(forest_.root(tree), 0);
    return std::move(made_);
  }

 private:
  // What is left of a group: of a ranked one an interval, of others the bits in the box.
  struct Part {
    std::size_t low, high;
    std::int32_t nearest;
  };

  // `distance`: of the box, as far as nodes on the way have cut it.
  void down(std::int32_t node, double distance) {
    until_.look();
    if (forest_.is_leaf(node)) return end(node);
    const std::int32_t g = forest_.group_of(node);
    if (g < 0) return down(forest_.goes_left(node, x_, 0) ? forest_.left(node) : forest_.right(node), distance);
    ++tested_[g];
    if (ranked_[g]) down_ranked(node, g, distance);
    else down_cut(node, g, distance);
    --tested_[g];
  }

  void down_ranked(std::int32_t node, std::int32_t g, double distance) {
    const Part whole = parts_[g];
    const std::size_t cut = std::clamp(ranked_[g]->before(forest_.cut(node)), whole.low, whole.high);
    for (const auto& [low, high, next] :
         {std::tuple(whole.low, cut, forest_.left(node)), std::tuple(cut, whole.high, forest_.right(node))}) {
      if (low == high) continue;
      parts_[g] = {low, high, ranked_[g]->nearest(low, high)};
      go(next, g, whole.nearest, distance);
    }
    parts_[g] = whole;
  }

  void down_cut(std::int32_t node, std::int32_t g, double distance) {
    const Options::OfGroup& group = options_[g];
    const Part whole = parts_[g];
    Word* box = box_.data() + group.first;
    const std::size_t kept = cut_.size(), left = kept + group.words;  // in cut_: the group's words, those that go left
    cut_.insert(cut_.end(), box, box + group.words);
    for (std::size_t w = 0; w < group.words; ++w) cut_.push_back(going_left(node, group, w));
    for (bool to_left : {true, false}) {
      for (std::size_t w = 0; w < group.words; ++w)
        box[w] = cut_[kept + w] & (to_left ? cut_[left + w] : ~cut_[left + w]);
      parts_[g].nearest = options_.nearest(g, box_.data());
      if (parts_[g].nearest >= 0) go(to_left ? forest_.left(node) : forest_.right(node), g, whole.nearest, distance);
    }
    std::copy_n(cut_.begin() + kept, group.words, box);
    cut_.resize(kept);
    parts_[g] = whole;
  }

  void go(std::int32_t node, std::int32_t g, std::int32_t before, double distance) {
    const std::vector<double>& additive = options_[g].additive;
    const double now = distance + (additive[parts_[g].nearest] - additive[before]);
    if (now <= most_) down(node, now);
  }

  Word going_left(std::int32_t node, const Options::OfGroup& group, std::size_t word) const {
    Word left = 0;
    for (Word bits = box_[group.first + word]; bits; bits &= bits - 1)
      if (forest_.goes_left(node, x_, group.rows[64 * word + std::countr_zero(bits)])) left |= bits & (~bits + 1);
    return left;
  }

  void end(std::int32_t leaf) {
    for (std::int32_t g : forest_.groups_tested(tree_))
      if (tested_[g]) limit(g);
    made_.end();
    if (made_.words.size() + made_.limits.size() > kMostWords) throw OutOfTime();
    for (std::size_t f = 0; f < conditions_.all_forms(); ++f) {
      double value = 0;
      for (std::size_t k = 0; k < forest_.outputs(); ++k)
        value += conditions_.weights[f * forest_.outputs() + k] * forest_.value(tree_, leaf, k);
      made_.values.push_back(value);
    }
  }

  void limit(std::int32_t g) {
    const Options::OfGroup& group = options_[g];
    const Part& part = parts_[g];
    const Word* box = box_.data() + group.first;
    if (ranked_[g]) {
      if (part.high - part.low == ranked_[g]->count()) return;
      mask_.clear();
      ranked_[g]->add_words(part.low, part.high, mask_);
      made_.add(g, part.nearest, mask_);
    } else if (!std::equal(box, box + group.words, all_.begin() + group.first)) {
      made_.add(g, part.nearest, {box, group.words});
    }
  }

  const Options& options_;
  const Forest& forest_;
  std::span<const std::int32_t> x_;
  const Conditions& conditions_;
  const std::vector<std::optional<Ranked>>& ranked_;
  double most_;
  const Until& until_;
  const std::vector<Word> all_;
  std::vector<Word> box_, cut_, mask_;
  std::vector<Part> parts_;
  std::vector<std::int32_t> tested_;  // per group how many nodes on the way test it
  std::size_t tree_ = 0;
  Leaves made_;
};

}  // namespace

bool meets(std::span<const double> sums, std::span<const double> least, std::size_t forms) {
  for (std::size_t first = 0; first < least.size(); first += forms) {
    bool all = true;
    for (std::size_t f = first; f < first + forms && all; ++f) all = sums[f] >= least[f];
    if (all) return true;
  }
  return false;
}

void Leaves::add(std::int32_t group, std::int32_t first, std::span<const Word> mask) {
  limits.push_back({group, first, words.size()});
  words.insert(words.end(), mask.begin(), mask.end());
}

bool Leaves::meets(std::size_t leaf, const Options& options, const Word* box) const {
  const auto limits = of(leaf);
  return std::all_of(limits.begin(), limits.end(),
                     [&](const Limit& limit) { return options.nearest(limit.group, box, mask(limit)) >= 0; });
}

bool Leaves::has(std::size_t leaf, std::span<const std::int32_t> chosen) const {
  const auto limits = of(leaf);
  return std::all_of(limits.begin(), limits.end(), [&](const Limit& limit) {
    const std::int32_t option = chosen[limit.group];
    return mask(limit)[option / 64] >> (option % 64) & 1;
  });
}

void Leaves::narrow_to(std::size_t leaf, const Options& options, Word* box) const {
  for (const Limit& limit : of(leaf)) {
    const Options::OfGroup& group = options[limit.group];
    for (std::size_t w = 0; w < group.words; ++w) box[group.first + w] &= mask(limit)[w];
  }
}

std::vector<Leaves> leaves_of(const Options& options, const Forest& forest, std::span<const std::int32_t> x,
                              const Conditions& conditions, LeavesWithin within, const Until& until) {
  double nearest = 0;
  for (std::size_t g = 0; g < options.width(); ++g) nearest += options[g].additive.front();
  std::vector<std::optional<Ranked>> ranked;
  for (std::size_t g = 0; g < options.width(); ++g) ranked.push_back(Ranked::of(options[g], forest, g, x));
  Walk walk({options, forest, x, conditions, within.reach - nearest, ranked}, until);
  std::vector<Leaves> trees;
  std::size_t words = 0;
  for (std::size_t t = 0; t < forest.tree_count(); ++t) {
    trees.push_back(walk.of(t));
    words += trees.back().words.size();
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
      for (std::size_t l = 0; l < tree.count(); ++l) most = std::max(most, std::abs(tree.values[l * forms + f]));
      rounding[f] += most;
    }
    rounding[f] *= unit;
  }
  return rounding;
}

}  // namespace geco
