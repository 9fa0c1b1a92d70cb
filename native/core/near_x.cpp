#include "core/near_x.hpp"

#include <algorithm>

#include "core/sweep.hpp"

namespace geco {

struct Forest::NearX::Watch {
  NearX& near;
  std::int32_t tree;
  void test(const Node& node) { near.tests_[node.tested].push_back({node.cut, tree}); }
  template <class Each>
  void left(std::int32_t group, Each each, std::int32_t leaf) {
    each([&](std::int32_t low, std::int32_t high) { near.left_.push_back({group, low, high, leaf}); });
  }
};

Forest::NearX::NearX() = default;
Forest::NearX::~NearX() = default;
Forest::NearX::NearX(NearX&&) noexcept = default;

Forest::Sweep& Forest::NearX::sweep(std::size_t number, const Forest& forest, std::span<const std::int32_t> x) {
  if (sweeps_.empty()) cells_of_x_ = forest.cells_of_x(x);
  while (sweeps_.size() <= number) sweeps_.push_back(std::make_unique<Sweep>(forest, x, cells_of_x_));
  return *sweeps_[number];
}

void Forest::NearX::look(const Forest& forest, std::span<const std::int32_t> x, const LinesOfX& lines) {
  number_ = lines.number;
  Sweep& of_x = sweep(0, forest, x);
  of_x.begin(lines.lines, 0, lines.lines.size());
  cut_down(forest, of_x);
  tests_.resize(forest.tested_.size());
  for (auto& tests : tests_) tests.clear();
  left_.clear(), leaves_.clear();
  left_from_.assign(1, 0);
  for (std::size_t t = 0; t < forest.tree_count(); ++t) {
    Watch watch{*this, static_cast<std::int32_t>(t)};
    of_x.tree(t, tree(t), watch);
    left_from_.push_back(left_.size());
    leaves_.push_back(of_x.on_path_);
  }
  keep(forest, of_x, lines.lines.groups);
}

bool Forest::NearX::has(std::span<const std::int32_t> ranks) const {
  if (ranges_.empty()) return false;
  for (std::size_t i = 0; i < ranks.size(); i += ranges_.size())
    for (std::size_t t = 0; t < ranges_.size(); ++t)
      if (ranks[i + t] < ranges_[t].low || ranks[i + t] > ranges_[t].high) return false;
  return true;
}

bool Forest::NearX::Cut::has(std::span<const Narrowed::Range> others) const {
  if (ranges.empty()) return false;
  for (std::size_t t = 0; t < ranges.size(); ++t)
    if (others[t].low < ranges[t].low || others[t].high > ranges[t].high) return false;
  return true;
}

// Of what was left of the widest lines, if these are within them.
void Forest::NearX::cut_down(const Forest& forest, const Sweep& of_x) {
  Narrowed narrowed(forest, forest.trees_, std::numeric_limits<std::size_t>::max());
  of_x.spread(narrowed);
  ranges_ = narrowed.ranges();
  if (!widest_.has(ranges_)) widest_ = {narrowed.all(forest.trees_), ranges_}, trees_ = widest_.trees;
  else trees_ = narrowed.all(widest_.trees);
  values_.clear();
  for (Node& node : trees_.nodes) {
    if (node.tested >= 0) continue;
    node.right = static_cast<std::int32_t>(values_.size());
    values_.insert(values_.end(), &forest.whole_[node.left], &forest.whole_[node.left] + forest.leaf_width_);
  }
}

void Forest::NearX::keep(const Forest& forest, Sweep& of_x, std::span<const std::int32_t> groups) {
  sums_ = of_x.sums_;
  along_.resize(forest.width());
  for (Along& along : along_) along.known = false;
  for (const std::int32_t g : groups) {
    const Table& table = forest.tables_[g];
    Along& along = along_[g];
    along.known = true;
    if (table.sorted) {
      of_x.find_stretches(g);
      along.low = of_x.wanted_[g].low, along.high = of_x.wanted_[g].high;
      along.starts = of_x.starts_, along.added = of_x.levels_;
      continue;
    }
    along.cells.assign(table.cell_count, false);
    of_x.for_type_of(g, [&]<As as>() {
      of_x.parting_.each<as>(g, of_x.wanted_[g], [&](std::int32_t cell) { along.cells[cell] = true; });
    });
    const Whole* added = of_x.added_.get() + table.first * forest.outputs_;
    along.added.assign(added, added + table.cell_count * forest.outputs_);
  }
}

void Forest::NearX::tell_apart(const Forest& forest, std::span<const std::int32_t> x,
                               std::span<const std::int32_t> ranks, std::vector<std::uint64_t>& trees) const {
  trees.assign((forest.tree_count() + 63) / 64, 0);
  for (std::size_t t = 0; t < ranks.size(); ++t) {
    if (ranks[t] == x[t]) continue;
    const auto [low, high] = std::minmax(ranks[t], x[t]);
    for (const auto& [cut, tree] : tests_[t]) {
      const bool apart = cut >= 0 ? low < cut && cut <= high
                                  : forest.goes_left({0, cut, 0, 0}, low) != forest.goes_left({0, cut, 0, 0}, high);
      trees[tree / 64] |= static_cast<std::uint64_t>(apart) << (tree % 64);
    }
  }
}

}  // namespace geco
