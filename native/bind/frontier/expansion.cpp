#include "core/frontier/expansion.hpp"

#include "bind/arrays.hpp"
#include "bind/frontier/rounds.hpp"
#include "core/frontier/swept.hpp"
#include "core/frontier/thinned.hpp"
#include "core/scoring.hpp"

namespace geco::bind {
namespace {

void check_model(const Space& space, const Scorer& model) {
  require(space.groups.size() == model.width(), "swept: one table per group");
  for (std::size_t g = 0; g < space.groups.size(); ++g)
    require(space.groups[g].allowed.size() == model.rows(g), "swept: another domain's space");
}

void check_parent(const Expansion& expansion, std::int64_t index) {
  require(index >= 0 && index < static_cast<std::int64_t>(expansion.claims().archive().size()),
          "expansion: no such parent");
}

void bind_what_is_asked(nb::module_& m) {
  nb::class_<Sight>(m, "Sight")
      .def(nb::init<std::uint64_t, double, double>(), nb::arg("round"), nb::arg("bound"), nb::arg("reach"))
      .def_ro("round", &Sight::round)
      .def_ro("bound", &Sight::bound)
      .def_ro("reach", &Sight::reach);

  nb::class_<Round>(m, "Round")
      .def(nb::init<>())
      .def(
          "arrays", [](const Round& r, std::size_t width) { return arrays_of(r, width); }, nb::arg("width"),
          "Points, and lines as parents, groups, offsets and rows.");
}

void bind_strategies(nb::module_& m) {
  nb::class_<Thinned, Expansion>(m, "Thinned", "A few rows of every line, for a model that is asked row by row.")
      .def(nb::init<Claims&, const FrontierSettings&>(), nb::arg("claims"), nb::arg("settings"),
           nb::keep_alive<1, 2>());
  nb::class_<Swept, Expansion>(m, "Swept", "Whole lines, of which few rows are kept, for a compiled model.")
      .def(
          "__init__",
          [](Swept* self, Claims& claims, const FrontierSettings& settings, const Scoring* scoring) {
            if (scoring) check_model(claims.space(), scoring->model());
            new (self) Swept(claims, settings, scoring ? scoring->crossings() : nullptr);
          },
          nb::arg("claims"), nb::arg("settings"), nb::arg("scoring") = nb::none(), nb::keep_alive<1, 2>(),
          nb::keep_alive<1, 4>());
}

}  // namespace

void bind_expansion(nb::module_& m) {
  bind_what_is_asked(m);
  nb::class_<Expansion>(m, "Expansion")
      .def("begin", &Expansion::begin, nb::arg("sight"), nb::arg("round"),
           "Said once per round, before its parents are expanded.")
      .def(
          "expand",
          [](Expansion& e, const Parent& parent, const Sight& sight, Round& round) {
            check_parent(e, parent.index);
            return e.expand(parent, sight, round);
          },
          nb::arg("parent"), nb::arg("sight"), nb::arg("round"),
          "Add the lines of a parent to the round. True: a second look would show nothing new.")
      .def(
          "tell",
          [](Expansion& e, const Round& round, Array1<double> outcome, Array1<double> number, double bound) {
            require(outcome.shape(0) == round.rows.size() && number.shape(0) == round.rows.size(),
                    "tell: one outcome per row of a line");
            for (const Parent& parent : round.line_of) check_parent(e, parent.index);
            return e.tell(round, {view(outcome), view(number)}, bound);
          },
          nb::arg("round"), nb::arg("outcome"), nb::arg("number"), nb::arg("bound"),
          "What the model said of the lines; gives candidates to be asked as points next.")
      .def(
          "shown",
          [](const Expansion& e, std::int64_t parent, double bound) {
            check_parent(e, parent);
            std::vector<std::tuple<std::int32_t, Row, double>> shown;
            for (const Shown& s : e.shown(parent, bound)) shown.emplace_back(s.group, s.row, s.effect);
            return shown;
          },
          nb::arg("parent"), nb::arg("bound"),
          "Group, row and effect on the log-odds, as the lines of a parent showed it.")
      .def_prop_ro("whole_lines", &Expansion::whole_lines);
  bind_strategies(m);
}

}  // namespace geco::bind
