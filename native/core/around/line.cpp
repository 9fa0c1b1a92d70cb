#include "core/around/line.hpp"

#include <algorithm>
#include <cmath>

#include "core/seen.hpp"

namespace geco {
namespace {

// How many of these rows, which rise, come before this one. Where none is left out, that is no search.
std::int64_t before(const std::vector<Row>& rows, Row row) {
  const auto size = static_cast<std::int64_t>(rows.size());
  if (rows.back() - rows.front() + 1 == size) return std::clamp<std::int64_t>(row - rows.front(), 0, size);
  return std::lower_bound(rows.begin(), rows.end(), row) - rows.begin();
}

}  // namespace

LineMaker::LineMaker(const Deployment& deployment, const Space& space, std::vector<double> x,
                     std::vector<std::uint8_t> natures, const Scoring* scoring)
    : deployment_(deployment), space_(space), x_(std::move(x)), natures_(std::move(natures)), scoring_(scoring),
      forest_(scoring ? scoring->model().forest() : nullptr), cuts_(space.groups.size()), offered_(space.groups.size()),
      rules_of_(space.groups.size()) {
  for (std::size_t r = 0; r < space.rules.size(); ++r)
    for (std::size_t g = 0; g < rules_of_.size(); ++g) {
      const Rule& rule = space.rules[r];
      const auto group = static_cast<std::int32_t>(g);
      auto speaks = [&](const Predicate& p) { return p.mentions(group); };
      if (speaks(rule.consequent) || std::any_of(rule.antecedents.begin(), rule.antecedents.end(), speaks))
        rules_of_[g].push_back(static_cast<std::int32_t>(r));
    }
}

void LineMaker::add_lines(std::int32_t answer, const Row* rows, std::vector<Line>& lines) {
  for (std::int32_t g = 0; g < space_.width(); ++g) {
    if (rows[g] == 0) continue;
    const TableForm& table = deployment_.table(g);
    const auto add = [&](std::int32_t feature) {
      Line made = line(answer, g, feature, rows[g]);
      if (made.chosen < made.size() && made.row(made.chosen) == rows[g]) lines.push_back(std::move(made));
    };
    if (table.onehot_weight) {
      add(Line::kOnehot);
      continue;
    }
    for (std::size_t f = 0; f < table.features.size(); ++f)
      if (!std::isnan(table.features[f].numbers[rows[g]]) && !like_x(table, f, rows[g]))
        add(static_cast<std::int32_t>(f));
  }
}

double LineMaker::number(const Line& line, std::int64_t position) const {
  return deployment_.table(line.group).features[line.feature].numbers[line.row(position)];
}

double LineMaker::x_number(const Line& line) const { return x_[deployment_.table(line.group).first + line.feature]; }

bool LineMaker::keeps(std::int32_t group, Row row, Row* rows) const {
  if (!space_.groups[group].allowed[row]) return false;
  const Row before = rows[group];
  rows[group] = row;
  const auto holds = [&](std::int32_t r) { return space_.holds(space_.rules[r], rows); };
  const bool kept = std::all_of(rules_of_[group].begin(), rules_of_[group].end(), holds);
  rows[group] = before;
  return kept;
}

Line LineMaker::line(std::int32_t answer, std::int32_t group, std::int32_t feature, Row row) {
  const TableForm& table = deployment_.table(group);
  Line made;
  made.answer = answer, made.group = group, made.feature = feature;
  const bool all = feature == Line::kOnehot || table.features.size() == 1;
  made.rows = all ? offered(group) : same_but(group, feature, row);
  const auto begin = made.rows->begin(), end = made.rows->end();
  made.chosen = (all ? std::lower_bound(begin, end, row) : std::find(begin, end, row)) - begin;
  made.last = made.size() - 1;
  if (feature != Line::kOnehot) made.nature = static_cast<Nature>(natures_[table.first + feature]);
  if (made.nature != kCategory && made.chosen < made.size()) set_sides(made);
  return made;
}

// The rows of its table by number; in a group of one feature none where it is missing.
const LineMaker::Rows& LineMaker::offered(std::int32_t group) {
  Rows& known = offered_[group];
  if (known) return known;
  std::vector<Row> rows;
  const TableForm& table = deployment_.table(group);
  if (table.by_place && table.features[0].least_step == 0) {
    cuts_[group] = cuts(group);
    return known = deployment_.known_rows(group);
  }
  const bool gaps = table.features.size() == 1 && table.features[0].gaps;
  for (Row r = 1; r < static_cast<Row>(table.rows()); ++r)
    if ((space_.groups[group].allowed[r] || is_offered(group, r)) &&
        !(gaps && std::isnan(table.features[0].numbers[r])))
      rows.push_back(r);
  return known = std::make_shared<const std::vector<Row>>(std::move(rows));
}

std::vector<Row> LineMaker::cuts(std::int32_t group) const {
  const Group& of = space_.groups[group];
  const Seen seen(space_, group);
  if (!of.ruler() || (forest_ && forest_->runs(group).empty()) || !seen.numbers.empty()) return {};
  std::vector<Row> cuts = seen.edges();
  cuts.insert(cuts.end(), of.allowed.edges().begin(), of.allowed.edges().end());
  std::sort(cuts.begin(), cuts.end());
  if (!forest_) return cuts;
  const auto few = static_cast<std::ptrdiff_t>(cuts.size());
  cuts.insert(cuts.end(), forest_->runs(group).begin(), forest_->runs(group).end());
  std::inplace_merge(cuts.begin(), cuts.begin() + few, cuts.end());
  return cuts;
}

std::optional<Along> LineMaker::along(const Line& line, const Row* rows) const {
  if (!scoring_ || cuts_[line.group].empty()) return std::nullopt;
  return scoring_->model().along(rows, line.group);
}

Stretch LineMaker::alike(const Line& line, std::int64_t position) const {
  const std::vector<Row>& cuts = cuts_[line.group];
  if (cuts.empty()) return {position, position};
  const auto next = std::upper_bound(cuts.begin(), cuts.end(), line.row(position));
  const std::int64_t from = next == cuts.begin() ? 0 : before(*line.rows, *(next - 1));
  const std::int64_t to = next == cuts.end() ? line.size() : before(*line.rows, *next);
  return {std::max<std::int64_t>(line.first, from), std::min<std::int64_t>(line.last, to - 1)};
}

Stretch LineMaker::stretch(const Line& line, std::int64_t position, std::optional<Along>& along) const {
  if (forest_) return alike(line, position);
  if (!along) return {position, position};
  const auto [first, last] = scoring_->surely_good(*along, line.row(position));
  if (first == last) return {position, position};
  const auto [low, high] = alike(line, position);
  return {std::max(low, before(*line.rows, first)), std::min(high, before(*line.rows, last + 1) - 1)};
}

// Whether it is the rules, and nothing else, that may forbid it.
bool LineMaker::is_offered(std::int32_t group, Row row) const {
  const TableForm& table = deployment_.table(group);
  if (table.counts[row] < deployment_.norm().min_support) return false;
  for (std::size_t f = 0; f < table.features.size(); ++f) {
    const double number = table.features[f].numbers[row], x = x_[table.first + f];
    if (std::isnan(number) && !std::isnan(x) && !table.features[f].may_go_missing) return false;
    const double step = std::abs(number - x);
    if (step > 0 && step < table.features[f].least_step) return false;
  }
  return true;
}

// Those of a GROUP in which all other features stay.
LineMaker::Rows LineMaker::same_but(std::int32_t group, std::int32_t feature, Row row) {
  const TableForm& table = deployment_.table(group);
  const Numbers& numbers = table.features[feature].numbers;
  std::vector<Row> rows;
  for (Row r : *offered(group)) {
    bool stays = !std::isnan(numbers[r]);
    for (std::size_t f = 0; stays && f < table.features.size(); ++f)
      stays = static_cast<std::int32_t>(f) == feature || same(table, f, r, row);
    if (stays) rows.push_back(r);
  }
  std::stable_sort(rows.begin(), rows.end(), [&](Row a, Row b) { return numbers[a] < numbers[b]; });
  return std::make_shared<const std::vector<Row>>(std::move(rows));
}

bool LineMaker::same(const TableForm& table, std::size_t feature, Row a, Row b) const {
  const Numbers& numbers = table.features[feature].numbers;
  if (std::isnan(numbers[a]) || std::isnan(numbers[b])) return std::isnan(numbers[a]) && std::isnan(numbers[b]);
  if (numbers[a] != numbers[b]) return false;
  return std::all_of(table.exact.begin(), table.exact.end(), [&](const ExactForm& e) {
    return e.feature != static_cast<std::int32_t>(feature) || (e.high[a] == e.high[b] && e.low[a] == e.low[b]);
  });
}

bool LineMaker::like_x(const TableForm& table, std::size_t feature, Row row) const {
  if (table.features[feature].numbers[row] != x_[table.first + feature]) return false;
  for (std::size_t i = 0; i < table.exact.size(); ++i) {
    const ExactForm& e = table.exact[i];
    const double* of_x = &x_[table.first_exact + 2 * i];
    if (e.feature == static_cast<std::int32_t>(feature) && (e.high[row] != of_x[0] || e.low[row] != of_x[1]))
      return false;
  }
  return true;
}

void LineMaker::set_sides(Line& line) const {
  const double x = x_number(line), chosen = number(line, line.chosen);
  if (std::isnan(x) || x == chosen) return;  // equal where no double tells them apart
  const Numbers& numbers = deployment_.table(line.group).features[line.feature].numbers;
  const auto begin = line.rows->begin(), end = line.rows->end();
  if (chosen > x) line.first = std::partition_point(begin, end, [&](Row r) { return numbers[r] <= x; }) - begin;
  else line.last = std::partition_point(begin, end, [&](Row r) { return numbers[r] < x; }) - begin - 1;
}

}  // namespace geco
