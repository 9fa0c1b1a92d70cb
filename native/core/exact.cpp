#include "core/exact.hpp"

#include <algorithm>
#include <utility>

#include "core/about.hpp"

namespace geco {
namespace {

constexpr std::size_t kShare = 4;  // of the memory that leaves of boxes may take, one part

}  // namespace

Exact::Exact(const Space& space, const Bounds& bounds, double reach, Settings settings, const Until& until)
    : space_(space), settings_(settings), conditions_(bounds.conditions),
      options_(space, bounds.forest, bounds.x, {reach, bounds.x_apart, settings.proves == Settings::Proves::minimal},
               until),
      clauses_(space, options_), x_apart_(bounds.x_apart), reach_(reach), nearest_(space.groups.size()) {
  if (options_.distance(options_.all().data()) >= reach) return;  // a group without any option, or nothing that near
  const Forest& forest = bounds.forest;
  // What a whole box is certain of depends on all of its leaves.
  const double leaves_within = wants(Settings::Proves::sets) ? std::numeric_limits<double>::infinity() : reach;
  auto trees = leaves_of(options_, forest, bounds.x, conditions_, {leaves_within, settings.most_words}, until);
  const auto base = base_of(forest, conditions_), rounding = rounding_of(forest, conditions_, trees);
  if (wants(Settings::Proves::sets)) certain_.emplace(options_, conditions_, trees, base, rounding, until);
  factors_.emplace(options_, conditions_, std::move(trees), base, rounding, reach, settings.most_leaves, until);
  push(factors_->start(), 0);
}

void Exact::push(const std::vector<Word>& box, double least, Part part) {
  const double distance = std::max(least, options_.distance(box.data()));
  if (!(distance < reach_)) return;
  const std::size_t words = options_.words();
  if (free_.empty()) {
    free_.push_back(pool_.size());
    pool_.resize(pool_.size() + words);
  }
  std::copy(box.begin(), box.end(), pool_.begin() + free_.back());
  queue_.push({distance, free_.back(), ++pushed_, std::move(part)});
  free_.pop_back();
}

// Of the box that is being looked at; where memory is short, of what it was part of.
const Exact::Met& Exact::met() {
  if (met_) return met_;
  if (!factors_ || reached_.leaves.empty() || packed_ > settings_.most_bytes / kShare) return from_.met;
  auto packed = std::make_unique<Factors::Met>(Factors::pack(reached_));
  packed_ += packed->bytes();
  return met_ = Met(packed.release(), [this](const Factors::Met* gone) {
           packed_ -= gone->bytes();
           delete gone;
         });
}

bool Exact::ask(std::int64_t boxes, Row* rows, const Until& until, const Until& pause) {
  paused_ = false;
  for (std::int64_t looked_at = 0; looked_at < boxes && !full(); ++looked_at) {
    while (accept()) {}
    if (complete()) return false;
    paused_ = looked_at > 0 && pause.over();
    if (paused_) return false;
    const Waiting next = queue_.top();
    queue_.pop();
    box_.assign(pool_.begin() + next.slot, pool_.begin() + next.slot + options_.words());
    least_ = next.distance;
    from_ = next.part;
    met_.reset();
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
  if (!clauses_.narrow(box_.data()) || !factors_->narrow(box_.data(), reach_, from_.of(), reached_, until) ||
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
  if (is_no_way(until)) return false;
  std::copy(nearest_.begin(), nearest_.end(), rows);
  return asking_ = true;
}

// What is left of the box once its nearest candidate is known to be none of the ways goes back into the queue.
bool Exact::is_no_way(const Until& until) {
  if (wants(Settings::Proves::minimal)) {
    for (std::size_t way = 0; way < ways_.size(); ++way)
      if (left_out_by(nearest_.data(), ways_[way])) {
        push_eased(way);
        return true;
      }
    if (!judged_.empty() && !may_come_first(judged_.front())) {
      later_.push_back({box_, least_, {met()}});
      return true;
    }
    ties_ += !judged_.empty();
  }
  if (wants(Settings::Proves::sets)) {
    const auto known = found_.find(changed());
    if (known != found_.end() && known->second <= space_.distance(nearest_.data())) {
      push_without(known->second <= least_ ? same_changed() : nearest_alone());
      return true;
    }
    if (const auto part = reducible_part(until)) {
      push_without(*part);
      return true;
    }
  }
  return false;
}

void Exact::tell(bool good, bool reducible, double reach) {
  asking_ = false;
  reach_ = std::min(reach_, reach);
  if (!good) return split_by_leaves();
  const double distance = space_.distance(nearest_.data());
  if (wants(Settings::Proves::minimal)) {
    push_without(nearest_alone());
    judged_.push_back(nearest_);
    if (comes_first(judged_.back().data(), judged_.front().data())) std::swap(judged_.front(), judged_.back());
    return;
  }
  const bool sets = wants(Settings::Proves::sets);
  if (sets && !reducible) found_[changed()] = distance;
  // With an ℓ∞ term another candidate of the box may be nearer.
  if (distance > least_ || (sets && reducible)) push_without(nearest_alone());
  else if (sets) push_without(same_changed());
}

// The first of the judged is the next way once nothing that waits can come before it.
bool Exact::accept() {
  if (judged_.empty() || ways_.size() >= settings_.ways) return false;
  const double distance = about(space_.distance(judged_.front().data()));
  const bool nothing_as_near = queue_.empty() || about(queue_.top().distance) > distance;
  if (!nothing_as_near && (ties_ < settings_.most_ties || about(queue_.top().distance) < distance)) return false;
  ways_.push_back(judged_.front());
  ties_ = 0;
  for (const Later& later : std::exchange(later_, {})) push(later.box, later.least, later.part);
  std::erase_if(judged_, [&](const std::vector<Row>& rows) { return left_out_by(rows.data(), ways_.back()); });
  const auto first = std::min_element(judged_.begin(), judged_.end(),
                                      [&](const auto& a, const auto& b) { return comes_first(a.data(), b.data()); });
  if (first != judged_.end()) std::swap(*first, judged_.front());
  return true;
}

// In the order (distance, number of changed groups, rows), distances up to rounding: sums of the same terms differ by
// how they are put into groups.
bool Exact::comes_first(const Row* a, const Row* b) const {
  const double left = about(space_.distance(a)), right = about(space_.distance(b));
  if (left != right) return left < right;
  const std::size_t width = space_.groups.size();
  const auto same_a = std::count(a, a + width, 0), same_b = std::count(b, b + width, 0);
  return same_a != same_b ? same_a > same_b : std::lexicographical_compare(a, a + width, b, b + width);
}

// Whether a candidate of the box may come before this one, which is as near.
bool Exact::may_come_first(const std::vector<Row>& than) const {
  if (about(least_) < about(space_.distance(than.data()))) return true;
  std::vector<Row> lowest(options_.width());
  for (std::size_t g = 0; g < lowest.size(); ++g) {
    const Options::OfGroup& group = options_[g];
    lowest[g] = std::numeric_limits<Row>::max();
    for (std::size_t i = 0; i < group.rows.size(); ++i)
      if (box_[group.first + i / 64] >> (i % 64) & 1) lowest[g] = std::min(lowest[g], group.rows[i]);
  }
  const auto zeros = std::count(lowest.begin(), lowest.end(), 0), same = std::count(than.begin(), than.end(), 0);
  return zeros != same ? zeros > same : lowest < than;
}

bool Exact::left_out_by(const Row* rows, const std::vector<Row>& way) const {
  return space_.left_out(rows, way.data());
}

// The box without what the way leaves out.
void Exact::push_eased(std::size_t way) {
  while (eased_.size() <= way) eased_.emplace_back(space_, options_, ways_[eased_.size()]);
  for (const auto& part : eased_[way].parts(box_)) push(part, least_);
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
// the forest, and its nearest was not good; but x may stand where it does not belong.
void Exact::split_by_leaves() {
  std::size_t chosen = reached_.leaves.size();
  for (std::size_t i = 0; i < reached_.leaves.size(); ++i)
    if (reached_.leaves[i].size() > 1 &&
        (chosen == reached_.leaves.size() || reached_.leaves[i].size() < reached_.leaves[chosen].size()))
      chosen = i;
  if (chosen == reached_.leaves.size()) {
    if (x_apart_) push_without(nearest_alone());
    return;
  }
  const auto factor = static_cast<std::int32_t>(chosen);
  for (std::int32_t leaf : reached_.leaves[chosen])
    push(factors_->part(box_.data(), chosen, leaf), least_, {met(), factor, leaf});
}

void Exact::split_by_rule(std::int32_t rule) {
  for (const auto& part : clauses_.split(rule, box_.data())) push(part, least_);
}

double Exact::lower() const {
  double open = asking_ ? least_ : std::numeric_limits<double>::infinity();
  if (!judged_.empty()) open = std::min(open, space_.distance(judged_.front().data()));
  return std::min({reach_, open, queue_.empty() ? reach_ : queue_.top().distance});
}

}  // namespace geco
