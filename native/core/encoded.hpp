// What the model's preprocessing makes of each row of each group, to put together what it makes of an x from D.
#pragma once
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace geco {

class Encoded {
 public:
  // Views: these tables can be the largest thing that an explainer holds, and whoever made them keeps them.
  struct Table {
    std::span<const std::int32_t> columns;
    std::span<const double> values;  // one line per row, slot 0 included
    std::size_t rows() const { return columns.empty() ? 0 : values.size() / columns.size(); }
  };

  // `constant` has the values of the columns that no group moves.
  Encoded(std::vector<double> constant, std::vector<Table> tables)
      : constant_(std::move(constant)), tables_(std::move(tables)) {}

  std::size_t width() const { return tables_.size(); }
  const Table& table(std::size_t group) const { return tables_[group]; }

  // The encoded candidate with these rows.
  std::vector<double> row(std::span<const std::int32_t> rows) const {
    std::vector<double> made = constant_;
    for (std::size_t g = 0; g < tables_.size(); ++g) {
      const auto& [columns, values] = tables_[g];
      const double* line = values.data() + rows[g] * columns.size();
      for (std::size_t i = 0; i < columns.size(); ++i) made[columns[i]] = line[i];
    }
    return made;
  }

 private:
  std::vector<double> constant_;
  std::vector<Table> tables_;
};

}  // namespace geco
