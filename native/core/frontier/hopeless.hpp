// Hopeless: candidates that contain a way and do not halve it. All they lead to is left out of the ways as well.
//
// Every round asks about all that is open. Candidates never change and ways seldom, so what was found out is kept.
#pragma once
#include <algorithm>

#include "core/archive.hpp"

namespace geco {

class Hopeless {
 public:
  explicit Hopeless(const Archive& archive) : archive_(archive) {}

  // These are the ways from here on.
  void follow(const std::vector<std::int64_t>& ways) {
    known_.resize(archive_.size());
    if (ways == ways_) return;
    fresh_.clear();
    for (std::int64_t way : ways)
      if (!among(ways_, way)) fresh_.push_back(way);
    ways_ = ways;
    ++turn_;
  }
  bool operator()(std::int64_t candidate) {
    Known& known = known_[candidate];
    if (known.turn == turn_) return known.by >= 0;
    const bool free_before = known.by < 0 && known.turn + 1 == turn_;
    if (known.by < 0 || !among(ways_, known.by)) known.by = first_of(free_before ? fresh_ : ways_, candidate);
    known.turn = turn_;
    return known.by >= 0;
  }

 private:
  struct Known {
    std::int64_t by = -1;  // the way that it contains; -1: none
    std::int32_t turn = 0;  // when that was found out
  };
  static bool among(const std::vector<std::int64_t>& ways, std::int64_t way) {
    return std::find(ways.begin(), ways.end(), way) != ways.end();
  }
  std::int64_t first_of(const std::vector<std::int64_t>& ways, std::int64_t candidate) const {
    const auto at = std::find_if(ways.begin(), ways.end(),
                                 [&](std::int64_t way) { return archive_.left_out(candidate, {&way, 1}); });
    return at == ways.end() ? -1 : *at;
  }

  const Archive& archive_;
  std::vector<std::int64_t> ways_, fresh_;  // as they are, and those that were not there before
  std::int32_t turn_ = 1;                   // of the ways
  std::vector<Known> known_;                // per archive index
};

}  // namespace geco
