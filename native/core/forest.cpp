#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <type_traits>

#include "core/abreast.hpp"
#include "core/near_x.hpp"

namespace geco {
namespace {

constexpr double kZero = 1.0000000180025095e-35;  // LightGBM's kZeroThreshold, a float32

}  // namespace

Forest::Forest(const ForestArrays& arrays, const std::vector<EncodedTable>& tables, std::span<const double> constant)
    : trees_{{}, arrays.roots, 0}, output_(arrays.output), value_(arrays.value), base_(arrays.base),
      outputs_(static_cast<std::size_t>(arrays.outputs)),
      leaf_width_(arrays.column.empty() ? 1 : arrays.value.size() / arrays.column.size()), strict_(arrays.strict),
      single_(arrays.single), single_sum_(arrays.single_sum), divisor_(arrays.divisor), tables_(tables.size()),
      owner_(constant.size(), -1), thresholds_(constant.size()), codes_(constant.size()) {
  for (std::size_t g = 0; g < tables.size(); ++g)
    for (std::int32_t c : tables[g].columns) owner_[c] = static_cast<std::int32_t>(g);
  collect_thresholds(arrays);
  add_nodes(arrays);
  rank_rows(tables, constant);
  number_cells(tables);
  find_runs();
  choose_representations();
  mark_left_cells();
  trees_ = laid_out([](std::int32_t node) { return node; });
  gather_values();
  note_groups();
  make_whole();
}

// Those of leaves alone, in the order of nodes.
void Forest::gather_values() {
  std::vector<double> values;
  for (Node& node : trees_.nodes) {
    if (node.tested >= 0) continue;
    const double* from = value_.data() + node.cut;
    node.cut = static_cast<std::int32_t>(values.size());
    values.insert(values.end(), from, from + leaf_width_);
  }
  value_ = std::move(values);
  if (single_sum_) single_value_.assign(value_.begin(), value_.end());
}

// As small a unit as sums of all trees leave room for.
void Forest::make_whole() {
  double most = 0;
  for (std::size_t t = 0; t < tree_count(); ++t) {
    const std::int32_t end = t + 1 < tree_count() ? root(t + 1) : static_cast<std::int32_t>(trees_.nodes.size());
    double of_tree = 0;
    for (std::int32_t node = root(t); node < end; ++node)
      for (std::size_t k = 0; is_leaf(node) && k < leaf_width_; ++k) {
        const double size = std::abs(value_[trees_.nodes[node].cut + k]);
        of_tree = std::max(of_tree, size);
        adds_up_ = adds_up_ && std::isfinite(size);
      }
    most += of_tree;
  }
  adds_up_ = adds_up_ && std::isfinite(most);
  if (!adds_up_) return;
  constexpr int kBits = 58;
  unit_ = most > 0 ? std::ldexp(1.0, std::max(std::ilogb(most) + 1 - kBits, -1000)) : 1.0;
  for (const double value : value_) whole_.push_back(std::llrint(value / unit_));
  if (leaf_width_ > 1) return;
  for (Node& node : trees_.nodes)
    if (node.tested < 0) node.keep(whole_[node.cut]);
}

void Forest::note_groups() {
  for (std::size_t t = 0; t < tree_count(); ++t) {
    const std::int32_t end = t + 1 < tree_count() ? root(t + 1) : static_cast<std::int32_t>(trees_.nodes.size());
    std::vector<bool> tests(width());
    for (std::int32_t node = root(t); node < end; ++node)
      if (!is_leaf(node) && group_of(node) >= 0) tests[group_of(node)] = true;
    groups_tested_.emplace_back();
    for (std::size_t g = 0; g < width(); ++g)
      if (tests[g]) groups_tested_.back().push_back(static_cast<std::int32_t>(g));
  }
}

// What each column is tested with.
void Forest::collect_thresholds(const ForestArrays& arrays) {
  for (std::size_t i = 0; i < arrays.column.size(); ++i) {
    if (arrays.column[i] < 0) continue;
    if (arrays.categories[i] < 0) thresholds_[arrays.column[i]].push_back(arrays.threshold[i]);
    else
      for (std::int64_t code : arrays.sets[arrays.categories[i]]) codes_[arrays.column[i]].push_back(code);
  }
  auto sort_distinct = [](auto& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  };
  for (auto& values : thresholds_) sort_distinct(values);
  for (auto& values : codes_) sort_distinct(values);
}

void Forest::add_nodes(const ForestArrays& arrays) {
  std::map<std::tuple<std::int32_t, bool, bool, bool>, std::int32_t> known;
  for (std::size_t i = 0; i < arrays.column.size(); ++i) {
    const std::int32_t column = arrays.column[i];
    if (column < 0) {
      const auto values = static_cast<std::int32_t>(i * leaf_width_);
      trees_.nodes.push_back({-1, values, 0, 0});
      continue;
    }
    const bool categorical = arrays.categories[i] >= 0;
    const std::tuple key{column, categorical, !categorical && arrays.missing_left[i],
                         !categorical && arrays.zero_missing[i]};
    const auto [at, fresh] = known.try_emplace(key, static_cast<std::int32_t>(tested_.size()));
    if (fresh) tested_.push_back({column, owner_[column], categorical, std::get<2>(key), std::get<3>(key), {}, 0, 0});
    const std::int32_t cut = categorical ? add_set(arrays, i) : cut_at(column, arrays.threshold[i]);
    trees_.nodes.push_back({at->second, cut, arrays.left[i], arrays.right[i]});
  }
}

std::int32_t Forest::cut_at(std::int32_t column, double threshold) const {
  const auto& values = thresholds_[column];
  return static_cast<std::int32_t>(std::lower_bound(values.begin(), values.end(), threshold) - values.begin()) + 1;
}

// The categories that go left at this node: a bit per code its column knows, one for any other code, one for missing.
std::int32_t Forest::add_set(const ForestArrays& arrays, std::size_t node) {
  const auto& codes = codes_[arrays.column[node]];
  const auto number = static_cast<std::int32_t>(set_start_.size());
  set_start_.push_back(static_cast<std::int64_t>(set_bits_.size()) * 64);
  set_bits_.resize(set_bits_.size() + (codes.size() + 2 + 63) / 64);
  auto set = [&](std::size_t bit) { set_bits_[set_start_.back() / 64 + bit / 64] |= std::uint64_t{1} << (bit % 64); };
  for (std::int64_t code : arrays.sets[arrays.categories[node]])
    set(std::lower_bound(codes.begin(), codes.end(), code) - codes.begin());
  if (arrays.missing_left[node]) set(codes.size() + 1);
  return -1 - number;
}

void Forest::rank_rows(const std::vector<EncodedTable>& tables, std::span<const double> constant) {
  for (std::size_t t = 0; t < tested_.size(); ++t) {
    Tested& tested = tested_[t];
    if (tested.group < 0) {
      tested.rank = {rank(tested, constant[tested.column])};
      of_nobody_.push_back(static_cast<std::int32_t>(t));
      continue;
    }
    const EncodedTable& table = tables[tested.group];
    const std::size_t w = table.columns.size();
    const std::size_t at = std::find(table.columns.begin(), table.columns.end(), tested.column) - table.columns.begin();
    tested.rank.resize(table.rows);
    for (std::size_t r = 1; r < table.rows; ++r) tested.rank[r] = rank(tested, table.values[r * w + at]);
    tested.position = tables_[tested.group].tested.size();
    tables_[tested.group].tested.push_back(static_cast<std::int32_t>(t));
  }
}

std::int32_t Forest::rank(const Tested& tested, double value) const {
  if (single_) value = static_cast<double>(static_cast<float>(value));
  if (tested.categorical) {
    const auto& codes = codes_[tested.column];
    if (std::isnan(value)) return static_cast<std::int32_t>(codes.size()) + 1;
    const double whole = std::trunc(value);
    if (std::abs(whole) < 9e15) {
      const auto code = static_cast<std::int64_t>(whole);
      const auto at = std::lower_bound(codes.begin(), codes.end(), code);
      if (at != codes.end() && *at == code) return static_cast<std::int32_t>(at - codes.begin());
    }
    return static_cast<std::int32_t>(codes.size());
  }
  if (std::isnan(value) || (tested.zero_missing && std::abs(value) <= kZero))
    return tested.missing_left ? kLowest : kHighest;
  const auto& values = thresholds_[tested.column];
  const auto at = strict_ ? std::upper_bound(values.begin(), values.end(), value)
                          : std::lower_bound(values.begin(), values.end(), value);
  return static_cast<std::int32_t>(at - values.begin());
}

std::vector<std::int32_t> Forest::anchor(std::span<const double> x) const {
  std::vector<std::int32_t> ranks(tested_.size());
  for (std::size_t t = 0; t < tested_.size(); ++t) ranks[t] = rank(tested_[t], x[tested_[t].column]);
  return ranks;
}

// A candidate differs from x in few groups, and only their columns are looked up.
void Forest::gather(std::span<const std::int32_t> x, const Row* rows, std::int32_t* ranks) const {
  std::copy(x.begin(), x.end(), ranks);
  for (const std::int32_t t : of_nobody_) ranks[t] = tested_[t].rank[0];
  for (std::size_t g = 0; g < width(); ++g) {
    if (rows[g] == 0) continue;
    for (const std::int32_t t : tables_[g].tested) ranks[t] = tested_[t].rank[rows[g]];
  }
}

// Several trees at once: while one waits for its next node, the others go on.
template <class Reached>
void Forest::walk_few(const Trees& trees, const std::int32_t* ranks, std::size_t many, std::size_t n,
                      const Until& until, Reached reached) const {
  constexpr std::size_t kTrees = 16;
  std::array<const Node*, kTrees> at;
  for (std::size_t first = 0; first < trees.roots.size(); first += kTrees) {
    until.look();
    const std::size_t some = std::min(kTrees, trees.roots.size() - first);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t t = 0; t < some; ++t) at[t] = &trees.nodes[trees.roots[first + t]];
      for (bool under_way = true; under_way;) {
        under_way = false;
        for (std::size_t t = 0; t < some; ++t) {
          const Node& node = *at[t];
          if (node.tested < 0) continue;
          at[t] = &trees.nodes[goes_left(node, ranks[i * many + node.tested]) ? node.left : node.right];
          under_way = true;
        }
      }
      for (std::size_t t = 0; t < some; ++t) reached(first + t, *at[t], i, std::uint64_t{1});
    }
  }
}

// Trees outside, candidates inside: a tree stays near while a block of candidates walks it, together as far as it goes.
template <class Reached>
void Forest::walk_together(const Trees& trees, const std::int32_t* ranks, std::size_t many, std::size_t n,
                           const Until& until, Reached reached) const {
  std::vector<Abreast> rows;
  for (std::size_t first = 0; first < n; first += Abreast::kMost)
    rows.emplace_back(*this, ranks + first * many, many, std::min(Abreast::kMost, n - first));
  for (std::size_t t = 0; t < trees.roots.size(); ++t) {
    if (t % kLook == 0) until.look();
    for (std::size_t row = 0; row < rows.size(); ++row)
      rows[row].walk(trees, t,
                     [&](const Node& leaf, std::uint64_t points) { reached(t, leaf, row * Abreast::kMost, points); });
  }
}

// Values are added tree by tree, in order.
void Forest::sum(const Trees& trees, const std::int32_t* ranks, std::size_t many, std::size_t n, double* out,
                 const Until& until) const {
  auto add_up = [&](auto* sums, const auto* values) {
    using Number = std::remove_pointer_t<decltype(sums)>;
    for (std::size_t i = 0; i < n * outputs_; ++i) sums[i] = static_cast<Number>(base_[i % outputs_]);
    auto reached = [&, many_outputs = outputs_](std::size_t t, const Node& leaf, std::size_t first,
                                                std::uint64_t points) {
      const Number* of_leaf = values + leaf.cut;
      Number* to = sums + first * many_outputs;
      const std::int32_t output = output_[t];
      if (output < 0 && many_outputs > 1) {
        for (; points != 0; points &= points - 1)
          for (std::size_t k = 0; k < many_outputs; ++k) to[std::countr_zero(points) * many_outputs + k] += of_leaf[k];
        return;
      }
      to += std::max(output, 0);
      for (const Number value = *of_leaf; points != 0; points &= points - 1)
        to[std::countr_zero(points) * many_outputs] += value;
    };
    if (n <= kFew) walk_few(trees, ranks, many, n, until, reached);
    else walk_together(trees, ranks, many, n, until, reached);
    for (std::size_t i = 0; i < n * outputs_; ++i) out[i] = sums[i] / static_cast<Number>(divisor_);
  };
  if (!single_sum_) return add_up(out, value_.data());
  std::vector<float> single(n * outputs_);
  add_up(single.data(), single_value_.data());
}

std::vector<double> Forest::points(std::span<const std::int32_t> x, std::span<const Row> rows, std::size_t n,
                                   const Until& until, const NearX* near) const {
  const std::size_t many = tested_.size();
  std::vector<double> out(n * outputs_);
  const auto ranks = std::make_unique_for_overwrite<std::int32_t[]>(std::min(n, kBlock) * many);
  for (std::size_t first = 0; first < n; first += kBlock) {
    const std::size_t block = std::min(kBlock, n - first);
    for (std::size_t i = 0; i < block; ++i) gather(x, rows.data() + (first + i) * width(), ranks.get() + i * many);
    const Trees& trees = near ? near->trees(*this, {ranks.get(), block * many}) : trees_;
    sum(trees, ranks.get(), many, block, out.data() + first * outputs_, until);
  }
  return out;
}

}  // namespace geco
