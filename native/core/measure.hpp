// How far the rows of a group's table are from x (Eq. 2), and the order that puts them in.
#pragma once
#include <vector>

#include "core/space.hpp"
#include "core/tables.hpp"

namespace geco {

// A term of Eq. 2 beyond this counts as this: so no sum over so many features is infinite, and no distance is.
double largest_term(std::size_t features);

// Fills the terms of Eq. 2 per row, on which side of x it is, and the rows that may be chosen, nearest first. `x`: its
// numbers for this table; `room` is kept from table to table.
void measure(const TableForm& table, const Norm& norm, double largest_term, const double* x, Group& group,
             std::vector<double>& room);

}  // namespace geco
