#include "core/proofs.hpp"

#include <cmath>

namespace geco {
namespace {

constexpr double kPause = 0.1;  // seconds between two looks at whoever waits
constexpr double kBeyond =
    1 + 1e-9;  // times the distance of the last way: what is as near is looked at, however rounded

}  // namespace

Proofs::Proofs(const Space& space, Archive& archive, const Bounds& bounds, const Standing& standing, Settings settings)
    : space_(space), archive_(archive), bounds_(bounds), standing_(standing), settings_(settings) {}

bool Proofs::begin(std::size_t ways) {
  // Where the nearest could not be proved, more cannot either.
  if (none_left_ || (ways > 1 && (!settings_.several || proved_ == 0)) || boxes() >= settings_.boxes) return false;
  wanted_ = ways;
  begun_ = Steady::now();
  return true;
}

// The distance of the last way that is wanted, as far as it is known; one that may still turn out reducible is none.
double Proofs::reach() {
  const bool any = !minimal() && wanted_ == 1;  // the nearest of all is the nearest way
  const auto best = any ? archive_.nearest(1) : archive_.best(settings_.kind, wanted_);
  if (best.size() < wanted_) return kInfinity;
  const double distance = archive_.distance(best[wanted_ - 1]);
  // Of minimal ways that are equally near a certain one comes first.
  return minimal() ? std::nextafter(distance * kBeyond, kInfinity) : distance;
}

bool Proofs::look_within(double reach) {
  reach_ = reach;
  Exact::Settings settings;
  using Proves = Exact::Settings::Proves;
  settings.proves = minimal() ? Proves::minimal : wanted_ > 1 ? Proves::sets : Proves::nearest;
  settings.most_words = settings_.most_words;
  settings.ways = minimal() ? wanted_ : std::numeric_limits<std::size_t>::max();
  const auto known = minimal() ? archive_.best(settings_.kind, proved_) : std::vector<std::int64_t>();
  const std::int64_t boxes = this->boxes();
  exact_.reset();
  boxes_ = boxes;
  try {
    exact_.emplace(space_, bounds_, reach, settings, Until(seconds()));
  } catch (const OutOfTime&) {
    return false;
  }
  for (std::int64_t way : known) exact_->leave_out({archive_.rows(way), archive_.rows(way) + space_.groups.size()});
  return true;
}

bool Proofs::ask(Round& round) {
  if (!exact_ && !look_within(reach())) return false;
  if (!exact_->complete() && !over()) {
    std::vector<Row> rows(space_.groups.size());
    judging_ = exact_->ask(settings_.boxes - boxes(), rows.data(), Until(seconds()), Until(kPause));
    if (judging_) round.add_point(rows);
    if (judging_ && !minimal() && wanted_ > 1) add_undos(rows.data(), round);
    return true;
  }
  settle();
  if (ask_parts(round)) return true;
  if (exact_->complete() && farther()) return true;
  if (exact_) end();
  return false;
}

void Proofs::tell(Told points) {
  if (!judging_) return;
  judging_ = false;
  const bool reducible =
      std::any_of(points.outcome.begin() + 1, points.outcome.end(), [](double outcome) { return outcome > 0.5; });
  exact_->tell(points.outcome.front() > 0.5, reducible, reach());
}

// The candidate with each of its changes undone, where the rules allow that.
void Proofs::add_undos(const Row* rows, Round& round) const {
  std::vector<Row> undo(rows, rows + space_.groups.size());
  for (Row& row : undo) {
    if (row == 0) continue;
    const Row changed = std::exchange(row, 0);
    const bool any = std::any_of(undo.begin(), undo.end(), [](Row r) { return r != 0; });
    if (any && space_.first_broken(undo.data()) == Space::kNoneBroken) round.add_point(undo);
    row = changed;
  }
}

// Of a way that is proved no part is good: it would be nearer.
void Proofs::settle() {
  for (const std::vector<Row>& way : exact_->ways()) archive_.settle(archive_.find(way.data()));
}

// An answer is settled once all its parts are known.
bool Proofs::ask_parts(Round& round) {
  if (!settings_.several) return false;
  const Ways ways = archive_.ways({settings_.kind, wanted_ + 1, wanted_, wanted_});
  const std::size_t width = space_.groups.size();
  for (std::size_t i = 0; i < ways.pending.size(); i += width) {
    archive_.insert(ways.pending.data() + i);
    round.add_point({ways.pending.data() + i, width});
  }
  return !ways.pending.empty();
}

// Some were left out by what was proved meanwhile, and the last is farther than the proof looked.
bool Proofs::farther() {
  if (reach_ == kInfinity || (minimal() ? exact_->ways().size() >= wanted_ : reach() <= reach_)) return false;
  proved_ = std::max(proved_, exact_->ways().size());
  const double reach = this->reach();
  if (look_within(reach > reach_ ? reach : kInfinity)) return true;
  return false;
}

void Proofs::end() {
  const bool complete = exact_->complete();
  if (wanted_ == 1) lower_ = exact_->lower();
  if (minimal()) proved_ = std::max(proved_, exact_->ways().size());
  else if (complete)
    proved_ = wanted_ == 1 ? archive_.nearest(1).size() : archive_.best(settings_.kind, wanted_).size();
  none_left_ = complete && reach_ == kInfinity && proved_ < wanted_;
  full_ = exact_->full();
  boxes_ = boxes();
  spent_ += since(begun_);
  exact_.reset();
}

}  // namespace geco
