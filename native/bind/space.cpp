#include "core/space.hpp"

#include <cmath>
#include <limits>

#include "bind/checks.hpp"
#include "bind/steps.hpp"
#include "core/archive.hpp"
#include "core/around/facts.hpp"
#include "core/cascade.hpp"
#include "core/order.hpp"

namespace geco::bind {
namespace {

Predicate predicate_of(nb::handle source, const std::vector<Group>& groups, const std::vector<Column>& columns) {
  auto parts = nb::cast<nb::tuple>(source);
  Predicate p;
  if (nb::len(parts) == 2) {  // (group, truth)
    p.group = nb::cast<std::int32_t>(parts[0]);
    require(p.group >= 0 && p.group < static_cast<std::int32_t>(groups.size()), "predicate: no such group");
    p.truth = RowSet(copy(nb::cast<Array1<std::uint8_t>>(parts[1])));
    require(p.truth.size() == groups[p.group].allowed.size(), "predicate: one truth value per row");
    p.groups = {p.group};
    return p;
  }
  auto [steps, depth] = steps_of(parts, columns.size());
  require(depth <= 64, "predicate: nested too deeply");  // the stack of Space::holds
  for (const Step& step : steps)
    if (step.op == Step::column) p.groups.push_back(columns[step.index].group);
  p.steps = std::move(steps);
  return p;
}

using List = nb::typed<nb::list, nb::object>;

Group group_of(nb::handle source) {
  auto [allowed, weight, additive, largest, side, free, features] =
      nb::cast<std::tuple<Array1<std::uint8_t>, Array1<double>, Array1<double>, Array1<double>, Array1<std::int8_t>,
                          bool, std::int32_t>>(source);
  const std::size_t n = allowed.shape(0);
  require(n >= 1 && weight.shape(0) == n && additive.shape(0) == n && largest.shape(0) == n,
          "group: columns of one length, slot 0 included");
  require(side.shape(0) == 0 || side.shape(0) == n, "group: one side per row, or none");
  Group g(copy(allowed), Terms{copy(additive), copy(largest), {}, copy(side)}, Numbers(copy(weight)));
  g.free = free;
  g.features = features;
  g.choose(sorted_by_cost(g, g.choices()));
  return g;
}

Column column_of(nb::handle source, const std::vector<Group>& groups) {
  auto [group, numbers] = nb::cast<std::tuple<std::int32_t, Array1<double>>>(source);
  require(group >= 0 && group < static_cast<std::int32_t>(groups.size()), "column: no such group");
  require(numbers.shape(0) == groups[group].allowed.size(), "column: one number per row");
  return {group, Numbers(copy(numbers)), numbers.data()[0]};
}

Rule rule_of(nb::handle source, const std::vector<Group>& groups, const std::vector<Column>& columns) {
  auto parts = nb::cast<nb::tuple>(source);  // (antecedents, consequent, defines)
  Rule rule;
  for (nb::handle p : nb::cast<nb::list>(parts[0])) rule.antecedents.push_back(predicate_of(p, groups, columns));
  rule.consequent = predicate_of(parts[1], groups, columns);
  rule.defines = nb::cast<std::int32_t>(parts[2]);
  require(rule.defines >= -1 && rule.defines < static_cast<std::int32_t>(groups.size()), "rule: no such group");
  return rule;
}

Space make_space(List group_list, List rule_list, List column_list, std::vector<std::int32_t> topological,
                 std::optional<std::vector<Row>> start) {
  std::vector<Group> groups;
  for (nb::handle item : group_list) groups.push_back(group_of(item));
  std::vector<Column> columns;
  for (nb::handle item : column_list) columns.push_back(column_of(item, groups));
  std::vector<Rule> rules;
  for (nb::handle item : rule_list) rules.push_back(rule_of(item, groups, columns));
  require(topological.size() == groups.size(), "topological: every group once");
  for (std::int32_t g : topological)
    require(g >= 0 && g < static_cast<std::int32_t>(groups.size()), "topological: no such group");
  Space made(std::move(groups), std::move(rules), std::move(columns), std::move(topological));
  if (start) {
    check_rows(made, *start, "start");
    made.start = std::move(*start);
  }
  return made;
}

Vector<Row> choices(const Space& s, std::int32_t g) {
  require(g >= 0 && g < s.width(), "choices: no such group");
  return to_numpy(std::vector<Row>(s.groups[g].order().begin(), s.groups[g].order().end()));
}

Vector<double> distance(const Space& s, Array2<Row> rows) {
  require(rows.shape(1) == s.groups.size(), "distance: one column per group");
  std::vector<double> out(rows.shape(0));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = s.distance(rows.data() + i * rows.shape(1));
  return to_numpy(std::move(out));
}

Vector<std::int32_t> first_broken(const Space& s, Array2<Row> rows) {
  require(rows.shape(1) == s.groups.size(), "first_broken: one column per group");
  std::vector<std::int32_t> out(rows.shape(0));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = s.first_broken(rows.data() + i * rows.shape(1));
  return to_numpy(std::move(out));
}

std::vector<std::int32_t> required(const Space& s, Array1<Row> rows) {
  require(rows.shape(0) == s.groups.size(), "required: one row per group");
  return s.required(rows.data());
}

std::vector<Facts> facts_of(const Space& s, const Archive& archive, Array2<Row> rows) {
  require(rows.shape(1) == s.groups.size(), "facts: one column per group");
  std::vector<Facts> all;
  for (std::size_t i = 0; i < rows.shape(0); ++i) {
    const Row* row = rows.data() + i * rows.shape(1);
    check_rows(s, {row, rows.shape(1)}, "facts");
    all.push_back(facts(s, archive, row));
  }
  return all;
}

std::tuple<std::vector<std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>>, Matrix<Row>> ways_to(
    const Space& s, Array2<Row> rows) {
  require(rows.shape(1) == s.groups.size(), "ways_to: one column per group");
  std::vector<std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>> ways;
  std::vector<Row> between;
  for (std::size_t i = 0; i < rows.shape(0); ++i) {
    const Row* row = rows.data() + i * rows.shape(1);
    check_rows(s, {row, rows.shape(1)}, "ways_to");
    Way way = way_to(s, row);
    between.insert(between.end(), way.between.begin(), way.between.end());
    ways.emplace_back(std::move(way.order), std::move(way.broken));
  }
  const std::size_t count = s.groups.empty() ? 0 : between.size() / s.groups.size();
  return {std::move(ways), to_numpy(std::move(between), count, s.groups.size())};
}

bool left_out(const Space& s, Array1<Row> rows, Array1<Row> way) {
  require(rows.shape(0) == s.groups.size() && way.shape(0) == s.groups.size(), "left_out: one row per group");
  return s.left_out(rows.data(), way.data());
}

std::pair<bool, Vector<Row>> action_cascade(const Space& s, Array1<Row> rows, CascadeCounts& counts) {
  require(rows.shape(0) == s.groups.size(), "action_cascade: one row per group");
  std::vector<Row> out = copy(rows);
  const bool ok = Cascade::apply(s, out.data(), nullptr, counts);
  return {ok, to_numpy(std::move(out))};
}

std::pair<Feasible, Vector<Row>> find_allowed(const Space& s, bool not_x, std::int64_t steps, double seconds) {
  std::vector<Row> rows(s.groups.size());
  Feasible found;
  {
    nb::gil_scoped_release unlocked;
    found = any_allowed(s, rows.data(), not_x, {steps, seconds});
  }
  return {found, to_numpy(std::move(rows))};
}

// What Python would otherwise have to know as numbers. Those that travel in arrays and bytes are whole numbers there.
void bind_codes(nb::module_& m) {
  nb::enum_<Step::Op>(m, "Op", nb::is_arithmetic(), "One step of a predicate, in postfix order.")
      .value("CONSTANT", Step::constant)
      .value("COLUMN", Step::column)
      .value("ADD", Step::add)
      .value("SUBTRACT", Step::subtract)
      .value("MULTIPLY", Step::multiply)
      .value("DIVIDE", Step::divide)
      .value("NEGATE", Step::negate)
      .value("EQ", Step::eq)
      .value("NE", Step::ne)
      .value("LE", Step::le)
      .value("LT", Step::lt)
      .value("GE", Step::ge)
      .value("GT", Step::gt)
      .value("BOTH", Step::both)
      .value("EITHER", Step::either);
  nb::enum_<Feasible>(m, "Feasible", "Is there an allowed candidate that obeys every rule?")
      .value("UNKNOWN", Feasible::unknown, "Not within the steps and seconds given.")
      .value("NO", Feasible::no, "That is proved.")
      .value("YES", Feasible::yes);
}

}  // namespace

void bind_space(nb::module_& m) {
  bind_codes(m);
  nb::class_<CascadeCounts>(m, "CascadeCounts")
      .def(nb::init<const Space&>(), nb::arg("space"))
      .def_ro("repaired", &CascadeCounts::repaired)
      .def_prop_ro("dropped", [](const CascadeCounts& c) { return c.dropped; });

  auto space = nb::class_<Space>(m, "Space");
  space
      .def_static("build", &make_space, nb::arg("groups"), nb::arg("rules"), nb::arg("columns"), nb::arg("topological"),
                  nb::arg("start") = nb::none())
      .def_prop_ro("width", &Space::width)
      .def_prop_ro("start", [](const Space& s) { return s.start; })
      .def_prop_ro("x_obeys", &Space::x_obeys, "x itself breaks no rule.")
      .def("choices", &choices, nb::arg("group"), "Rows that may be chosen, nearest first.")
      .def("distance", &distance, nb::arg("rows"))
      .def("first_broken", &first_broken, nb::arg("rows"),
           "Per candidate the first rule it breaks, NONE_BROKEN, or NOT_ALLOWED if a row of it may not be chosen.")
      .def("required", &required, nb::arg("rows"),
           "Per changed group what first_broken says once that change is undone.")
      .def("facts", &facts_of, nb::arg("archive"), nb::arg("rows"), "What is to be said of each of these candidates.")
      .def("ways_to", &ways_to, nb::arg("answers"),
           "Per answer the order in which its groups can be changed, and what first_broken says of each candidate on "
           "the way; and all these candidates, answer by answer.")
      .def("left_out", &left_out, nb::arg("rows"), nb::arg("way"),
           "Whether it contains a nearer way without halving every change that the two share.")
      .def("action_cascade", &action_cascade, nb::arg("rows"), nb::arg("counts"), "Nearest repair.")
      .def("any_allowed", &find_allowed, nb::arg("not_x"), nb::arg("steps"),
           nb::arg("seconds") = std::numeric_limits<double>::infinity(),
           "Whether a candidate obeys every rule (one that is not x, if not_x), and where the answer is yes, which.");
  space.attr("NONE_BROKEN") = Space::kNoneBroken;
  space.attr("NOT_ALLOWED") = Space::kNotAllowed;
}

}  // namespace geco::bind
