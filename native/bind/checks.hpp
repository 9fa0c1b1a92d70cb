// Row numbers as Python gives them, checked against a space.
#pragma once
#include "bind/arrays.hpp"
#include "core/space.hpp"

namespace geco::bind {

inline bool has_row(const Space& space, std::size_t group, Row row) {
  return row >= 0 && row < static_cast<Row>(space.groups[group].allowed.size());
}

// One row per group, each of them there; `what` names the argument.
inline void check_rows(const Space& space, std::span<const Row> rows, const char* what = "rows") {
  if (rows.size() != space.groups.size()) throw std::invalid_argument(std::string(what) + ": one row per group");
  for (std::size_t g = 0; g < rows.size(); ++g)
    if (!has_row(space, g, rows[g])) throw std::invalid_argument(std::string(what) + ": no such row");
}

}  // namespace geco::bind
