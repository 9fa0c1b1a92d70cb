#include "core/frontier.hpp"

#include "bind/arrays.hpp"

namespace geco::bind {

void bind_frontier(nb::module_& m) {
  nb::class_<Frontier>(m, "Frontier")
      .def("__init__", [](Frontier* self, const Space& space, Archive& archive, int k, int parents, int rows_per_line,
                          int first_rows, int per_delta, int combinations, bool swept, std::uint64_t seed) {
             require(k > 0 && parents > 0 && rows_per_line >= 0 && first_rows >= 0 && per_delta > 0 && combinations >= 0,
                     "frontier: settings must be positive");
             new (self) Frontier(space, archive, FrontierSettings{k, parents, rows_per_line, first_rows, per_delta, combinations, swept, seed});
           }, nb::arg("space"), nb::arg("archive"), nb::arg("k"), nb::arg("parents"), nb::arg("rows_per_line"),
           nb::arg("first_rows"), nb::arg("per_delta"), nb::arg("combinations"), nb::arg("swept"), nb::arg("seed"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("ask", [](Frontier& f, const Space& s) {
             Round round;
             {
               nb::gil_scoped_release unlocked;
               round = f.ask();
             }
             const std::size_t width = s.groups.size(), lines = round.groups.size();
             const std::size_t points = width ? round.points.size() / width : 0;
             return std::make_tuple(to_numpy(std::move(round.points), points, width),
                                    to_numpy(std::move(round.parents), lines, width), to_numpy(std::move(round.groups)),
                                    to_numpy(std::move(round.offsets)), to_numpy(std::move(round.rows)));
           }, nb::arg("space"), "Points, and lines as parents, groups, offsets and rows.")
      .def("tell", [](Frontier& f, Array1<double> outcome, Array1<double> number) {
             require(outcome.shape(0) == number.shape(0) && outcome.shape(0) == f.asked(), "tell: one outcome per row of the lines asked last");
             nb::gil_scoped_release unlocked;
             f.tell(view(outcome), view(number));
           }, nb::arg("outcome"), nb::arg("number"), "What the model said of the swept lines asked last.")
      .def_rw("only_undos", &Frontier::only_undos)
      .def_prop_ro("bound", &Frontier::bound)
      .def_prop_ro("complete", &Frontier::complete)
      .def_prop_ro("counts", &Frontier::counts);
}

}  // namespace geco::bind
