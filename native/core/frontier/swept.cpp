#include "core/frontier/swept.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/forest.hpp"
#include "core/line_distance.hpp"
#include "core/line_rules.hpp"

namespace geco {

Swept::Swept(Claims& claims, const FrontierSettings& settings, std::unique_ptr<Network::Crossings> crossings)
    : Expansion(claims, settings) {
  if (crossings) to_crossing_.emplace(claims.space(), std::move(crossings));
}

// Rounds look less and less far: what is known near x is made anew when it is about much more than is asked. While too
// few ways are known they look farther each time; then it is made once about all there is, unless that is dear.
void Swept::begin(const Sight& sight, Round& round) {
  constexpr std::size_t kTrees = 16;  // fewer are walked as quickly
  constexpr std::size_t kDear = 100'000;  // nodes
  constexpr double kLess = 0.4;
  if (!sight.forest || sight.forest->tree_count() < kTrees || !sight.forest->adds_up() || !whole_lines()) return;
  const bool known = sight.reach <= of_x_reach_, bounded = sight.bound < kInfinity;
  if (!known && !bounded && (sight.reach == kInfinity || sight.forest->node_count() > kDear)) return;
  if (!known || (bounded && sight.reach < kLess * of_x_reach_)) look_around_x(sight, bounded ? sight.reach : kInfinity);
  round.of_x = &of_x_;
  round.of_x_number = of_x_number_;
}

void Swept::look_around_x(const Sight& sight, double reach) {
  const Space& space = claims_.space();
  const std::vector<Row> x(space.groups.size());
  of_x_.clear();
  for (std::size_t g = 0; g < x.size(); ++g) {
    if (!space.groups[g].free) continue;
    const std::size_t limit = space.groups[g].nearer_than(reach);
    OutlinedLine line;
    of_x_.rows.push_back(0);
    if (const Outline* known = outline(sight.forest, g, limit)) line = {*known, limit, 0};
    else choose_rows(space.groups[g], limit, true, 0, 0, of_x_.rows);
    of_x_.end_line({}, x, static_cast<std::int32_t>(g), line);
  }
  of_x_reach_ = reach;
  ++of_x_number_;
}

bool Swept::expand(const Parent& parent, const Sight& sight, Round& round) {
  const Origin origin(claims_, parent.index);
  if (to_crossing_) to_crossing_->begin(origin);
  bool whole = true;
  const double shift = std::fmod(0.5 + FrontierSettings::kGolden * static_cast<double>(sight.round), 1.0);
  for (std::size_t g = 0; g < origin.rows.size(); ++g) {
    if (!origin.has_line(g)) continue;
    const Row now = origin.rows[g];
    OutlinedLine line;
    if (now != 0) round.rows.push_back(0);  // undo
    if (choose_to_crossing(origin, g, sight.reach, shift, round.rows)) {
      round.end_line(parent, origin.rows, static_cast<std::int32_t>(g));
      continue;
    }
    const std::size_t limit = origin.limit(g, sight.reach);
    if (const Outline* known = outline(sight.forest, g, limit)) line = list_few(parent, {*known, limit, now}, round);
    else whole = choose_rows(origin.space.groups[g], limit, origin.good, shift, now, round.rows) && whole;
    round.end_line(parent, origin.rows, static_cast<std::int32_t>(g), line);
  }
  return to_crossing_ && origin.good && whole;
}

bool Swept::choose_to_crossing(const Origin& parent, std::size_t g, double reach, double shift,
                               std::vector<Row>& rows) {
  if (!to_crossing_ || whole_lines()) return false;
  const auto spread = static_cast<std::size_t>(std::min(settings_.crossing_rows, settings_.rows_per_line));
  return to_crossing_->choose(parent, g, parent.left(g, reach), shift, spread, rows);
}

// Where it pays: of lines with few rows, listing them is as good.
const Outline* Swept::outline(const Forest* forest, std::size_t group, std::size_t limit) {
  constexpr std::size_t kFew = 32;
  if (!forest || !whole_lines() || limit <= kFew) return nullptr;
  outlines_.resize(claims_.space().groups.size());
  auto& [tried, known] = outlines_[group];
  if (!std::exchange(tried, true)) known = Outline::of(*forest, claims_.space(), group);
  return known.get();
}

std::int64_t Swept::step(const Parent& parent, std::int64_t length) const {
  return std::max<std::int64_t>(1, length / (parent.again ? settings_.second_look : settings_.plateau_rows));
}

// Those that are looked at whatever the model says of them; the undo is there.
OutlinedLine Swept::list_few(const Parent& parent, const OutlinedLine& line, Round& round) const {
  const std::int32_t length = line.length();
  const auto every = static_cast<std::int32_t>(step(parent, length));
  const std::size_t before = round.rows.size();
  for (std::int32_t place = every / 2; place < length; place += every)
    if (place > 0 || line.now == 0) round.rows.push_back(line.at(place));
  round.unlisted += length - (line.now != 0) - (round.rows.size() - before);
  return line;
}

// All rows within the limit but the present one, or as many as can be afforded, evenly spread. Where a counterfactual
// is brought nearer, half of them stand ever closer to it: what remains to be gained shrinks by the same share each
// time. True: these are all.
bool Swept::choose_rows(const Group& group, std::size_t limit, bool good, double shift, Row now,
                        std::vector<Row>& rows) {
  const std::size_t spared = settings_.rows_per_line > 0 ? settings_.rows_per_line : limit;
  const std::size_t many = good ? std::max<std::size_t>(spared, settings_.narrowing_rows) : spared;
  std::optional<Outwards> by_place = group.outwards();
  auto add = [&](std::size_t position) {
    const Row row = by_place ? by_place->at(position) : group.order()[position];
    if (row != now) rows.push_back(row);
  };
  if (limit <= many) {
    for (std::size_t position = 0; position < limit; ++position) add(position);
    return true;
  }
  positions_.clear();
  evenly_spaced(limit, static_cast<int>(good ? many - many / 2 : many), shift, positions_);
  if (good) {
    ever_closer(limit, static_cast<int>(many / 2), positions_);
    std::sort(positions_.begin(), positions_.end());
    positions_.erase(std::unique(positions_.begin(), positions_.end()), positions_.end());
  }
  for (std::size_t position : positions_) add(position);
  return false;
}

// One line of the round, with what the model said of it.
struct Swept::Line {
  const Round& round;
  Told told;
  const Parent& parent;
  std::int32_t group;
  std::size_t number;     // of the line
  std::int64_t from, to;  // positions in the round's rows
  double base, base_odds;  // the parent's outcome; the log-odds of it, where they are shown

  // Who is told of at this position.
  Row row(std::int64_t position) const {
    const auto listed = static_cast<std::int64_t>(round.rows.size());
    return position < listed ? round.rows[position] : told.turns->rows[position - listed];
  }
};

// What is found along the lines, one after the other.
struct Swept::Found {
  explicit Found(const Space& space) : rules(space), far(space) {}

  LineRules rules;
  LineDistance far;
  Archive::Line known;  // as the archive has it
  std::vector<Row> child;
  std::vector<std::int64_t> records, others;  // positions in what is told
  double record = -1, broken_record = -1;
  int broken = 0;
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
                    i,
                    round.offsets[i],
                    round.offsets[i + 1],
                    base,
                    parent.base ? log_odds(base) : 0};
    if (parent.base && (bases_.empty() || bases_.back().parent != parent.index))
      bases_.push_back({parent.index, shown_.size()});
    found.child.assign(round.parents.begin() + i * width, round.parents.begin() + (i + 1) * width);
    found.rules.begin(found.child.data(), line.group);
    found.far.begin(found.child.data(), line.group);
    found.known = claims_.archive().line(found.child.data(), line.group);
    look_along(line, bound, found);
    keep(line, bound, found);
  }
  return std::move(found.repaired);
}

// From near to far: the undo, rows that set a new record of outcome up to the first counterfactual, and a few others:
// on a plateau, where no outcome improves step by step, they are all there is to go on from. Of the rows that break a
// rule across groups the first few records are repaired and asked about in the next round.
void Swept::look_along(const Line& line, double bound, Found& found) {
  found.records.clear(), found.others.clear();
  found.record = found.broken_record = found.child[line.group] == 0 ? line.base : -1;
  found.broken = 0;
  const OutlinedLine& whole = line.round.outlined[line.number];
  if (!whole.listed()) return look_along(line, whole, bound, found);
  const std::int64_t every = step(line.parent, line.to - line.from);
  std::int64_t next = line.from + every / 2;  // of those that are looked at in any case
  for (std::int64_t i = line.from; i < line.to; ++i) {
    const bool other = i == next;
    if (other) next += every;
    if (look_at(line, i, other, bound, found)) return;
  }
}

// The same where all but the listed rows and the turns are known to set no record.
void Swept::look_along(const Line& line, const OutlinedLine& whole, double bound, Found& found) {
  const Turns& turns = *line.told.turns;
  const auto first_turn = static_cast<std::int64_t>(line.round.rows.size());
  const std::int64_t every = step(line.parent, whole.length()), last = turns.offsets[line.number + 1];
  std::int64_t listed = line.from, turn = turns.offsets[line.number], place = every / 2;
  if (whole.now != 0) {
    if (look_at(line, listed++, true, bound, found)) return;
    if (place == 0) place += every;
  }
  while (listed < line.to || turn < last) {
    const bool other = listed < line.to && (turn == last || place <= turns.places[turn]);
    if (!other) {
      if (look_at(line, first_turn + turn++, false, bound, found)) return;
      continue;
    }
    if (turn < last && place == turns.places[turn]) ++turn;
    if (look_at(line, listed++, true, bound, found)) return;
    place += every;
  }
}

// True: this is the first counterfactual of the line.
bool Swept::look_at(const Line& line, std::int64_t position, bool other, double bound, Found& found) {
  auto& [rules, far, known, child, records, others, record, broken_record, broken, repaired] = found;
  const double o = line.told.outcome[position];
  const Row row = line.row(position);
  const bool sets_record = o > record;
  other = other || row == 0;
  if (std::isnan(o) || !(sets_record || other || (o > broken_record && broken < settings_.repaired_rows))) return false;
  child[line.group] = row;
  if (rules.broken(child.data())) {
    if (broken == settings_.repaired_rows || !(o > broken_record || other)) return false;
    broken_record = std::max(broken_record, o);
    ++broken;
    std::vector<Row> candidate = child;
    if (claims_.claim(candidate, bound, line.group))
      repaired.insert(repaired.end(), candidate.begin(), candidate.end());
    return false;
  }
  if (sets_record) records.push_back(position), record = o;
  else if (other) others.push_back(position);
  return o > 0.5 && row != 0;
}

// Along a smooth line every row sets a record: as many as tell its shape, the last among them.
void Swept::keep(const Line& line, double bound, Found& found) {
  const std::size_t n = found.records.size(), shape = std::min<std::size_t>(n, settings_.record_rows);
  for (std::size_t i = 0; i < shape; ++i)
    take(line, found.records[shape == 1 ? n - 1 : i * (n - 1) / (shape - 1)], bound, found);
  for (std::int64_t position : found.others) take(line, position, bound, found);
}

void Swept::take(const Line& line, std::int64_t position, double bound, Found& found) {
  const Row row = found.child[line.group] = line.row(position);
  const double outcome = line.told.outcome[position];
  const double distance = found.far.distance(row);
  if (distance < bound) claims_.keep(found.known, found.child.data(), distance, outcome, line.told.number[position]);
  if (line.parent.base) shown_.push_back({line.group, row, log_odds(outcome) - line.base_odds});
}

std::vector<Shown> Swept::shown(std::int64_t parent, double) const {
  const auto base = std::find_if(bases_.begin(), bases_.end(), [&](const Base& b) { return b.parent == parent; });
  if (base == bases_.end()) return {};
  const auto end = base + 1 == bases_.end() ? shown_.size() : (base + 1)->first;
  return {shown_.begin() + base->first, shown_.begin() + end};
}

}  // namespace geco
