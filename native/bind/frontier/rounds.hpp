// A round as arrays.
#pragma once
#include "bind/arrays.hpp"
#include "core/frontier/round.hpp"

namespace geco::bind {

inline auto arrays_of(Round round, std::size_t width) {
  const std::size_t lines = round.groups.size(), points = width ? round.points.size() / width : 0;
  return std::make_tuple(to_numpy(std::move(round.points), points, width),
                         to_numpy(std::move(round.parents), lines, width), to_numpy(std::move(round.groups)),
                         to_numpy(std::move(round.offsets)), to_numpy(std::move(round.rows)));
}

}  // namespace geco::bind
