#include "core/near_x.hpp"

#include <algorithm>
#include <utility>

#include "core/sweep.hpp"

namespace geco {

struct Forest::NearX::Watch {
  NearX& near;
  const Forest& forest;
  const Parting& parting;
  std::int32_t tree;
  void test(const Node& node) { near.tests_[node.tested].push_back({node.cut, tree}); }
  template <As as>
  void left(std::int32_t group, const Parting::Cells& cells, const Node& leaf, const Node& on_path) {
    near.left_.push_back({group, cells.low, cells.high, static_cast<std::uint32_t>(near.cells_left_.size())});
    if constexpr (as == As::kWords)
      near.cells_left_.insert(near.cells_left_.end(), cells.words + cells.low, cells.words + cells.high);
    if constexpr (as == As::kList)
      parting.each<as>(group, cells, [&](std::int32_t cell) { near.cells_left_.push_back(cell); });
    for (std::size_t k = 0; k < forest.leaf_width_; ++k)
      near.more_.push_back(forest.whole(leaf, k) - forest.whole(on_path, k));
  }
};

Forest::NearX::NearX() = default;
Forest::NearX::~NearX() = default;
Forest::NearX::NearX(NearX&&) noexcept = default;
Forest::NearX& Forest::NearX::operator=(NearX&&) noexcept = default;

Forest::Sweep& Forest::NearX::sweep(std::size_t number, const Forest& forest, std::span<const std::int32_t> x) {
  if (sweeps_.empty()) cells_of_x_ = forest.cells_of_x(x);
  while (sweeps_.size() <= number) sweeps_.push_back(std::make_unique<Sweep>(forest, x, cells_of_x_));
  return *sweeps_[number];
}

void Forest::NearX::look(const Forest& forest, std::span<const std::int32_t> x, const LinesOfX& lines) {
  number_ = lines.number;
  Sweep& of_x = sweep(0, forest, x);
  of_x.begin(lines.lines, 0, lines.lines.size());
  Narrowed narrowed(forest, forest.trees_, std::numeric_limits<std::size_t>::max());
  of_x.spread(narrowed);
  narrow(forest, narrowed);
  within_ = Cut(narrowed, 1);
  tests_.resize(forest.tested_.size());
  for (auto& tests : tests_) tests.clear();
  left_.clear(), cells_left_.clear(), more_.clear(), on_path_.clear();
  left_from_.assign(1, 0);
  for (std::size_t t = 0; t < forest.tree_count(); ++t) {
    Watch watch{*this, forest, of_x.parting_, static_cast<std::int32_t>(t)};
    of_x.tree(t, tree(t), watch);
    left_from_.push_back(left_.size());
    for (std::size_t k = 0; k < forest.leaf_width_; ++k) on_path_.push_back(forest.whole(*of_x.on_path_, k));
  }
  keep(forest, of_x, lines.lines.groups);
}

bool Forest::NearX::Cut::has(std::span<const Narrowed::Range> others) const {
  if (!*this) return false;
  for (std::size_t t = 0; t < ranges.size(); ++t)
    if (others[t].low < ranges[t].low || others[t].high > ranges[t].high) return false;
  return true;
}

bool Forest::NearX::Cut::has(std::span<const std::int32_t> ranks) const {
  if (!*this) return false;
  for (std::size_t i = 0; i < ranks.size(); i += ranges.size())
    for (std::size_t t = 0; t < ranges.size(); ++t)
      if (ranks[i + t] < ranges[t].low || ranks[i + t] > ranges[t].high) return false;
  return true;
}

const Forest::Trees& Forest::NearX::trees(const Forest& forest, std::span<const std::int32_t> ranks) const {
  return within_.has(ranks) ? within_.trees : widest_.has(ranks) ? widest_.trees : forest.trees_;
}

// What the rules leave of each column is known from the first lines, which are those of x: of 500 trees on Credit a
// ninth is left, small enough for the caches.
void Forest::NearX::narrow(const Forest& forest, Narrowed& asked) {
  constexpr std::size_t kTrees = 16;  // fewer are walked as quickly
  constexpr double kWorthIt = 0.5;
  constexpr int kMost = 2;
  if (!widest_.has(asked.ranges()) && widened_ < kMost && forest.tree_count() > kTrees) {
    ++widened_;
    Narrowed wider(forest, forest.trees_, std::numeric_limits<std::size_t>::max());
    for (const auto& ranges : {std::span(asked.ranges()), std::span(std::as_const(widest_.ranges))})
      for (std::size_t t = 0; t < ranges.size(); ++t) wider.add(t, ranges[t].low, ranges[t].high);
    widest_ = Cut(wider, kWorthIt);
  }
  if (widest_.has(asked.ranges())) asked.use(widest_.trees);
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
