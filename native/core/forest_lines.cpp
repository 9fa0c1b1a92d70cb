// The sweep: every row of every line of a parent by one walk per tree.
#include <algorithm>
#include <cstring>

#include "core/forest.hpp"

namespace geco {
namespace {

constexpr std::size_t kParents = 16;  // parents of lines that walk a tree together

}  // namespace

// One parent: what each cell of each wanted group adds to the parent's sums. Every tree is walked along the parent's path;
// at a node that tests group G the cells of G that would go the other way leave the path and go on alone, only G free.
class Forest::Sweep {
 public:
  // `own`: per group the cell that x is in, -1 if none.
  Sweep(const Forest& forest, std::span<const std::int32_t> x, std::span<const std::int32_t> own)
      : f_(forest), x_(x), own_cell_(own), ranks_(forest.tested_.size()), gathered_(forest.tested_.size()), added_(forest.cells_ * forest.outputs_), list_(forest.cells_),
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

  std::int32_t cell_of(std::int32_t g, Row row) const { return row == 0 ? own_cell_[g] : f_.tables_[g].cell[row]; }

  // Only the cells that the line's rows are in: as the bound falls, so does the cost.
  void want(const LinesView& lines, std::size_t l) {
    const std::int32_t g = lines.groups[l];
    const Table& table = f_.tables_[g];
    Span span;
    if (table.sorted) {
      span.low = table.cell_count;
      for (auto i = lines.offsets[l]; i < lines.offsets[l + 1]; ++i) {
        const std::int32_t c = cell_of(g, lines.rows[i]);
        if (c >= 0) span.low = std::min(span.low, c), span.high = std::max(span.high, c + 1);
      }
    } else if (!table.tested.empty()) {
      marked_.assign(table.cell_count, 0);
      for (auto i = lines.offsets[l]; i < lines.offsets[l + 1]; ++i) {
        const std::int32_t c = cell_of(g, lines.rows[i]);
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
      const std::int32_t cell = cell_of(g, row);
      if (cell < 0 && !table.tested.empty()) {  // like no row of D, or missing: on its own
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
  std::span<const std::int32_t> x_, own_cell_;
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

std::vector<std::int32_t> Forest::own_cells(std::span<const std::int32_t> x) const {
  std::vector<std::int32_t> cells(width(), -1);
  for (std::size_t g = 0; g < width(); ++g) {
    const Table& table = tables_[g];
    const std::size_t many = table.tested.size();
    if (many == 0) continue;
    if (table.sorted) {
      const std::int32_t rank = x[table.tested[0]];
      if (rank >= 0 && rank < table.cell_count) cells[g] = rank;
      continue;
    }
    for (std::int32_t c = 0; c < table.cell_count && cells[g] < 0; ++c) {
      bool same = true;
      for (std::size_t i = 0; i < many && same; ++i) same = table.ranks[c * many + i] == x[table.tested[i]];
      if (same) cells[g] = c;
    }
  }
  return cells;
}

std::vector<double> Forest::lines(std::span<const std::int32_t> x, const LinesView& lines) const {
  std::vector<double> out(lines.rows.size() * outputs_);
  const std::vector<std::int32_t> own = own_cells(x);
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
    if (under_way == sweeps.size()) sweeps.emplace_back(*this, x, own);
    sweeps[under_way++].begin(lines, first, last);
    first = last;
    if (under_way == kParents) walk();
  }
  walk();
  return out;
}

}  // namespace geco
