#include "core/frontier/effects.hpp"

#include "bind/checks.hpp"

namespace geco::bind {
namespace {

using Rows = std::vector<Row>;
using ShownRow = std::tuple<std::int32_t, Row, double>;

std::vector<std::pair<double, Rows>> guess(Effects& effects, const Rows& parent, double log_odds,
                                           const std::vector<ShownRow>& shown, double bound) {
  check_rows(effects.space(), parent);
  std::vector<Shown> effect;
  for (const auto& [group, row, by] : shown) {
    require(group >= (effect.empty() ? 0 : effect.back().group) && group < effects.space().width(),
            "guess: group by group");
    require(has_row(effects.space(), group, row), "guess: no such row");
    effect.push_back({group, row, by});
  }
  std::vector<Guess> guesses;
  effects.guess(parent, log_odds, effect, bound, guesses);
  std::vector<std::pair<double, Rows>> out;
  for (Guess& g : guesses) out.emplace_back(g.cost, std::move(g.rows));
  return out;
}

std::vector<Rows> trades(const Effects& effects, const Rows& good, std::int64_t index, std::uint64_t round, bool once) {
  check_rows(effects.space(), good);
  Trades trades = effects.trades(good, index, round);
  std::vector<Rows> out;
  for (Rows rows; !trades.done();) {
    if (!trades.next(rows)) continue;
    out.push_back(rows);
    if (once) trades.pass_over();
  }
  return out;
}

}  // namespace

void bind_effects(nb::module_& m) {
  nb::class_<Effects>(m, "Effects")
      .def(nb::init<const Space&, const FrontierSettings&>(), nb::arg("space"), nb::arg("settings"),
           nb::keep_alive<1, 2>())
      .def("guess", &guess, nb::arg("parent"), nb::arg("log_odds"), nb::arg("shown"), nb::arg("bound"),
           "Costs and rows of the cheapest combinations that would turn good if effects added up.")
      .def("trades", &trades, nb::arg("good"), nb::arg("index"), nb::arg("round"), nb::arg("once") = false,
           "Less of one change, more of another; `once`: none is drawn again.")
      .def(
          "jump",
          [](const Effects& e, std::uint64_t seed) {
            Rng rng(seed, 0, 0, 0);
            return e.jump(rng);
          },
          nb::arg("seed"), "About half of the groups drawn by weight.");
}

}  // namespace geco::bind
