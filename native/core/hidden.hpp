// Hidden: what good means for a network with one hidden layer of ReLU, for proofs.
//
// The units of the layer are sums over groups, as the outputs of a forest are; a form is a weighted sum of what the
// units are above 0. Over a box a unit lies between two numbers, and between those a ReLU is below and above a straight
// line: no form is higher than the sum of such lines, which is a sum over groups again.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace geco {

struct Hidden {
  std::size_t units = 0, alternatives = 0, forms = 0;  // forms of one alternative
  std::vector<double> weights;  // [alternatives, forms, units]
  std::vector<double> biases, needs;  // [alternatives, forms]
  std::vector<double> off;  // per unit: its sum may be so much lower or higher

  bool any() const { return units > 0; }
  std::size_t all_forms() const { return needs.size(); }
  // What forms need, less what may be lost where units are rounded like this and then added up.
  std::vector<double> lowered_needs(std::span<const double> rounding) const;
  // No form is higher where every unit is between these two.
  std::vector<double> highest(std::span<const double> low, std::span<const double> high) const;
  // A sum of the units, and a constant, that a form is never above in between.
  double above(std::size_t form, std::span<const double> low, std::span<const double> high, double* slopes) const;
};

}  // namespace geco
