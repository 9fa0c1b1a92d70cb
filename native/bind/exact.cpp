#include "core/exact.hpp"

#include <limits>

#include "bind/arrays.hpp"
#include "core/proofs.hpp"

namespace geco::bind {

namespace {

void check(const Space& space, const Bounds& bounds) {
  require(space.groups.size() == bounds.forest.width(), "exact: no anchor of this forest");
  for (std::size_t g = 0; g < space.groups.size(); ++g)
    require(space.groups[g].allowed.size() == bounds.forest.rows(g), "exact: another domain's space");
}

void bind_hidden(nb::module_& m) {
  nb::class_<Hidden>(m, "Hidden", "What good means for a network with one hidden layer of ReLU.")
      .def(
          "__init__",
          [](Hidden* self, Array3<double> weights, Array2<double> biases, Array2<double> needs, Array1<double> off) {
            const std::size_t alternatives = weights.shape(0), forms = weights.shape(1), units = weights.shape(2);
            require(units > 0 && needs.size() > 0 && off.shape(0) == units, "hidden: no units or forms");
            for (const auto& of : {biases, needs})
              require(of.shape(0) == alternatives && of.shape(1) == forms, "hidden: one bias and need per form");
            new (self) Hidden{units, alternatives, forms, copy(weights), copy(biases), copy(needs), copy(off)};
          },
          nb::arg("weights"), nb::arg("biases"), nb::arg("needs"), nb::arg("off"));
}

void bind_bounds(nb::module_& m) {
  nb::class_<Bounds>(m, "Bounds", "What a proof knows of a model: its forest, x in its terms, and what is good.")
      .def(
          "__init__",
          [](Bounds* self, const Forest& forest, Array1<std::int32_t> x, Array3<double> weights, Array2<double> needs,
             Array2<double> sure, std::optional<Hidden> hidden, bool x_apart) {
            require(x.shape(0) == forest.anchor_size(), "bounds: no anchor of this forest");
            require(weights.shape(0) == needs.shape(0) && weights.shape(1) == needs.shape(1) &&
                        weights.shape(2) == forest.outputs() && needs.size() > 0 && sure.shape(0) == needs.shape(0) &&
                        sure.shape(1) == needs.shape(1),
                    "bounds: one need per form, one weight per output");
            require(!hidden || hidden->units == needs.size(), "bounds: one form per unit");
            new (self) Bounds{
                forest,
                copy(x),
                {needs.shape(0), needs.shape(1), copy(weights), copy(needs), copy(sure), hidden.value_or(Hidden{})},
                x_apart};
          },
          nb::arg("forest"), nb::arg("anchor"), nb::arg("weights"), nb::arg("needs"), nb::arg("sure"),
          nb::arg("hidden") = nb::none(), nb::arg("x_apart") = false, nb::keep_alive<1, 2>());
}

void bind_proofs(nb::module_& m) {
  nb::class_<Proofs>(m, "Proofs", "After every stage of a search, the proof that its ways are the nearest there are.")
      .def(
          "__init__",
          [](Proofs* self, const Space& space, Archive& archive, const Bounds& bounds, const Standing& standing,
             bool minimal, bool several, std::int64_t boxes, double seconds, std::optional<std::size_t> most_words) {
            check(space, bounds);
            new (self)
                Proofs(space, archive, bounds, standing,
                       {minimal ? Kind::minimal : Kind::sets, several, boxes, seconds, most_words.value_or(kAnyWords)});
          },
          nb::arg("space"), nb::arg("archive"), nb::arg("bounds"), nb::arg("standing"), nb::arg("minimal"),
          nb::arg("several"), nb::arg("boxes"), nb::arg("seconds"), nb::arg("most_words").none(),
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>())
      .def_prop_ro("proved", &Proofs::proved, "So many leading ways.")
      .def_prop_ro("none_left", &Proofs::none_left, "There are no other ways.")
      .def_prop_ro("lower", &Proofs::lower, "Nothing good is nearer.")
      .def_prop_ro("full", &Proofs::full, "It took all the memory it may have.")
      .def_prop_ro("boxes", &Proofs::boxes);
}

}  // namespace

void bind_exact(nb::module_& m) {
  bind_hidden(m);
  bind_bounds(m);
  nb::class_<Exact>(m, "Exact")
      .def(
          "__init__",
          [](Exact* self, const Space& space, const Bounds& bounds, double reach, std::size_t ways, bool minimal,
             double seconds) {
            check(space, bounds);
            Exact::Settings settings;
            using Proves = Exact::Settings::Proves;
            settings.proves = minimal ? Proves::minimal : ways > 1 ? Proves::sets : Proves::nearest;
            settings.ways = minimal ? ways : std::numeric_limits<std::size_t>::max();
            nb::gil_scoped_release unlocked;
            new (self) Exact(space, bounds, reach, settings, Until(seconds));
          },
          nb::arg("space"), nb::arg("bounds"), nb::arg("reach"), nb::arg("ways"), nb::arg("minimal"),
          nb::arg("seconds") = Until::kNever, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
          "Proves that no allowed good candidate is nearer than the reach, or finds it; or finds the first minimal "
          "ways, or all\nsets. OutOfTime if that cannot even be begun in so many seconds.")
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
  bind_proofs(m);
}

}  // namespace geco::bind
