// Places: where the values of candidates stand in columns that lie one after the other.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/candidates.hpp"

namespace geco {

// Some candidates of one x; in place of slot 0 the rows of D that equal x are taken.
struct WithinD {
  std::span<const Row> rows;    // one after the other
  std::span<const Row> like_x;  // per group
};

// Column by column, a place for each candidate of all parts: `groups` says whose row it takes, `starts` where it
// begins.
inline std::vector<std::int64_t> places(std::span<const WithinD> parts, std::span<const std::int32_t> groups,
                                        std::span<const std::int64_t> starts) {
  std::size_t all = 0;
  for (const WithinD& part : parts) all += part.rows.size() / part.like_x.size();
  std::vector<std::int64_t> found(groups.size() * all);
  std::size_t first = 0;
  for (const auto& [rows, like_x] : parts) {
    const std::size_t width = like_x.size(), count = rows.size() / width;
    for (std::size_t c = 0; c < groups.size(); ++c)
      for (std::size_t i = 0; i < count; ++i) {
        const Row row = rows[i * width + groups[c]];
        found[c * all + first + i] = starts[c] + (row == 0 ? like_x[groups[c]] : row);
      }
    first += count;
  }
  return found;
}

}  // namespace geco
