#include "core/exact.hpp"

#include <limits>

#include "bind/arrays.hpp"

namespace geco::bind {

void bind_exact(nb::module_& m) {
  nb::class_<Exact>(m, "Exact")
      .def(
          "__init__",
          [](Exact* self, const Space& space, const Forest& forest, Array1<std::int32_t> x,
             nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu> weights, Array2<double> needs,
             Array2<double> sure, double reach, std::size_t ways, bool minimal, double seconds) {
            require(space.groups.size() == forest.width() && x.shape(0) == forest.anchor_size(),
                    "exact: no anchor of this forest");
            for (std::size_t g = 0; g < forest.width(); ++g)
              require(space.groups[g].allowed.size() == forest.rows(g), "exact: another domain's space");
            require(weights.shape(0) == needs.shape(0) && weights.shape(1) == needs.shape(1) &&
                        weights.shape(2) == forest.outputs() && needs.size() > 0 && sure.shape(0) == needs.shape(0) &&
                        sure.shape(1) == needs.shape(1),
                    "exact: one need per form, one weight per output");
            Conditions conditions{needs.shape(0),
                                  needs.shape(1),
                                  {weights.data(), weights.data() + weights.size()},
                                  {needs.data(), needs.data() + needs.size()},
                                  {sure.data(), sure.data() + sure.size()}};
            Exact::Settings settings;
            using Proves = Exact::Settings::Proves;
            settings.proves = minimal ? Proves::minimal : ways > 1 ? Proves::sets : Proves::nearest;
            settings.ways = minimal ? ways : std::numeric_limits<std::size_t>::max();
            std::vector<std::int32_t> anchor = copy(x);
            nb::gil_scoped_release unlocked;
            new (self) Exact(space, forest, anchor, std::move(conditions), reach, settings, Until(seconds));
          },
          nb::arg("space"), nb::arg("forest"), nb::arg("anchor"), nb::arg("weights"), nb::arg("needs"), nb::arg("sure"),
          nb::arg("reach"), nb::arg("ways"), nb::arg("minimal"), nb::arg("seconds") = Until::kNever,
          nb::keep_alive<1, 2>(),
          "Proves that no allowed good candidate is nearer than the reach, or finds it; or finds the first minimal "
          "ways, "
          "or all\n"
          "sets. OutOfTime if that cannot even be begun in so many seconds.")
      .def(
          "ask",
          [](Exact& e, const Space& space, std::int64_t boxes, double seconds) {
            require(!e.asking(), "ask: the candidate handed out last was not judged");
            std::vector<Row> rows(space.groups.size());
            bool found;
            {
              nb::gil_scoped_release unlocked;
              found = e.ask(boxes, rows.data(), Until(seconds));
            }
            return to_numpy(std::move(rows), found ? 1 : 0, space.groups.size());
          },
          nb::arg("space"), nb::arg("boxes"), nb::arg("seconds") = Until::kNever,
          "Look at up to so many boxes for so many seconds; a candidate to be judged, or none.")
      .def(
          "tell",
          [](Exact& e, bool good, bool reducible, double reach) {
            require(e.asking(), "tell: no candidate waits to be judged");
            e.tell(good, reducible, reach);
          },
          nb::arg("good"), nb::arg("reducible"), nb::arg("reach"),
          "Of the candidate handed out last: is it good, can a change be undone; and the reach from now on.")
      .def_prop_ro("complete", &Exact::complete)
      .def_prop_ro("full", &Exact::full)
      .def_prop_ro("lower", &Exact::lower)
      .def_prop_ro("reach", &Exact::reach)
      .def_prop_ro("boxes", &Exact::boxes)
      .def_prop_ro("ways", [](const Exact& e) { return e.ways().size(); })
      .def(
          "leave_out",
          [](Exact& e, const Space& space, Array1<Row> way) {
            require(way.shape(0) == space.groups.size(), "leave_out: one row per group");
            e.leave_out(copy(way));
          },
          nb::arg("space"), nb::arg("way"), "A way that is proved already.");
}

}  // namespace geco::bind
