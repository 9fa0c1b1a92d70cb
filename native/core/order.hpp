// The order in which the changes of an answer can be made: by the rules alone, of all orders one that breaks as few of
// them on the way as can be, none where that is possible; among those the first by group.
#pragma once
#include <vector>

#include "core/space.hpp"

namespace geco {

// From x to an answer.
struct Way {
  std::vector<std::int32_t> order;   // its changed groups
  std::vector<Row> between;          // the candidates between x and the answer, one after the other
  std::vector<std::int32_t> broken;  // of each of them what first_broken says
};

// In the order of groups, unless that breaks a rule which another order may not. More changes than kMostOrdered are
// made in the order of groups.
constexpr std::size_t kMostOrdered = 10;
Way way_to(const Space& space, const Row* answer);

}  // namespace geco
