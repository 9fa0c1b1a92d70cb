// What compiled models are built from and asked about, with every row number checked.
#pragma once
#include <algorithm>

#include "bind/arrays.hpp"
#include "core/lines.hpp"

namespace geco::bind {

// Per group (columns, values with slot 0).
inline std::vector<EncodedTable> tables_of(const nb::list& list, std::size_t encoded) {
  std::vector<EncodedTable> tables;
  std::vector<bool> owned(encoded);
  for (nb::handle item : list) {
    auto [columns, values] = nb::cast<std::tuple<Array1<std::int32_t>, Array2<double>>>(item);
    require(values.shape(0) >= 1 && values.shape(1) == columns.shape(0),
            "table: one value per row and column, slot 0 included");
    for (std::size_t i = 0; i < columns.shape(0); ++i) {
      const std::int32_t c = columns.data()[i];
      require(c >= 0 && c < static_cast<std::int32_t>(encoded) && !owned[c], "table: no such column, or owned twice");
      owned[c] = true;
    }
    tables.push_back({copy(columns), {values.data(), values.data() + values.size()}, values.shape(0)});
  }
  return tables;
}

template <class Model>
void check_points(const Model& model, const Array2<Row>& rows) {
  require(rows.shape(1) == model.width(), "points: one column per group");
  for (std::size_t i = 0; i < rows.size(); ++i)
    require(rows.data()[i] >= 0 && rows.data()[i] < static_cast<Row>(model.rows(i % model.width())),
            "points: no such row");
}

template <class Model>
LinesView lines_of(const Model& model, const Array2<Row>& parents, const Array1<std::int32_t>& groups,
                   const Array1<std::int64_t>& offsets, const Array1<Row>& rows) {
  check_points(model, parents);
  const std::size_t n = groups.shape(0);
  require(parents.shape(0) == n && offsets.shape(0) == n + 1, "lines: one parent, group and offset per line");
  require(offsets.data()[0] == 0 && offsets.data()[n] == static_cast<std::int64_t>(rows.shape(0)),
          "lines: offsets from 0 to all rows");
  require(std::is_sorted(offsets.data(), offsets.data() + n + 1), "lines: offsets must not fall");
  for (std::size_t l = 0; l < n; ++l) {
    const std::int32_t g = groups.data()[l];
    require(g >= 0 && g < static_cast<std::int32_t>(model.width()), "lines: no such group");
    for (auto i = offsets.data()[l]; i < offsets.data()[l + 1]; ++i)
      require(rows.data()[i] >= 0 && rows.data()[i] < static_cast<Row>(model.rows(g)), "lines: no such row");
  }
  return {model.width(), {parents.data(), parents.size()}, view(groups), view(offsets), view(rows)};
}

// What every compiled model can be asked; Number is what its anchor is made of.
template <class Model, class Number>
void bind_compiled(nb::class_<Model>& model) {
  model.def_prop_ro("width", &Model::width)
      .def_prop_ro("outputs", &Model::outputs)
      .def(
          "anchor",
          [](const Model& m, Array1<double> x) {
            require(x.shape(0) == m.encoded_width(), "anchor: one number per encoded column");
            return to_numpy(m.anchor(view(x)));
          },
          nb::arg("x"), "What stands for slot 0.")
      .def(
          "points",
          [](const Model& m, Array1<Number> x, Array2<Row> rows, double seconds) {
            check_points(m, rows);
            require(x.shape(0) == m.anchor_size(), "points: no anchor of this model");
            std::vector<double> out;
            {
              nb::gil_scoped_release unlocked;
              out = m.points(view(x), {rows.data(), rows.size()}, rows.shape(0), Until(seconds));
            }
            return to_numpy(std::move(out), rows.shape(0), m.outputs());
          },
          nb::arg("anchor"), nb::arg("rows"), nb::arg("seconds") = Until::kNever,
          "Sums before the link; OutOfTime if they take longer than so many seconds.")
      .def(
          "lines",
          [](const Model& m, Array1<Number> x, Array2<Row> parents, Array1<std::int32_t> groups,
             Array1<std::int64_t> offsets, Array1<Row> rows, double seconds) {
            const LinesView lines = lines_of(m, parents, groups, offsets, rows);
            require(x.shape(0) == m.anchor_size(), "lines: no anchor of this model");
            std::vector<double> out;
            {
              nb::gil_scoped_release unlocked;
              out = m.lines(view(x), lines, Until(seconds));
            }
            return to_numpy(std::move(out), rows.shape(0), m.outputs());
          },
          nb::arg("anchor"), nb::arg("parents"), nb::arg("groups"), nb::arg("offsets"), nb::arg("rows"),
          nb::arg("seconds") = Until::kNever, "The same for every row of every line.");
}

}  // namespace geco::bind
