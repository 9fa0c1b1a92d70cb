#include "core/frontier/frontier.hpp"

#include "bind/frontier/rounds.hpp"

namespace geco::bind {

void bind_frontier(nb::module_& m) {
  nb::class_<Frontier>(m, "Frontier")
      .def(
          "__init__",
          [](Frontier* self, Claims& claims, Expansion& expansion, std::vector<FrontierSettings> stages, bool x_obeys,
             bool possible, Proofs* proofs) {
            require(!stages.empty(), "frontier: at least one stage");
            new (self) Frontier(claims, expansion, std::move(stages), {x_obeys, possible}, proofs);
          },
          nb::arg("claims"), nb::arg("expansion"), nb::arg("stages"), nb::arg("x_obeys"), nb::arg("possible"),
          nb::arg("proofs").none() = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 7>())
      .def(
          "ask",
          [](Frontier& f) {
            {
              nb::gil_scoped_release unlocked;
              f.ask();
            }
            return arrays_of(f.asked(), f.space().groups.size());
          },
          "Points, and lines as parents, groups, offsets and rows.")
      .def(
          "tell",
          [](Frontier& f, double x_outcome, double x_number, Array1<double> points, Array1<double> point_numbers,
             Array1<double> lines, Array1<double> line_numbers) {
            const Round& asked = f.asked();
            require(points.shape(0) * f.space().groups.size() == asked.points.size() &&
                        point_numbers.shape(0) == points.shape(0) && lines.shape(0) == asked.rows.size() &&
                        line_numbers.shape(0) == asked.rows.size(),
                    "tell: one outcome per point and row of a line asked last");
            nb::gil_scoped_release unlocked;
            f.tell({{&x_outcome, 1}, {&x_number, 1}}, {view(points), view(point_numbers)},
                   {view(lines), view(line_numbers)});
          },
          nb::arg("x_outcome"), nb::arg("x_number"), nb::arg("points"), nb::arg("point_numbers"), nb::arg("lines"),
          nb::arg("line_numbers"), "What the model said of x and of what was asked last.")
      .def_prop_ro("converged", &Frontier::converged)
      .def_prop_ro("proving", &Frontier::proving, "What is asked next belongs to a proof.")
      .def_prop_ro("stopped_by", [](const Frontier& f) { return name_of(f.stopped_by()); })
      .def_prop_ro("rounds", &Frontier::rounds)
      .def_prop_ro("bound", &Frontier::bound);
}

}  // namespace geco::bind
