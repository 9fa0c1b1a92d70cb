// The points a round asks about beside its lines: combinations of what lines showed one change at a time.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/frontier.hpp"

namespace geco {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kJumps = 12;  // per round, at least
constexpr int kGuesses = 9;  // per round, the cheapest of all parents'
constexpr std::size_t kBases = 8;  // parents of whole lines whose effects are put together
constexpr int kTrades = 3;  // per pair of groups, side and round
constexpr std::size_t kTries = 3;  // to find a trade that is new and near enough

// Rows of the groups so far, together.
struct Sum {
  double cost, effect;
  std::int32_t before;  // place in the sums of the groups before the last
  Row row;              // of the last group
};

bool cheaper(const Sum& a, const Sum& b) { return a.cost != b.cost ? a.cost < b.cost : a.effect > b.effect; }

// What no cheaper one surpasses, of two such fronts together.
void merge_fronts(std::span<const Sum> a, std::span<const Sum> b, std::vector<Sum>& front) {
  front.clear();
  double best = -kInfinity;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const Sum& next = j == b.size() || (i < a.size() && !cheaper(b[j], a[i])) ? a[i++] : b[j++];
    if (next.effect > best) front.push_back(next), best = next.effect;
  }
}

}  // namespace

void Frontier::remember_root() {
  const std::int64_t start = archive_.find(space_.start.data());
  root_log_odds_ = log_odds(archive_.outcome(start));
  std::vector<Row> probe = space_.start;
  for (auto& half : root_) half.resize(space_.groups.size());
  for (std::size_t g = 0; g < space_.groups.size(); ++g) {
    const Group& group = space_.groups[g];
    for (int half = 0; half < 2; ++half)
      for (std::size_t place = 0; place < group.halves[half].size(); ++place) {
        probe[g] = group.order[group.halves[half][place]];
        const std::int64_t at = archive_.find(probe.data());
        if (at >= 0 && !std::isnan(archive_.outcome(at)))
          root_[half][g].push_back({place, log_odds(archive_.outcome(at)) - root_log_odds_});
      }
    probe[g] = space_.start[g];
  }
}

// Swept lines show so much of one parent that a few parents are enough.
std::span<const std::int64_t> Frontier::bases() const {
  const std::size_t most = swept() ? std::max<std::size_t>(2, kBases / settings_.k) : last_parents_.size();
  return {last_parents_.data(), std::min(last_parents_.size(), most)};
}

// The cheapest combinations that would turn good if effects on the log-odds simply added up: for each parent expanded in
// the last round a Pareto merge of (cost, effect) over the groups, from what its lines showed. They are asked about as
// points, and bring the bound down early.
void Frontier::combine_effects(Round& round) {
  std::vector<Guess> guesses;
  for (std::int64_t base : bases()) combine(base, guesses);
  std::stable_sort(guesses.begin(), guesses.end(), [](const Guess& a, const Guess& b) { return a.cost < b.cost; });
  int asked = 0;
  for (Guess& guess : guesses) {
    if (asked == kGuesses || !room_for_combinations(round)) break;
    if (!Cascade::apply(space_, guess.rows.data(), nullptr, counts_)) continue;
    if (!(space_.distance(guess.rows.data()) < bound_) || !archive_.insert(guess.rows.data()).second) continue;
    round.points.insert(round.points.end(), guess.rows.begin(), guess.rows.end());
    ++asked;
  }
}

void Frontier::combine(std::int64_t base, std::vector<Guess>& guesses) const {
  const std::size_t kept = swept() ? 40 : 64;
  const std::size_t width = space_.groups.size();
  const double now = log_odds(archive_.outcome(base));
  std::vector<Row> probe(archive_.rows(base), archive_.rows(base) + width);
  std::vector<Sum> all{{0, 0, -1, 0}};    // level after level, of no group, of the first, of two…
  std::vector<std::size_t> levels{0, 1};  // where each begins, and the end
  std::vector<Sum> own, front, with_row, merged;
  auto shown = std::find_if(shown_.begin(), shown_.end(), [&](const Shown& s) { return s.parent == base; });
  for (std::size_t g = 0; g < width; ++g) {
    const Group& group = space_.groups[g];
    const Row current = probe[g];
    own.assign(1, {current ? group.additive[current] + group.largest[current] : 0.0, 0, -1, current});
    auto consider = [&](Row row, double cost) {
      if (row == current) return;
      probe[g] = row;
      const std::int64_t at = archive_.find(probe.data());
      if (at >= 0 && !std::isnan(archive_.outcome(at))) own.push_back({cost, log_odds(archive_.outcome(at)) - now, -1, row});
    };
    // Lines are swept parent by parent, group by group.
    for (; shown != shown_.end() && shown->parent == base && shown->group == static_cast<std::int32_t>(g); ++shown)
      own.push_back({shown->row ? group.total(shown->row) : 0.0, shown->log_odds, -1, shown->row});
    if (!swept() && group.free) {
      for (std::size_t i = 0; i < group.order.size() && group.cost[i] < bound_; ++i) consider(group.order[i], group.cost[i]);
      consider(0, 0);
    }
    probe[g] = current;
    std::sort(own.begin(), own.end(), cheaper);
    merge_fronts(own, {}, front);
    merged.clear();
    const std::span<const Sum> sums(all.begin() + levels[g], all.begin() + levels[g + 1]);
    for (const Sum& o : front) {
      with_row.clear();
      for (std::size_t i = 0; i < sums.size() && sums[i].cost + o.cost < bound_; ++i)
        with_row.push_back({sums[i].cost + o.cost, sums[i].effect + o.effect, static_cast<std::int32_t>(i), o.row});
      merge_fronts(merged, with_row, own);
      merged.swap(own);
    }
    if (merged.size() > kept)
      for (std::size_t i = 0; i < kept; ++i) merged[i] = merged[i * (merged.size() - 1) / (kept - 1)];
    merged.resize(std::min(merged.size(), kept));
    if (merged.empty()) return;
    all.insert(all.end(), merged.begin(), merged.end());
    levels.push_back(all.size());
  }
  const std::span<const Sum> sums(all.begin() + levels[width], all.end());
  std::size_t crossing = 0;
  while (crossing < sums.size() && now + sums[crossing].effect <= 0) ++crossing;
  if (crossing == sums.size()) return;
  for (std::size_t i = crossing - std::min<std::size_t>(crossing, 2); i < std::min(sums.size(), crossing + 6); ++i) {
    Guess guess{sums[i].cost, std::vector<Row>(width)};
    std::size_t at = i;
    for (std::size_t g = width; g-- > 0;) {
      const Sum& sum = all[levels[g + 1] + at];
      guess.rows[g] = sum.row;
      at = static_cast<std::size_t>(sum.before);
    }
    guesses.push_back(std::move(guess));
  }
}

bool Frontier::room_for_combinations(const Round& round) const {
  return settings_.combinations == 0 || round.points.size() < settings_.combinations * space_.groups.size();
}

// Nothing good is in sight: try candidates far away, about half of their groups drawn by weight. Once one of them is good,
// undoing and narrowing its changes leads back towards x.
void Frontier::jump(Round& round) {
  std::vector<Row> rows;
  for (int i = 0; i < std::max(settings_.parents, kJumps); ++i) {
    Rng rng(settings_.seed, round_, ~static_cast<std::uint64_t>(i), ~0ULL);
    rows = space_.start;
    for (std::size_t g = 0; g < rows.size(); ++g) {
      const Group& group = space_.groups[g];
      if (!group.free || group.order.empty() || rng.coin()) continue;
      const auto at = std::upper_bound(group.running.begin(), group.running.end(), rng.uniform() * group.running.back());
      rows[g] = group.order[std::min<std::size_t>(at - group.running.begin(), group.order.size() - 1)];
    }
    if (Cascade::apply(space_, rows.data(), &rng, counts_) && archive_.insert(rows.data()).second)
      round.points.insert(round.points.end(), rows.begin(), rows.end());
  }
}

// How much this row alone moved the log-odds in the first round; between rows that were asked, by interpolation.
double Frontier::root_effect(std::int32_t g, Row row) const {
  if (row == space_.start[g] || row == 0) return 0;
  const Group& group = space_.groups[g];
  const int half = !group.side.empty() && group.side[row] > 0;
  const auto& positions = group.halves[half];
  const auto& effects = root_[half][g];
  if (effects.empty()) return 0;
  const double cost = group.additive[row] + group.largest[row];
  auto at = std::find_if(effects.begin(), effects.end(), [&](const Effect& e) { return group.cost[positions[e.place]] >= cost; });
  if (at == effects.end()) return effects.back().log_odds;
  if (at == effects.begin()) return at->log_odds;
  const double low = group.cost[positions[(at - 1)->place]], high = group.cost[positions[at->place]];
  const double t = high > low ? (cost - low) / (high - low) : 1.0;
  return (at - 1)->log_odds + t * (at->log_odds - (at - 1)->log_odds);
}

// If effects on the log-odds simply add up (they nearly do for linear models, networks and ensembles), where along this
// half would the candidate turn good? If nowhere, the place of the largest effect.
void Frontier::foresee(std::int32_t g, int half, std::size_t n, double offset, std::vector<std::size_t>& places) const {
  const auto& effects = root_[half][g];
  double best = -kInfinity, before = 0;
  std::size_t best_place = n, last = 0;
  for (const Effect& e : effects) {
    if (e.place >= n) break;
    if (offset + e.log_odds > 0) {
      const double t = e.log_odds > before ? (-offset - before) / (e.log_odds - before) : 1.0;
      const double from = &e == effects.data() ? 0.0 : static_cast<double>(last);
      const double crossing = from + std::clamp(t, 0.0, 1.0) * (static_cast<double>(e.place) - from);
      places.push_back(static_cast<std::size_t>(std::ceil(crossing)));
      places.push_back(std::min(n - 1, static_cast<std::size_t>(std::ceil(crossing + 0.25 * (static_cast<double>(e.place) - crossing)))));
      return;
    }
    if (e.log_odds > best) best = e.log_odds, best_place = e.place;
    before = e.log_odds;
    last = e.place;
  }
  if (best_place < n && best > 0) places.push_back(best_place);
}

// Around the nearest counterfactual: less of one change, a little more of another, and nearer altogether. One change at a
// time would have to pass through candidates that look worse than they are.
void Frontier::trade(std::int64_t index, Round& round) {
  const std::size_t width = space_.groups.size();
  const std::vector<Row> good(archive_.rows(index), archive_.rows(index) + width);
  auto cost_of = [&](std::size_t g, Row row) { return row ? space_.groups[g].additive[row] + space_.groups[g].largest[row] : 0.0; };
  auto row_at = [&](std::size_t g, int half, double cost) {  // the farthest row of this half that costs no more
    const Group& group = space_.groups[g];
    const auto& positions = group.halves[half];
    const auto at = std::partition_point(positions.begin(), positions.end(), [&](std::int32_t p) { return group.cost[p] <= cost; });
    return at == positions.begin() ? Row{0} : group.order[*(at - 1)];
  };
  std::vector<Row> rows;
  auto attempt = [&](std::size_t a, std::size_t b, int draw) {
    const int half = draw % 2;
    const Group &from = space_.groups[a], &to = space_.groups[b];
    if (good[b] != 0 && !to.side.empty() && (to.side[good[b]] > 0) != (half == 1)) return;
    Rng rng(settings_.seed, round_, static_cast<std::uint64_t>(index), (a * width + b) * 2 * kTrades + draw);
    rows = good;
    // A line shows large steps; what is left to a trade are mostly small ones.
    const double u = rng.uniform(), less = swept() && draw / 2 ? u * u * u : 1 - u;
    rows[a] = row_at(a, !from.side.empty() && from.side[good[a]] > 0, (1 - less) * cost_of(a, good[a]));
    const double saved = cost_of(a, good[a]) - cost_of(a, rows[a]);
    rows[b] = row_at(b, half, cost_of(b, good[b]) + (0.3 + 0.65 * rng.uniform()) * saved);
    if (rows[b] == good[b] || rows[b] == 0) return;
    if (!Cascade::apply(space_, rows.data(), nullptr, counts_)) return;
    if (space_.distance(rows.data()) < bound_ && archive_.insert(rows.data()).second)
      round.points.insert(round.points.end(), rows.begin(), rows.end());
  };
  std::vector<std::size_t> changed, free;
  for (std::size_t g = 0; g < width; ++g) {
    if (!space_.groups[g].free) continue;
    free.push_back(g);
    if (good[g] != space_.start[g] && good[g] != 0) changed.push_back(g);
  }
  // Where only some can be asked about, any pair is as likely as any other.
  const std::size_t all = changed.size() * free.size() * 2 * kTrades;
  const bool some = settings_.combinations > 0 && static_cast<std::size_t>(settings_.combinations) < all;
  Rng pick(settings_.seed, round_, static_cast<std::uint64_t>(index), ~0ULL);
  for (std::size_t i = 0; i < (some ? kTries * settings_.combinations : all) && room_for_combinations(round); ++i) {
    const std::size_t at = some ? std::min(all - 1, static_cast<std::size_t>(pick.uniform() * static_cast<double>(all))) : i;
    const std::size_t a = changed[at / (2 * kTrades) / free.size()], b = free[at / (2 * kTrades) % free.size()];
    if (a != b) attempt(a, b, static_cast<int>(at % (2 * kTrades)));
  }
}

}  // namespace geco
