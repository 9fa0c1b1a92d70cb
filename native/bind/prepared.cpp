#include "core/around/prepared.hpp"

#include "bind/around.hpp"

namespace geco::bind {
namespace {

void begin(Prepared* self, const Archive& archive, Around& near, bool ranges, std::size_t steps) {
  new (self) Prepared(archive, near, ranges, steps);
}

Matrix<Row> matrix(const Prepared& p, const std::vector<Row>& rows) {
  return to_numpy(std::vector<Row>(rows), rows.size() / p.width(), p.width());
}

std::vector<Facts> confirmed(const Prepared& p, Array1<double> outcome, Array1<double> number) {
  require(outcome.shape(0) == number.shape(0) && outcome.shape(0) <= p.asked().size() / p.width(),
          "confirmed: an outcome and a number for each of the first rows");
  return p.confirmed(view(outcome), view(number));
}

std::vector<Facts> unconfirmed(const Prepared& p, Array1<double> number) {
  require(number.shape(0) == 0 || number.shape(0) == p.moved().size(), "unconfirmed: a number for each that was moved");
  return p.unconfirmed(view(number));
}

using Heard = std::optional<std::pair<double, double>>;

std::vector<Heard> between(const Facts& of) {
  std::vector<Heard> all;
  for (const Said& said : of.between) all.push_back(said.heard() ? Heard({said.outcome, said.number}) : std::nullopt);
  return all;
}

// The rows between x and the answer of which nothing was said.
Matrix<Row> unheard(const Facts& of, std::size_t width) {
  require(of.way.between.size() == of.between.size() * width, "unheard: candidates of another space");
  std::vector<Row> rows;
  for (std::size_t i = 0; i < of.between.size(); ++i)
    if (!of.between[i].heard()) rows.insert(rows.end(), &of.way.between[i * width], &of.way.between[i * width] + width);
  const std::size_t count = rows.size() / width;
  return to_numpy(std::move(rows), count, width);
}

void hear(Facts& of, Array1<double> outcome, Array1<double> number) {
  require(outcome.shape(0) == number.shape(0), "hear: one outcome per number");
  std::size_t next = 0;
  for (Said& said : of.between)
    if (!said.heard() && next < outcome.shape(0)) said = {outcome.data()[next], number.data()[next]}, ++next;
}

void bind_facts(nb::module_& m) {
  nb::class_<Facts>(m, "Facts", "What is said of a candidate, and of an answer what is around it.")
      .def_ro("distance", &Facts::distance)
      .def_ro("number", &Facts::number, "The model's; NaN where it never said one.")
      .def_ro("changed", &Facts::changed, "Groups.")
      .def_ro("rows", &Facts::rows, "Of each of them.")
      .def_ro("required", &Facts::required, "Of each what first_broken says once that change is undone.")
      .def_ro("place", &Facts::place, "In what was asked.")
      .def_prop_ro(
          "unrounded",
          [](const Facts& t) -> std::optional<Facts> {
            return t.unrounded ? std::optional(*t.unrounded) : std::nullopt;
          },
          "As it was found, if that is not as round.")
      .def_prop_ro(
          "ranges", [](const Facts& t) { return plain(t.ranges); }, "As Around gives them.")
      .def_prop_ro(
          "order", [](const Facts& t) { return t.way.order; }, "Of its changed groups.")
      .def_prop_ro(
          "broken", [](const Facts& t) { return t.way.broken; }, "What first_broken says on the way.")
      .def_prop_ro("between", &between, "Outcome and number of each candidate on the way, None where nothing was said.")
      .def_prop_ro("all_heard", &Facts::all_heard)
      .def("unheard", &unheard, nb::arg("width"), "Those of which nothing was said.")
      .def("hear", &hear, nb::arg("outcome"), nb::arg("number"), "What is said of them.");
}

}  // namespace

void bind_prepared(nb::module_& m) {
  bind_facts(m);
  nb::class_<Prepared>(m, "Prepared", "Answers made ready for their confirmation.")
      .def("__init__", &begin, nb::arg("archive"), nb::arg("near"), nb::arg("ranges"), nb::arg("steps"),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("__len__", &Prepared::size, "Answers.")
      .def_prop_ro("moved", &Prepared::moved, "Those that are not shown as they were found.")
      .def(
          "shown", [](const Prepared& p) { return matrix(p, p.shown()); }, "The answers.")
      .def(
          "asked", [](const Prepared& p) { return matrix(p, p.asked()); },
          "All rows of the confirmation: the answers first, what need not be good last.")
      .def_prop_ro("between", &Prepared::between, "How many rows need not be good.")
      .def("confirmed", &confirmed, nb::arg("outcome"), nb::arg("number"),
           "The answers that the model calls good; it may not have come to all rows.")
      .def("unconfirmed", &unconfirmed, nb::arg("number"),
           "All of them, unasked; the compiled model's number for each that was moved, or none.");
}

}  // namespace geco::bind
