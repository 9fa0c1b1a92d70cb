// What compiled models share: encoded group tables, and the lines of a proposal.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/space.hpp"
#include "core/until.hpp"

namespace geco {

// Per group the encoded columns it owns and their values, row by row, slot 0 included (and not read).
struct EncodedTable {
  std::vector<std::int32_t> columns;
  std::vector<double> values;  // [rows, columns]
  std::size_t rows = 0;
};

// A parent, the group that varies, and the rows it takes (ragged, by offsets).
struct LinesView {
  std::size_t width = 0;                // groups
  std::span<const Row> parents;         // [lines, width]
  std::span<const std::int32_t> groups;
  std::span<const std::int64_t> offsets;
  std::span<const Row> rows;
  std::size_t size() const { return groups.size(); }
  const Row* parent(std::size_t line) const { return parents.data() + line * width; }
};

}  // namespace geco
