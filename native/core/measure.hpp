// How far the rows of a group's table are from x (Eq. 2), and the order that puts them in.
#pragma once
#include <vector>

#include "core/space.hpp"
#include "core/tables.hpp"

namespace geco {

// A term of Eq. 2 beyond this counts as this: so no sum over so many features is infinite, and no distance is.
double largest_term(std::size_t features);

// Can a weighted δ of this feature be beyond `most`, or no number at all?
bool overflows(const FeatureForm& f, double x, double most);

// The group with its terms of Eq. 2 row by row, on which side of x each is, and the rows that may be chosen, to be put
// in order once somebody asks. `x`: its numbers for this table; `room` is kept from table to table.
Group measured(const TableForm& table, const Norm& norm, double largest_term, const double* x,
               std::vector<std::uint8_t> allowed, std::vector<double>& room);
// The same by place.
Group placed(const TableForm& table, Ruler ruler, Spans allowed);

}  // namespace geco
