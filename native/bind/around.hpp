// What Around and whoever prepares answers take and give alike.
#pragma once
#include <tuple>

#include "bind/arrays.hpp"
#include "core/around/around.hpp"

namespace geco::bind {

// The natures of all features, once it is known that these belong together.
inline std::vector<std::uint8_t> natures_of(const Deployment& deployment, const Space& space,
                                            const std::vector<double>& x, const nb::bytes& natures) {
  require(space.groups.size() == deployment.width(), "around: one table per group");
  std::size_t features = 0;
  for (std::size_t g = 0; g < deployment.width(); ++g) {
    require(space.groups[g].allowed.size() == deployment.table(g).rows(), "around: another deployment's space");
    features += deployment.features_of(g);
  }
  require(x.size() == deployment.columns(), "x: one number per feature, two per exact column");
  require(natures.size() == features, "natures: one per feature");
  const auto* kinds = reinterpret_cast<const std::uint8_t*>(natures.c_str());
  for (std::size_t f = 0; f < features; ++f) require(kinds[f] <= kQuantity, "natures: no such nature");
  return {kinds, kinds + features};
}

using PlainRange = std::tuple<std::int32_t, std::int32_t, std::int32_t, Row, Row, bool, bool, std::vector<Row>,
                              std::optional<std::int64_t>>;

inline std::vector<PlainRange> plain(const std::vector<Range>& ranges) {
  std::vector<PlainRange> found;
  for (const Range& r : ranges)
    found.emplace_back(r.answer, r.group, r.feature, r.low, r.high, r.least, r.most, r.others,
                       r.tried == Range::kAll ? std::nullopt : std::optional(r.tried));
  return found;
}

}  // namespace geco::bind
