#include "core/around/around.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/around/round.hpp"

namespace geco {
namespace {

constexpr double kFarther = 1.1;  // a rounder value is at most a tenth farther from x

}  // namespace

Around::Around(LineMaker maker, std::vector<Row> answers, bool round, bool ranges)
    : maker_(std::move(maker)), space_(maker_.space()), found_(std::move(answers)), answers_(found_), ranges_(ranges),
      by_answer_(answers_.size() / width()) {
  if (!round && !ranges) return;
  std::vector<Line> lines;
  for (std::size_t a = 0; a < by_answer_.size(); ++a)
    maker_.add_lines(static_cast<std::int32_t>(a), &answers_[a * width()], lines);
  walks_.reserve(lines.size());
  for (Line& line : lines) {
    by_answer_[line.answer].walks.push_back(walks_.size());
    begun_at_.push_back(line.chosen);
    walks_.emplace_back(maker_, std::move(line));
  }
  for (std::size_t a = 0; round && a < by_answer_.size(); ++a) by_answer_[a].rounding = roundable(a);
}

// Quantities alone in their group that no rule forced and that have a rounder value near; the first one last.
std::vector<std::size_t> Around::roundable(std::size_t answer) {
  std::vector<std::size_t> found;
  const Row* rows = &answers_[answer * width()];
  std::vector<std::int32_t> required;
  for (std::size_t w : by_answer_[answer].walks) {
    const Line& line = walks_[w].line();
    if (line.nature != kQuantity || space_.groups[line.group].features != 1) continue;
    if (rounder(line, window_end(line)) == line.chosen) continue;
    if (required.empty()) required = space_.required(rows);
    const auto at = std::count_if(rows, rows + line.group, [](Row r) { return r != 0; });
    if (required[at] == Space::kNoneBroken) found.push_back(w);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

// The last position on the way from x past the chosen one that is not too far for a rounder value.
std::int64_t Around::window_end(const Line& line) const {
  const double x = maker_.x_number(line), chosen = maker_.number(line, line.chosen);
  const double limit = x + kFarther * (chosen - x);
  if (std::isnan(limit) || x == chosen) return line.chosen;
  std::int64_t inside = line.chosen, outside = chosen > x ? line.size() : -1;
  while (std::abs(outside - inside) > 1) {
    const std::int64_t middle = (inside + outside) / 2;
    const double number = maker_.number(line, middle);
    (chosen > x ? number <= limit : number >= limit) ? inside = middle : outside = middle;
  }
  return inside;
}

std::int64_t Around::rounder(const Line& line, std::int64_t end) const {
  if (end == line.chosen) return end;
  return roundest([&](std::int64_t at) { return maker_.number(line, at); }, line.chosen, std::min(end, line.chosen),
                  std::max(end, line.chosen));
}

AskedLines Around::ask() {
  AskedLines asked;
  asked_.clear();
  ask_all(asked);
  if (asked.rows.empty() && keep_apart(answers_)) ask_all(asked);
  offsets_ = asked.offsets;
  return asked;
}

void Around::ask_all(AskedLines& asked) {
  bool waiting = true;
  while (waiting && asked.rows.empty()) {  // a line may end for its rules, without a question
    waiting = false;
    for (Answer& answer : by_answer_) {
      settle(answer);
      waiting = ask_about(answer, asked) || waiting;
    }
  }
}

// Answers that contain a nearer one of these, and did not before they were rounded, stay as they were found; were there
// any?
bool Around::keep_apart(const std::vector<Row>& others) {
  if (std::exchange(apart_, true) || answers_ == found_) return false;
  bool any = false;
  std::vector<Row> final = others;
  for (std::size_t a = 0; a < by_answer_.size(); ++a) {
    if (!contains_another(a, final)) continue;
    unround(a);
    std::copy_n(&found_[a * width()], width(), &final[a * width()]);
    any = true;
  }
  return any;
}

bool Around::contains_another(std::size_t answer, const std::vector<Row>& others) const {
  const Row *shown = &answers_[answer * width()], *found = &found_[answer * width()];
  if (std::equal(shown, shown + width(), found)) return false;
  for (std::size_t nearer = 0; nearer < answer; ++nearer) {
    const std::size_t at = nearer * width();
    if (space_.left_out(shown, &others[at]) && !space_.left_out(found, &found_[at])) return true;
  }
  return false;
}

// As it was found, with nothing known around it.
void Around::unround(std::size_t answer) {
  std::copy_n(&found_[answer * width()], width(), &answers_[answer * width()]);
  by_answer_[answer].rounding.clear();
  for (std::size_t w : by_answer_[answer].walks) walks_[w].begin(begun_at_[w]);
}

// Rounds what enough is known of.
void Around::settle(Answer& answer) {
  while (!answer.rounding.empty()) {
    const std::size_t w = answer.rounding.back();
    const Walk& walk = walks_[w];
    const Line& line = walk.line();
    const std::int64_t end = window_end(line);
    if (!walk.reaches(end)) return;
    answer.rounding.pop_back();
    const std::int64_t best = rounder(line, std::clamp(end, walk.low(), walk.high()));
    if (best != line.chosen) move(answer, w, best);
  }
}

void Around::move(const Answer& answer, std::size_t moved, std::int64_t position) {
  Walk& walk = walks_[moved];
  rows_of(walk)[walk.line().group] = walk.line().row(position);
  walk.choose(position);
  for (std::size_t w : answer.walks)
    if (w != moved) walks_[w].begin(walks_[w].line().chosen);
}

// Is anything left to know about it?
bool Around::ask_about(const Answer& answer, AskedLines& asked) {
  bool waiting = false;
  if (!answer.rounding.empty() && !(ranges_ && answer.walks.size() == 1)) {
    Walk& walk = walks_[answer.rounding.back()];
    walk.ask_to(window_end(walk.line()), rows_of(walk), asked.rows);
    end_line(answer.rounding.back(), asked);
    return true;
  }
  for (std::size_t w : answer.walks) {
    Walk& walk = walks_[w];
    if (!ranges_ || walk.ended()) continue;
    walk.ask(rows_of(walk), asked.rows);
    end_line(w, asked);
    waiting = true;
  }
  return waiting;
}

// The rows added since the last line, if there are any, are one of this walk.
void Around::end_line(std::size_t w, AskedLines& asked) {
  if (static_cast<std::int64_t>(asked.rows.size()) == asked.offsets.back()) return;
  const Row* rows = rows_of(walks_[w]);
  asked.parents.insert(asked.parents.end(), rows, rows + width());
  asked.groups.push_back(walks_[w].line().group);
  asked.offsets.push_back(static_cast<std::int64_t>(asked.rows.size()));
  asked_.push_back(w);
}

void Around::sweep(const Scoring& scoring, const Until& until) {
  Scores scores;
  for (AskedLines asked = ask(); !asked.rows.empty(); asked = ask()) {
    scoring({}, {width(), asked.parents, asked.groups, asked.offsets, asked.rows}, until, scores);
    tell(scores.outcome);
  }
}

void Around::tell(std::span<const double> outcome) {
  for (std::size_t i = 0; i < asked_.size(); ++i)
    walks_[asked_[i]].tell(outcome.subspan(offsets_[i], offsets_[i + 1] - offsets_[i]));
}

void Around::round_on_trial() {
  const std::vector<Row> before = answers_;
  for (std::size_t a = 0; a < by_answer_.size(); ++a) {
    for (std::size_t w : by_answer_[a].rounding) {
      const Line& line = walks_[w].line();
      Row* rows = rows_of(walks_[w]);
      const std::int64_t far = window_end(line), step = far < line.chosen ? -1 : 1;
      std::int64_t end = line.chosen;
      while (end != far && maker_.keeps(line.group, line.row(end + step), rows)) end += step;
      rows[line.group] = line.row(rounder(line, end));
    }
    Row* rows = &answers_[a * width()];
    if (space_.first_broken(rows) != Space::kNoneBroken) std::copy_n(&before[a * width()], width(), rows);
    by_answer_[a].rounding.clear();
  }
  keep_apart(before);  // for the model may not agree
}

const std::vector<Row>& Around::answers() {
  keep_apart(answers_);  // where there was no time for all questions
  return answers_;
}

std::vector<Row> Around::tries(std::int64_t each) {
  std::vector<Row> points;
  offsets_.assign(1, 0);
  for (Walk& walk : walks_) {
    Row* rows = rows_of(walk);
    for (std::int64_t at : walk.tries(each, rows)) {
      points.insert(points.end(), rows, rows + width());
      points[points.size() - width() + walk.line().group] = walk.line().row(at);
    }
    offsets_.push_back(static_cast<std::int64_t>(points.size() / width()));
  }
  return points;
}

void Around::tell_tries(std::span<const std::uint8_t> good) {
  for (std::size_t w = 0; w < walks_.size(); ++w)
    walks_[w].tell_tries(good.subspan(offsets_[w], offsets_[w + 1] - offsets_[w]));
}

std::vector<Range> Around::ranges() {
  std::vector<Range> found;
  for (const Walk& walk : walks_) found.push_back(walk.range(rows_of(walk)));
  return found;
}

}  // namespace geco
