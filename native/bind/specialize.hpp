// M_Δ of a compiled model: the same binding for trees and networks.
#pragma once
#include "bind/arrays.hpp"
#include "bind/lines.hpp"

namespace geco::bind {

// An anchor is an array of T.
template <class Specialized, class T, class Model>
void bind_specialized(nb::module_& m, nb::class_<Model>& model, const char* name) {
  nb::class_<Specialized>(m, name)
      .def_prop_ro("width", &Specialized::width)
      .def_prop_ro("size", &Specialized::size, "Numbers or nodes it holds.")
      .def(
          "points",
          [](const Specialized& s, Array2<Row> rows) {
            check_points(s, rows);
            std::vector<double> out;
            {
              nb::gil_scoped_release unlocked;
              out = s.points({rows.data(), rows.size()}, rows.shape(0));
            }
            return to_numpy(std::move(out), rows.shape(0), s.outputs());
          },
          nb::arg("rows"), "Sums before the link for the candidates of R_Δ, one column per group of Δ.");
  model.def(
      "specialize",
      [](const Model& whole, Array1<T> x, Array1<std::int32_t> groups) {
        require(x.shape(0) == whole.anchor_size(), "specialize: no anchor of this model");
        for (std::size_t i = 0; i < groups.shape(0); ++i)
          require(groups.data()[i] > (i ? groups.data()[i - 1] : -1) &&
                      groups.data()[i] < static_cast<std::int32_t>(whole.width()),
                  "specialize: groups must rise, and be there");
        nb::gil_scoped_release unlocked;
        return Specialized(whole, view(x), view(groups));
      },
      nb::arg("anchor"), nb::arg("groups"), nb::keep_alive<0, 1>(), "M_Δ: all groups but these are as in x.");
}

}  // namespace geco::bind
