#include "core/frontier/swept.hpp"

#include <algorithm>
#include <cmath>

#include "core/line_rules.hpp"

namespace geco {

bool Swept::expand(const Parent& parent, const Sight& sight, Round& round) {
  const Origin origin(claims_, parent.index);
  const double shift = std::fmod(0.5 + FrontierSettings::kGolden * static_cast<double>(sight.round), 1.0);
  for (std::size_t g = 0; g < origin.rows.size(); ++g) {
    if (!origin.has_line(g)) continue;
    const Row now = origin.rows[g];
    if (now != 0) round.rows.push_back(0);  // undo
    choose_rows(origin.space.groups[g], origin.limit(g, sight.reach), origin.good, shift, now, round.rows);
    round.end_line(parent, origin.rows, static_cast<std::int32_t>(g));
  }
  return false;
}

// All rows within the limit but the present one, or as many as can be afforded. A counterfactual is brought nearer row
// by row, with half of them for what lies farther back.
void Swept::choose_rows(const Group& group, std::size_t limit, bool good, double shift, Row now,
                        std::vector<Row>& rows) {
  const std::size_t many = settings_.rows_per_line > 0 ? settings_.rows_per_line : limit;
  const std::size_t near = limit <= many ? limit : good ? many / 2 : 0;
  const std::size_t far = limit - near, others = std::min(many - near, far);
  std::optional<Outwards> by_place = group.outwards();
  auto add = [&](std::size_t position) {
    const Row row = by_place ? by_place->at(position) : group.order()[position];
    if (row != now) rows.push_back(row);
  };
  positions_.clear();
  evenly_spaced(far, static_cast<int>(others), shift, positions_);
  for (std::size_t position : positions_) add(position);
  for (std::size_t position = far; position < limit; ++position) add(position);
}

// One line of the round, with what the model said of it.
struct Swept::Line {
  const Round& round;
  Told told;
  const Parent& parent;
  std::int32_t group;
  std::int64_t from, to;  // positions in the round's rows
  double base, base_odds;  // the parent's outcome; the log-odds of it, where they are shown
};

// What is found along the lines, one after the other.
struct Swept::Found {
  explicit Found(const Space& space) : rules(space) {}

  LineRules rules;
  std::vector<Row> child;
  std::vector<std::int64_t> records, others;  // positions in the round's rows
  std::vector<Row> repaired;                  // to be asked in the next round
};

std::vector<Row> Swept::tell(const Round& round, Told told, double bound) {
  shown_.clear(), bases_.clear();
  const std::size_t width = claims_.space().groups.size();
  Found found(claims_.space());
  for (std::size_t i = 0; i < round.groups.size(); ++i) {
    const Parent& parent = round.line_of[i];
    const double base = claims_.archive().outcome(parent.index);
    const Line line{round,
                    told,
                    parent,
                    round.groups[i],
                    round.offsets[i],
                    round.offsets[i + 1],
                    base,
                    parent.base ? log_odds(base) : 0};
    if (parent.base && (bases_.empty() || bases_.back().parent != parent.index))
      bases_.push_back({parent.index, shown_.size()});
    found.child.assign(round.parents.begin() + i * width, round.parents.begin() + (i + 1) * width);
    found.rules.begin(found.child.data(), line.group);
    look_along(line, bound, found);
    keep(line, bound, found);
  }
  return std::move(found.repaired);
}

// From near to far: the undo, rows that set a new record of outcome up to the first counterfactual, and a few others:
// on a plateau, where no outcome improves step by step, they are all there is to go on from. Of the rows that break a
// rule across groups the first few records are repaired and asked about in the next round.
void Swept::look_along(const Line& line, double bound, Found& found) {
  auto& [rules, child, records, others, repaired] = found;
  records.clear(), others.clear();
  double record = child[line.group] == 0 ? line.base : -1, broken_record = record;
  int broken = 0;
  const int evenly = line.parent.again ? settings_.second_look : settings_.plateau_rows;
  const std::int64_t step = std::max<std::int64_t>(1, (line.to - line.from) / evenly);
  for (std::int64_t i = line.from; i < line.to; ++i) {
    const double o = line.told.outcome[i];
    const Row row = line.round.rows[i];
    const bool sets_record = o > record, other = row == 0 || (i - line.from) % step == step / 2;
    if (std::isnan(o) || !(sets_record || other || (o > broken_record && broken < settings_.repaired_rows))) continue;
    child[line.group] = row;
    if (rules.broken(child.data())) {
      if (broken == settings_.repaired_rows || !(o > broken_record || other)) continue;
      broken_record = std::max(broken_record, o);
      ++broken;
      std::vector<Row> candidate = child;
      if (claims_.claim(candidate, bound, line.group))
        repaired.insert(repaired.end(), candidate.begin(), candidate.end());
      continue;
    }
    if (sets_record) records.push_back(i), record = o;
    else if (other) others.push_back(i);
    if (o > 0.5 && row != 0) break;
  }
}

// Along a smooth line every row sets a record: as many as tell its shape, the last among them.
void Swept::keep(const Line& line, double bound, Found& found) {
  const std::size_t n = found.records.size(), shape = std::min<std::size_t>(n, settings_.record_rows);
  for (std::size_t i = 0; i < shape; ++i)
    take(line, found.records[shape == 1 ? n - 1 : i * (n - 1) / (shape - 1)], bound, found);
  for (std::int64_t position : found.others) take(line, position, bound, found);
}

void Swept::take(const Line& line, std::int64_t position, double bound, Found& found) {
  const Row row = found.child[line.group] = line.round.rows[position];
  const double outcome = line.told.outcome[position];
  const double distance = claims_.space().distance(found.child.data());
  if (distance < bound) claims_.keep(found.child.data(), distance, outcome, line.told.number[position]);
  if (line.parent.base) shown_.push_back({line.group, row, log_odds(outcome) - line.base_odds});
}

std::vector<Shown> Swept::shown(std::int64_t parent, double) const {
  const auto base = std::find_if(bases_.begin(), bases_.end(), [&](const Base& b) { return b.parent == parent; });
  if (base == bases_.end()) return {};
  const auto end = base + 1 == bases_.end() ? shown_.size() : (base + 1)->first;
  return {shown_.begin() + base->first, shown_.begin() + end};
}

}  // namespace geco
