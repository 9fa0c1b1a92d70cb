// Truth of a predicate along a sorted column, by looking at few of its rows.
//
// What is compared with a constant rises or falls with the column, so it holds on a stretch of rows whose ends are
// searched for by halving; the numbers compared are those that a pass over all rows would compare.
#pragma once
#include <optional>
#include <span>

#include "core/space.hpp"
#include "core/spans.hpp"

namespace geco {

// Rows from 1 up to `known` rise by number; those from there up to `rows` have none.
struct Sorted {
  std::int32_t column;
  const Numbers& numbers;
  Row known, rows;
};

// None where the predicate reads another column, or compares what need not rise or fall. A constant with index i > 0
// is constants[i - 1]; `of_x` is what the column has for x.
std::optional<Spans> truth_spans(std::span<const Step> steps, const double* constants, const Sorted& sorted,
                                 double of_x);

}  // namespace geco
