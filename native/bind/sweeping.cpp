#include "core/sweeping.hpp"

#include "bind/arrays.hpp"
#include "core/forest.hpp"
#include "core/network.hpp"
#include "core/pool.hpp"

namespace geco::bind {
namespace {

template <class Model, class Number>
void bind_run(nb::class_<Sweeping>& sweeping) {
  sweeping.def("__init__", [](Sweeping* self, Frontier& frontier, const Model& model, Array1<Number> x, const Verdict& verdict, double seconds) {
        const auto& groups = frontier.space().groups;
        require(x.shape(0) == model.bound_size(), "sweeping: not bound by this model");
        require(verdict.fits(model.outputs()), "sweeping: a wanted column that is not there");
        require(groups.size() == model.width(), "sweeping: one table per group");
        for (std::size_t g = 0; g < groups.size(); ++g) require(groups[g].allowed.size() == model.rows(g), "sweeping: another domain's space");
        new (self) Sweeping(frontier, std::make_unique<BoundTo<Model, Number>>(model, copy(x)), verdict, seconds);
      }, nb::arg("frontier"), nb::arg("model"), nb::arg("bound"), nb::arg("verdict"), nb::arg("seconds"),
      nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 5>());
}

}  // namespace

void bind_sweeping(nb::module_& m) {
  nb::class_<Sweeping> sweeping(m, "Sweeping");
  bind_run<Forest, std::int32_t>(sweeping);
  bind_run<Network, double>(sweeping);
  sweeping.def("run", [](Sweeping& s, int rounds, double seconds) {
             int done;
             {
               nb::gil_scoped_release unlocked;
               done = s.run(rounds, seconds);
             }
             s.rethrow();
             return done;
           }, nb::arg("rounds"), nb::arg("seconds"),
           "Up to this many rounds (ask, score, tell), none begun after so many seconds; how many, 0 once all is done.")
      .def("rethrow", &Sweeping::rethrow, "Raise what went wrong, if anything did.")
      .def_prop_ro("out_of_time", &Sweeping::out_of_time)
      .def_prop_ro("x_outcome", &Sweeping::x_outcome)
      .def_prop_ro("x_number", &Sweeping::x_number)
      .def_prop_ro("scored", &Sweeping::scored)
      .def_prop_ro("laps", [](const Sweeping& s) { return std::make_tuple(s.laps().expand, s.laps().sweep, s.laps().select); },
                   "Seconds for ask, score and tell.");

  nb::class_<Pool>(m, "Pool")
      .def("__init__", [](Pool* self, int threads) {
             require(threads > 0 && threads <= 1024, "pool: 1 to 1,024 threads");
             new (self) Pool(threads);
           }, nb::arg("threads"))
      .def("submit", &Pool::submit, nb::arg("number"), nb::arg("run"), nb::arg("rounds"),
           "Hand over a run, to be kept until its number is finished.")
      .def("close", &Pool::close, nb::call_guard<nb::gil_scoped_release>(), "Drop what was not begun, wait for the rest.")
      .def("finished", [](Pool& pool, double seconds, std::size_t few) {
             std::vector<std::int64_t> numbers;
             {
               nb::gil_scoped_release unlocked;
               numbers = pool.finished(seconds, few);
             }
             if (PyErr_CheckSignals() != 0) throw nb::python_error();
             return numbers;
           }, nb::arg("seconds"), nb::arg("few"),
           "Numbers of the runs that ended; waits so long for a few of them, or for all there are.");
}

}  // namespace geco::bind
