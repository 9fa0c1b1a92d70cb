// What compiled models share: encoded group tables, and the lines of a proposal.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/outline.hpp"
#include "core/space.hpp"
#include "core/until.hpp"

namespace geco {

// Per group the encoded columns it owns and their values, row by row, slot 0 included (and not read).
struct EncodedTable {
  std::vector<std::int32_t> columns;
  std::vector<double> values;  // [rows, columns]
  std::size_t rows = 0;
};

struct LinesOfX;

// A parent, the group that varies, and the rows it takes (ragged, by offsets); of an outlined line a few of them.
struct LinesView {
  std::size_t width = 0;                // groups
  std::span<const Row> parents;         // [lines, width]
  std::span<const std::int32_t> groups;
  std::span<const std::int64_t> offsets;
  std::span<const Row> rows;
  std::span<const OutlinedLine> outlined = {};  // per line; none: all of them are listed
  const LinesOfX* of_x = nullptr;  // that most of these stay within; none: nothing is known of that
  std::size_t size() const { return groups.size(); }
  const Row* parent(std::size_t line) const { return parents.data() + line * width; }
};

// The lines of x itself as far as a search looks, under a number of their own.
struct LinesOfX {
  std::uint64_t number;
  LinesView lines;
};

// Rows of outlined lines: of each stretch that the model cannot tell apart the nearest, in order along their line.
struct Turns {
  std::vector<std::int64_t> offsets{0};  // per line
  std::vector<Row> rows;
  std::vector<std::int32_t> places;
  std::vector<double> sums;  // [rows, outputs]

  void clear() {
    offsets.resize(1);
    rows.clear(), places.clear(), sums.clear();
  }
};

}  // namespace geco
