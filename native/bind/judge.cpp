#include "core/judge.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>

#include "bind/arrays.hpp"

namespace geco::bind {

void bind_judge(nb::module_& m) {
  nb::class_<Judge>(m, "Judge")
      .def("__init__", [](Judge* self, const std::string& kind, double at, double low, double high, double softness,
                          double margin, double sign) {
             constexpr const char* names[] = {"threshold", "lead", "decision", "interval"};
             const auto* which = std::find(std::begin(names), std::end(names), kind);
             require(which != std::end(names), "judge: no such kind");
             new (self) Judge{static_cast<Judge::Kind>(which - names), at, low, high, softness, margin, sign};
           }, nb::arg("kind"), nb::arg("at"), nb::arg("low"), nb::arg("high"), nb::arg("softness"), nb::arg("margin"), nb::arg("sign"))
      .def("__call__", [](const Judge& judge, nb::ndarray<const double, nb::ndim<1>, nb::device::cpu> numbers) {
             std::vector<double> out(numbers.shape(0));
             const double* from = numbers.data();
             for (std::size_t i = 0; i < out.size(); ++i) out[i] = judge(from[static_cast<std::int64_t>(i) * numbers.stride(0)]);
             return to_numpy(std::move(out));
           }, nb::arg("numbers"), "M(x') per number.");
}

}  // namespace geco::bind
