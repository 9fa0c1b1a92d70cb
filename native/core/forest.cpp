#include "core/forest.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <tuple>

namespace geco {
namespace {

constexpr double kZero = 1.0000000180025095e-35;  // LightGBM's kZeroThreshold, a float32
constexpr std::size_t kBlock = 256;  // candidates that walk a tree together
constexpr std::size_t kParents = 16;  // the same for parents of lines
constexpr std::int32_t kLowest = -1, kHighest = std::numeric_limits<std::int32_t>::max();

}  // namespace

Forest::Forest(const ForestArrays& arrays, const std::vector<EncodedTable>& tables, std::span<const double> constant)
    : trees_{{}, arrays.roots, 0}, output_(arrays.output), value_(arrays.value), base_(arrays.base),
      outputs_(static_cast<std::size_t>(arrays.outputs)),
      leaf_width_(arrays.column.empty() ? 1 : arrays.value.size() / arrays.column.size()), strict_(arrays.strict),
      single_(arrays.single), single_sum_(arrays.single_sum), divisor_(arrays.divisor), tables_(tables.size()),
      owner_(constant.size(), -1), thresholds_(constant.size()), codes_(constant.size()) {
  if (single_sum_) single_value_.assign(value_.begin(), value_.end());
  for (std::size_t g = 0; g < tables.size(); ++g)
    for (std::int32_t c : tables[g].columns) owner_[c] = static_cast<std::int32_t>(g);
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

  std::map<std::tuple<std::int32_t, bool, bool, bool>, std::int32_t> known;
  for (std::size_t i = 0; i < arrays.column.size(); ++i) {
    const std::int32_t column = arrays.column[i];
    if (column < 0) {
      trees_.nodes.push_back({-1, 0, static_cast<std::int32_t>(i * leaf_width_), 0});
      continue;
    }
    const bool categorical = arrays.categories[i] >= 0;
    const std::tuple key{column, categorical, !categorical && arrays.missing_left[i], !categorical && arrays.zero_missing[i]};
    const auto [at, fresh] = known.try_emplace(key, static_cast<std::int32_t>(tested_.size()));
    if (fresh) tested_.push_back({column, owner_[column], categorical, std::get<2>(key), std::get<3>(key), {}});
    Node node{at->second, 0, arrays.left[i], arrays.right[i]};
    if (categorical) {
      // A bit per code its column knows, one for any other code, one for missing.
      const auto& codes = codes_[column];
      node.cut = -1 - static_cast<std::int32_t>(set_start_.size());
      set_start_.push_back(static_cast<std::int64_t>(set_bits_.size()) * 64);
      set_bits_.resize(set_bits_.size() + (codes.size() + 2 + 63) / 64);
      auto set = [&](std::size_t bit) { set_bits_[set_start_.back() / 64 + bit / 64] |= std::uint64_t{1} << (bit % 64); };
      for (std::int64_t code : arrays.sets[arrays.categories[i]])
        set(std::lower_bound(codes.begin(), codes.end(), code) - codes.begin());
      if (arrays.missing_left[i]) set(codes.size() + 1);
    } else {
      const auto& values = thresholds_[column];
      node.cut = static_cast<std::int32_t>(std::lower_bound(values.begin(), values.end(), arrays.threshold[i]) - values.begin()) + 1;
    }
    trees_.nodes.push_back(node);
  }
  for (std::size_t t = 0; t < tested_.size(); ++t) {
    Tested& tested = tested_[t];
    if (tested.group < 0) {
      tested.rank = {rank(tested, constant[tested.column])};
      continue;
    }
    const EncodedTable& table = tables[tested.group];
    const std::size_t w = table.columns.size();
    const std::size_t at = std::find(table.columns.begin(), table.columns.end(), tested.column) - table.columns.begin();
    tested.rank.resize(table.rows);
    for (std::size_t r = 1; r < table.rows; ++r) tested.rank[r] = rank(tested, table.values[r * w + at]);
    tables_[tested.group].tested.push_back(static_cast<std::int32_t>(t));
  }
  number_cells(tables);
  trees_ = laid_out([](std::int32_t node) { return node; });
}

// Nodes in the order of a walk that goes left first, so that a path stays within few cache lines. `reach` says which node
// takes a node's place: itself, or where decided tests lead from it.
template <class Reach>
Forest::Trees Forest::laid_out(Reach reach) const {
  Trees trees;
  struct Waiting {
    std::int32_t right, parent;  // old number, new number
    std::size_t depth;
  };
  std::vector<Waiting> waiting;
  for (std::int32_t from : trees_.roots) {
    trees.roots.push_back(static_cast<std::int32_t>(trees.nodes.size()));
    std::size_t depth = 0;
    while (true) {
      trees.depth = std::max(trees.depth, ++depth);
      trees.nodes.push_back(trees_.nodes[reach(from)]);
      Node& node = trees.nodes.back();
      if (node.tested >= 0) {
        waiting.push_back({node.right, static_cast<std::int32_t>(trees.nodes.size()) - 1, depth});
        from = node.left;
        node.left = static_cast<std::int32_t>(trees.nodes.size());
        continue;
      }
      if (waiting.empty()) break;
      from = waiting.back().right;
      depth = waiting.back().depth;
      trees.nodes[waiting.back().parent].right = static_cast<std::int32_t>(trees.nodes.size());
      waiting.pop_back();
    }
  }
  return trees;
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
  if (std::isnan(value) || (tested.zero_missing && std::abs(value) <= kZero)) return tested.missing_left ? kLowest : kHighest;
  const auto& values = thresholds_[tested.column];
  const auto at = strict_ ? std::upper_bound(values.begin(), values.end(), value) : std::lower_bound(values.begin(), values.end(), value);
  return static_cast<std::int32_t>(at - values.begin());
}

void Forest::number_cells(const std::vector<EncodedTable>& tables) {
  for (std::size_t g = 0; g < tables_.size(); ++g) {
    Table& table = tables_[g];
    table.cell.assign(tables[g].rows, -1);
    table.first = cells_;
    const auto& tested = table.tested;
    auto one_numeric_column = [&] {
      return std::all_of(tested.begin(), tested.end(), [&](std::int32_t t) {
        return !tested_[t].categorical && !tested_[t].zero_missing && tested_[t].column == tested_[tested[0]].column;
      });
    };
    table.sorted = !tested.empty() && one_numeric_column();
    if (table.sorted) {
      const auto& rank = tested_[tested[0]].rank;
      table.cell_count = static_cast<std::int32_t>(thresholds_[tested_[tested[0]].column].size()) + 1;
      for (std::size_t r = 1; r < rank.size(); ++r)
        if (rank[r] != kLowest && rank[r] != kHighest) table.cell[r] = rank[r];
    } else {
      std::map<std::vector<std::int32_t>, std::int32_t> known;
      std::vector<std::int32_t> key(tested.size());
      for (std::size_t r = 1; r < table.cell.size(); ++r) {
        for (std::size_t i = 0; i < tested.size(); ++i) key[i] = tested_[tested[i]].rank[r];
        const auto [at, fresh] = known.try_emplace(key, static_cast<std::int32_t>(known.size()));
        if (fresh) table.ranks.insert(table.ranks.end(), key.begin(), key.end());
        table.cell[r] = at->second;
      }
      table.cell_count = static_cast<std::int32_t>(known.size());
    }
    cells_ += table.cell_count + 1;
  }
}

void Forest::thin(Space& space, std::span<const Row> own) const {
  std::vector<std::uint8_t> ruled(width());
  for (const Rule& rule : space.rules) {
    for (const Predicate& p : rule.antecedents)
      for (std::int32_t g : p.groups) ruled[g] = 1;
    for (std::int32_t g : rule.consequent.groups) ruled[g] = 1;
  }
  std::vector<std::uint8_t> taken;
  for (std::size_t g = 0; g < width(); ++g) {
    Group& group = space.groups[g];
    const Table& table = tables_[g];
    if (ruled[g] || !group.free || group.order.empty()) continue;
    taken.assign(table.cell_count + 1, 0);
    if (own[g] > 0 && group.allowed[0] && table.cell[own[g]] >= 0) taken[table.cell[own[g]]] = 1;
    std::vector<Row> kept;
    std::vector<double> weights(table.cell.size());
    for (std::size_t i = 0; i < group.order.size(); ++i) {
      const Row row = group.order[i];
      const std::int32_t cell = table.cell[row];
      if (cell >= 0 && taken[cell]) continue;
      if (cell >= 0) taken[cell] = 1;
      kept.push_back(row);
      weights[row] = group.running[i] - (i ? group.running[i - 1] : 0.0);
    }
    if (kept.size() < group.order.size()) group.follow(std::move(kept), weights);
  }
}

std::vector<std::int32_t> Forest::bind(std::span<const double> x) const {
  std::vector<std::int32_t> ranks(tested_.size());
  for (std::size_t t = 0; t < tested_.size(); ++t) ranks[t] = rank(tested_[t], x[tested_[t].column]);
  return ranks;
}

void Forest::gather(std::span<const std::int32_t> x, const Row* rows, std::int32_t* ranks) const {
  for (std::size_t t = 0; t < tested_.size(); ++t) {
    const Tested& tested = tested_[t];
    if (tested.group < 0) ranks[t] = tested.rank[0];
    else ranks[t] = rows[tested.group] == 0 ? x[t] : tested.rank[rows[tested.group]];
  }
}

// Trees outside, candidates inside: a tree stays near while a block of candidates walks it.
void Forest::sum(const Trees& trees, const std::int32_t* ranks, std::size_t many, std::size_t n, double* out) const {
  std::vector<float> single(single_sum_ ? n * outputs_ : 0);
  for (std::size_t i = 0; i < n; ++i) {
    std::copy(base_.begin(), base_.end(), out + i * outputs_);
    if (single_sum_)
      for (std::size_t k = 0; k < outputs_; ++k) single[i * outputs_ + k] = static_cast<float>(base_[k]);
  }
  for (std::size_t t = 0; t < trees.roots.size(); ++t) {
    const std::size_t first = output_[t] < 0 ? 0 : output_[t], width = output_[t] < 0 ? outputs_ : 1;
    for (std::size_t i = 0; i < n; ++i) {
      const std::int32_t* own = ranks + i * many;
      const Node* node = &trees.nodes[trees.roots[t]];
      while (node->tested >= 0) node = &trees.nodes[goes_left(*node, own[node->tested]) ? node->left : node->right];
      for (std::size_t k = 0; k < width; ++k) {
        if (single_sum_) single[i * outputs_ + first + k] += single_value_[node->left + k];
        else out[i * outputs_ + first + k] += value_[node->left + k];
      }
    }
  }
  for (std::size_t i = 0; i < n * outputs_; ++i)
    out[i] = single_sum_ ? static_cast<double>(single[i] / static_cast<float>(divisor_)) : out[i] / divisor_;
}

std::vector<double> Forest::points(std::span<const std::int32_t> x, std::span<const Row> rows) const {
  const std::size_t n = width() ? rows.size() / width() : 0, many = tested_.size();
  std::vector<double> out(n * outputs_);
  std::vector<std::int32_t> ranks(std::min(n, kBlock) * many);
  for (std::size_t first = 0; first < n; first += kBlock) {
    const std::size_t block = std::min(kBlock, n - first);
    for (std::size_t i = 0; i < block; ++i) gather(x, rows.data() + (first + i) * width(), ranks.data() + i * many);
    sum(trees_, ranks.data(), many, block, out.data() + first * outputs_);
  }
  return out;
}

// One parent: what each cell of each wanted group adds to the parent's sums. Every tree is walked along the parent's path;
// at a node that tests group G the cells of G that would go the other way leave the path and go on alone, only G free.
class Forest::Sweep {
 public:
  Sweep(const Forest& forest, std::span<const std::int32_t> x)
      : f_(forest), x_(x), ranks_(forest.tested_.size()), gathered_(forest.tested_.size()), added_(forest.cells_ * forest.outputs_), list_(forest.cells_),
        span_(forest.width()), now_(forest.width()), path_(forest.trees_.depth) {}

  // Lines first..last-1 have one parent.
  void begin(const LinesView& lines, std::size_t first, std::size_t last) {
    first_ = first, last_ = last;
    f_.gather(x_, lines.parent(first), gathered_.data());
    std::fill(span_.begin(), span_.end(), Span{});
    for (std::size_t l = first; l < last; ++l) want(lines, l);
    // Groups that no line varies are like columns of nobody: their tests are only followed.
    for (std::size_t t = 0; t < ranks_.size(); ++t) {
      const std::int32_t g = f_.tested_[t].group;
      ranks_[t] = {gathered_[t], g >= 0 && span_[g].low < span_[g].high ? g : -1};
    }
    sums_.assign(f_.outputs_, 0);
  }

  void tree(std::size_t t) {
    output_ = f_.output_[t] < 0 ? 0 : f_.output_[t];
    many_ = f_.output_[t] < 0 ? f_.outputs_ : 1;
    std::size_t depth = 0;
    const Node* node = &f_.trees_.nodes[f_.trees_.roots[t]];
    while (node->tested >= 0) {
      const auto [rank, g] = ranks_[node->tested];
      const bool left = f_.goes_left(*node, rank);
      if (g >= 0) {
        path_[depth++] = {node, g, left};
        now_[g] = span_[g];
      }
      node = &f_.trees_.nodes[left ? node->left : node->right];
    }
    own_ = f_.value_.data() + node->left;
    for (std::size_t k = 0; k < many_; ++k) sums_[output_ + k] += own_[k];
    for (std::size_t i = 0; i < depth; ++i) {
      const auto [at, g, left] = path_[i];
      if (now_[g].low < now_[g].high) leave(*at, left, g);
    }
  }

  void end(const LinesView& lines, double* out) {
    for (std::size_t l = first_; l < last_; ++l) read(lines, l, out);
  }

 private:
  struct Span {
    std::int32_t low = 0, high = 0;  // cells low..high-1; of a table that is not sorted: places in list_
  };

  // Only the cells that the line's rows are in: as the bound falls, so does the cost.
  void want(const LinesView& lines, std::size_t l) {
    const std::int32_t g = lines.groups[l];
    const Table& table = f_.tables_[g];
    Span span;
    if (table.sorted) {
      span.low = table.cell_count;
      for (auto i = lines.offsets[l]; i < lines.offsets[l + 1]; ++i) {
        const std::int32_t c = lines.rows[i] == 0 ? -1 : table.cell[lines.rows[i]];
        if (c >= 0) span.low = std::min(span.low, c), span.high = std::max(span.high, c + 1);
      }
    } else if (!table.tested.empty()) {
      marked_.assign(table.cell_count, 0);
      for (auto i = lines.offsets[l]; i < lines.offsets[l + 1]; ++i) {
        const std::int32_t c = lines.rows[i] == 0 ? -1 : table.cell[lines.rows[i]];
        if (c >= 0 && !marked_[c]) marked_[c] = 1, list_[table.first + span.high++] = c;
      }
    }
    span_[g] = span;
    std::fill_n(added_.begin() + table.first * f_.outputs_, (table.cell_count + 1) * f_.outputs_, 0.0);
  }

  void leave(const Node& node, bool left, std::int32_t g) {
    Span& stay = now_[g];
    const std::int32_t other = left ? node.right : node.left;
    if (f_.tables_[g].sorted) {
      const std::int32_t at = std::clamp(node.cut, stay.low, stay.high);
      if (left) {
        if (at < stay.high) sorted(other, g, at, stay.high);
        stay.high = at;
      } else {
        if (stay.low < at) sorted(other, g, stay.low, at);
        stay.low = at;
      }
      return;
    }
    const std::int32_t middle = split(node, g, stay.low, stay.high);  // those going left first
    if (left) {
      if (middle < stay.high) listed(other, g, middle, stay.high);
      stay.high = middle;
    } else {
      if (stay.low < middle) listed(other, g, stay.low, middle);
      stay.low = middle;
    }
  }

  void sorted(std::int32_t at, std::int32_t g, std::int32_t low, std::int32_t high) {
    const Node* node = &f_.trees_.nodes[at];
    while (node->tested >= 0) {
      bool left;
      if (ranks_[node->tested].group != g) {
        left = f_.goes_left(*node, ranks_[node->tested].rank);
      } else if (high <= node->cut) {
        left = true;
      } else if (low >= node->cut) {
        left = false;
      } else {
        sorted(node->left, g, low, node->cut);
        low = node->cut;
        left = false;
      }
      node = &f_.trees_.nodes[left ? node->left : node->right];
    }
    double* added = added_.data() + f_.tables_[g].first * f_.outputs_;
    for (std::size_t k = 0; k < many_; ++k) {
      const double more = f_.value_[node->left + k] - own_[k];
      added[low * f_.outputs_ + output_ + k] += more;
      added[high * f_.outputs_ + output_ + k] -= more;
    }
  }

  void listed(std::int32_t at, std::int32_t g, std::int32_t low, std::int32_t high) {
    const Node* node = &f_.trees_.nodes[at];
    while (node->tested >= 0) {
      bool left;
      if (ranks_[node->tested].group != g) {
        left = f_.goes_left(*node, ranks_[node->tested].rank);
      } else {
        const std::int32_t middle = split(*node, g, low, high);
        left = middle == high;
        if (low < middle && middle < high) {
          listed(node->left, g, low, middle);
          low = middle;
        }
      }
      node = &f_.trees_.nodes[left ? node->left : node->right];
    }
    const Table& table = f_.tables_[g];
    double* added = added_.data() + table.first * f_.outputs_;
    for (std::int32_t i = low; i < high; ++i)
      for (std::size_t k = 0; k < many_; ++k)
        added[list_[table.first + i] * f_.outputs_ + output_ + k] += f_.value_[node->left + k] - own_[k];
  }

  std::int32_t split(const Node& node, std::int32_t g, std::int32_t low, std::int32_t high) {
    const Table& table = f_.tables_[g];
    const std::size_t many = table.tested.size();
    const std::size_t at = std::lower_bound(table.tested.begin(), table.tested.end(), node.tested) - table.tested.begin();
    const auto begin = list_.begin() + table.first;
    const auto middle = std::partition(begin + low, begin + high, [&](std::int32_t cell) {
      return f_.goes_left(node, table.ranks[cell * many + at]);
    });
    return static_cast<std::int32_t>(middle - begin);
  }

  void read(const LinesView& lines, std::size_t l, double* out) {
    const std::int32_t g = lines.groups[l];
    const Table& table = f_.tables_[g];
    const std::size_t k_many = f_.outputs_;
    double* added = added_.data() + table.first * k_many;
    if (table.sorted)
      for (std::size_t i = k_many; i < (table.cell_count + 1) * k_many; ++i) added[i] += added[i - k_many];
    std::vector<Row> candidate;
    std::vector<std::int32_t> ranks;
    for (auto i = lines.offsets[l]; i < lines.offsets[l + 1]; ++i) {
      const Row row = lines.rows[i];
      const std::int32_t cell = row == 0 ? -1 : table.cell[row];
      if (cell < 0 && !table.tested.empty()) {  // x itself, or missing: on its own
        candidate.assign(lines.parent(l), lines.parent(l) + lines.width);
        candidate[g] = row;
        ranks.resize(gathered_.size());
        f_.gather(x_, candidate.data(), ranks.data());
        f_.sum(f_.trees_, ranks.data(), ranks.size(), 1, out + i * k_many);
        continue;
      }
      for (std::size_t k = 0; k < k_many; ++k)
        out[i * k_many + k] = (f_.base_[k] + sums_[k] + (table.tested.empty() ? 0.0 : added[cell * k_many + k])) / f_.divisor_;
    }
  }

  const Forest& f_;
  std::span<const std::int32_t> x_;
  struct Ranked {
    std::int32_t rank, group;
  };
  std::vector<Ranked> ranks_;
  std::vector<std::int32_t> gathered_;
  std::vector<double> added_;        // per cell: what it adds, first as differences between neighbours if sorted
  std::vector<std::int32_t> list_;   // per table that is not sorted: its cells, those that go one way side by side
  std::vector<Span> span_, now_;
  std::vector<std::uint8_t> marked_;
  struct Visited {
    const Node* node;
    std::int32_t group;
    bool left;
  };
  std::vector<Visited> path_;
  std::vector<double> sums_;
  const double* own_ = nullptr;
  std::size_t first_ = 0, last_ = 0;
  std::size_t output_ = 0, many_ = 1;
};

std::vector<double> Forest::lines(std::span<const std::int32_t> x, const LinesView& lines) const {
  std::vector<double> out(lines.rows.size() * outputs_);
  std::vector<Sweep> sweeps;
  std::size_t under_way = 0;
  auto walk = [&] {
    for (std::size_t t = 0; t < trees_.roots.size(); ++t)
      for (std::size_t i = 0; i < under_way; ++i) sweeps[i].tree(t);
    for (std::size_t i = 0; i < under_way; ++i) sweeps[i].end(lines, out.data());
    under_way = 0;
  };
  for (std::size_t first = 0; first < lines.size();) {
    std::size_t last = first + 1;
    const std::size_t bytes = lines.width * sizeof(Row);
    while (last < lines.size() && lines.groups[last] > lines.groups[last - 1] &&
           std::memcmp(lines.parent(first), lines.parent(last), bytes) == 0)
      ++last;
    if (under_way == sweeps.size()) sweeps.emplace_back(*this, x);
    sweeps[under_way++].begin(lines, first, last);
    first = last;
    if (under_way == kParents) walk();
  }
  walk();
  return out;
}

SpecializedForest::SpecializedForest(const Forest& forest, std::span<const std::int32_t> x, std::span<const std::int32_t> groups)
    : forest_(forest), groups_(groups.begin(), groups.end()) {
  std::vector<std::int32_t> decided(forest.tested_.size()), column(forest.tested_.size(), -1);
  forest.gather(x, std::vector<Row>(forest.width()).data(), decided.data());
  for (std::size_t i = 0; i < groups_.size(); ++i)
    for (std::int32_t t : forest.tables_[groups_[i]].tested) {
      column[t] = static_cast<std::int32_t>(columns_.size());
      columns_.push_back({static_cast<std::size_t>(t), i, x[t]});
    }
  const auto& nodes = forest.trees_.nodes;
  trees_ = forest.laid_out([&](std::int32_t at) {
    while (nodes[at].tested >= 0 && column[nodes[at].tested] < 0)
      at = forest.goes_left(nodes[at], decided[nodes[at].tested]) ? nodes[at].left : nodes[at].right;
    return at;
  });
  for (Forest::Node& node : trees_.nodes)
    if (node.tested >= 0) node.tested = column[node.tested];
}

std::vector<double> SpecializedForest::points(std::span<const Row> rows, std::size_t count) const {
  const std::size_t many = columns_.size();
  std::vector<double> out(count * outputs());
  std::vector<std::int32_t> ranks(std::min(count, kBlock) * many);
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t block = std::min(kBlock, count - first);
    for (std::size_t i = 0; i < block; ++i)
      for (std::size_t c = 0; c < many; ++c) {
        const Row row = rows[(first + i) * width() + columns_[c].place];
        ranks[i * many + c] = row == 0 ? columns_[c].x : forest_.tested_[columns_[c].tested].rank[row];
      }
    forest_.sum(trees_, ranks.data(), many, block, out.data() + first * outputs());
  }
  return out;
}

}  // namespace geco
