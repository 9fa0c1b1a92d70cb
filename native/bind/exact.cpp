#include "core/exact.hpp"

#include "bind/arrays.hpp"

namespace geco::bind {

void bind_exact(nb::module_& m) {
  nb::class_<Exact>(m, "Exact")
      .def(
          "__init__",
          [](Exact* self, const Space& space, const Forest& forest, Array1<std::int32_t> x,
             nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu> weights, Array2<double> needs,
             Array2<double> sure, double reach, bool ways, double seconds) {
            require(space.groups.size() == forest.width() && x.shape(0) == forest.bound_size(),
                    "exact: not bound by this forest");
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
            settings.ways = ways;
            std::vector<std::int32_t> bound = copy(x);
            nb::gil_scoped_release unlocked;
            new (self) Exact(space, forest, bound, std::move(conditions), reach, settings, Until(seconds));
          },
          nb::arg("space"), nb::arg("forest"), nb::arg("bound"), nb::arg("weights"), nb::arg("needs"), nb::arg("sure"),
          nb::arg("reach"), nb::arg("ways"), nb::arg("seconds") = Until::kNever, nb::keep_alive<1, 2>(),
          "Proves that no allowed good candidate is nearer than the reach, or finds it; or finds all ways. OutOfTime "
          "if that\n"
          "cannot even be begun in so many seconds.")
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
      .def_prop_ro("boxes", &Exact::boxes);
}

}  // namespace geco::bind
