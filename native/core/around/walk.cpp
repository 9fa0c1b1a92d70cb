#include "core/around/walk.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace geco {

void Walk::begin(std::int64_t chosen) {
  line_.chosen = low_ = high_ = chosen;
  below_ends_ = above_ends_ = false;
  step_ = kStep;
  along_.reset();
  looked_ = false;
  seen_ = 0;
  others_.clear();
}

bool Walk::reaches(std::int64_t position) const {
  return position < low_ ? below_ends_ : position > high_ ? above_ends_ : true;
}

void Walk::ask(Row* rows, std::vector<Row>& asked) {
  if (line_.nature == kCategory) return ask_categories(rows, asked);
  below_ = next(-1, line_.first, rows, asked);
  above_ = next(1, line_.last, rows, asked);
  step_ *= kGrowth;
}

void Walk::ask_to(std::int64_t position, Row* rows, std::vector<Row>& asked) {
  const std::int64_t most = std::exchange(step_, line_.size());
  below_ = position < low_ ? next(-1, position, rows, asked) : std::vector<std::int64_t>();
  above_ = position > high_ ? next(1, position, rows, asked) : std::vector<std::int64_t>();
  step_ = most;
}

void Walk::tell(std::span<const double> outcome) {
  if (line_.nature != kCategory) return tell_sides(outcome);
  for (std::size_t i = 0; i < asked_.size(); ++i)
    if (outcome[i] > 0.5) others_.push_back(asked_[i]);
  if (others_.size() >= kNamed) others_.resize(kNamed), seen_ = line_.size();
}

// Asks about what follows the run in this direction, as far as a limit and as many stretches of rows as a step has;
// gives how far each of them goes. If the rules allow none the run ends here.
std::vector<std::int64_t> Walk::next(int direction, std::int64_t limit, Row* rows, std::vector<Row>& asked) {
  bool& ends = direction < 0 ? below_ends_ : above_ends_;
  std::vector<std::int64_t> found;
  if (ends) return found;
  if (!std::exchange(looked_, true)) along_ = maker_->along(line_, rows);
  std::int64_t at = direction < 0 ? low_ - 1 : high_ + 1;
  while (static_cast<std::int64_t>(found.size()) < step_ && (limit - at) * direction >= 0 && at >= line_.first &&
         at <= line_.last && keeps(at, rows)) {
    asked.push_back(line_.row(at));
    const auto [first, last] = maker_->stretch(line_, at, along_);
    found.push_back(direction < 0 ? first : last);
    at = found.back() + direction;
  }
  ends = found.empty();
  return found;
}

void Walk::tell_sides(std::span<const double> outcome) {
  const auto good = [&](std::size_t i) { return outcome[i] > 0.5; };
  std::size_t down = 0, up = 0;
  while (down < below_.size() && good(down)) low_ = below_[down++];
  while (up < above_.size() && good(below_.size() + up)) high_ = above_[up++];
  below_ends_ = below_ends_ || down < below_.size();
  above_ends_ = above_ends_ || up < above_.size();
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
  const Row chosen = line_.row(line_.chosen);
  Range made{line_.answer, line_.group, line_.feature, chosen, chosen};
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
  for (auto at = from + direction; at >= line_.first && at <= line_.last; at += direction) {
    if (keeps(at, rows)) return true;
    const auto [first, last] = maker_->alike(line_, at);
    at = direction < 0 ? first : last;
  }
  return false;
}

}  // namespace geco
