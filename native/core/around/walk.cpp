#include "core/around/walk.hpp"

#include <algorithm>
#include <cmath>

namespace geco {

void Walk::begin(std::int64_t chosen) {
  line_.chosen = low_ = high_ = chosen;
  below_ends_ = above_ends_ = false;
  step_ = kStep;
  seen_ = 0;
  others_.clear();
}

bool Walk::reaches(std::int64_t position) const {
  return position < low_ ? below_ends_ : position > high_ ? above_ends_ : true;
}

void Walk::ask(Row* rows, std::vector<Row>& asked) {
  if (line_.nature == kCategory) return ask_categories(rows, asked);
  ask_sides(step_, step_, rows, asked);
  step_ *= kGrowth;
}

void Walk::ask_to(std::int64_t position, Row* rows, std::vector<Row>& asked) {
  ask_sides(std::max<std::int64_t>(0, low_ - position), std::max<std::int64_t>(0, position - high_), rows, asked);
}

void Walk::tell(std::span<const double> outcome) {
  if (line_.nature != kCategory) return tell_sides(outcome);
  for (std::size_t i = 0; i < asked_.size(); ++i)
    if (outcome[i] > 0.5) others_.push_back(asked_[i]);
  if (others_.size() >= kNamed) others_.resize(kNamed), seen_ = line_.size();
}

// How many rows, at most so many, may follow the run in this direction; if there is none it ends here.
std::int64_t Walk::next(int direction, std::int64_t most, Row* rows) {
  bool& ends = direction < 0 ? below_ends_ : above_ends_;
  if (ends) return 0;
  std::int64_t count = 0;
  while (count < most) {
    const std::int64_t at = direction < 0 ? low_ - 1 - count : high_ + 1 + count;
    if (at < line_.first || at > line_.last || !keeps(at, rows)) break;
    ++count;
  }
  ends = count == 0 && most > 0;
  return count;
}

void Walk::ask_sides(std::int64_t below, std::int64_t above, Row* rows, std::vector<Row>& asked) {
  below_ = next(-1, below, rows);
  above_ = next(1, above, rows);
  const auto begin = line_.rows->begin();
  asked.insert(asked.end(), begin + (low_ - below_), begin + low_);
  asked.insert(asked.end(), begin + high_ + 1, begin + high_ + 1 + above_);
}

void Walk::tell_sides(std::span<const double> outcome) {
  const auto good = [&](std::int64_t i) { return outcome[i] > 0.5; };
  std::int64_t down = 0, up = 0;
  while (down < below_ && good(below_ - 1 - down)) ++down;
  while (up < above_ && good(below_ + up)) ++up;
  below_ends_ = below_ends_ || down < below_;
  above_ends_ = above_ends_ || up < above_;
  low_ -= down, high_ += up;
}

void Walk::ask_categories(Row* rows, std::vector<Row>& asked) {
  asked_.clear();
  for (; seen_ < line_.size() && static_cast<std::int64_t>(asked_.size()) < kCategories; ++seen_)
    if (seen_ != line_.chosen && keeps(seen_, rows)) {
      asked_.push_back(seen_);
      asked.push_back(line_.row(seen_));
    }
}

const std::vector<std::int64_t>& Walk::tries(std::int64_t most, Row* rows) {
  asked_.clear();
  for (int direction : {-1, 1}) {
    std::vector<std::int64_t> side;
    for (auto at = line_.chosen + direction; at >= line_.first && at <= line_.last; at += direction)
      if (keeps(at, rows)) side.push_back(at);
      else if (line_.nature != kCategory) break;
    if (side.empty()) continue;
    const std::int64_t steps = std::max<std::int64_t>(2, most / 2);
    std::int64_t last = -1;
    for (std::int64_t i = 0; i < steps; ++i) {
      const double far = std::pow(static_cast<double>(side.size()), static_cast<double>(i) / (steps - 1));
      const std::int64_t at = std::llround(far) - 1;
      if (at > last) asked_.push_back(side[last = at]);
    }
  }
  tried_ = static_cast<std::int64_t>(asked_.size());
  return asked_;
}

void Walk::tell_tries(std::span<const std::uint8_t> good) {
  below_ends_ = above_ends_ = false;  // at a row that would not do
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    const std::int64_t at = asked_[i];
    bool& ends = at < line_.chosen ? below_ends_ : above_ends_;
    ends = ends || !good[i];
    if (!ends) low_ = std::min(low_, at), high_ = std::max(high_, at);
    if (line_.nature == kCategory ? good[i] : line_.nature == kNames && !ends) others_.push_back(at);
  }
  std::sort(others_.begin(), others_.end());
}

Range Walk::range(Row* rows) const {
  const Row own = line_.row(line_.chosen);
  Range made{line_.answer, line_.group, line_.feature, own, own};
  made.tried = tried_;
  for (std::int64_t at : others_) made.others.push_back(line_.row(at));
  if (line_.nature == kCategory) return made;
  made.low = line_.row(low_), made.high = line_.row(high_);
  const bool asked = tried_ != Range::kAll;
  made.least = asked ? !below_ends_ : !any_beyond(low_, -1, rows);
  made.most = asked ? !above_ends_ : !any_beyond(high_, 1, rows);
  for (auto at = low_; line_.nature == kNames && !asked && at <= high_ && made.others.size() < kNamed; ++at)
    if (at != line_.chosen) made.others.push_back(line_.row(at));
  return made;
}

bool Walk::any_beyond(std::int64_t from, int direction, Row* rows) const {
  for (auto at = from + direction; at >= line_.first && at <= line_.last; at += direction)
    if (keeps(at, rows)) return true;
  return false;
}

}  // namespace geco
