// The lines of one parent: which rows are asked about, and which are kept.
#include <algorithm>
#include <cmath>

#include "core/frontier.hpp"
#include "core/operators.hpp"

namespace geco {
namespace {

constexpr int kDrawn = 24;       // rows per line drawn by weight where the first round can ask about fewer
constexpr int kSecondLook = 64;  // rows per line
constexpr int kPlateau = 3;      // rows of a whole line kept though they set no record
constexpr int kRecords = 8;      // rows of a whole line kept because they set one
constexpr int kRepaired = 3;     // rows of a whole line repaired where a rule is broken
constexpr double kGolden = 0.6180339887498949;

// Up to m positions of 0..n-1, closer together near 0: near rows are cheap, and a tree's pockets near x are narrow.
void log_spaced(std::size_t n, int m, double shift, std::vector<std::size_t>& out) {
  if (n == 0 || m <= 0) return;
  const double top = std::log(static_cast<double>(n) + 0.999);
  for (int i = 0; i < m; ++i) {
    const double u = m == 1 ? shift : (i + shift) / m;
    out.push_back(std::min(n - 1, static_cast<std::size_t>(std::exp(u * top) - 1 + 1e-9)));
  }
}

// Up to m positions of 0..n-1, evenly spread.
void evenly_spaced(std::size_t n, int m, double shift, std::vector<std::size_t>& out) {
  for (int i = 0; i < m && n > 0; ++i) out.push_back(std::min(n - 1, static_cast<std::size_t>((i + shift) / m * static_cast<double>(n))));
}

// With few rows to ask about, those that occur often tell most: m of the rows drawn, evenly from near to far.
std::vector<Row> spread(const Group& group, std::vector<Row> drawn, int m) {
  auto cost = [&](Row row) { return group.additive[row] + group.largest[row]; };
  std::sort(drawn.begin(), drawn.end(), [&](Row a, Row b) { return cost(a) != cost(b) ? cost(a) < cost(b) : a < b; });
  std::vector<Row> out;
  const std::size_t n = drawn.size(), kept = std::min<std::size_t>(n, m);
  for (std::size_t i = 0; i < kept; ++i) out.push_back(drawn[(2 * i + 1) * n / (2 * kept)]);
  return out;
}

void push_unless(Row now, Row row, std::vector<Row>& rows) {
  if (row != now) rows.push_back(row);
}

}  // namespace

// Every row of every line within reach, or (of a model that tells all rows apart) as many as show its shape, rules across
// groups aside: `tell` keeps few of them.
void Frontier::sweep(std::int64_t index, Round& round) {
  expanded_.resize(archive_.size(), 0);
  const std::size_t width = space_.groups.size();
  const std::vector<Row> parent(archive_.rows(index), archive_.rows(index) + width);
  const double distance = archive_.distance(index);
  const bool good = archive_.outcome(index) > 0.5;
  const double shift = std::fmod(0.5 + kGolden * static_cast<double>(round_), 1.0);  // other rows in every round
  std::vector<std::size_t> places;
  for (std::size_t g = 0; g < width; ++g) {
    const Group& group = space_.groups[g];
    const Row now = parent[g];
    if (!group.free || (good && now == 0)) continue;
    double rest = 0;
    for (std::size_t h = 0; h < width; ++h)
      if (h != g && parent[h] != 0) rest += space_.groups[h].additive[parent[h]];
    const double most = (good ? distance : reach_) - rest;
    const std::size_t limit = std::lower_bound(group.cost.begin(), group.cost.end(), most) - group.cost.begin();
    const std::size_t before = round.rows.size();
    if (now != 0) round.rows.push_back(0);  // undo
    const std::size_t many = settings_.rows_per_line > 0 ? settings_.rows_per_line : limit;
    // A counterfactual is brought nearer row by row, with half of them for what lies farther back.
    const std::size_t near = limit <= many ? limit : good ? many / 2 : 0, far = limit - near, others = std::min(many - near, far);
    places.clear();
    evenly_spaced(far, static_cast<int>(others), shift, places);
    for (std::size_t place : places) push_unless(now, group.order[place], round.rows);
    for (std::size_t i = far; i < limit; ++i) push_unless(now, group.order[i], round.rows);
    if (round.rows.size() == before) continue;
    round.parents.insert(round.parents.end(), parent.begin(), parent.end());
    round.groups.push_back(static_cast<std::int32_t>(g));
    round.offsets.push_back(static_cast<std::int64_t>(round.rows.size()));
    line_of_.push_back(index);
    again_.push_back(expanded_[index] == 1);
  }
  ++expanded_[index];
}

// The room that keeping takes, line after line.
struct Frontier::Kept {
  std::vector<Row> child;
  std::vector<std::int64_t> records, others;  // places in the round's rows
};

void Frontier::keep_of_lines(Told lines) {
  Kept kept;
  for (std::size_t line = 0; line < last_.groups.size(); ++line) keep_of_line(line, lines, kept);
}

// Of a line keep, from near to far, the undo, rows that set a new record of outcome up to the first counterfactual, and a
// few others: on a plateau, where no outcome improves step by step, they are all there is to go on from. Of the rows
// that break a rule across groups the first few records are repaired and asked about in the next round.
void Frontier::keep_of_line(std::size_t line, Told told, Kept& kept) {
  auto& [child, records, others] = kept;
  const auto& [outcome, number] = told;
  const std::size_t width = space_.groups.size();
  const std::int32_t g = last_.groups[line];
  const std::int64_t from = last_.offsets[line], to = last_.offsets[line + 1];
  child.assign(last_.parents.begin() + line * width, last_.parents.begin() + (line + 1) * width);
  records.clear(), others.clear();
  const double base = archive_.outcome(line_of_[line]), base_odds = log_odds(base);
  const std::span<const std::int64_t> combined = bases();
  const bool shows = std::find(combined.begin(), combined.end(), line_of_[line]) != combined.end();
  double record = child[g] == 0 ? base : -1, broken_record = record;
  int broken = 0;
  const std::int64_t step = std::max<std::int64_t>(1, (to - from) / (again_[line] ? kSecondLook : kPlateau));
  for (std::int64_t i = from; i < to; ++i) {
    const double o = outcome[i];
    const Row row = last_.rows[i];
    const bool sets_record = o > record, other = row == 0 || (i - from) % step == step / 2;
    if (std::isnan(o) || !(sets_record || other || (o > broken_record && broken < kRepaired))) continue;
    child[g] = row;
    if (space_.first_broken(child.data()) != -1) {
      if ((o > broken_record || other) && broken < kRepaired) {
        broken_record = std::max(broken_record, o);
        ++broken;
        repair(child, g);
      }
      continue;
    }
    if (sets_record) records.push_back(i), record = o;
    else if (other) others.push_back(i);
    if (o > 0.5 && row != 0) break;
  }
  // Along a smooth line every row sets a record: as many as tell its shape, the last among them.
  auto take = [&](std::int64_t i) {
    child[g] = last_.rows[i];
    keep(child, outcome[i], number[i]);
    if (shows) shown_.push_back({line_of_[line], g, child[g], log_odds(outcome[i]) - base_odds});
  };
  const std::size_t n = records.size(), shape = std::min<std::size_t>(n, kRecords);
  for (std::size_t i = 0; i < shape; ++i) take(records[shape == 1 ? n - 1 : i * (n - 1) / (shape - 1)]);
  for (std::int64_t i : others) take(i);
}

bool Frontier::keep(std::vector<Row>& child, double outcome, double number) {
  if (!(space_.distance(child.data()) < bound_)) return false;
  const auto [index, fresh] = archive_.insert(child.data());
  if (fresh || std::isnan(archive_.outcome(index))) archive_.score(index, outcome, number);
  return fresh;
}

void Frontier::repair(std::vector<Row> child, std::int32_t pinned) {
  if (!Cascade::apply(space_, child.data(), nullptr, counts_, pinned)) return;
  if (space_.distance(child.data()) < bound_ && archive_.insert(child.data()).second)
    repaired_.insert(repaired_.end(), child.begin(), child.end());
}

void Frontier::expand(std::int64_t index, int rows_per_line, Round& round) {
  if (swept()) return sweep(index, round);
  expanded_.resize(archive_.size(), 0);
  const std::size_t width = space_.groups.size();
  const std::vector<Row> parent(archive_.rows(index), archive_.rows(index) + width);
  const double distance = archive_.distance(index);
  const bool good = archive_.outcome(index) > 0.5;
  // A second look, when nothing else is left to expand, takes (nearly) all rows and is the last.
  const bool again = expanded_[index] == 1;
  if (again) rows_per_line = std::max(rows_per_line, kSecondLook);
  bool whole = true;
  std::vector<Row> child;
  for (std::size_t g = 0; g < width; ++g) {
    const Group& group = space_.groups[g];
    if (!group.free) continue;
    const Row now = parent[g];
    // A counterfactual is only brought nearer: its changed groups, to rows that cost less.
    if (good && now == 0) continue;
    double rest = 0;  // without the largest term, which is not a sum: rows it would leave out may still be near enough
    for (std::size_t h = 0; h < width; ++h)
      if (h != g && parent[h] != 0) rest += space_.groups[h].additive[parent[h]];
    const double most = (good ? distance : bound_) - rest;
    const std::size_t limit = std::lower_bound(group.cost.begin(), group.cost.end(), most) - group.cost.begin();
    std::vector<Row> rows = pick(static_cast<std::int32_t>(g), index, limit, good, rows_per_line);
    if (rows.size() < limit) whole = false;
    if (now != 0) rows.insert(rows.begin(), 0);  // undo
    std::size_t before = round.rows.size();
    for (Row row : rows) {
      if (row == now) continue;
      child = parent;
      child[g] = row;
      if (!Cascade::apply(space_, child.data(), nullptr, counts_, static_cast<std::int32_t>(g))) continue;
      if (!(space_.distance(child.data()) < bound_) || !archive_.insert(child.data()).second) continue;
      bool repaired = false;
      for (std::size_t h = 0; h < width && !repaired; ++h) repaired = h != g && child[h] != parent[h];
      if (repaired) round.points.insert(round.points.end(), child.begin(), child.end());
      else round.rows.push_back(row);
    }
    if (round.rows.size() > before) {
      round.parents.insert(round.parents.end(), parent.begin(), parent.end());
      round.groups.push_back(static_cast<std::int32_t>(g));
      round.offsets.push_back(static_cast<std::int64_t>(round.rows.size()));
    }
  }
  expanded_.resize(archive_.size(), 0);
  expanded_[index] = whole || again ? 2 : 1;
}

std::vector<Row> Frontier::pick(std::int32_t g, std::int64_t index, std::size_t limit, bool refine, int m) const {
  const Group& group = space_.groups[g];
  if (m <= 0 || limit <= static_cast<std::size_t>(m)) return {group.order.begin(), group.order.begin() + limit};
  const Row* parent = archive_.rows(index);
  std::vector<Row> probe(parent, parent + space_.groups.size());
  auto known = [&](std::size_t position) {
    probe[g] = group.order[position];
    return archive_.find(probe.data()) >= 0;
  };
  Rng rng(settings_.seed, round_, static_cast<std::uint64_t>(index), static_cast<std::uint64_t>(g));
  if (round_ == 0 && m < kDrawn) return spread(group, sample(group, limit, kDrawn, 0, rng), m);
  std::vector<Row> rows;
  std::vector<std::size_t> places;
  auto within = [&](int half) {
    return static_cast<std::size_t>(std::lower_bound(group.halves[half].begin(), group.halves[half].end(), limit) - group.halves[half].begin());
  };
  const double offset = round_ == 0 ? 0 : log_odds(archive_.outcome(index)) - root_effect(g, parent[g]);
  for (int half = 0; half < 2; ++half) {
    const std::vector<std::int32_t>& positions = group.halves[half];
    const std::size_t n = within(half);
    if (n == 0) continue;
    const int share = within(1 - half) == 0 ? m : (m + 1) / 2;
    places.clear();
    const bool same_side = refine && (group.side.empty() || (group.side[parent[g]] > 0) == (half == 1));
    if (same_side) {
      // Between the farthest row known to be bad and the present one: an even grid, then again next round.
      std::size_t low = n;
      while (low > 0 && !known(positions[low - 1])) --low;
      const std::size_t gap = n - low;
      const int dense = std::max(1, share - 1);
      for (int i = 0; i < dense && gap > 0; ++i) places.push_back(low + (2 * i + 1) * gap / (2 * dense));
      log_spaced(n, share - dense, rng.uniform(), places);
    } else if (round_ == 0) {
      log_spaced(n, share / 2, 0.0, places);
      evenly_spaced(n, share - share / 2, 1.0, places);
    } else {
      foresee(g, half, n, offset, places);
      evenly_spaced(n, share - static_cast<int>(places.size()), rng.uniform(), places);
    }
    std::sort(places.begin(), places.end());
    std::size_t next = 0;  // a place taken already moves on to the next free row
    for (std::size_t place : places) {
      place = std::max(place, next);
      while (place < n && known(positions[place])) ++place;
      if (place >= n) break;
      rows.push_back(group.order[positions[place]]);
      next = place + 1;
    }
  }
  return rows;
}

}  // namespace geco
