#include "core/sweeping.hpp"

namespace geco {

int Sweeping::run(int rounds, double seconds) noexcept {
  const Until pause(seconds);
  int done = 0;
  bool over = false;
  try {
    for (; done < rounds && !(over = ended()) && (done == 0 || !pause.over()); ++done) round();
    if (over) make_ready();
  } catch (const OutOfTime&) {
    standing_.give_up();
  } catch (...) {
    error_ = std::current_exception();
  }
  return done;
}

void Sweeping::make_ready() {
  if (wanted_ && !standing_.unknowable() && !standing_.already_good())
    prepared_ = prepare(*wanted_, scoring_, Until(standing_.seconds()));
  wanted_.reset();
  // Freed here, for Python would hold its lock meanwhile.
  scoring_.model().forget();
  points_ = {}, scores_ = {};
}

std::unique_ptr<Prepared> Sweeping::prepared() {
  make_ready();
  return std::move(prepared_);
}

bool Sweeping::ended() { return frontier_.converged() || standing_.over() || standing_.late(); }

void Sweeping::round() {
  const bool first = standing_.first();
  const auto asking = Steady::now();
  double& asked_for = frontier_.proving() ? laps_.prove : laps_.expand;
  const Round& asked = frontier_.ask(scoring_.model().forest());
  const auto scoring = Steady::now();
  asked_for += std::chrono::duration<double>(scoring - asking).count();
  const std::size_t width = scoring_.model().width();
  points_.assign(first ? width : 0, 0);  // x itself
  points_.insert(points_.end(), asked.points.begin(), asked.points.end());
  const LinesOfX of_x{asked.of_x ? asked.of_x_number : 0, asked.of_x ? asked.of_x->lines(width) : LinesView{}};
  LinesView lines = asked.lines(width);
  if (asked.of_x) lines.of_x = &of_x;
  scoring_(points_, lines, Until(standing_.seconds()), scores_);
  if (first) standing_.tell_x(scores_.outcome[0], scores_.number[0]);
  const auto telling = Steady::now();
  laps_.sweep += std::chrono::duration<double>(telling - scoring).count();
  const std::size_t points = asked.points.size() / width, known = scores_.outcome.size() - first - points;
  scored_ += points + asked.rows.size() + asked.unlisted;
  auto told = [&](std::size_t from, std::size_t count) {
    return Told{{scores_.outcome.data() + from, count}, {scores_.number.data() + from, count}, &scores_.turns};
  };
  frontier_.tell(told(0, first), told(first, points), told(first + points, known));
  laps_.select += since(telling);
}

}  // namespace geco
