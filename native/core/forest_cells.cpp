// The cells of each table: rows that the forest cannot tell apart, and which of them go left at a test.
#include <algorithm>
#include <map>

#include "core/forest.hpp"

namespace geco {
namespace {

// 4 MB: of tables with more cells and tests than fit in them, each cell is asked where it goes.
constexpr std::size_t kMostWords = std::size_t{1} << 19;

}  // namespace

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

void Forest::find_runs() {
  constexpr std::size_t kFewer = 2;
  for (Table& table : tables_) {
    for (std::size_t r = 1; r < table.cell.size(); ++r)
      if (r == 1 || table.cell[r] != table.cell[r - 1]) table.runs.push_back(static_cast<Row>(r));
    if (kFewer * table.runs.size() > table.cell.size()) table.runs.clear();
    table.runs.shrink_to_fit();
  }
}

void Forest::choose_representations() {
  std::vector<std::size_t> tests(width());
  for (const Tested& tested : tested_)
    if (tested.group >= 0 && !tested.categorical) tests[tested.group] += thresholds_[tested.column].size() + 1;
  for (const Node& node : trees_.nodes)
    if (node.tested >= 0 && node.cut < 0 && tested_[node.tested].group >= 0) ++tests[tested_[node.tested].group];
  std::size_t total = 0;
  for (std::size_t g = 0; g < width(); ++g) {
    Table& table = tables_[g];
    if (table.sorted) continue;
    table.words = (static_cast<std::size_t>(table.cell_count) + 63) / 64;
    const std::size_t more = tests[g] * table.words;
    table.as = table.words <= 1 ? As::kBits : total + more <= kMostWords ? As::kWords : As::kList;
    if (table.as != As::kList) total += more;
  }
}

void Forest::mark_left_cells() {
  set_left_.resize(set_start_.size());
  auto marks = [&](std::int32_t t) {
    if (t < 0 || tested_[t].group < 0) return false;
    const As as = tables_[tested_[t].group].as;
    return as == As::kBits || as == As::kWords;
  };
  // Adds so many sets of cells; `first_of` says in which of them a cell of this rank is the first time.
  auto mark = [&](const Tested& tested, std::size_t sets, auto first_of) {
    const Table& table = tables_[tested.group];
    const std::size_t begin = left_.size();
    left_.resize(begin + sets * table.words);
    for (std::int32_t c = 0; c < table.cell_count; ++c) {
      const std::size_t first = first_of(table.ranks[c * table.tested.size() + tested.position]);
      if (first < sets) left_[begin + first * table.words + c / 64] |= std::uint64_t{1} << (c % 64);
    }
    for (std::size_t i = begin + table.words; i < left_.size(); ++i) left_[i] |= left_[i - table.words];
    return begin;
  };
  for (std::size_t t = 0; t < tested_.size(); ++t) {
    Tested& tested = tested_[t];
    if (!marks(static_cast<std::int32_t>(t)) || tested.categorical) continue;
    tested.left = mark(tested, thresholds_[tested.column].size() + 1,
                       [](std::int32_t rank) { return static_cast<std::size_t>(std::int64_t{rank} + 1); });
  }
  for (const Node& node : trees_.nodes)
    if (marks(node.tested) && node.cut < 0)
      set_left_[-1 - node.cut] = mark(tested_[node.tested], 1, [&](std::int32_t rank) {
        return goes_left(node, rank) ? std::size_t{0} : std::size_t{1};
      });
}

std::vector<std::int32_t> Forest::cells_of_x(std::span<const std::int32_t> x) const {
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

}  // namespace geco
