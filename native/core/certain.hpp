// Certain: lower bounds. Boxes of which every candidate is known to be good, from all leaves of all trees.
#pragma once
#include "core/leaves.hpp"

namespace geco {

class Certain {
 public:
  Certain(const Options& options, const Conditions& conditions, const std::vector<Leaves>& trees,
          std::vector<double> base, std::span<const double> rounding, const Until& until);

  // Narrows the box around one of its candidates (an option per group) until all that is left is good; false if not
  // even that candidate surely is.
  bool narrow(std::span<const std::int32_t> candidate, Word* box, const Until& until) const;

 private:
  void lowest(const Word* box, std::vector<double>& per_tree, std::vector<double>& sums, const Until& until) const;

  const Options& options_;
  const Conditions& conditions_;
  std::vector<Leaves> trees_;
  std::vector<double> base_, sure_;
};

}  // namespace geco
