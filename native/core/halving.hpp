// Halving: where in a sorted range something ends.
#pragma once
#include <type_traits>

namespace geco {

// The first of [from, to) for which `holds`, which holds for those before it, does not.
template <class Place>
Place first_not(std::type_identity_t<Place> from, Place to, auto holds) {
  while (from < to) {
    const Place half = from + (to - from) / 2;
    if (holds(half)) from = half + 1;
    else to = half;
  }
  return from;
}

}  // namespace geco
