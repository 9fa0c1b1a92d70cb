#include <nanobind/stl/string.h>

#include <algorithm>

#include "bind/arrays.hpp"
#include "core/verdict.hpp"

namespace geco::bind {
namespace {

template <class Kind, std::size_t N>
Kind named(const char* const (&names)[N], const std::string& name, const char* mistake) {
  const auto* which = std::find(std::begin(names), std::end(names), name);
  require(which != std::end(names), mistake);
  return static_cast<Kind>(which - names);
}

void bind_link(nb::module_& m) {
  nb::class_<Link>(m, "Link")
      .def(
          "__init__",
          [](Link* self, const std::string& name, double scale, bool single) {
            constexpr const char* names[] = {"identity", "exp", "expit", "sigmoid", "softmax", "ovr", "proba", "huber"};
            new (self) Link{named<Link::Name>(names, name, "link: no such name"), scale, single};
          },
          nb::arg("name"), nb::arg("scale"), nb::arg("single"))
      .def(
          "__call__",
          [](const Link& link, Array2<double> sums) {
            const std::size_t n = sums.shape(0), many = sums.shape(1), wide = link.width(many);
            require(many > 0, "link: at least one sum per row");
            std::vector<double> raw(n * wide);
            for (std::size_t i = 0; i < n; ++i) link(sums.data() + i * many, many, raw.data() + i * wide);
            return to_numpy(std::move(raw), n, wide);
          },
          nb::arg("sums"), "The model's raw answer per row of sums.");
}

void bind_verdict(nb::module_& m) {
  nb::class_<Verdict>(m, "Verdict")
      .def(
          "__init__",
          [](Verdict* self, const Link& link, bool both, const std::vector<std::int32_t>& columns, bool by_lead,
             const Judge& judge) {
            require(std::all_of(columns.begin(), columns.end(), [](std::int32_t c) { return c >= 0; }),
                    "verdict: no such column");
            new (self) Verdict{link, both, columns, by_lead, judge};
          },
          nb::arg("link"), nb::arg("both"), nb::arg("columns"), nb::arg("by_lead"), nb::arg("judge"))
      .def(
          "__call__",
          [](const Verdict& verdict, Array2<double> sums) {
            const std::size_t n = sums.shape(0), many = sums.shape(1);
            require(many > 0 && verdict.fits(many), "verdict: a wanted column that is not there");
            std::vector<double> outcome(n), number(n);
            verdict({sums.data(), sums.size()}, many, outcome.data(), number.data());
            return std::make_tuple(to_numpy(std::move(outcome)), to_numpy(std::move(number)));
          },
          nb::arg("sums"), "M(x') and the model's number per row.");
}

}  // namespace

void bind_judge(nb::module_& m) {
  bind_link(m);
  nb::class_<Judge>(m, "Judge")
      .def(
          "__init__",
          [](Judge* self, const std::string& kind, double at, double low, double high, double softness, double margin,
             double sign) {
            constexpr const char* names[] = {"threshold", "lead", "decision", "interval"};
            new (self)
                Judge{named<Judge::Kind>(names, kind, "judge: no such kind"), at, low, high, softness, margin, sign};
          },
          nb::arg("kind"), nb::arg("at"), nb::arg("low"), nb::arg("high"), nb::arg("softness"), nb::arg("margin"),
          nb::arg("sign"));
  bind_verdict(m);
}

}  // namespace geco::bind
