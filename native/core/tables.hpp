// The group tables as every x finds them: the numbers of their rows, and how much a difference in each feature counts.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/shared.hpp"

namespace geco {

// Numbers that never change, held once by all who ask about the same tables.
class Numbers {
 public:
  Numbers() = default;
  Numbers(std::vector<double> numbers) : numbers_(std::make_shared<const std::vector<double>>(std::move(numbers))) {}

  const double* data() const { return numbers_->data(); }
  auto begin() const { return numbers_->begin(); }
  auto end() const { return numbers_->end(); }
  std::size_t size() const { return numbers_->size(); }
  bool empty() const { return !numbers_; }
  double operator[](std::size_t row) const { return (*numbers_)[row]; }
  operator const std::vector<double>&() const { return *numbers_; }

 private:
  std::shared_ptr<const std::vector<double>> numbers_;
};

// One feature of a group's table; every difference to x is divided by `divisor` (0: only whether they differ counts).
struct FeatureForm {
  Numbers numbers;  // per row, NaN where missing; slot 0 is not read
  double divisor = 0;
  double weight = 1;
  double raising = 1, lowering = 1;
  double least_step = 0;  // smaller changes are not offered
  bool categorical = false;
  bool may_go_missing = false;
  bool gaps = false;               // a row is missing it
  std::int32_t known = 1;          // in a table of one feature the first row that is missing it, else the end
  double lowest = 0, highest = 0;  // of the numbers that are there
};

// Values that no double holds, each as the sum of two: `high` is a multiple of 2^22 and `low` the rest, so that sums
// and differences of a few of them are exact in both parts. NaN where missing; slot 0 is not read.
struct ExactForm {
  std::int32_t feature = 0;  // of the table
  bool measured = false;     // rows are told apart and distances taken by it; otherwise for rules alone
  Numbers high, low;
};

struct TableForm {
  std::vector<FeatureForm> features;
  std::vector<ExactForm> exact;
  Numbers counts;                       // per row, slot 0 included
  std::optional<double> onehot_weight;  // read as one categorical feature that counts so much
  bool free = true;
  // One ordered feature and many rows: what there is to know of a row is worked out from its place, see ruler.hpp.
  bool by_place = false;
  std::optional<Shared<std::int32_t>> supported;  // then the rows with enough support, if not all have it
  double least_support = 0;                       // which is this much
  std::size_t first = 0;        // where the numbers of its features begin among those of x
  std::size_t first_exact = 0;  // and where the two parts of each exact column do
  std::size_t rows() const { return counts.size(); }
};

// Eq. 2, and the support a row needs.
struct Norm {
  double alpha = 0, beta = 1, gamma = 0;
  double n = 1;  // features that count
  double min_support = 1;
};

}  // namespace geco
