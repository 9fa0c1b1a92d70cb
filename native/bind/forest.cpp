#include "core/forest.hpp"

#include <cmath>
#include <tuple>
#include <utility>

#include "bind/arrays.hpp"
#include "bind/lines.hpp"
#include "bind/specialize.hpp"
#include "core/near_x.hpp"
#include "core/specialized_forest.hpp"

namespace geco::bind {
namespace {

using List = nb::typed<nb::list, nb::object>;
using Lines = std::tuple<Array2<Row>, Array1<std::int32_t>, Array1<std::int64_t>, Array1<Row>>;

constexpr std::int32_t kDeepest = 30'000;  // a sweep goes down a tree by recursion

void check(const ForestArrays& a, std::size_t encoded) {
  const std::size_t n = a.column.size(), trees = a.roots.size();
  require(n > 0 && a.threshold.size() == n && a.left.size() == n && a.right.size() == n && a.categories.size() == n &&
              a.missing_left.size() == n && a.zero_missing.size() == n && a.value.size() % n == 0,
          "forest: one entry per node");
  require(a.value.size() < (std::size_t{1} << 31), "forest: too many values");
  require(a.output.size() == trees && a.outputs > 0 && a.base.size() == static_cast<std::size_t>(a.outputs),
          "forest: one output per tree, one base per output");
  const std::size_t leaf = a.value.size() / n;
  // A node is the root of one tree or the child of one node: shared subtrees would be laid out again and again.
  std::vector<std::uint8_t> reached(n);
  auto reach = [&](std::int32_t node) { require(!std::exchange(reached[node], 1), "forest: a node with two parents"); };
  for (std::size_t t = 0; t < trees; ++t) {
    require(a.roots[t] >= 0 && a.roots[t] < static_cast<std::int32_t>(n), "forest: no such root");
    reach(a.roots[t]);
    require(a.output[t] < a.outputs && (a.output[t] < 0 ? leaf == static_cast<std::size_t>(a.outputs) : leaf == 1),
            "forest: no such output");
  }
  std::vector<std::int32_t> depth(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (a.column[i] < 0) continue;
    require(a.column[i] < static_cast<std::int32_t>(encoded), "forest: no such column");
    // Children come after their parent, so that every walk ends.
    require(a.left[i] > static_cast<std::int32_t>(i) && a.left[i] < static_cast<std::int32_t>(n) &&
                a.right[i] > static_cast<std::int32_t>(i) && a.right[i] < static_cast<std::int32_t>(n),
            "forest: a child must come after its parent");
    for (std::int32_t child : {a.left[i], a.right[i]}) {
      reach(child);
      depth[child] = depth[i] + 1;
    }
    require(depth[i] < kDeepest, "forest: a tree deeper than 30,000 nodes");
    require(a.categories[i] < static_cast<std::int32_t>(a.sets.size()), "forest: no such set");
    require(a.categories[i] >= 0 || !std::isnan(a.threshold[i]), "forest: a threshold that is not a number");
  }
}

Forest make_forest(nb::object source, List table_list, Array1<double> constant) {
  auto array = [&]<class T>(const char* name, T) { return copy(nb::cast<Array1<T>>(source.attr(name))); };
  ForestArrays a;
  for (auto [name, into] : {std::pair{"roots", &a.roots},
                            {"column", &a.column},
                            {"left", &a.left},
                            {"right", &a.right},
                            {"categories", &a.categories},
                            {"output", &a.output}})
    *into = array(name, std::int32_t{});
  a.threshold = array("threshold", double{});
  a.base = array("base", double{});
  auto value = nb::cast<Array2<double>>(source.attr("value"));
  a.value.assign(value.data(), value.data() + value.size());
  auto marks = [&](const char* name) {
    auto flags = nb::cast<Array1<bool>>(source.attr(name));
    return std::vector<std::uint8_t>(flags.data(), flags.data() + flags.shape(0));
  };
  a.missing_left = marks("missing_left");
  a.zero_missing = marks("zero_missing");
  for (nb::handle set : source.attr("sets")) a.sets.push_back(copy(nb::cast<Array1<std::int64_t>>(set)));
  a.outputs = nb::cast<std::int32_t>(source.attr("outputs"));
  a.strict = nb::cast<bool>(source.attr("strict"));
  a.single = nb::cast<bool>(source.attr("single"));
  a.single_sum = nb::cast<bool>(source.attr("single_sum"));
  a.divisor = nb::cast<double>(source.attr("divisor"));
  check(a, constant.shape(0));
  require(nb::len(table_list) > 0, "forest: at least one group");
  return Forest(a, tables_of(table_list, constant.shape(0)), view(constant));
}

// Lines that stay within these of x, or not; what was known before stays known.
void bind_near_x(nb::module_& m) {
  nb::class_<Forest::NearX>(m, "NearX")
      .def(nb::init<>())
      .def(
          "lines",
          [](Forest::NearX& near, const Forest& f, Array1<std::int32_t> x, std::uint64_t number, const Lines& of_x,
             const Lines& asked, double seconds) {
            require(x.shape(0) == f.anchor_size(), "lines: no anchor of this forest");
            const LinesOfX own{number, std::apply([&](const auto&... part) { return lines_of(f, part...); }, of_x)};
            for (Row row : own.lines.parents) require(row == 0, "lines: not of x");
            for (std::size_t l = 1; l < own.lines.size(); ++l)
              require(own.lines.groups[l] > own.lines.groups[l - 1], "lines: one of x for each group, in their order");
            require(own.lines.size() > 0 && number > 0 && f.adds_up(), "lines: none of x");
            LinesView lines = std::apply([&](const auto&... part) { return lines_of(f, part...); }, asked);
            lines.of_x = &own;
            std::vector<double> out = f.lines(view(x), lines, Until(seconds), nullptr, &near);
            return to_numpy(std::move(out), lines.rows.size(), f.outputs());
          },
          nb::arg("forest"), nb::arg("anchor"), nb::arg("number"), nb::arg("of_x"), nb::arg("lines"),
          nb::arg("seconds") = Until::kNever,
          "Sums as Forest.lines has them; what is known near x is made anew where the number is another one.")
      .def(
          "points",
          [](const Forest::NearX& near, const Forest& f, Array1<std::int32_t> x, Array2<Row> rows) {
            check_points(f, rows);
            require(x.shape(0) == f.anchor_size(), "points: no anchor of this forest");
            const std::span<const Row> all(rows.data(), rows.size());
            return to_numpy(f.points(view(x), all, rows.shape(0), Until(), &near), rows.shape(0), f.outputs());
          },
          nb::arg("forest"), nb::arg("anchor"), nb::arg("rows"), "Sums as Forest.points has them.");
}

}  // namespace

void bind_forest(nb::module_& m) {
  nb::class_<Forest> forest(m, "Forest");
  forest
      .def_static("build", &make_forest, nb::arg("forest"), nb::arg("tables"), nb::arg("constant"),
                  "From geco.models.kinds.forest.Forest, per group (columns, values) with slot 0, and the columns no "
                  "group owns.")
      .def_prop_ro("trees", &Forest::tree_count)
      .def(
          "cells",
          [](const Forest& f, std::size_t g) {
            require(g < f.width(), "cells: no such group");
            return to_numpy(std::vector<std::int32_t>(f.cells(g)));
          },
          nb::arg("group"), "Per row the cell it is in: rows of one cell are the same to the forest; -1: none.")
      .def(
          "thin",
          [](const Forest& f, const Space& s, const std::vector<Row>& like_x) {
            require(s.groups.size() == f.width() && like_x.size() == f.width(), "thin: one table per group");
            for (std::size_t g = 0; g < f.width(); ++g)
              require(
                  s.groups[g].allowed.size() == f.rows(g) && like_x[g] >= 0 && like_x[g] < static_cast<Row>(f.rows(g)),
                  "thin: another domain's space");
            return f.thin(s, like_x);
          },
          nb::arg("space"), nb::arg("like_x"), "The space with the nearest row of each cell left to choose from.");
  bind_compiled<Forest, std::int32_t>(forest);
  bind_specialized<SpecializedForest, std::int32_t>(m, forest, "SpecializedForest");
  bind_near_x(m);
}

}  // namespace geco::bind
