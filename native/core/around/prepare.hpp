// Prepare: from the best of a finished search to what their confirmation asks, without Python.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "core/around/prepared.hpp"

namespace geco {

// What is wanted of the answers of one x.
struct Answering {
  const Deployment& deployment;
  const Space& space;  // with all that x may choose
  Archive& archive;
  std::vector<double> x;
  std::vector<std::uint8_t> natures;  // as LineMaker takes both
  std::size_t k = 1;
  std::optional<Kind> kind;  // none: the nearest, whatever they have in common
  bool round = false, ranges = false;
  std::size_t steps = 0;
};

// Null where there are no answers. Where the time is over before all is known there are no ranges.
std::unique_ptr<Prepared> prepare(const Answering& wanted, const Scoring& scoring, const Until& until);

}  // namespace geco
