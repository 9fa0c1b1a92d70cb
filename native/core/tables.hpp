// The group tables as every x finds them: the numbers of their rows, and how much a difference in each feature counts.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

namespace geco {

// One feature of a group's table; every difference to x is divided by `divisor` (0: only whether they differ counts).
struct FeatureForm {
  std::vector<double> numbers;  // per row, NaN where missing; slot 0 is not read
  double divisor = 0;
  double weight = 1;
  double raising = 1, lowering = 1;
  double least_step = 0;  // smaller changes are not offered
  bool categorical = false;
  bool may_go_missing = false;
  bool gaps = false;               // a row is missing it
  double lowest = 0, highest = 0;  // of the numbers that are there
};

struct TableForm {
  std::vector<FeatureForm> features;
  std::vector<double> counts;           // per row, slot 0 included
  std::optional<double> onehot_weight;  // read as one categorical feature that counts so much
  bool free = true;
  std::size_t first = 0;  // where the numbers of its features begin among those of x
  std::size_t rows() const { return counts.size(); }
};

// Eq. 2, and the support a row needs.
struct Norm {
  double alpha = 0, beta = 1, gamma = 0;
  double n = 1;  // features that count
  double min_support = 1;
};

}  // namespace geco
