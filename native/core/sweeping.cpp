#include "core/sweeping.hpp"

#include <cmath>

namespace geco {
namespace {

constexpr double kClose = 1e-6;  // sums of a line are right up to rounding: what is this near to the decision is asked again

double since(Sweeping::Clock::time_point start) { return std::chrono::duration<double>(Sweeping::Clock::now() - start).count(); }

}  // namespace

Sweeping::Sweeping(Frontier& frontier, std::unique_ptr<Scorer> scorer, const Verdict& verdict, double seconds)
    : frontier_(frontier), scorer_(std::move(scorer)), verdict_(verdict), until_(seconds),
      x_outcome_(std::numeric_limits<double>::quiet_NaN()), x_number_(x_outcome_) {}

int Sweeping::run(int rounds, double seconds) noexcept {
  const Until pause(seconds);
  int done = 0;
  try {
    for (; done < rounds && !ended() && (done == 0 || !pause.over()); ++done) round();
  } catch (const OutOfTime&) {
    out_of_time_ = true;
  } catch (...) {
    error_ = std::current_exception();
  }
  return done;
}

bool Sweeping::ended() const {
  if (frontier_.converged() || out_of_time_) return true;
  return frontier_.rounds() > 0 && (std::isnan(x_number_) || (x_outcome_ > 0.5 && frontier_.x_obeys()));
}

void Sweeping::round() {
  const bool first = frontier_.rounds() == 0;
  if (!first) until_.look();
  const auto begun = Clock::now();
  const Round& asked = frontier_.ask();
  const auto scoring = Clock::now();
  laps_.expand += std::chrono::duration<double>(scoring - begun).count();
  score(asked, first ? Until() : until_);
  if (first) x_outcome_ = outcome_[0], x_number_ = number_[0];
  const auto telling = Clock::now();
  laps_.sweep += std::chrono::duration<double>(telling - scoring).count();
  const std::size_t points = outcome_.size() - asked.rows.size() - first;
  scored_ += points + asked.rows.size();
  auto told = [&](std::size_t from, std::size_t count) {
    return Told{{outcome_.data() + from, count}, {number_.data() + from, count}};
  };
  frontier_.tell(told(0, first), told(first, points), told(first + points, asked.rows.size()));
  laps_.select += since(telling);
}

void Sweeping::score(const Round& round, const Until& until) {
  const std::size_t width = frontier_.space().groups.size(), many = scorer_->outputs();
  std::vector<Row> points(frontier_.rounds() == 0 ? width : 0);  // x itself
  points.insert(points.end(), round.points.begin(), round.points.end());
  const std::size_t count = points.size() / width;
  outcome_.resize(count + round.rows.size());
  number_.resize(outcome_.size());
  verdict_(scorer_->points(points, count, until), many, outcome_.data(), number_.data());
  if (round.rows.empty()) return;
  verdict_(scorer_->lines({width, round.parents, round.groups, round.offsets, round.rows}, until), many, outcome_.data() + count, number_.data() + count);
  std::vector<std::size_t> close;
  points.clear();
  std::size_t line = 0;
  for (std::size_t i = 0; i < round.rows.size(); ++i) {
    if (!(std::abs(outcome_[count + i] - 0.5) < kClose)) continue;
    while (round.offsets[line + 1] <= static_cast<std::int64_t>(i)) ++line;
    close.push_back(count + i);
    points.insert(points.end(), round.parents.begin() + line * width, round.parents.begin() + (line + 1) * width);
    points[points.size() - width + round.groups[line]] = round.rows[i];
  }
  if (close.empty()) return;
  std::vector<double> outcome(close.size()), number(close.size());
  verdict_(scorer_->points(points, close.size(), until), many, outcome.data(), number.data());
  for (std::size_t i = 0; i < close.size(); ++i) outcome_[close[i]] = outcome[i], number_[close[i]] = number[i];
}

}  // namespace geco
