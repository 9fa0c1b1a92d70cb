// Truth of a predicate for all rows of a group's table at once.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/space.hpp"

namespace geco {

// One step of two operands.
double applied(Step::Op op, double a, double b);

// `load` writes a column of so many rows; a constant with index i > 0 is constants[i - 1]; `depth` is that of the
// stack.
std::vector<std::uint8_t> truth_column(std::span<const Step> steps, int depth, std::size_t rows,
                                       const double* constants, const std::function<void(std::int32_t, double*)>& load);

}  // namespace geco
