#include "core/encoded.hpp"

#include "bind/arrays.hpp"

namespace geco::bind {
namespace {

using Columns = std::vector<Array1<std::int32_t>>;
using Values = std::vector<Array2<double>>;

void begin(Encoded* self, Array1<double> constant, const Columns& columns, const Values& values) {
  require(columns.size() == values.size(), "encoded: columns and values of every group");
  std::vector<Encoded::Table> tables;
  for (std::size_t g = 0; g < columns.size(); ++g) {
    require(values[g].shape(1) == columns[g].shape(0), "encoded: one value per row and column");
    for (const std::int32_t c : view(columns[g]))
      require(c >= 0 && c < static_cast<std::int64_t>(constant.shape(0)), "encoded: no such column");
    tables.push_back({view(columns[g]), {values[g].data(), values[g].size()}});
  }
  new (self) Encoded(copy(constant), std::move(tables));
}

Vector<double> row(const Encoded& encoded, const std::vector<std::int32_t>& rows) {
  require(rows.size() == encoded.width(), "row: one row per group");
  for (std::size_t g = 0; g < rows.size(); ++g) {
    const Encoded::Table& table = encoded.table(g);
    require(rows[g] >= 0 && (table.columns.empty() || static_cast<std::size_t>(rows[g]) < table.rows()),
            "row: no such row");
  }
  return to_numpy(encoded.row(rows));
}

}  // namespace

void bind_encoded(nb::module_& m) {
  nb::class_<Encoded>(m, "Encoded")
      // Not converted: what is looked at must be what is kept alive.
      .def(
          "__init__", &begin, nb::arg("constant"), nb::arg("columns").noconvert(), nb::arg("values").noconvert(),
          nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
          "Per group the columns that it owns and their values, slot 0 included. The arrays are looked at, not copied: "
          "give them in tuples, and do not change them.")
      .def("row", &row, nb::arg("rows"), "The encoded candidate with these rows.");
}

}  // namespace geco::bind
