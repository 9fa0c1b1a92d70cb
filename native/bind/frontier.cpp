#include "core/frontier.hpp"

#include "bind/arrays.hpp"

namespace geco::bind {

void bind_frontier(nb::module_& m) {
  nb::class_<Frontier>(m, "Frontier")
      .def("__init__", [](Frontier* self, const Space& space, Archive& archive, int k, int parents, int rows_per_line,
                          int first_rows, int per_delta, int combinations, bool swept, std::uint64_t seed, int stalled,
                          int max_rounds, int patience, bool x_obeys, bool possible) {
             require(k > 0 && parents > 0 && rows_per_line >= 0 && first_rows >= 0 && per_delta > 0 && combinations >= 0 &&
                         stalled > 0 && max_rounds > 0 && patience > 0,
                     "frontier: settings must be positive");
             new (self) Frontier(space, archive, FrontierSettings{k, parents, rows_per_line, first_rows, per_delta, combinations, swept, seed,
                                                                  stalled, max_rounds, patience, x_obeys, possible});
           }, nb::arg("space"), nb::arg("archive"), nb::arg("k"), nb::arg("parents"), nb::arg("rows_per_line"),
           nb::arg("first_rows"), nb::arg("per_delta"), nb::arg("combinations"), nb::arg("swept"), nb::arg("seed"),
           nb::arg("stalled"), nb::arg("max_rounds"), nb::arg("patience"), nb::arg("x_obeys"), nb::arg("possible"),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("ask", [](Frontier& f) {
             {
               nb::gil_scoped_release unlocked;
               f.ask();
             }
             Round round = f.asked();
             const std::size_t width = f.space().groups.size(), lines = round.groups.size();
             const std::size_t points = width ? round.points.size() / width : 0;
             return std::make_tuple(to_numpy(std::move(round.points), points, width),
                                    to_numpy(std::move(round.parents), lines, width), to_numpy(std::move(round.groups)),
                                    to_numpy(std::move(round.offsets)), to_numpy(std::move(round.rows)));
           }, "Points, and lines as parents, groups, offsets and rows.")
      .def("tell", [](Frontier& f, double x_outcome, double x_number, Array1<double> points, Array1<double> point_numbers,
                      Array1<double> lines, Array1<double> line_numbers) {
             const Round& asked = f.asked();
             require(points.shape(0) * f.space().groups.size() == asked.points.size() && point_numbers.shape(0) == points.shape(0) &&
                         lines.shape(0) == asked.rows.size() && line_numbers.shape(0) == asked.rows.size(),
                     "tell: one outcome per point and row of a line asked last");
             nb::gil_scoped_release unlocked;
             f.tell({{&x_outcome, 1}, {&x_number, 1}}, {view(points), view(point_numbers)}, {view(lines), view(line_numbers)});
           }, nb::arg("x_outcome"), nb::arg("x_number"), nb::arg("points"), nb::arg("point_numbers"), nb::arg("lines"),
           nb::arg("line_numbers"), "What the model said of x and of what was asked last.")
      .def_prop_ro("converged", &Frontier::converged)
      .def_prop_ro("stopped_by", [](const Frontier& f) {
             constexpr const char* names[] = {"converged", "exhausted", "budget"};
             return names[static_cast<int>(f.stopped_by())];
           })
      .def_prop_ro("rounds", &Frontier::rounds)
      .def_prop_ro("bound", &Frontier::bound)
      .def_prop_ro("counts", &Frontier::counts);
}

}  // namespace geco::bind
