// Foresight: what the first round showed of each group alone, and where a candidate would turn good if effects added
// up. They nearly do for linear models, networks and ensembles.
#pragma once
#include "core/archive.hpp"
#include "core/frontier/round.hpp"

namespace geco {

class Foresight {
 public:
  explicit Foresight(const Space& space);  // nothing is foreseen yet
  Foresight(const Space& space, const Archive& archive);

  // How much this row alone moved the log-odds in the first round; between rows that were asked, by interpolation.
  double effect(const Space& space, std::int32_t g, Row row) const;
  // Where among the first n positions of this half a candidate whose log-odds are `offset` without it would turn good,
  // and one behind it (`beyond` of the way to the next row known). If nowhere, that of the largest effect.
  void positions(std::int32_t g, int half, std::size_t n, double offset, double beyond,
                 std::vector<std::size_t>& out) const;

 private:
  struct Effect {
    std::size_t position;  // in the half
    double log_odds;  // there, relative to where the search starts
  };
  std::vector<std::vector<Effect>> effects_[2];  // per half and group
};

}  // namespace geco
