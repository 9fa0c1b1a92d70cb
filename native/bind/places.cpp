#include "core/places.hpp"

#include "bind/arrays.hpp"

namespace geco::bind {
namespace {

Matrix<std::int64_t> places_of(const std::vector<Array2<Row>>& rows, const std::vector<Array1<Row>>& like_x,
                               Array1<std::int32_t> groups, Array1<std::int64_t> starts) {
  require(rows.size() == like_x.size(), "places: the rows that are like x for all candidates");
  require(groups.shape(0) == starts.shape(0), "places: a start for every column");
  std::vector<WithinD> parts;
  std::size_t all = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t width = like_x[i].shape(0);
    require(width > 0 && rows[i].shape(1) == width, "places: one row per group");
    for (std::int32_t g : view(groups)) require(g >= 0 && static_cast<std::size_t>(g) < width, "places: no such group");
    parts.push_back({{rows[i].data(), rows[i].size()}, view(like_x[i])});
    all += rows[i].shape(0);
  }
  return to_numpy(places(parts, view(groups), view(starts)), groups.shape(0), all);
}

}  // namespace

void bind_places(nb::module_& m) {
  m.def("places", &places_of, nb::arg("rows"), nb::arg("like_x"), nb::arg("groups"), nb::arg("starts"),
        "Column by column where the values of these candidates stand, in columns that lie one after the other; slot 0 "
        "stands for the rows that are like x.");
}

}  // namespace geco::bind
