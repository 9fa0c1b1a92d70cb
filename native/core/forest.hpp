// A forest compiled against the group tables of one deployment (Sec. 5.2, and the sweep).
//
// No float of the model is compared here at search time: when the forest is compiled, each encoded value becomes its
// rank among the thresholds its column is tested with, by the library's comparison; a node then asks "rank < cut". Rows
// of a group with the same ranks in all its columns are one *cell*: the forest cannot tell them apart.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/lines.hpp"
#include "core/space.hpp"

namespace geco {

// As the adapters read it; see src/geco/models/kinds/forest.py for what each field means.
struct ForestArrays {
  std::vector<std::int32_t> roots, column, left, right, categories, output;
  std::vector<double> threshold, value, base;  // value: [nodes, width]
  std::vector<std::uint8_t> missing_left, zero_missing;
  std::vector<std::vector<std::int64_t>> sets;
  std::int32_t outputs = 1;
  bool strict = false, single = false, single_sum = false;
  double divisor = 1;
};

class Forest {
 public:
  using Whole = std::int64_t;  // how often a small unit, see unit_
  class NearX;

  // `constant`: per encoded column its value where no group owns it.
  Forest(const ForestArrays& arrays, const std::vector<EncodedTable>& tables, std::span<const double> constant);

  std::size_t outputs() const { return outputs_; }
  std::size_t width() const { return tables_.size(); }
  std::size_t rows(std::size_t group) const { return tables_[group].cell.size(); }
  std::size_t anchor_size() const { return tested_.size(); }
  std::size_t encoded_width() const { return owner_.size(); }
  // Per row of the group which cell it is in; slot 0 has none (-1).
  const std::vector<std::int32_t>& cells(std::size_t group) const { return tables_[group].cell; }

  // False: lines are not swept but asked row by row, for a leaf has no finite number.
  bool adds_up() const { return adds_up_; }
  // Whether its cells are intervals of one column, numbered upwards.
  bool sorted(std::size_t group) const { return tables_[group].sorted; }

  // Where runs of rows of one cell begin, where they are much fewer than the rows; otherwise empty.
  const std::vector<Row>& runs(std::size_t group) const { return tables_[group].runs; }
  // Calls `visit(from, to, cell)` for each such run, or for each row.
  template <class Visit>
  void for_each_run(std::size_t group, Visit visit) const;

  // Of the rows that may be chosen keep the nearest of each cell, and none of x's own: the others cannot do better.
  // What rules across groups tell apart stays apart; small groups that they look at stay as they are. `like_x`: per
  // group the row that equals x, 0 if there is none.
  Space thin(const Space& space, std::span<const Row> like_x) const;
  // The ranks of x, from its encoded row; they stand for slot 0 in what follows.
  std::vector<std::int32_t> anchor(std::span<const double> x) const;
  // Sums before the link for candidates [count, groups]: tree by tree in order, so they round as the library's do.
  // `near` is of the same x.
  std::vector<double> points(std::span<const std::int32_t> x, std::span<const Row> rows, std::size_t count,
                             const Until& until = Until(), const NearX* near = nullptr) const;
  // The same for every row of every line, by one walk per tree and parent; equal up to rounding.
  // Fills `turns` where lines are outlined, and `near` where they tell of x's own.
  std::vector<double> lines(std::span<const std::int32_t> x, const LinesView& lines, const Until& until = Until(),
                            Turns* turns = nullptr, NearX* near = nullptr) const;

  // The trees as they are, for whoever bounds them; nodes are numbered through all trees.
  std::size_t tree_count() const { return trees_.roots.size(); }
  std::size_t node_count() const { return trees_.nodes.size(); }
  std::int32_t root(std::size_t tree) const { return trees_.roots[tree]; }
  bool is_leaf(std::int32_t node) const { return trees_.nodes[node].tested < 0; }
  std::int32_t left(std::int32_t node) const { return trees_.nodes[node].left; }
  std::int32_t right(std::int32_t node) const { return trees_.nodes[node].right; }
  // The groups that its nodes test, in order.
  const std::vector<std::int32_t>& groups_tested(std::size_t tree) const { return groups_tested_[tree]; }
  // -1: no group decides.
  std::int32_t group_of(std::int32_t node) const { return tested_[trees_.nodes[node].tested].group; }
  bool goes_left(std::int32_t node, std::span<const std::int32_t> x, Row row) const {
    const std::int32_t t = trees_.nodes[node].tested;
    const Tested& tested = tested_[t];
    return goes_left(trees_.nodes[node], tested.group < 0 ? tested.rank[0] : row == 0 ? x[t] : tested.rank[row]);
  }
  // At a node of a sorted group: the rank from which rows go right.
  std::int32_t cut(std::int32_t node) const { return trees_.nodes[node].cut; }
  // The rank of a row of a sorted group, the same for all its nodes; -1 where it has none, as missing values.
  std::int32_t sorted_rank(std::size_t group, std::span<const std::int32_t> x, Row row) const {
    const std::int32_t t = tables_[group].tested.front(), rank = row == 0 ? x[t] : tested_[t].rank[row];
    return rank < tables_[group].cell_count ? rank : -1;
  }
  bool like_x(std::size_t group, std::span<const std::int32_t> x, Row row) const {
    for (std::int32_t t : tables_[group].tested)
      if (tested_[t].rank[row] != x[t]) return false;
    return true;
  }
  // What a leaf adds to an output, and where that output begins; both divided already.
  double value(std::size_t tree, std::int32_t leaf, std::size_t output) const {
    if (output_[tree] >= 0 && static_cast<std::size_t>(output_[tree]) != output) return 0.0;
    return value_[trees_.nodes[leaf].cut + (output_[tree] >= 0 ? 0 : output)] / divisor_;
  }
  double base(std::size_t output) const { return base_[output] / divisor_; }
  bool sums_in_single() const { return single_sum_; }

 private:
  friend class SpecializedForest;
  static constexpr std::size_t kBlock = 256;  // candidates that walk a tree together
  static constexpr std::size_t kFew = 4;  // no more than so many do not
  static constexpr std::int32_t kLowest = -1, kHighest = std::numeric_limits<std::int32_t>::max();
  static constexpr std::size_t kLook = 16;  // trees between two looks at the clock
  struct Node {
    std::int32_t tested;  // a tested column; -1 at a leaf
    // Left if rank < cut; negative: the bits of set -1 - cut say which ranks go left. At a leaf: where its values
    // begin.
    std::int32_t cut;
    std::int32_t left, right;  // at a leaf with one value: that as a whole number, where a walk has it at hand

    Whole whole() const { return static_cast<Whole>(std::uint64_t(std::uint32_t(right)) << 32 | std::uint32_t(left)); }
    void keep(Whole value) { left = static_cast<std::int32_t>(value), right = static_cast<std::int32_t>(value >> 32); }
  };
  // One encoded column with one way to treat missing values.
  struct Tested {
    std::int32_t column = 0, group = -1;
    bool categorical = false, missing_left = false, zero_missing = false;
    std::vector<std::int32_t> rank;  // per row of the group
    std::size_t position = 0;  // among those of its table
    std::size_t left = 0;  // where in left_ the cells begin that go left, per cut
  };
  // How a walk carries cells of a table: an interval, a bit for each in one word or in several, or a list.
  enum class As : std::uint8_t { kInterval, kBits, kWords, kList };
  struct Table {
    std::vector<std::int32_t> tested;  // which of the tested columns it owns
    std::vector<std::int32_t> cell;  // per row; -1 where it has none
    std::vector<Row> runs;
    // One numeric column: its cells are ranks, and a subtree sees an interval of them.
    bool sorted = false;
    std::int32_t cell_count = 0;
    std::vector<std::int32_t> ranks;  // unless sorted: [cells, tested]
    As as = As::kInterval;
    std::size_t words = 0;  // that have a bit for each cell
    std::int32_t first = 0;  // its position among all cells
  };
  struct Trees {
    std::vector<Node> nodes;
    std::vector<std::int32_t> roots;
    std::size_t depth = 0;  // nodes on the longest path
  };
  class Abreast;
  class Narrowed;
  class Parting;
  class Sweep;

  std::int32_t rank(const Tested& tested, double value) const;
  bool goes_left(const Node& node, std::int32_t rank) const {
    if (node.cut >= 0) return rank < node.cut;
    const auto bit = static_cast<std::size_t>(set_start_[-1 - node.cut]) + static_cast<std::size_t>(rank);
    return (set_bits_[bit / 64] >> (bit % 64)) & 1;
  }
  // A bit for each cell that goes left at this node, whose table has so many words of them.
  const std::uint64_t* left_cells(const Node& node, std::size_t words) const {
    return left_.data() + (node.cut >= 0 ? tested_[node.tested].left + node.cut * words : set_left_[-1 - node.cut]);
  }
  void collect_thresholds(const ForestArrays& arrays);
  void add_nodes(const ForestArrays& arrays);
  std::int32_t cut_at(std::int32_t column, double threshold) const;
  std::int32_t add_set(const ForestArrays& arrays, std::size_t node);
  void rank_rows(const std::vector<EncodedTable>& tables, std::span<const double> constant);
  void choose_representations();
  void mark_left_cells();
  void note_groups();
  void gather_values();
  void make_whole();
  double sum_of(Whole sum, std::size_t output) const {
    return (base_[output] + unit_ * static_cast<double>(sum)) / divisor_;
  }
  // What a leaf adds to output k of those that its tree has.
  Whole whole(const Node& leaf, std::size_t k) const { return leaf_width_ == 1 ? leaf.whole() : whole_[leaf.cut + k]; }
  template <class Reach>
  Trees laid_out(Reach reach) const;
  void number_cells(const std::vector<EncodedTable>& tables);
  void find_runs();
  // Per group the cell that x is in; -1: none.
  std::vector<std::int32_t> cells_of_x(std::span<const std::int32_t> x) const;
  void gather(std::span<const std::int32_t> x, const Row* rows, std::int32_t* ranks) const;
  // Candidates go through all trees; `reached(tree, candidate, leaf)` is called for each candidate in the order of
  // trees.
  template <class Reached>
  void walk_few(const Trees& trees, const std::int32_t* ranks, std::size_t many, std::size_t n, const Until& until,
                Reached reached) const;
  template <class Reached>
  void walk_together(const Trees& trees, const std::int32_t* ranks, std::size_t many, std::size_t n, const Until& until,
                     Reached reached) const;
  void sum(const Trees& trees, const std::int32_t* ranks, std::size_t many, std::size_t n, double* out,
           const Until& until = Until()) const;

  Trees trees_;
  std::vector<std::vector<std::int32_t>> groups_tested_;  // per tree
  std::vector<std::int32_t> output_;
  std::vector<double> value_, base_;
  std::vector<float> single_value_;
  // Along lines values are added as whole numbers of a unit: whatever the order, sums are the same to the last bit.
  std::vector<Whole> whole_;
  double unit_ = 1;
  bool adds_up_ = true;  // false: a leaf has no number, or none that is finite
  std::size_t outputs_, leaf_width_;
  bool strict_, single_, single_sum_;
  double divisor_;
  std::vector<Tested> tested_;
  std::vector<Table> tables_;
  std::vector<std::int32_t> of_nobody_;  // those of tested_ that no group owns
  std::vector<std::int32_t> owner_;  // per encoded column its group, or -1
  std::vector<std::vector<double>> thresholds_;  // per encoded column, sorted
  std::vector<std::vector<std::int64_t>> codes_;  // per encoded column, the codes its sets name, sorted
  std::vector<std::uint64_t> set_bits_;
  std::vector<std::int64_t> set_start_;
  std::vector<std::uint64_t> left_;  // bits of the cells that go left, of one test after the other
  std::vector<std::size_t> set_left_;  // per set where in left_ those of its node begin
  std::int32_t cells_ = 0;
};

template <class Visit>
void Forest::for_each_run(std::size_t group, Visit visit) const {
  const Table& table = tables_[group];
  const auto rows = static_cast<Row>(table.cell.size());
  if (table.runs.empty())
    for (Row r = 1; r < rows; ++r) visit(r, r + 1, table.cell[r]);
  for (std::size_t i = 0; i < table.runs.size(); ++i)
    visit(table.runs[i], i + 1 < table.runs.size() ? table.runs[i + 1] : rows, table.cell[table.runs[i]]);
}

// Nodes in the order of a walk that goes left first, so that a path stays within few cache lines. `reach` says which
// node stands for a node: itself, or where decided tests lead from it.
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

}  // namespace geco
