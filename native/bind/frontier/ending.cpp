#include "core/frontier/ending.hpp"

#include "bind/arrays.hpp"

namespace geco::bind {

void bind_ending(nb::module_& m) {
  nb::class_<Ending>(m, "Ending")
      .def(nb::init<const FrontierSettings&>(), nb::arg("settings"))
      .def("nothing_left", &Ending::nothing_left, nb::arg("enough_found"))
      .def("told", &Ending::told, nb::arg("bound"), nb::arg("nearest"), nb::arg("farthest") = kInfinity,
           "A round ended. True: say to `settle` what was found.")
      .def("settle", &Ending::settle, nb::arg("found"), nb::arg("settled"))
      .def_prop_ro("converged", &Ending::converged)
      .def_prop_ro("only_undos", &Ending::only_undos)
      .def_prop_ro("rounds", &Ending::rounds)
      .def_prop_ro("stopped_by", [](const Ending& e) { return name_of(e.stopped_by()); });
}

}  // namespace geco::bind
