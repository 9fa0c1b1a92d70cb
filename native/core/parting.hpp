// Cells of a group on their way through a tree, and how a test parts them.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/forest.hpp"

namespace geco {

class Forest::Parting {
 public:
  // Those from low to high - 1 of a sorted table; low and high together the bits of few; bits of many in the words from
  // low to high - 1; positions in list_ from low to high - 1 where even the words would be too many.
  struct Cells {
    std::int32_t low = 0, high = 0;
    const std::uint64_t* words = nullptr;
    std::uint64_t bits() const { return static_cast<std::uint32_t>(low) | std::uint64_t(high) << 32; }
    bool empty(As as) const { return as == As::kBits ? (low | high) == 0 : low >= high; }
  };

  explicit Parting(const Forest& forest) : f_(forest), begin_(forest.width()) {
    std::size_t words = 0, most = 0, cells = 0;
    for (std::size_t g = 0; g < forest.width(); ++g) {
      const Table& table = forest.tables_[g];
      if (table.as == As::kList) begin_[g] = cells, cells += table.cell_count;
      if (table.as != As::kWords) continue;
      begin_[g] = words, words += 2 * table.words;  // those wanted, and those still on the path
      most = std::max(most, table.words);
    }
    list_.resize(cells);
    words_.resize(words + most * (forest.trees_.depth + 1));
    free_ = words;
  }

  // The cells of these rows; `cell_of` says which, -1 for none.
  template <class CellOf>
  Cells want(std::int32_t g, std::span<const Row> rows, CellOf cell_of);

  // Takes those out of `cells` that go left, or those that go right. What is left of cells in words is put into `rest`.
  template <As as>
  Cells part(const Node& node, bool left, std::int32_t g, Cells& cells, std::uint64_t* rest);

  // Where words are put: of those still on the path; of those that go on alone, until they have gone.
  template <As as>
  std::uint64_t* on_path(std::int32_t g) {
    return as == As::kWords ? words_.data() + begin_[g] + f_.tables_[g].words : nullptr;
  }
  std::uint64_t* free() { return words_.data() + free_; }
  template <As as>
  void hold(std::int32_t g) {
    if constexpr (as == As::kWords) free_ += f_.tables_[g].words;
  }
  template <As as>
  void let_go(std::int32_t g) {
    if constexpr (as == As::kWords) free_ -= f_.tables_[g].words;
  }

  template <As as, class Do>
  void each(std::int32_t g, const Cells& cells, Do act) const;

 private:
  static Cells cells_of(std::uint64_t bits) {
    return {static_cast<std::int32_t>(bits), static_cast<std::int32_t>(bits >> 32)};
  }
  // Without words at either end that have no bit.
  static Cells trimmed(const std::uint64_t* words, std::int32_t low, std::int32_t high) {
    while (low < high && words[low] == 0) ++low;
    while (low < high && words[high - 1] == 0) --high;
    return {low, high, words};
  }

  const Forest& f_;
  std::vector<std::size_t> begin_;  // per group, where its part of list_ or words_ begins
  std::vector<std::int32_t> list_;  // per table, those that go one way side by side
  std::vector<std::uint64_t> words_;
  std::size_t free_ = 0;  // from here on words_ has none that are needed
};

template <class CellOf>
Forest::Parting::Cells Forest::Parting::want(std::int32_t g, std::span<const Row> rows, CellOf cell_of) {
  const Table& table = f_.tables_[g];
  if (table.tested.empty()) return {};
  auto for_each_cell = [&](auto act) {
    for (const Row row : rows)
      if (const std::int32_t c = cell_of(row); c >= 0) act(c);
  };
  if (table.as == As::kInterval) {
    Cells cells{table.cell_count, 0};
    for_each_cell(
        [&](std::int32_t c) { cells.low = std::min(cells.low, c), cells.high = std::max(cells.high, c + 1); });
    return cells;
  }
  if (table.as == As::kBits) {
    std::uint64_t bits = 0;
    for_each_cell([&](std::int32_t c) { bits |= std::uint64_t{1} << c; });
    return cells_of(bits);
  }
  if (table.as == As::kWords) {
    std::uint64_t* words = words_.data() + begin_[g];
    std::fill_n(words, table.words, 0);
    for_each_cell([&](std::int32_t c) { words[c / 64] |= std::uint64_t{1} << (c % 64); });
    return trimmed(words, 0, static_cast<std::int32_t>(table.words));
  }
  std::vector<bool> met(table.cell_count);
  Cells cells;
  for_each_cell([&](std::int32_t c) {
    if (!met[c]) met[c] = true, list_[begin_[g] + cells.high++] = c;
  });
  return cells;
}

template <Forest::As as>
Forest::Parting::Cells Forest::Parting::part(const Node& node, bool left, std::int32_t g, Cells& cells,
                                             std::uint64_t* rest) {
  if constexpr (as == As::kBits) {
    const std::uint64_t of_left = *f_.left_cells(node, 1), taken = cells.bits() & (left ? of_left : ~of_left);
    cells = cells_of(cells.bits() ^ taken);
    return cells_of(taken);
  } else if constexpr (as == As::kWords) {
    const std::uint64_t* of_left = f_.left_cells(node, f_.tables_[g].words);
    const std::uint64_t turned = left ? 0 : ~std::uint64_t{0};
    std::uint64_t* taken = free();
    for (std::int32_t w = cells.low; w < cells.high; ++w) {
      const std::uint64_t all = cells.words[w];
      taken[w] = all & (of_left[w] ^ turned);
      rest[w] = all ^ taken[w];
    }
    const std::int32_t low = cells.low, high = cells.high;
    cells = trimmed(rest, low, high);
    return trimmed(taken, low, high);
  } else {
    std::int32_t middle;
    if constexpr (as == As::kInterval) {
      middle = std::clamp(node.cut, cells.low, cells.high);
    } else {
      const auto begin = list_.begin() + static_cast<std::ptrdiff_t>(begin_[g]);
      const std::vector<std::int32_t>& ranks = f_.tables_[g].ranks;
      const std::size_t many = f_.tables_[g].tested.size(), position = f_.tested_[node.tested].position;
      middle = static_cast<std::int32_t>(
          std::partition(begin + cells.low, begin + cells.high,
                         [&](std::int32_t cell) { return f_.goes_left(node, ranks[cell * many + position]); }) -
          begin);
    }
    const Cells lower{cells.low, middle}, upper{middle, cells.high};
    cells = left ? upper : lower;
    return left ? lower : upper;
  }
}

template <Forest::As as, class Do>
void Forest::Parting::each(std::int32_t g, const Cells& cells, Do act) const {
  if constexpr (as == As::kInterval) {
    for (std::int32_t c = cells.low; c < cells.high; ++c) act(c);
  } else if constexpr (as == As::kBits) {
    for (std::uint64_t left = cells.bits(); left != 0; left &= left - 1) act(std::countr_zero(left));
  } else if constexpr (as == As::kWords) {
    for (std::int32_t w = cells.low; w < cells.high; ++w)
      for (std::uint64_t left = cells.words[w]; left != 0; left &= left - 1) act(w * 64 + std::countr_zero(left));
  } else {
    for (std::int32_t i = cells.low; i < cells.high; ++i) act(list_[begin_[g] + i]);
  }
}

}  // namespace geco
