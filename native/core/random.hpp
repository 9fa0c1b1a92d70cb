// Counter-based random numbers: a stream is a pure function of (seed, round, parent, group), so the same
// candidates come out for any number of threads and in any order of work.
#pragma once
#include <cstdint>

namespace geco {

class Rng {
 public:
  Rng(std::uint64_t seed, std::uint64_t round, std::uint64_t parent, std::uint64_t group)
      : Rng(mix(mix(mix(mix(seed) ^ round) ^ parent) ^ group)) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    return mix(state_);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }  // in [0, 1)
  bool coin() { return next() >> 63; }

 private:
  friend class Rngs;
  explicit Rng(std::uint64_t state) : state_(state) {}
  static std::uint64_t mix(std::uint64_t z) {  // the finaliser of splitmix64
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

// The streams of one (seed, round, parent), for whoever draws from many of its groups.
class Rngs {
 public:
  Rngs(std::uint64_t seed, std::uint64_t round, std::uint64_t parent)
      : state_(Rng::mix(Rng::mix(Rng::mix(seed) ^ round) ^ parent)) {}
  Rng operator()(std::uint64_t group) const { return Rng(Rng::mix(state_ ^ group)); }

 private:
  std::uint64_t state_;
};

}  // namespace geco
