#include "core/scoring.hpp"

#include "bind/lines.hpp"
#include "core/forest.hpp"
#include "core/network.hpp"
#include "core/standing.hpp"

namespace geco::bind {
namespace {

template <class Model, class Number>
void bind_model(nb::class_<Scoring>& scoring) {
  scoring.def(
      "__init__",
      [](Scoring* self, const Model& model, Array1<Number> x, const Verdict& verdict) {
        require(x.shape(0) == model.anchor_size(), "scoring: no anchor of this model");
        require(verdict.fits(model.outputs()), "scoring: a wanted column that is not there");
        new (self) Scoring(std::make_unique<Anchored<Model, Number>>(model, copy(x)), verdict);
      },
      nb::arg("model"), nb::arg("anchor"), nb::arg("verdict"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 4>());
}

std::tuple<Vector<double>, Vector<double>> score(const Scoring& s, Array2<Row> points, Array2<Row> parents,
                                                 Array1<std::int32_t> groups, Array1<std::int64_t> offsets,
                                                 Array1<Row> rows, double seconds) {
  check_points(s.model(), points);
  const LinesView lines = lines_of(s.model(), parents, groups, offsets, rows);
  Scores scores;
  {
    nb::gil_scoped_release unlocked;
    s({points.data(), points.size()}, lines, Until(seconds), scores);
  }
  return {to_numpy(std::move(scores.outcome)), to_numpy(std::move(scores.number))};
}

void bind_standing(nb::module_& m) {
  nb::class_<Clock>(m, "Clock")
      .def(
          "__init__",
          [](Clock* self, double seconds) {
            require(seconds >= 0, "clock: no time before it began");
            new (self) Clock(seconds);
          },
          nb::arg("seconds"))
      .def_prop_ro("left", &Clock::left, "Seconds until the deadline; 0 once stopped, infinite if there is none.")
      .def_prop_ro("stopped", &Clock::stopped)
      .def("stop", &Clock::stop);

  nb::class_<Standing>(m, "Standing")
      .def(nb::init<const Clock&, double, bool>(), nb::arg("clock"), nb::arg("kept"), nb::arg("x_obeys"),
           nb::keep_alive<1, 2>())
      .def("tell_x", &Standing::tell_x, nb::arg("outcome"), nb::arg("number"), "What the model says of x itself.")
      .def_prop_ro("first", &Standing::first, "Nothing is known of x yet.")
      .def_prop_ro("x_outcome", &Standing::x_outcome)
      .def_prop_ro("x_number", &Standing::x_number)
      .def_prop_ro("already_good", &Standing::already_good, "x has the wanted outcome and obeys every rule.")
      .def_prop_ro("unknowable", &Standing::unknowable, "The model has no number for x.")
      .def_prop_ro("seconds", &Standing::seconds, "That are left for the next round.")
      .def("give_up", &Standing::give_up, "A round under way was out of time.")
      .def("late", &Standing::late, "Looks at the clock: whether no further round may begin.")
      .def_prop_ro("was_late", &Standing::was_late, "The same, as it was when last looked at.");
}

}  // namespace

void bind_scoring(nb::module_& m) {
  nb::class_<Scoring> scoring(m, "Scoring");
  bind_model<Forest, std::int32_t>(scoring);
  bind_model<Network, double>(scoring);
  scoring.def("score", &score, nb::arg("points"), nb::arg("parents"), nb::arg("groups"), nb::arg("offsets"),
              nb::arg("rows"), nb::arg("seconds") = Until::kNever,
              "M(x') and the model's number of points, then of every row of every line; exact. OutOfTime if that takes "
              "longer.");
  m.def(
      "unsure", [](Array1<double> outcome, bool jumps) { return to_numpy(unsure(view(outcome), jumps)); },
      nb::arg("outcome"), nb::arg("jumps"), "Positions of outcomes along lines that rounding may have decided.");
  bind_standing(m);
}

}  // namespace geco::bind
