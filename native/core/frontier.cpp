#include "core/frontier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace geco {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kEndGame = 2, kEndGameOfSweptLines = 5;  // rounds beyond the last that only settle what was found

}  // namespace

Frontier::Frontier(const Space& space, Archive& archive, FrontierSettings settings)
    : space_(space), archive_(archive), settings_(settings), counts_(space), bound_(kInfinity), reach_(kInfinity), told_bound_(kInfinity) {}

const Round& Frontier::ask() {
  last_.clear();
  if (settings_.possible) next(last_);
  shown_.clear();
  if (!settings_.possible || complete_) {
    converged_ = true;
    stopped_by_ = settings_.possible && bound_ < kInfinity ? Stopped::converged : Stopped::exhausted;
  }
  return last_;
}

void Frontier::next(Round& round) {
  if (round_ == 0) {
    const std::int64_t start = archive_.insert(space_.start.data()).first;
    const bool is_x = std::all_of(space_.start.begin(), space_.start.end(), [](Row r) { return r == 0; });
    if (!is_x) round.points.insert(round.points.end(), space_.start.begin(), space_.start.end());
    expand(start, settings_.first_rows, round);
    last_parents_ = {start};
    ++round_;
    return;
  }
  const auto k = static_cast<std::size_t>(settings_.k);
  Ways ways = archive_.ways(2 * k + 4, 2 * k + 4);
  // A way that is not settled yet counts: if it can be reduced, something nearer takes its place.
  bound_ = ways.found.size() < k ? kInfinity : archive_.distance(ways.found[k - 1]);
  nearest_ = ways.found.empty() ? kInfinity : archive_.distance(ways.found.front());
  // Too few ways yet: look first where the others are, and twice as far in every further round.
  reach_ = bound_ < kInfinity || ways.found.empty() ? bound_ : stretch_ * archive_.distance(ways.found.back());
  if (reach_ != bound_) stretch_ *= 2;
  const std::size_t width = space_.groups.size();
  for (std::size_t i = 0; i < ways.pending.size(); i += width)
    if (archive_.insert(ways.pending.data() + i).second)
      round.points.insert(round.points.end(), ways.pending.begin() + i, ways.pending.begin() + i + width);
  round.points.insert(round.points.end(), repaired_.begin(), repaired_.end());
  repaired_.clear();
  if (only_undos_) {
    complete_ = round.points.empty();
    return;
  }
  if (round_ == 1 && !swept()) remember_root();
  combine_effects(round);
  if (round_ > 1 && ways.found.empty()) jump(round);
  if (!ways.found.empty()) trade(ways.found.front(), round);
  do {
    last_parents_ = choose_parents();
    for (std::int64_t parent : last_parents_) expand(parent, settings_.rows_per_line, round);
  } while (!last_parents_.empty() && round.points.empty() && round.rows.empty());
  complete_ = round.points.empty() && round.rows.empty();
  ++round_;
}

void Frontier::tell(Told x, Told points, Told lines) {
  if (told_ == 0 && settings_.x_obeys) score(x, std::vector<Row>(space_.groups.size()));
  score(points, last_.points);
  if (swept()) keep_of_lines(lines);
  else score_lines(lines);
  last_.clear();
  line_of_.clear();
  again_.clear();
  ++told_;
  maybe_stop();
}

void Frontier::score(Told told, const std::vector<Row>& points) {
  for (std::size_t i = 0; i < told.outcome.size(); ++i)
    if (!std::isnan(told.outcome[i]))
      archive_.score(archive_.insert(points.data() + i * space_.groups.size()).first, told.outcome[i], told.number[i]);
}

void Frontier::score_lines(Told told) {
  const std::size_t width = space_.groups.size();
  for (std::size_t line = 0; line < last_.groups.size(); ++line) {
    std::vector<Row> child(last_.parents.begin() + line * width, last_.parents.begin() + (line + 1) * width);
    for (std::int64_t i = last_.offsets[line]; i < last_.offsets[line + 1]; ++i) {
      child[last_.groups[line]] = last_.rows[i];
      score({told.outcome.subspan(i, 1), told.number.subspan(i, 1)}, child);
    }
  }
}

void Frontier::maybe_stop() {
  const bool same = bound_ == told_bound_ && nearest_ == told_nearest_;
  unchanged_ = same && bound_ < kInfinity ? unchanged_ + 1 : 0;
  told_bound_ = bound_;
  told_nearest_ = nearest_;
  const bool stalled = unchanged_ >= settings_.stalled;
  if (converged_ || (told_ < settings_.max_rounds && !stalled)) return;
  const Ways ways = archive_.ways(settings_.k, settings_.k);
  const auto settled = std::count(ways.settled.begin(), ways.settled.end(), 1);
  const int end_game = swept() ? kEndGameOfSweptLines : kEndGame;
  const bool ending = settled > 0 && told_ >= settings_.max_rounds + end_game;
  // What was found in the last round of all still has its undos to be asked.
  const int most = settings_.patience + (ways.found.empty() ? 0 : end_game);
  if ((!ways.found.empty() && settled == static_cast<std::ptrdiff_t>(ways.found.size())) || ending || told_ >= most) {
    converged_ = true;
    stopped_by_ = stalled ? Stopped::converged : Stopped::budget;
  } else if (!ways.found.empty()) {
    only_undos_ = true;  // finish what was begun: no answer is left untested
  }
}

}  // namespace geco
