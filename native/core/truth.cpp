#include "core/truth.hpp"

#include <algorithm>
#include <cmath>

namespace geco {
double applied(Step::Op op, double a, double b) {
  switch (op) {
    case Step::add: return a + b;
    case Step::subtract: return a - b;
    case Step::multiply: return a * b;
    case Step::divide: return b == 0 ? std::nan("") : a / b;
    // With a missing operand every comparison but this one is false by itself.
    case Step::ne: return a < b || a > b;
    case Step::eq: return a == b;
    case Step::le: return a <= b;
    case Step::lt: return a < b;
    case Step::ge: return a >= b;
    case Step::gt: return a > b;
    case Step::both: return a != 0 && b != 0;
    default: return a != 0 || b != 0;
  }
}

namespace {

// The loop is inside the choice of the operation, so that each is a pass over whole columns.
template <Step::Op op>
void pass(double* a, const double* b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) a[i] = applied(op, a[i], b[i]);
}

void pass_any(Step::Op op, double* a, const double* b, std::size_t n) {
  switch (op) {
    case Step::add: return pass<Step::add>(a, b, n);
    case Step::subtract: return pass<Step::subtract>(a, b, n);
    case Step::multiply: return pass<Step::multiply>(a, b, n);
    case Step::divide: return pass<Step::divide>(a, b, n);
    case Step::eq: return pass<Step::eq>(a, b, n);
    case Step::ne: return pass<Step::ne>(a, b, n);
    case Step::le: return pass<Step::le>(a, b, n);
    case Step::lt: return pass<Step::lt>(a, b, n);
    case Step::ge: return pass<Step::ge>(a, b, n);
    case Step::gt: return pass<Step::gt>(a, b, n);
    case Step::both: return pass<Step::both>(a, b, n);
    default: return pass<Step::either>(a, b, n);
  }
}

}  // namespace

std::vector<std::uint8_t> truth_column(std::span<const Step> steps, int depth, std::size_t rows,
                                       const double* constants,
                                       const std::function<void(std::int32_t, double*)>& load) {
  std::vector<double> stack(depth * rows);
  std::size_t height = 0;
  auto column = [&](std::size_t from_top) { return stack.data() + (height - from_top) * rows; };
  for (const Step& step : steps) {
    switch (step.op) {
      case Step::constant:
        ++height;
        std::fill_n(column(1), rows, step.index ? constants[step.index - 1] : step.value);
        break;
      case Step::column:
        ++height;
        load(step.index, column(1));
        break;
      case Step::negate: std::transform(column(1), column(1) + rows, column(1), std::negate<>()); break;
      default: pass_any(step.op, column(2), column(1), rows); --height;
    }
  }
  std::vector<std::uint8_t> truth(rows);
  for (std::size_t r = 0; r < rows; ++r) truth[r] = stack[r] != 0;
  return truth;
}

}  // namespace geco
