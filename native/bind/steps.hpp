// Predicates as Python gives them: operations, constants and column numbers in postfix order.
#pragma once
#include <algorithm>
#include <utility>

#include "bind/arrays.hpp"
#include "core/space.hpp"

namespace geco::bind {

// The steps, checked, and the depth of the stack they need.
inline std::pair<std::vector<Step>, int> steps_of(nb::tuple parts, std::size_t columns) {
  require(nb::len(parts) == 3, "predicate: operations, constants and columns");
  auto ops = nb::cast<Array1<std::int32_t>>(parts[0]);
  auto values = nb::cast<Array1<double>>(parts[1]);
  auto indices = nb::cast<Array1<std::int32_t>>(parts[2]);
  require(ops.shape(0) == values.shape(0) && ops.shape(0) == indices.shape(0), "predicate: arrays of one length");
  std::vector<Step> steps;
  int depth = 0, deepest = 0;
  for (std::size_t i = 0; i < ops.shape(0); ++i) {
    const Step step{static_cast<Step::Op>(ops.data()[i]), values.data()[i], indices.data()[i]};
    require(step.op >= Step::constant && step.op <= Step::either, "predicate: no such operation");
    require(step.op != Step::column || (step.index >= 0 && static_cast<std::size_t>(step.index) < columns),
            "predicate: no such column");
    const bool pushes = step.op == Step::constant || step.op == Step::column;
    depth += pushes ? 1 : step.op == Step::negate ? 0 : -1;
    require(depth >= 1, "predicate: malformed");
    deepest = std::max(deepest, depth);
    steps.push_back(step);
  }
  require(depth == 1, "predicate: malformed");
  return {std::move(steps), deepest};
}

}  // namespace geco::bind
