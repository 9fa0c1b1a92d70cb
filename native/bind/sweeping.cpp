#include "core/sweeping.hpp"

#include <nanobind/stl/unique_ptr.h>

#include "bind/around.hpp"
#include "core/pool.hpp"

namespace geco::bind {
namespace {

void begin(Sweeping* self, Frontier& frontier, const Scoring& scoring, Standing& standing) {
  const auto& groups = frontier.space().groups;
  const Scorer& model = scoring.model();
  require(groups.size() == model.width(), "sweeping: one table per group");
  for (std::size_t g = 0; g < groups.size(); ++g)
    require(groups[g].allowed.size() == model.rows(g), "sweeping: another domain's space");
  new (self) Sweeping(frontier, scoring, standing);
}

int run(Sweeping& s, int rounds, double seconds) {
  int done;
  {
    nb::gil_scoped_release unlocked;
    done = s.run(rounds, seconds);
  }
  s.rethrow();
  return done;
}

void then(Sweeping& s, const Deployment& deployment, const Space& space, Archive& archive, const std::vector<double>& x,
          nb::bytes natures, std::size_t k, std::optional<bool> minimal, bool round, bool ranges, std::size_t steps) {
  std::optional<Kind> kind;
  if (minimal) kind = *minimal ? Kind::minimal : Kind::sets;
  s.then({deployment, space, archive, x, natures_of(deployment, space, x, natures), k, kind, round, ranges, steps});
}

std::vector<std::int64_t> finished(Pool& pool, double seconds, std::size_t few) {
  std::vector<std::int64_t> numbers;
  {
    nb::gil_scoped_release unlocked;
    numbers = pool.finished(seconds, few);
  }
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  return numbers;
}

}  // namespace

void bind_sweeping(nb::module_& m) {
  nb::class_<Sweeping>(m, "Sweeping")
      .def("__init__", &begin, nb::arg("frontier"), nb::arg("scoring"), nb::arg("standing"), nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
      .def("run", &run, nb::arg("rounds"), nb::arg("seconds"),
           "Up to this many rounds (ask, score, tell), none begun after so many seconds; how many, 0 once all is done.")
      .def("rethrow", &Sweeping::rethrow, "Raise what went wrong, if anything did.")
      .def("then", &then, nb::arg("deployment"), nb::arg("space"), nb::arg("archive"), nb::arg("x"), nb::arg("natures"),
           nb::arg("k"), nb::arg("minimal").none(), nb::arg("round"), nb::arg("ranges"), nb::arg("steps"),
           nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
           "What is wanted of the k best (minimal None: simply the nearest) once all is done: whoever carried out the "
           "last round makes them ready.")
      .def("prepared", &Sweeping::prepared, nb::keep_alive<0, 1>(), nb::call_guard<nb::gil_scoped_release>(),
           nb::sig("def prepared(self) -> Prepared | None"),
           "The answers as they are ready by now; None where there are none, or they were taken already.")
      .def_prop_ro("scored", &Sweeping::scored)
      .def_prop_ro(
          "laps",
          [](const Sweeping& s) {
            const Sweeping::Laps& laps = s.laps();
            return std::make_tuple(laps.expand, laps.sweep, laps.select, laps.prove);
          },
          "Seconds for ask, score and tell, and for proofs.");

  nb::class_<Pool>(m, "Pool")
      .def(
          "__init__",
          [](Pool* self, int threads) {
            require(threads > 0 && threads <= 1024, "pool: 1 to 1,024 threads");
            new (self) Pool(threads);
          },
          nb::arg("threads"))
      .def("submit", &Pool::submit, nb::arg("number"), nb::arg("run"), nb::arg("rounds"),
           "Hand over a run, to be kept until its number is finished.")
      .def("close", &Pool::close, nb::call_guard<nb::gil_scoped_release>(),
           "Drop what was not begun, wait for the rest.")
      .def("finished", &finished, nb::arg("seconds"), nb::arg("few"),
           "Numbers of the runs that ended; waits so long for a few of them, or for all there are.");
}

}  // namespace geco::bind
