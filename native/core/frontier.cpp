#include "core/frontier.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/operators.hpp"

namespace geco {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kDrawn = 24;                       // rows per line drawn by weight where the first round can ask about fewer
constexpr int kSecondLook = 64;                  // rows per line
constexpr int kPlateau = 3;                      // rows of a whole line kept though they set no record
constexpr int kRecords = 8;                      // rows of a whole line kept because they set one
constexpr int kRepaired = 3;                     // rows of a whole line repaired where a rule is broken
constexpr int kEndGame = 2;                      // rounds beyond the last that only settle what was found
constexpr double kReach[3] = {0.5, 0.25, 0.75};  // of the bound: where an explorer may stand, in turn

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

Frontier::Frontier(const Space& space, Archive& archive, FrontierSettings settings)
    : space_(space), archive_(archive), settings_(settings), counts_(space), bound_(kInfinity), reach_(kInfinity), told_bound_(kInfinity) {}

const Round& Frontier::ask() {
  shown_.clear();
  last_ = settings_.possible ? next() : Round{};
  if (!settings_.possible || complete_) {
    converged_ = true;
    stopped_by_ = settings_.possible && bound_ < kInfinity ? Stopped::converged : Stopped::exhausted;
  }
  return last_;
}

Round Frontier::next() {
  Round round;
  if (round_ == 0) {
    const std::int64_t start = archive_.insert(space_.start.data()).first;
    const bool is_x = std::all_of(space_.start.begin(), space_.start.end(), [](Row r) { return r == 0; });
    if (!is_x) round.points.insert(round.points.end(), space_.start.begin(), space_.start.end());
    expand(start, settings_.first_rows, round);
    last_parents_ = {start};
    ++round_;
    return round;
  }
  const auto k = static_cast<std::size_t>(settings_.k);
  Ways ways = archive_.ways(2 * k + 4, 2 * k + 4);
  // A way that is not settled yet counts: if it can be reduced, something nearer takes its place.
  bound_ = ways.found.size() < k ? kInfinity : archive_.distance(ways.found[k - 1]);
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
    return round;
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
  return round;
}

std::vector<Frontier::Node> Frontier::nodes_in_play() {
  expanded_.resize(archive_.size(), 0);
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < archive_.size(); ++i) {
    const double outcome = archive_.outcome(i), distance = archive_.distance(i);
    if (std::isnan(outcome) || !(distance < bound_ || (distance == bound_ && outcome > 0.5))) continue;
    nodes.push_back({distance, std::min(outcome, 0.5 + 1e-9), static_cast<std::int64_t>(i), archive_.changed_groups(archive_.rows(i))});
  }
  std::sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) {
    if (a.distance != b.distance) return a.distance < b.distance;
    return a.outcome != b.outcome ? a.outcome > b.outcome : a.index < b.index;
  });
  return nodes;
}

std::vector<std::int64_t> Frontier::choose_parents() {
  std::vector<Node> nodes = nodes_in_play();
  std::vector<std::int64_t> chosen;
  const auto wanted = static_cast<std::size_t>(settings_.parents);
  std::unordered_map<std::int32_t, int> per_delta;
  auto choose = [&](const Node& node) {
    chosen.push_back(node.index);
    ++per_delta[node.changed];
    ++tried_[node.changed];
  };

  // The nearest counterfactuals, to bring them nearer still; their number grows with the ways asked for.
  std::size_t good = 0;
  const std::size_t good_wanted = std::clamp<std::size_t>(wanted / 2, 1, 2 + settings_.k);
  for (const Node& node : nodes) {
    if (good == good_wanted) break;
    if (node.outcome > 0.5 && per_delta[node.changed] < 1) {
      ++good;
      if (expanded_[node.index] < 2) choose(node);
      else ++per_delta[node.changed];
    }
  }
  // The frontier itself: spread from the nearest to the highest outcome.
  auto open = [&](const Node& node) {
    return !expanded_[node.index] && std::find(chosen.begin(), chosen.end(), node.index) == chosen.end();
  };
  std::vector<Node> eligible, rest, left;
  double best = -1;
  for (const Node& node : nodes) {
    const bool on_frontier = node.outcome > best;
    best = std::max(best, node.outcome);
    if (open(node)) (on_frontier ? eligible : rest).push_back(node);
  }
  // A quarter explores: in the Δ sets expanded least, the highest outcome that leaves room for one more change. Effects
  // that only show together are found here.
  std::unordered_map<std::int32_t, std::pair<double, const Node*>> explorers;
  for (const Node& node : nodes) {
    if (!open(node) || node.outcome > 0.5) continue;
    const int tried = tried_[node.changed];
    const double reach = bound_ == kInfinity ? kInfinity : bound_ * kReach[tried % 3];
    if (node.distance > reach) continue;
    auto [at, fresh] = explorers.try_emplace(node.changed, node.outcome, &node);
    if (!fresh && node.outcome > at->second.first) at->second = {node.outcome, &node};
  }
  std::vector<const Node*> order;
  for (const auto& [changed, best_of] : explorers) order.push_back(best_of.second);
  std::sort(order.begin(), order.end(), [&](const Node* a, const Node* b) {
    const int ta = tried_[a->changed], tb = tried_[b->changed];
    return ta != tb ? ta < tb : a->distance != b->distance ? a->distance < b->distance : a->index < b->index;
  });
  for (std::size_t i = 0; i < order.size() && i < wanted / 4 && chosen.size() < wanted; ++i) choose(*order[i]);
  eligible.erase(std::remove_if(eligible.begin(), eligible.end(), [&](const Node& n) { return !open(n); }), eligible.end());
  rest.erase(std::remove_if(rest.begin(), rest.end(), [&](const Node& n) { return !open(n); }), rest.end());
  const std::size_t room = wanted - chosen.size();
  for (std::size_t i = 0; i < std::min(room, eligible.size()); ++i)
    choose(eligible[eligible.size() <= room || room == 1 ? i : i * (eligible.size() - 1) / (room - 1)]);
  // Plateaus must not end the search: further Pareto layers of what is open, nearest first, a few per Δ set; then all.
  while (chosen.size() < wanted && !rest.empty()) {
    nodes.swap(rest);
    rest.clear();
    best = -1;
    for (const Node& node : nodes) {
      if (node.outcome <= best) {
        rest.push_back(node);
        continue;
      }
      best = node.outcome;
      if (chosen.size() < wanted && per_delta[node.changed] < settings_.per_delta) choose(node);
      else left.push_back(node);
    }
  }
  for (const Node& node : left)
    if (chosen.size() < wanted) choose(node);
  // Nothing new is left: look again at what was expanded with thinned lines, nearest first.
  if (chosen.empty())
    for (const Node& node : nodes_in_play()) {
      if (chosen.size() == wanted) break;
      if (expanded_[node.index] < 2) chosen.push_back(node.index);
    }
  return chosen;
}

// Every row of every line within reach, or (of a model that tells all rows apart) as many as show its shape, rules across
// groups aside: `tell` keeps few of them.
void Frontier::sweep(std::int64_t index, Round& round) {
  expanded_.resize(archive_.size(), 0);
  const std::size_t width = space_.groups.size();
  const std::vector<Row> parent(archive_.rows(index), archive_.rows(index) + width);
  const double distance = archive_.distance(index);
  const bool good = archive_.outcome(index) > 0.5;
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
    for (std::size_t i = 0; i < others; ++i) push_unless(now, group.order[(2 * i + 1) * far / (2 * others)], round.rows);
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

void Frontier::tell(Told x, Told points, Told lines) {
  if (told_ == 0 && settings_.x_obeys) score(x, std::vector<Row>(space_.groups.size()));
  score(points, last_.points);
  if (swept())
    for (std::size_t line = 0; line < last_.groups.size(); ++line) keep_of_line(line, lines.outcome, lines.number);
  else
    score_lines(lines);
  last_ = {};
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
  unchanged_ = bound_ == told_bound_ && bound_ < kInfinity ? unchanged_ + 1 : 0;
  told_bound_ = bound_;
  const bool stalled = unchanged_ >= settings_.stalled;
  if (converged_ || (told_ < settings_.max_rounds && !stalled)) return;
  const Ways ways = archive_.ways(settings_.k, settings_.k);
  const auto settled = std::count(ways.settled.begin(), ways.settled.end(), 1);
  const bool ending = settled > 0 && told_ >= settings_.max_rounds + kEndGame;
  // What was found in the last round of all still has its undos to be asked.
  const int most = settings_.patience + (ways.found.empty() ? 0 : kEndGame);
  if ((!ways.found.empty() && settled == static_cast<std::ptrdiff_t>(ways.found.size())) || ending || told_ >= most) {
    converged_ = true;
    stopped_by_ = stalled ? Stopped::converged : Stopped::budget;
  } else if (!ways.found.empty()) {
    only_undos_ = true;  // finish what was begun: no answer is left untested
  }
}

// Of a line keep, from near to far, the undo, rows that set a new record of outcome up to the first counterfactual, and a
// few others: on a plateau, where no outcome improves step by step, they are all there is to go on from. Of the rows
// that break a rule across groups the first few records are repaired and asked about in the next round.
void Frontier::keep_of_line(std::size_t line, std::span<const double> outcome, std::span<const double> number) {
  const std::size_t width = space_.groups.size();
  const std::int32_t g = last_.groups[line];
  const std::int64_t from = last_.offsets[line], to = last_.offsets[line + 1];
  std::vector<Row> child(last_.parents.begin() + line * width, last_.parents.begin() + (line + 1) * width);
  const double base = archive_.outcome(line_of_[line]), base_odds = log_odds(base);
  double record = child[g] == 0 ? base : -1, broken_record = record;
  int broken = 0;
  std::vector<std::int64_t> records, others;
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
    shown_.push_back({line_of_[line], g, child[g], log_odds(outcome[i]) - base_odds});
  };
  const std::size_t n = records.size(), kept = std::min<std::size_t>(n, kRecords);
  for (std::size_t i = 0; i < kept; ++i) take(records[kept == 1 ? n - 1 : i * (n - 1) / (kept - 1)]);
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
