#include "core/frontier/settings.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>

#include "bind/arrays.hpp"

namespace geco::bind {
namespace {

using S = FrontierSettings;

template <class T>
struct Field {
  const char* name;
  T S::* member;
  T least;
};

constexpr Field<int> kWhole[] = {
    {"k", &S::k, 1},
    {"parents", &S::parents, 1},
    {"per_delta", &S::per_delta, 1},
    {"good_share", &S::good_share, 1},
    {"good_more", &S::good_more, 0},
    {"explorer_share", &S::explorer_share, 1},
    {"spare_ways", &S::spare_ways, 0},
    {"rows_per_line", &S::rows_per_line, 0},
    {"first_rows", &S::first_rows, 0},
    {"drawn_rows", &S::drawn_rows, 1},
    {"second_look", &S::second_look, 1},
    {"crossing_rows", &S::crossing_rows, 1},
    {"plateau_rows", &S::plateau_rows, 1},
    {"record_rows", &S::record_rows, 1},
    {"repaired_rows", &S::repaired_rows, 0},
    {"combinations", &S::combinations, 0},
    {"guesses", &S::guesses, 0},
    {"guess_before", &S::guess_before, 0},
    {"guess_after", &S::guess_after, 0},
    {"bases", &S::bases, 0},
    {"sums", &S::sums, 2},
    {"trades", &S::trades, 1},
    {"trade_tries", &S::trade_tries, 1},
    {"jumps", &S::jumps, 0},
    {"stalled", &S::stalled, 1},
    {"stalled_few", &S::stalled_few, 1},
    {"max_rounds", &S::max_rounds, 1},
    {"end_game", &S::end_game, 0},
    {"tightenings", &S::tightenings, 0},
    {"patience", &S::patience, 1},
};
constexpr Field<double> kReal[] = {
    {"stretch", &S::stretch, 1},
    {"stretch_growth", &S::stretch_growth, 1},
    {"beyond_crossing", &S::beyond_crossing, 0},
    {"spent_least", &S::spent_least, 0},
    {"spent_range", &S::spent_range, 0},
};

template <class T, std::size_t N>
void check(const S& settings, const Field<T> (&fields)[N]) {
  for (const auto& field : fields)
    require(settings.*field.member >= field.least, "frontier: settings must be positive");
}

S checked(const S& settings) {
  check(settings, kWhole);
  check(settings, kReal);
  return settings;
}

template <class T, std::size_t N>
bool change(S& settings, const Field<T> (&fields)[N], const std::string& name, nb::handle value) {
  const auto* field = std::find_if(fields, fields + N, [&](const Field<T>& f) { return f.name == name; });
  if (field != fields + N) settings.*field->member = nb::cast<T>(value);
  return field != fields + N;
}

S but(S settings, const nb::kwargs& numbers) {
  for (auto [key, value] : numbers) {
    const auto name = nb::cast<std::string>(key);
    if (name == "small_trades") settings.small_trades = nb::cast<bool>(value);
    else if (name == "seed") settings.seed = nb::cast<std::uint64_t>(value);
    else
      require(change(settings, kWhole, name, value) || change(settings, kReal, name, value),
              "frontier: no such setting");
  }
  return checked(settings);
}

}  // namespace

void bind_settings(nb::module_& m) {
  nb::class_<S> settings(m, "FrontierSettings");
  settings
      .def_static(
          "of",
          [](int k, std::uint64_t seed, std::int64_t groups, std::optional<int> rows, bool swept, bool minimal,
             std::optional<int> parents, std::optional<int> rows_per_line, std::optional<int> first_rows,
             std::optional<int> per_delta, std::optional<int> combinations, std::optional<int> max_rounds,
             std::optional<int> patience) {
            require(k > 0 && groups >= 0 && rows.value_or(1) > 0, "frontier: settings must be positive");
            require(swept || rows, "frontier: rows that are asked one by one are counted");
            S made = swept ? S::swept(k, rows, groups) : S::thinned(k, *rows);
            made.seed = seed;
            made.kind = minimal ? Kind::minimal : Kind::sets;
            return checked(
                made.with({parents, rows_per_line, first_rows, combinations, max_rounds, per_delta, patience}));
          },
          nb::arg("k"), nb::arg("seed"), nb::arg("groups"), nb::arg("rows").none(), nb::arg("swept"), nb::kw_only(),
          nb::arg("minimal") = true, nb::arg("parents") = nb::none(), nb::arg("rows_per_line") = nb::none(),
          nb::arg("first_rows") = nb::none(), nb::arg("per_delta") = nb::none(), nb::arg("combinations") = nb::none(),
          nb::arg("max_rounds") = nb::none(), nb::arg("patience") = nb::none(),
          "For lines of which so many rows (None: all) can be afforded; 0 stands for all rows, None for what suits the "
          "model.")
      .def(
          "within",
          [](const S& s, std::int64_t max_rows, const std::vector<std::int64_t>& choices) {
            return checked(s.within(max_rows, choices));
          },
          nb::arg("max_rows"), nb::arg("choices"), "For a model that may be asked about so few rows in all.")
      .def("but", &but, nb::sig("def but(self, **numbers: float) -> FrontierSettings"),
           "The same with some numbers changed.")
      .def_ro("small_trades", &S::small_trades)
      .def_prop_ro("minimal", [](const S& s) { return s.kind == Kind::minimal; })
      .def_ro("seed", &S::seed);
  for (const auto& field : kWhole) settings.def_ro(field.name, field.member);
  for (const auto& field : kReal) settings.def_ro(field.name, field.member);
  settings.attr("ASKED_ROWS") = S::kAskedRows;
  settings.attr("LINEAR_ROWS") = S::kLinearRows;
  settings.attr("NETWORK_ROWS") = S::kNetworkRows;
  settings.attr("PER_DELTA") = S{}.per_delta;
  settings.attr("PATIENCE") = S{}.patience;
}

}  // namespace geco::bind
