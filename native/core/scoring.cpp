#include "core/scoring.hpp"

#include <algorithm>
#include <cmath>

namespace geco {
namespace {

constexpr double kClose = 1e-6;

}  // namespace

void Scoring::operator()(std::span<const Row> points, const LinesView& lines, const Until& until,
                         Scores& scores) const {
  const std::size_t many = model_->outputs(), width = model_->width(), count = points.size() / width;
  auto& [outcome, number, turns] = scores;
  const std::size_t listed = count + lines.rows.size();
  turns.clear();
  outcome.resize(listed);
  number.resize(listed);
  verdict_(model_->points(points, count, until), many, outcome.data(), number.data());
  if (lines.rows.empty()) return;
  verdict_(model_->lines(lines, until, turns), many, outcome.data() + count, number.data() + count);
  outcome.resize(listed + turns.rows.size());
  number.resize(outcome.size());
  verdict_(turns.sums, many, outcome.data() + listed, number.data() + listed);
  std::vector<std::int64_t> again = unsure({outcome.data() + count, outcome.size() - count}, false);
  if (verdict_.judge.kind == Judge::interval)
    for (std::size_t i = count; i < number.size(); ++i)
      if (outcome[i] > 0.5 && verdict_.judge.at_an_end(number[i]))
        again.push_back(static_cast<std::int64_t>(i - count));
  if (again.empty()) return;
  std::vector<Row> rows;
  const auto first_turn = static_cast<std::int64_t>(lines.rows.size());
  for (std::int64_t i : again) {
    const bool turn = i >= first_turn;
    const std::span<const std::int64_t> offsets = turn ? turns.offsets : lines.offsets;
    const std::int64_t at = turn ? i - first_turn : i;
    const std::size_t line = std::upper_bound(offsets.begin(), offsets.end(), at) - offsets.begin() - 1;
    rows.insert(rows.end(), lines.parent(line), lines.parent(line) + width);
    rows[rows.size() - width + lines.groups[line]] = turn ? turns.rows[at] : lines.rows[at];
  }
  std::vector<double> exact(again.size()), exact_number(again.size());
  verdict_(model_->points(rows, again.size(), until), many, exact.data(), exact_number.data());
  for (std::size_t i = 0; i < again.size(); ++i) {
    outcome[count + again[i]] = exact[i];
    number[count + again[i]] = exact_number[i];
  }
}

std::pair<Row, Row> Scoring::surely_good(Along& along, Row row) const {
  return along.stretch(row, [&](double sum) { return verdict_(sum) > 0.5 + kClose; });
}

std::vector<std::int64_t> unsure(std::span<const double> outcome, bool jumps) {
  std::vector<std::int64_t> positions;
  for (std::size_t i = 0; i < outcome.size(); ++i)
    if (jumps ? outcome[i] > 0.5 - kClose : std::abs(outcome[i] - 0.5) < kClose)
      positions.push_back(static_cast<std::int64_t>(i));
  return positions;
}

}  // namespace geco
