#include "core/deployment.hpp"

#include <limits>

#include "bind/arrays.hpp"
#include "bind/steps.hpp"
#include "core/ground.hpp"

namespace geco::bind {
namespace {

using List = nb::typed<nb::list, nb::object>;
using Given = std::tuple<double, double, double, double, double, bool, bool>;
using GivenNorm = std::tuple<double, double, double, double, double>;

TableForm table_of(nb::handle source) {
  // (numbers by feature, counts, settings by feature, weight of a ONEHOT set or None, free)
  auto [numbers, counts, settings, onehot_weight, free] =
      nb::cast<std::tuple<Array2<double>, Array1<double>, std::vector<Given>, std::optional<double>, bool>>(source);
  TableForm table;
  table.counts = Numbers(copy(counts));
  table.onehot_weight = onehot_weight;
  table.free = free;
  require(!settings.empty() && numbers.shape(0) == settings.size(), "table: settings for every feature");
  require(table.counts.size() && numbers.shape(1) == table.counts.size(),
          "table: columns of one length, slot 0 included");
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const double* column = numbers.data() + i * numbers.shape(1);
    FeatureForm f{Numbers({column, column + numbers.shape(1)})};
    std::tie(f.divisor, f.weight, f.raising, f.lowering, f.least_step, f.categorical, f.may_go_missing) = settings[i];
    table.features.push_back(std::move(f));
  }
  return table;
}

PredicateForm predicate_of(nb::handle source, const std::vector<std::int32_t>& group_of) {
  PredicateForm p;
  std::tie(p.steps, p.depth) = steps_of(nb::cast<nb::tuple>(source), group_of.size());
  for (const Step& step : p.steps) {
    if (step.op == Step::column && std::find(p.groups.begin(), p.groups.end(), group_of[step.index]) == p.groups.end())
      p.groups.push_back(group_of[step.index]);
    require(step.op != Step::constant || step.index >= 0, "predicate: no such constant");
    if (step.op == Step::constant) p.constants = std::max(p.constants, step.index);
  }
  require(p.groups.size() == 1 || p.depth <= 64, "predicate: nested too deeply");  // the stack of Space::holds
  return p;
}

RuleForm rule_of(nb::handle source, const std::vector<std::int32_t>& group_of, std::int32_t width) {
  auto parts = nb::cast<nb::tuple>(source);  // (antecedents, consequent, defines, group)
  require(nb::len(parts) == 4, "rule: antecedents, consequent, defines and group");
  RuleForm rule;
  for (nb::handle p : nb::cast<nb::list>(parts[0])) rule.antecedents.push_back(predicate_of(p, group_of));
  rule.consequent = predicate_of(parts[1], group_of);
  rule.defines = nb::cast<std::int32_t>(parts[2]);
  rule.group = nb::cast<std::int32_t>(parts[3]);
  require(rule.defines >= -1 && rule.defines < width, "rule: no such group");
  require(rule.group >= -1 && rule.group < width, "rule: no such group");
  auto local = [&](const PredicateForm& p) {
    return std::all_of(p.groups.begin(), p.groups.end(), [&](std::int32_t g) { return g == rule.group; });
  };
  require(rule.group < 0 ||
              (local(rule.consequent) && std::all_of(rule.antecedents.begin(), rule.antecedents.end(), local)),
          "rule: local to one group, but it mentions another");
  return rule;
}

void check_topological(const std::vector<std::int32_t>& topological, std::int32_t width) {
  require(topological.size() == static_cast<std::size_t>(width), "topological: every group once");
  for (std::int32_t g : topological) require(g >= 0 && g < width, "topological: no such group");
}

Norm norm_of(const GivenNorm& norm) {
  const auto [alpha, beta, gamma, n, min_support] = norm;
  return {alpha, beta, gamma, n, min_support};
}

// (group, feature of its table, is it measured?, high, low)
using Exact = std::tuple<std::int32_t, std::int32_t, bool, Array1<double>, Array1<double>>;

void add_exact(std::vector<TableForm>& tables, const std::vector<Exact>& columns) {
  for (const auto& [group, feature, measured, high, low] : columns) {
    require(group >= 0 && static_cast<std::size_t>(group) < tables.size(), "exact: no such group");
    TableForm& table = tables[group];
    require(feature >= 0 && static_cast<std::size_t>(feature) < table.features.size(), "exact: no such feature");
    require(high.shape(0) == table.rows() && low.shape(0) == table.rows(), "exact: a value per row, slot 0 included");
    table.exact.push_back({feature, measured, Numbers(copy(high)), Numbers(copy(low))});
  }
}

Deployment make_deployment(List table_list, List rule_list, std::vector<std::int32_t> topological, GivenNorm norm,
                           const std::vector<Exact>& exact, std::size_t held) {
  std::vector<TableForm> tables;
  std::vector<std::int32_t> group_of;
  for (nb::handle item : table_list) {
    tables.push_back(table_of(item));
    group_of.insert(group_of.end(), tables.back().features.size(), static_cast<std::int32_t>(tables.size() - 1));
  }
  add_exact(tables, exact);
  for (std::size_t g = 0; g < tables.size(); ++g)
    group_of.insert(group_of.end(), 2 * tables[g].exact.size(), static_cast<std::int32_t>(g));
  const auto width = static_cast<std::int32_t>(tables.size());
  std::vector<RuleForm> rules;
  for (nb::handle item : rule_list) rules.push_back(rule_of(item, group_of, width));
  check_topological(topological, width);
  return Deployment(std::move(tables), std::move(rules), std::move(topological), norm_of(norm), held);
}

Deployment asked_with(const Deployment& d, const std::vector<std::int32_t>& kept, List rule_list,
                      std::vector<std::int32_t> topological, GivenNorm norm,
                      const std::vector<std::tuple<std::vector<Given>, std::optional<double>>>& given,
                      const std::vector<bool>& free) {
  const auto width = static_cast<std::int32_t>(d.width());
  for (std::int32_t r : kept)
    require(r >= 0 && static_cast<std::size_t>(r) < d.rules().size(), "asked_with: no such rule");
  std::vector<RuleForm> rules;
  for (nb::handle item : rule_list) rules.push_back(rule_of(item, d.group_of(), width));
  check_topological(topological, width);
  require(given.empty() || given.size() == d.width(), "asked_with: settings for every table, or none");
  require(free.empty() || free.size() == d.width(), "asked_with: free or not for every table, or none");
  std::vector<TableSettings> settings;
  for (std::size_t g = 0; g < given.size(); ++g) {
    const auto& [features, onehot_weight] = given[g];
    require(features.size() == d.features_of(g), "asked_with: settings for every feature");
    settings.push_back({{}, onehot_weight});
    for (const auto& [divisor, weight, raising, lowering, least_step, categorical, may_go_missing] : features)
      settings.back().features.push_back({divisor, weight, raising, lowering, least_step});
  }
  return d.asked_with(kept, std::move(rules), std::move(topological), norm_of(norm), settings, free);
}

void check_grounded(const Deployment& d, const Grounded& grounded) {
  std::size_t at = 0, constants = 0;
  auto next = [&](const PredicateForm& p, bool consequent) {
    require(at < grounded.kept.size(), "grounded: one state per predicate");
    const Kept kept = grounded.kept[at++];
    require(kept <= Kept::missing, "grounded: no such state");
    require(!consequent || kept != Kept::dropped, "grounded: a rule has a consequent");
    require(kept != Kept::missing || (consequent && p.groups.size() == 1),
            "grounded: only one feature can stay missing");
    if (kept == Kept::written) constants += p.constants;
  };
  for (std::int32_t r : grounded.rules) {
    require(r >= 0 && static_cast<std::size_t>(r) < d.rules().size(), "grounded: no such rule");
    for (const PredicateForm& p : d.rules()[r].antecedents) next(p, false);
    next(d.rules()[r].consequent, true);
  }
  require(at == grounded.kept.size(), "grounded: one state per predicate");
  require(constants == grounded.constants.size(), "grounded: one number per value of x");
}

Made space_of(const Deployment& d, std::span<const double> x, const Grounded& grounded, Patience patience) {
  check_grounded(d, grounded);
  nb::gil_scoped_release release;
  return d.space(x, grounded, patience);
}

nb::object make_space(const Deployment& d, const std::vector<double>& x, std::vector<std::int32_t> rules,
                      nb::bytes kept, std::vector<double> constants, std::int64_t steps, double seconds) {
  require(x.size() == d.columns(), "x: one number per feature, two per exact column");
  const auto* states = reinterpret_cast<const Kept*>(kept.c_str());
  const Grounded grounded{std::move(rules), {states, states + kept.size()}, std::move(constants)};
  Made made = space_of(d, x, grounded, {steps, seconds});
  return nb::make_tuple(std::move(made.space), made.like_x, made.broken, made.empty, made.feasible);
}

// The two steps at once; none where the first is left to Python.
nb::object ground_space(const Deployment& d, const Grounds& grounds, const std::vector<double>& x, std::int64_t steps,
                        double seconds) {
  require(x.size() == d.columns() && x.size() == grounds.columns(), "x: one number per feature");
  const auto ground = grounds(x);
  if (!ground) return nb::none();
  Made made = space_of(d, x, ground->rules, {steps, seconds});
  return nb::make_tuple(std::move(made.space), made.like_x, made.broken, made.empty, made.feasible, ground->rules.rules,
                        ground->missing, ground->skipped);
}

}  // namespace

void bind_deployment(nb::module_& m) {
  nb::enum_<Kept>(m, "Kept", nb::is_arithmetic(), "What grounding left of a predicate.")
      .value("DROPPED", Kept::dropped, "Nothing: it is true for this x.")
      .value("WRITTEN", Kept::written, "The predicate.")
      .value("MISSING", Kept::missing, "Instead of x_cf.F = x.F that F stays missing.");
  nb::class_<Deployment>(m, "Deployment")
      .def_static("build", &make_deployment, nb::arg("tables"), nb::arg("rules"), nb::arg("topological"),
                  nb::arg("norm"), nb::arg("exact") = std::vector<Exact>(), nb::arg("held") = Deployment::kHeld,
                  "Tables of one ordered feature and more rows than `held` are worked out by place, not row by row.")
      .def("asked_with", &asked_with, nb::arg("kept"), nb::arg("rules"), nb::arg("topological"), nb::arg("norm"),
           nb::arg("settings"), nb::arg("free"),
           "The same tables with those of its rules that are kept, and new ones after them.")
      .def("space", &make_space, nb::arg("x"), nb::arg("rules"), nb::arg("kept"), nb::arg("constants"),
           nb::arg("steps"), nb::arg("seconds") = std::numeric_limits<double>::infinity(),
           nb::sig("def space(self, x: Sequence[float], rules: Sequence[int], kept: bytes, constants: Sequence[float], "
                   "steps: int, seconds: float = float('inf')) -> tuple[Space, list[int], list[tuple[int, int]], "
                   "list[int], Feasible]"),
           "The Space of x; the rows equal to x; broken local rules by group; groups without a choice; is it feasible?")
      .def("ground_space", &ground_space, nb::arg("grounds"), nb::arg("x"), nb::arg("steps"), nb::arg("seconds"),
           nb::sig("def ground_space(self, grounds: Grounds, x: Sequence[float], steps: int, seconds: float) -> "
                   "tuple[Space, list[int], list[tuple[int, int]], list[int], Feasible, list[int], list[int], "
                   "list[tuple[int, int]]] | None"),
           "The same with C_x grounded here, and of that the rules, those that ask that a feature stays missing, and "
           "those that are skipped with the feature that x lacks; None where C_x is left to Python.");
}

}  // namespace geco::bind
