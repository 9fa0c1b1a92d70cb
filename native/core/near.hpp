// A table seen from one x: where no double holds the values, by their differences to x.
#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "core/tables.hpp"

namespace geco {

inline void find_ends(FeatureForm& f) {
  f.lowest = f.highest = std::nan("");
  for (auto z = f.numbers.begin() + 1; z != f.numbers.end(); ++z)
    f.lowest = std::fmin(f.lowest, *z), f.highest = std::fmax(f.highest, *z);
}

// A table and the numbers of x for it. Where no double holds the values, both are given by their difference to x, which
// is rounded once: it is 0 for equal values only.
struct Near {
  TableForm table;
  std::vector<double> x;
  Near(const TableForm& whole, std::span<const double> of_x)
      : table(whole), x(of_x.begin() + whole.first, of_x.begin() + whole.first + whole.features.size()) {
    for (std::size_t i = 0; i < table.exact.size(); ++i) {
      const ExactForm& e = table.exact[i];
      if (!e.measured || std::isnan(x[e.feature])) continue;
      const double high = of_x[table.first_exact + 2 * i], low = of_x[table.first_exact + 2 * i + 1];
      FeatureForm& f = table.features[e.feature];
      std::vector<double> apart(table.rows());
      for (std::size_t r = 1; r < apart.size(); ++r) apart[r] = (e.high[r] - high) + (e.low[r] - low);
      f.numbers = Numbers(std::move(apart));
      x[e.feature] = 0;
      find_ends(f);
    }
  }
};

}  // namespace geco
