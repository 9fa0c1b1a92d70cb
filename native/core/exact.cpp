#include "core/exact.hpp"

#include <algorithm>
#include <utility>

namespace geco {

Exact::Exact(const Space& space, const Forest& forest, std::span<const std::int32_t> x, Conditions conditions,
             double reach, Settings settings, const Until& until)
    : space_(space), settings_(settings), conditions_(std::move(conditions)), options_(space, forest, x, reach, until),
      clauses_(space, options_), reach_(reach), nearest_(space.groups.size()) {
  if (options_.distance(options_.all().data()) >= reach) return;  // a group without any option, or nothing that near
  std::vector<Leaves> trees = leaves_of(options_, forest, x, conditions_, until);
  const auto base = base_of(forest, conditions_), rounding = rounding_of(forest, conditions_, trees);
  if (settings.ways) certain_.emplace(options_, conditions_, trees, base, rounding, until);
  factors_.emplace(options_, conditions_, std::move(trees), base, rounding, reach, settings.most_leaves, until);
  push(options_.all(), 0);
}

void Exact::push(const std::vector<Word>& box, double least) {
  const double distance = std::max(least, options_.distance(box.data()));
  if (!(distance < reach_)) return;
  const std::size_t words = options_.words();
  if (free_.empty()) {
    free_.push_back(pool_.size());
    pool_.resize(pool_.size() + words);
  }
  std::copy(box.begin(), box.end(), pool_.begin() + free_.back());
  queue_.push({distance, free_.back(), ++pushed_});
  free_.pop_back();
}

bool Exact::ask(std::int64_t boxes, Row* rows, const Until& until) {
  while (boxes-- > 0 && !complete() && !full()) {
    const Waiting next = queue_.top();
    queue_.pop();
    box_.assign(pool_.begin() + next.slot, pool_.begin() + next.slot + options_.words());
    least_ = next.distance;
    try {
      until.look();
      const bool found = look(rows, until);
      free_.push_back(next.slot);
      ++boxes_;
      if (found) return true;
    } catch (const OutOfTime&) {  // before anything was pushed
      queue_.push(next);
      return false;
    }
  }
  return false;
}

// True if the nearest candidate of the box is to be judged.
bool Exact::look(Row* rows, const Until& until) {
  if (!clauses_.narrow(box_.data()) || !factors_->narrow(box_.data(), reach_, reached_, until) ||
      !clauses_.narrow(box_.data()))
    return false;
  least_ = std::max({least_, reached_.distance, options_.distance(box_.data())});
  if (!(least_ < reach_)) return false;
  options_.rows_of_nearest(box_.data(), nearest_.data());
  if (!factors_->nearest_meets(box_.data(), reached_)) {
    split_by_leaves();
    return false;
  }
  const std::int32_t broken = space_.first_broken(nearest_.data());
  if (broken >= 0) {
    split_by_rule(broken);
    return false;
  }
  // What was taken out of the box made it farther than another.
  if (!queue_.empty() && queue_.top().distance < least_) {
    push(box_, least_);
    return false;
  }
  if (settings_.ways) {
    const auto known = found_.find(changed());
    if (known != found_.end() && known->second <= space_.distance(nearest_.data())) {
      push_without(known->second <= least_ ? same_changed() : nearest_alone());
      return false;
    }
    if (const auto part = reducible_part(until)) {
      push_without(*part);
      return false;
    }
  }
  std::copy(nearest_.begin(), nearest_.end(), rows);
  return asking_ = true;
}

void Exact::tell(bool good, bool reducible, double reach) {
  asking_ = false;
  reach_ = std::min(reach_, reach);
  if (!good) return split_by_leaves();
  const double distance = space_.distance(nearest_.data());
  if (settings_.ways && !reducible) found_[changed()] = distance;
  // With an ℓ∞ term another candidate of the box may be nearer.
  if (distance > least_ || (settings_.ways && reducible)) push_without(nearest_alone());
  else if (settings_.ways) push_without(same_changed());
}

// The part of the box, around its nearest candidate, in which one change of every candidate that obeys the rules can be
// undone.
std::optional<std::vector<Word>> Exact::reducible_part(const Until& until) const {
  std::vector<std::int32_t> chosen(options_.width());
  for (std::size_t g = 0; g < chosen.size(); ++g) chosen[g] = options_.nearest(g, box_.data());
  for (std::size_t g = 0; g < chosen.size(); ++g) {
    const Options::OfGroup& group = options_[g];
    if (nearest_[g] == 0 || !clauses_.can_undo(static_cast<std::int32_t>(g), box_.data())) continue;
    auto part = box_;
    const auto slot_0 = options_.where(g, [](Row r) { return r == 0; });
    std::copy(slot_0.begin(), slot_0.end(), part.begin() + group.first);
    const std::int32_t changed = std::exchange(chosen[g], options_.nearest(g, part.data()));
    const bool good = certain_->narrow(chosen, part.data(), until);
    chosen[g] = changed;
    if (!good) continue;
    for (std::size_t w = 0; w < group.words; ++w) part[group.first + w] = box_[group.first + w] & ~slot_0[w];
    return part;
  }
  return std::nullopt;
}

Exact::Changed Exact::changed() const {
  Changed changed;
  for (Row row : nearest_) changed.push_back(row != 0);
  return changed;
}

// The candidates that change just the groups that the nearest of the box changes.
std::vector<Word> Exact::same_changed() const {
  std::vector<Word> part;
  for (std::size_t g = 0; g < options_.width(); ++g) {
    const auto words = options_.where(g, [&](Row r) { return (r != 0) == (nearest_[g] != 0); });
    part.insert(part.end(), words.begin(), words.end());
  }
  return part;
}

std::vector<Word> Exact::nearest_alone() const {
  std::vector<Word> part;
  for (std::size_t g = 0; g < options_.width(); ++g) {
    const auto words = options_.where(g, [&](Row r) { return r == nearest_[g]; });
    part.insert(part.end(), words.begin(), words.end());
  }
  return part;
}

// The box without a part of it: the candidates that leave the part in the first group, in the second but not the first,
// ...
void Exact::push_without(const std::vector<Word>& part) {
  auto rest = box_;
  for (std::size_t g = 0; g < options_.width(); ++g) {
    auto outside = rest;
    for (std::size_t w = options_[g].first; w < options_[g].first + options_[g].words; ++w) {
      outside[w] &= ~part[w];
      rest[w] &= part[w];
    }
    push(outside, least_);
  }
}

// Along the leaves of the factor that has fewest. Where every factor has one, all candidates of the box are the same to
// the forest, and its nearest was not good.
void Exact::split_by_leaves() {
  std::size_t chosen = reached_.leaves.size();
  for (std::size_t i = 0; i < reached_.leaves.size(); ++i)
    if (reached_.leaves[i].size() > 1 &&
        (chosen == reached_.leaves.size() || reached_.leaves[i].size() < reached_.leaves[chosen].size()))
      chosen = i;
  if (chosen == reached_.leaves.size()) return;
  for (std::int32_t leaf : reached_.leaves[chosen]) push(factors_->part(box_.data(), chosen, leaf), least_);
}

void Exact::split_by_rule(std::int32_t rule) {
  for (const auto& part : clauses_.split(rule, box_.data())) push(part, least_);
}

double Exact::lower() const {
  const double open = asking_ ? least_ : std::numeric_limits<double>::infinity();
  return std::min({reach_, open, queue_.empty() ? reach_ : queue_.top().distance});
}

}  // namespace geco
