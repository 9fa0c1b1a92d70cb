// The sweep: every row of every line of a parent by one walk per tree.
#include <algorithm>
#include <cstring>
#include <memory>

#include "core/narrowed.hpp"
#include "core/parting.hpp"
#include "core/steps.hpp"

namespace geco {
namespace {

constexpr std::size_t kParents = 16;  // parents of lines that walk a tree together
constexpr std::size_t kNodesPerParent = 8;  // a cut-down tree with more than so many is not worth making

}  // namespace

// One parent: what each cell of each wanted group adds to the parent's sums. Every tree is walked along the parent's
// path; at a node that tests group G the cells of G that would go the other way leave the path and go on alone, only G
// free.
class Forest::Sweep {
 public:
  // `cells_of_x`: per group the cell that x is in, -1 if none.
  Sweep(const Forest& forest, std::span<const std::int32_t> x, std::span<const std::int32_t> cells_of_x)
      : f_(forest), x_(x), cell_of_x_(cells_of_x), ranks_(forest.tested_.size()), gathered_(forest.tested_.size()),
        added_(std::make_unique_for_overwrite<double[]>(forest.cells_ * forest.outputs_)),
        steps_(forest.cells_ * forest.outputs_), parting_(forest), wanted_(forest.width()), now_(forest.width()),
        path_(forest.trees_.depth) {}

  // Lines first..last-1 have one parent.
  void begin(const LinesView& lines, std::size_t first, std::size_t last) {
    first_ = first, last_ = last;
    f_.gather(x_, lines.parent(first), gathered_.data());
    std::fill(wanted_.begin(), wanted_.end(), Cells{});
    for (std::size_t l = first; l < last; ++l) want(lines, l);
    // Groups that no line varies are like columns of nobody: their tests are only followed.
    for (std::size_t t = 0; t < ranks_.size(); ++t) {
      const std::int32_t g = f_.tested_[t].group;
      ranks_[t] = {gathered_[t], g >= 0 && !wanted_[g].empty(as(g)) ? g : -1};
    }
    sums_.assign(f_.outputs_, 0);
  }

  // Its nodes may be what is left of tree t.
  void tree(std::size_t t, Narrowed::Tree tree) {
    nodes_ = tree.nodes;
    output_ = f_.output_[t] < 0 ? 0 : f_.output_[t];
    many_ = f_.output_[t] < 0 ? f_.outputs_ : 1;
    std::size_t depth = 0;
    const Node* node = nodes_ + tree.root;
    while (node->tested >= 0) {
      const auto [rank, g] = ranks_[node->tested];
      const bool left = f_.goes_left(*node, rank);
      if (g >= 0) {
        path_[depth++] = {node, g, left};
        now_[g] = wanted_[g];
      }
      node = nodes_ + (left ? node->left : node->right);
    }
    on_path_ = f_.value_.data() + node->left;
    for (std::size_t k = 0; k < many_; ++k) sums_[output_ + k] += on_path_[k];
    for (std::size_t i = 0; i < depth; ++i) {
      const auto [at, g, left] = path_[i];
      for_type_of(g, [&]<As as>() { leave<as>(*at, left, g); });
    }
  }

  // The ranks that this parent and its lines have.
  void spread(Narrowed& over) const {
    for (std::size_t t = 0; t < gathered_.size(); ++t) over.add(t, gathered_[t], gathered_[t]);
    for (std::size_t g = 0; g < wanted_.size(); ++g) {
      const Table& table = f_.tables_[g];
      if (wanted_[g].empty(as(g))) continue;
      if (table.sorted) {
        for (std::int32_t t : table.tested) over.add(t, wanted_[g].low, wanted_[g].high - 1);
        continue;
      }
      auto add = [&](std::int32_t cell) {
        const std::int32_t* ranks = &table.ranks[cell * table.tested.size()];
        for (std::size_t i = 0; i < table.tested.size(); ++i) over.add(table.tested[i], ranks[i], ranks[i]);
      };
      for_type_of(g, [&]<As as>() { parting_.each<as>(g, wanted_[g], add); });
    }
  }

  void end(const LinesView& lines, double* out, Turns* turns) {
    for (std::size_t l = first_; l < last_; ++l) read(lines, l, out, turns);
  }

 private:
  using Cells = Parting::Cells;
  As as(std::size_t g) const { return f_.tables_[g].as; }

  template <class Do>
  void for_type_of(std::size_t g, Do act) const {
    switch (as(g)) {
      case As::kInterval: act.template operator()<As::kInterval>(); break;
      case As::kBits: act.template operator()<As::kBits>(); break;
      case As::kWords: act.template operator()<As::kWords>(); break;
      case As::kList: act.template operator()<As::kList>(); break;
    }
  }

  std::int32_t cell_of(std::int32_t g, Row row) const { return row == 0 ? cell_of_x_[g] : f_.tables_[g].cell[row]; }

  // Only the cells that the line's rows are in: as the bound falls, so does the cost.
  void want(const LinesView& lines, std::size_t l) {
    const std::int32_t g = lines.groups[l];
    const Table& table = f_.tables_[g];
    const std::span rows(lines.rows.data() + lines.offsets[l], lines.rows.data() + lines.offsets[l + 1]);
    wanted_[g] = parting_.want(g, rows, [&](Row row) { return cell_of(g, row); });
    if (!table.sorted) {
      std::fill_n(added_.get() + table.first * f_.outputs_, table.cell_count * f_.outputs_, 0.0);
      return;
    }
    if (outlined(lines, l)) {
      const auto [low, high] = lines.outlined[l].cells();
      wanted_[g].low = std::min(wanted_[g].low, low), wanted_[g].high = std::max(wanted_[g].high, high);
    }
    // Nothing but the interval is looked at, and where it ends.
    if (wanted_[g].low < wanted_[g].high)
      steps_.clear((table.first + wanted_[g].low) * f_.outputs_, (table.first + wanted_[g].high + 1) * f_.outputs_);
  }
  static bool outlined(const LinesView& lines, std::size_t l) {
    return !lines.outlined.empty() && !lines.outlined[l].listed();
  }

  template <As as>
  void leave(const Node& node, bool left, std::int32_t g) {
    if (now_[g].empty(as)) return;
    const Cells others = parting_.part<as>(node, !left, g, now_[g], parting_.on_path<as>(g));
    if (!others.empty(as)) alone<as>(left ? node.right : node.left, g, others);
  }

  // Cells that left the parent's path, all of them at the same node.
  template <As as>
  void alone(std::int32_t at, std::int32_t g, Cells cells) {
    const Node* node = nodes_ + at;
    std::uint64_t* rest = parting_.free();
    parting_.hold<as>(g);
    while (node->tested >= 0) {
      bool left;
      if (ranks_[node->tested].group != g) {
        left = f_.goes_left(*node, ranks_[node->tested].rank);
      } else {
        const Cells gone = parting_.part<as>(*node, true, g, cells, rest);
        left = cells.empty(as);
        if (left) cells = gone;
        else if (!gone.empty(as)) alone<as>(node->left, g, gone);
      }
      node = nodes_ + (left ? node->left : node->right);
    }
    parting_.let_go<as>(g);
    const std::size_t first = f_.tables_[g].first;
    for (std::size_t k = 0; k < many_; ++k) {
      const double more = f_.value_[node->left + k] - on_path_[k];
      const std::size_t to = output_ + k;
      if constexpr (as == As::kInterval) {
        steps_.add((first + cells.low) * f_.outputs_ + to, more);
        steps_.add((first + cells.high) * f_.outputs_ + to, -more);
      } else {
        double* added = added_.get() + first * f_.outputs_ + to;
        parting_.each<as>(g, cells, [&](std::int32_t cell) { added[cell * f_.outputs_] += more; });
      }
    }
  }

  // Where what the cells of a sorted table add changes, and what it is from there on.
  void find_stretches(std::int32_t g) {
    const std::size_t k_many = f_.outputs_, first = f_.tables_[g].first;
    const auto [low, high, words] = wanted_[g];
    starts_.assign(1, low);
    levels_.assign(k_many, 0.0);
    if (low >= high) return;
    steps_.each((first + low) * k_many, (first + high) * k_many, [&](std::size_t at, double step) {
      const auto cell = static_cast<std::int32_t>(at / k_many - first);
      if (cell != starts_.back()) {
        starts_.push_back(cell);
        levels_.resize(levels_.size() + k_many);
        std::copy_n(levels_.end() - 2 * k_many, k_many, levels_.end() - k_many);
      }
      levels_[levels_.size() - k_many + at % k_many] += step;
    });
  }
  void spread_out(std::int32_t g) {
    const std::size_t k_many = f_.outputs_;
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      const std::int32_t end = i + 1 < starts_.size() ? starts_[i + 1] : wanted_[g].high;
      double* added = added_.get() + f_.tables_[g].first * k_many;
      for (std::int32_t cell = starts_[i]; cell < end; ++cell)
        std::copy_n(&levels_[i * k_many], k_many, added + cell * k_many);
    }
  }
  double sum_with(double added, std::size_t k) const { return (f_.base_[k] + sums_[k] + added) / f_.divisor_; }

  void add_turns(const OutlinedLine& line, Turns& turns) {
    line.nearest(starts_, nearest_);
    for (const auto& [place, row, stretch] : nearest_) {
      turns.rows.push_back(row);
      turns.places.push_back(place);
      for (std::size_t k = 0; k < f_.outputs_; ++k)
        turns.sums.push_back(sum_with(levels_[stretch * f_.outputs_ + k], k));
    }
  }

  void read(const LinesView& lines, std::size_t l, double* out, Turns* turns) {
    const std::int32_t g = lines.groups[l];
    const Table& table = f_.tables_[g];
    const std::size_t k_many = f_.outputs_;
    const bool in_stretches = outlined(lines, l);
    const double* added = added_.get() + table.first * k_many;
    if (table.sorted) find_stretches(g);
    if (table.sorted && !in_stretches) spread_out(g);
    if (in_stretches) add_turns(lines.outlined[l], *turns);
    if (turns) turns->offsets.push_back(static_cast<std::int64_t>(turns->rows.size()));
    auto of_cell = [&](std::int32_t cell) -> const double* {
      if (!in_stretches) return added + cell * k_many;
      const auto after = std::upper_bound(starts_.begin(), starts_.end(), cell);
      return &levels_[(after - starts_.begin() - 1) * k_many];
    };
    std::vector<Row> candidate;
    std::vector<std::int32_t> ranks;
    for (auto i = lines.offsets[l]; i < lines.offsets[l + 1]; ++i) {
      const Row row = lines.rows[i];
      const std::int32_t cell = cell_of(g, row);
      if (cell < 0 && !table.tested.empty()) {  // like no row of D, or missing: a cell by itself
        candidate.assign(lines.parent(l), lines.parent(l) + lines.width);
        candidate[g] = row;
        ranks.resize(gathered_.size());
        f_.gather(x_, candidate.data(), ranks.data());
        f_.sum(f_.trees_, ranks.data(), ranks.size(), 1, out + i * k_many);
        continue;
      }
      const double* of = table.tested.empty() ? nullptr : of_cell(cell);
      for (std::size_t k = 0; k < k_many; ++k) out[i * k_many + k] = sum_with(of ? of[k] : 0.0, k);
    }
  }

  const Forest& f_;
  std::span<const std::int32_t> x_, cell_of_x_;
  struct Ranked {
    std::int32_t rank, group;
  };
  std::vector<Ranked> ranks_;
  std::vector<std::int32_t> gathered_;
  std::unique_ptr<double[]> added_;  // per cell what it adds
  Steps steps_;                      // the same of sorted tables
  std::vector<std::int32_t> starts_;  // stretches of cells of a sorted table that add the same
  std::vector<double> levels_;        // what they add: [stretches, outputs]
  std::vector<OutlinedLine::Nearest> nearest_;
  Parting parting_;
  std::vector<Cells> wanted_, now_;  // per group: of the lines; of those the ones still on the path
  struct Visited {
    const Node* node;
    std::int32_t group;
    bool left;
  };
  std::vector<Visited> path_;
  std::vector<double> sums_;
  const Node* nodes_ = nullptr;  // of the tree being walked
  const double* on_path_ = nullptr;
  std::size_t first_ = 0, last_ = 0;
  std::size_t output_ = 0, many_ = 1;
};

std::vector<double> Forest::lines(std::span<const std::int32_t> x, const LinesView& lines, const Until& until,
                                  Turns* turns) const {
  std::vector<double> out(lines.rows.size() * outputs_);
  const std::vector<std::int32_t> of_x = cells_of_x(x);
  std::vector<Sweep> sweeps;
  std::size_t under_way = 0;
  auto walk = [&] {
    Narrowed narrowed(*this, trees_, under_way > 1 ? kNodesPerParent * under_way : 0);
    for (std::size_t i = 0; i < under_way && narrowed.worth_it(); ++i) sweeps[i].spread(narrowed);
    for (std::size_t t = 0; t < trees_.roots.size(); ++t) {
      if (t % kLook == 0) until.look();
      const Narrowed::Tree tree = narrowed.tree(t);
      for (std::size_t i = 0; i < under_way; ++i) sweeps[i].tree(t, tree);
    }
    for (std::size_t i = 0; i < under_way; ++i) sweeps[i].end(lines, out.data(), turns);
    under_way = 0;
  };
  for (std::size_t first = 0; first < lines.size();) {
    std::size_t last = first + 1;
    const std::size_t bytes = lines.width * sizeof(Row);
    while (last < lines.size() && lines.groups[last] > lines.groups[last - 1] &&
           std::memcmp(lines.parent(first), lines.parent(last), bytes) == 0)
      ++last;
    if (under_way == sweeps.size()) sweeps.emplace_back(*this, x, of_x);
    sweeps[under_way++].begin(lines, first, last);
    first = last;
    if (under_way == kParents) walk();
  }
  walk();
  return out;
}

}  // namespace geco
