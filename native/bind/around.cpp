#include "core/around/around.hpp"

#include "bind/around.hpp"
#include "bind/checks.hpp"
#include "core/around/round.hpp"
#include "core/scoring.hpp"

namespace geco::bind {
namespace {

void begin(Around* self, const Deployment& deployment, const Space& space, const std::vector<double>& x,
           nb::bytes natures, Array2<Row> answers, bool round, bool ranges, const Scoring* scoring) {
  std::vector<std::uint8_t> kinds = natures_of(deployment, space, x, natures);
  require(answers.shape(1) == space.groups.size(), "answers: one column per group");
  for (std::size_t i = 0; i < answers.shape(0); ++i)
    check_rows(space, {answers.data() + i * answers.shape(1), answers.shape(1)}, "answers");
  require(!scoring || scoring->model().width() == deployment.width(), "around: another domain's model");
  for (std::size_t g = 0; scoring && g < deployment.width(); ++g)
    require(scoring->model().rows(g) == deployment.table(g).rows(), "around: another domain's model");
  new (self) Around({deployment, space, x, std::move(kinds), scoring},
                    {answers.data(), answers.data() + answers.size()}, round, ranges);
}

std::tuple<Matrix<Row>, Vector<std::int32_t>, Vector<std::int64_t>, Vector<Row>> ask(Around& around) {
  AskedLines asked;
  {
    nb::gil_scoped_release unlocked;
    asked = around.ask();
  }
  const std::size_t lines = asked.groups.size();
  return {to_numpy(std::move(asked.parents), lines, around.width()), to_numpy(std::move(asked.groups)),
          to_numpy(std::move(asked.offsets)), to_numpy(std::move(asked.rows))};
}

bool sweep(Around& around, const Scoring& scoring, double seconds) {
  require(scoring.model().width() == around.width(), "sweep: another domain's model");
  for (std::size_t g = 0; g < around.width(); ++g)
    require(scoring.model().rows(g) == around.rows(g), "sweep: another domain's model");
  nb::gil_scoped_release unlocked;
  try {
    around.sweep(scoring, Until(seconds));
  } catch (const OutOfTime&) {
    return false;
  }
  return true;
}

Matrix<Row> matrix(const Around& around, std::vector<Row> rows) {
  const std::size_t count = rows.size() / around.width();
  return to_numpy(std::move(rows), count, around.width());
}

void bind_natures(nb::module_& m) {
  nb::enum_<Nature>(m, "Nature", nb::is_arithmetic(), "What a feature is, as far as its neighbours matter.")
      .value("CATEGORY", kCategory)
      .value("NAMES", kNames, "Text with an order.")
      .value("ORDERED", kOrdered)
      .value("QUANTITY", kQuantity, "May be rounded.");
  m.def(
      "roundest",
      [](Array1<double> numbers, std::int64_t chosen) {
        const auto size = static_cast<std::int64_t>(numbers.shape(0));
        require(chosen >= 0 && chosen < size, "roundest: no such position");
        return roundest([&](std::int64_t at) { return numbers.data()[at]; }, chosen, 0, size - 1);
      },
      nb::arg("numbers"), nb::arg("chosen"), "Of numbers that do not fall the position of the roundest.");
}

}  // namespace

void bind_around(nb::module_& m) {
  bind_natures(m);
  nb::class_<Around>(m, "Around")
      .def("__init__", &begin, nb::arg("deployment"), nb::arg("space"), nb::arg("x"), nb::arg("natures"),
           nb::arg("answers"), nb::arg("round"), nb::arg("ranges"), nb::arg("scoring").none() = nb::none(),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 9>(),
           "Rows that neither a forest nor the rules tell apart are asked about once, and so are those along which a "
           "network is sure.")
      .def("ask", &ask, "Parents, groups, offsets and rows of lines to be scored; none once all is known.")
      .def(
          "tell",
          [](Around& a, Array1<double> outcome) {
            require(static_cast<std::int64_t>(outcome.shape(0)) == a.waiting(), "tell: an outcome for every row asked");
            a.tell(view(outcome));
          },
          nb::arg("outcome"), "M(x') for every row that was asked about.")
      .def("sweep", &sweep, nb::arg("scoring"), nb::arg("seconds") = Until::kNever,
           "The same by a model in the core, until nothing is left to ask; False if there is no time for it.")
      .def("round_on_trial", &Around::round_on_trial, "Round as if the model agreed, where the rules do.")
      .def(
          "tries", [](Around& a, std::int64_t each) { return matrix(a, a.tries(each)); }, nb::arg("each"),
          "Candidates on every line, at most so many on one.")
      .def(
          "tell_tries",
          [](Around& a, Array1<bool> good) {
            require(static_cast<std::int64_t>(good.shape(0)) == a.waiting(), "tell_tries: one for every candidate");
            a.tell_tries({reinterpret_cast<const std::uint8_t*>(good.data()), good.shape(0)});
          },
          nb::arg("good"), "Which of them are good.")
      .def_prop_ro("lines", &Around::lines)
      .def(
          "answers", [](Around& a) { return matrix(a, a.answers()); }, "As round as they have become.")
      .def(
          "ranges", [](Around& a) { return plain(a.ranges()); },
          "Per line: answer, group, feature of its table (-1: ONEHOT), rows low and high, nothing allowed beyond them, "
          "other rows that would do, how many were tried (None: all).");
}

}  // namespace geco::bind
