// Counter-based random numbers: a stream is a pure function of (seed, round, parent, group), so the same
// candidates come out for any number of threads and in any order of work.
#pragma once
#include <cstdint>

namespace geco {

class Rng {
 public:
  Rng(std::uint64_t seed, std::uint64_t round, std::uint64_t parent, std::uint64_t group)
      : state_(mix(mix(mix(mix(seed) ^ round) ^ parent) ^ group)) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    return mix(state_);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }  // in [0, 1)
  bool coin() { return next() >> 63; }

 private:
  static std::uint64_t mix(std::uint64_t z) {  // the finaliser of splitmix64
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

}  // namespace geco
