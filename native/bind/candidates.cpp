#include "core/candidates.hpp"

#include "bind/checks.hpp"
#include "core/operators.hpp"

namespace geco::bind {
namespace {

template <class C>
void check_width(const Space& space, const C& candidates) {
  require(candidates.width() == space.groups.size(), "candidates of another space");
}

template <class C>
Matrix<Row> dense(const C& c) {
  std::vector<Row> rows(c.size() * c.width());
  for (std::size_t i = 0; i < c.size(); ++i) c.load(i, rows.data() + i * c.width());
  const std::size_t n = c.size(), width = c.width();
  return to_numpy(std::move(rows), n, width);
}

template <class C>
C from_dense(const Space& space, Array2<Row> rows) {
  require(rows.shape(1) == space.groups.size(), "rows: one column per group");
  for (std::size_t i = 0; i < rows.shape(0); ++i) check_rows(space, {rows.data() + i * rows.shape(1), rows.shape(1)});
  C out(space.start);
  for (std::size_t i = 0; i < rows.shape(0); ++i) out.push(rows.data() + i * rows.shape(1));
  return out;
}

template <class C>
C select_from(const C& c, const Space& space, Array2<Row> points, Array1<std::int64_t> indices) {
  check_width(space, c);
  require(points.shape(1) == c.width(), "select: one column per group");
  const auto here = static_cast<std::int64_t>(c.size()), all = here + static_cast<std::int64_t>(points.shape(0));
  for (std::int64_t i : view(indices)) {
    require(i >= 0 && i < all, "select: no such candidate");
    if (i >= here) check_rows(space, {points.data() + (i - here) * c.width(), c.width()});
  }
  return select(c, points.data(), view(indices));
}

template <class C>
C take_from(const C& c, Array1<std::int64_t> indices) {
  for (std::int64_t i : view(indices))
    require(i >= 0 && i < static_cast<std::int64_t>(c.size()), "take: no such candidate");
  return take(c, view(indices));
}

template <class C>
std::pair<std::int64_t, std::int64_t> stored_for(const Space& space, Array2<Row> points) {
  require(points.shape(1) == space.groups.size(), "stored: one column per group");
  const Stored sum = stored<C>(space, points.data(), points.shape(0));
  return {sum.features, sum.cells};
}

template <class C>
void bind_representation(nb::module_& m, const char* name) {
  nb::class_<C>(m, name)
      .def_static("from_rows", &from_dense<C>, nb::arg("space"), nb::arg("rows"))
      .def("__len__", &C::size)
      .def_prop_ro("cells", &C::cells, "Row numbers stored.")
      .def_static("stored", &stored_for<C>, nb::arg("space"), nb::arg("points"),
                  "What these points take: the paper's size measure (features of Δ times candidates), and row numbers.")
      .def("rows", &dense<C>, "Row numbers, one line per candidate and one column per group.")
      .def("take", &take_from<C>, nb::arg("indices"))
      .def("select", &select_from<C>, nb::arg("space"), nb::arg("points"), nb::arg("indices"),
           "Those with these numbers, the points numbered on after the candidates.")
      .def("best_per_delta", [](const C& c) { return to_numpy(best_per_delta(c)); })
      .def(
          "mutate",
          [](const C& c, const Space& s, int m_, bool selective, std::uint64_t seed, std::uint64_t round,
             CascadeCounts& counts) {
            check_width(s, c);
            require(m_ > 0, "mutate: m must be positive");
            nb::gil_scoped_release unlocked;
            return mutate(s, c, m_, selective, seed, round, counts);
          },
          nb::arg("space"), nb::arg("m"), nb::arg("selective"), nb::arg("seed"), nb::arg("round"), nb::arg("counts"))
      .def(
          "crossover",
          [](const C& c, const Space& s, std::uint64_t seed, std::uint64_t round, CascadeCounts& counts) {
            check_width(s, c);
            nb::gil_scoped_release unlocked;
            return crossover(s, c, seed, round, counts);
          },
          nb::arg("space"), nb::arg("seed"), nb::arg("round"), nb::arg("counts"));
}

}  // namespace

void bind_candidates(nb::module_& m) {
  bind_representation<Delta>(m, "Delta");
  bind_representation<Listing>(m, "Listing");
}

}  // namespace geco::bind
