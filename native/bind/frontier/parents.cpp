#include "core/frontier/parents.hpp"

#include "bind/arrays.hpp"

namespace geco::bind {

void bind_parents(nb::module_& m) {
  nb::class_<Parent>(m, "Parent")
      .def(
          "__init__",
          [](Parent* self, std::int64_t index, bool again, bool base) {
            require(index >= 0, "parent: numbers from 0");
            new (self) Parent{index, again, base};
          },
          nb::arg("index"), nb::arg("again") = false, nb::arg("base") = true)
      .def_ro("index", &Parent::index)
      .def_ro("again", &Parent::again)
      .def_ro("base", &Parent::base);

  nb::class_<Parents>(m, "Parents")
      .def(nb::init<const FrontierSettings&, bool>(), nb::arg("settings"), nb::arg("whole_lines"))
      .def(
          "choose", [](Parents& p, const InPlay& in_play, double bound) { return p.choose(in_play, bound); },
          nb::arg("in_play"), nb::arg("bound"), "Whom to expand in a round.")
      .def("expanded", &Parents::expanded, nb::arg("parent"), nb::arg("whole"), nb::arg("wide") = false,
           "It was; whole: a second look would show nothing new, wide: not even farther away.");
}

}  // namespace geco::bind
