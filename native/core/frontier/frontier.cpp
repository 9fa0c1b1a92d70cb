#include "core/frontier/frontier.hpp"

#include <algorithm>

namespace geco {

Frontier::Frontier(Claims& claims, Expansion& expansion, std::vector<FrontierSettings> stages, Start start,
                   Proofs* proofs)
    : claims_(claims), expansion_(expansion), stages_(std::move(stages)), settings_(stages_.front()), start_(start),
      proofs_(proofs), parents_(settings_, expansion.whole_lines()), hopeless_(claims.archive()),
      effects_(claims.space(), settings_), ending_(settings_), stretch_(settings_.stretch) {}

const Round& Frontier::ask(const Forest* forest) {
  round_.clear();
  sight_.forest = forest;
  if (proving_) ask_proof();
  else if (!start_.possible) ending_.nothing_left(false);
  else if (sight_.round == 0) first_round();
  else next_round();
  return round_;
}

void Frontier::ask_proof() {
  if (proofs_->ask(round_)) return;
  proving_ = false;
  next_stage();
  ended_ = ending_.converged();
  if (!ended_) next_round();
}

void Frontier::tell(Told x, Told points, Told lines) {
  if (rounds() == 0 && start_.x_obeys) score(x, std::vector<Row>(space().groups.size()));
  score(points, round_.points);
  if (proving_ || ended_) {
    if (ended_ || !proofs_->paused()) ++rounds_;
    if (proving_) proofs_->tell(points);
    return;
  }
  repaired_ = expansion_.tell(round_, lines, sight_.bound);
  round_.clear();
  if (ending_.told(sight_.bound, nearest_, farthest_)) {
    const auto k = static_cast<std::size_t>(settings_.k);
    const Ways ways = claims_.archive().ways({settings_.kind, k, k, k});
    std::size_t settled = 0;
    for (std::size_t i = 0; i < ways.found.size(); ++i) settled += ways.settled[i] && is_tight(ways.found[i]);
    ending_.settle(ways.found.size(), settled);
  }
  if (!ending_.converged()) return;
  proving_ = proofs_ && start_.possible && proofs_->begin(static_cast<std::size_t>(settings_.k));
  if (!proving_) next_stage();
}

void Frontier::next_stage() {
  Archive& archive = claims_.archive();
  if (stage_ + 1 == stages_.size() || (proofs_ && proofs_->none_left())) return;
  if (stage_ == 0 && !archive.fix_first(settings_.kind)) return;
  if (stage_ == 1) archive.release(settings_.kind, static_cast<std::size_t>(settings_.k));
  settings_ = stages_[++stage_];
  rounds_ += ending_.rounds();
  ending_ = Ending(settings_);
  expansion_.use(settings_);
  parents_.begin(settings_, expansion_.whole_lines());
  effects_.use(settings_);
  stretch_ = settings_.stretch;
  tightened_ = 0;
}

void Frontier::first_round() {
  const std::vector<Row>& start = space().start;
  const std::int64_t index = claims_.archive().insert(start.data()).first;
  if (std::any_of(start.begin(), start.end(), [](Row row) { return row != 0; })) round_.add_point(start);
  expansion_.begin(sight_, round_);
  expand(std::vector<Parent>{{index}});
  ++sight_.round;
}

void Frontier::next_round() {
  const auto k = static_cast<std::size_t>(settings_.k), looked_at = 2 * k + settings_.spare_ways;
  const Ways ways = claims_.archive().ways({settings_.kind, looked_at, looked_at, k});
  look_around(ways);
  ask_undos(ways);
  if (ending_.only_undos()) {
    tighten(ways);
  } else {
    combine(ways);
    expand(ways);
    ++sight_.round;
  }
  if (round_.empty()) ending_.nothing_left(sight_.bound < kInfinity);
}

// How far this round looks.
void Frontier::look_around(const Ways& ways) {
  const Archive& archive = claims_.archive();
  const auto k = static_cast<std::size_t>(settings_.k);
  // A way that is not settled yet counts: if it can be reduced, something nearer replaces it.
  sight_.bound = ways.found.size() < k ? kInfinity : archive.distance(ways.found[k - 1]);
  nearest_ = ways.found.empty() ? kInfinity : archive.distance(ways.found.front());
  farthest_ = ways.found.empty() ? kInfinity : archive.distance(ways.found[std::min(k, ways.found.size()) - 1]);
  sight_.reach = sight_.bound;
  if (sight_.bound < kInfinity || ways.found.empty()) return;
  // Too few ways yet: look first where the others are, and farther in every further round.
  sight_.reach = stretch_ * archive.distance(ways.found.back());
  stretch_ *= settings_.stretch_growth;
}

void Frontier::ask_undos(const Ways& ways) {
  const std::size_t width = space().groups.size();
  for (std::size_t i = 0; i < ways.pending.size(); i += width)
    if (claims_.archive().insert(ways.pending.data() + i).second) round_.add_point({ways.pending.data() + i, width});
  round_.add_point(repaired_);
  repaired_.clear();
}

// True: its lines have shown whether less of a change would do, or there is no time to look.
bool Frontier::is_tight(std::int64_t way) const {
  return tightened_ == settings_.tightenings || (static_cast<std::size_t>(way) < narrowed_.size() && narrowed_[way]);
}

// What was found last was never expanded.
void Frontier::tighten(const Ways& ways) {
  std::vector<Parent> loose;
  for (std::size_t i = 0; i < std::min<std::size_t>(settings_.k, ways.found.size()); ++i)
    if (!is_tight(ways.found[i])) loose.push_back({ways.found[i]});
  if (loose.empty()) return;
  expansion_.begin(sight_, round_);
  expand(std::move(loose));
  ++sight_.round, ++tightened_;
}

// Points beside the lines.
void Frontier::combine(const Ways& ways) {
  ask_guesses();
  if (sight_.round > 1 && ways.found.empty()) ask_jumps();
  if (!ways.found.empty()) ask_trades(ways.found.front());
}

void Frontier::ask_guesses() {
  const Archive& archive = claims_.archive();
  std::vector<Guess> guesses;
  for (std::int64_t base : bases_)
    effects_.guess({archive.rows(base), space().groups.size()}, log_odds(archive.outcome(base)),
                   expansion_.shown(base, sight_.bound), sight_.bound, guesses);
  std::stable_sort(guesses.begin(), guesses.end(), [](const Guess& a, const Guess& b) { return a.cost < b.cost; });
  int asked = 0;
  for (Guess& guess : guesses) {
    if (asked == settings_.guesses || !room_for_combinations()) break;
    if (!claims_.claim(guess.rows, sight_.bound)) continue;
    round_.add_point(guess.rows);
    ++asked;
  }
}

void Frontier::ask_trades(std::int64_t good) {
  Trades trades = effects_.trades({claims_.archive().rows(good), space().groups.size()}, good, sight_.round);
  std::vector<Row> rows;
  while (!trades.done() && room_for_combinations()) {
    if (!trades.next(rows)) continue;
    if (claims_.claim(rows, sight_.bound)) round_.add_point(rows);
    if (claims_.as_it_was()) trades.pass_over();
  }
}

void Frontier::ask_jumps() {
  for (int i = 0; i < std::max(settings_.parents, settings_.jumps); ++i) {
    Rng rng(settings_.seed, sight_.round, ~static_cast<std::uint64_t>(i), ~0ULL);
    std::vector<Row> rows = effects_.jump(rng);
    if (claims_.claim(rows, kInfinity, -1, &rng)) round_.add_point(rows);
  }
}

void Frontier::expand(const Ways& ways) {
  expansion_.begin(sight_, round_);
  Parents::LeadsNowhere leads_nowhere;
  if (settings_.kind == Kind::minimal && settings_.k > 1) {
    hopeless_.follow(ways.found);
    leads_nowhere = [&](std::int64_t i) { return hopeless_(i); };
  }
  do in_play_.follow(claims_.archive());
  while (expand(parents_.choose(in_play_, sight_.bound, leads_nowhere)) && round_.empty());
}

// False: there was nobody to expand.
bool Frontier::expand(std::vector<Parent> parents) {
  bases_.clear();
  for (Parent& parent : parents) {
    parent.base = settings_.bases == 0 || static_cast<int>(bases_.size()) < settings_.bases;
    if (parent.base) bases_.push_back(parent.index);
    const bool whole = expansion_.expand(parent, sight_, round_);
    narrowed_.resize(std::max(narrowed_.size(), static_cast<std::size_t>(parent.index) + 1));
    narrowed_[parent.index] = claims_.archive().outcome(parent.index) > 0.5;
    parents_.expanded(parent, whole, sight_.reach == kInfinity);
  }
  return !parents.empty();
}

bool Frontier::room_for_combinations() const {
  return settings_.combinations == 0 || round_.points.size() < settings_.combinations * space().groups.size();
}

void Frontier::score(Told told, std::span<const Row> points) {
  for (std::size_t i = 0; i < told.outcome.size(); ++i)
    claims_.score(points.data() + i * space().groups.size(), told.outcome[i], told.number[i]);
}

}  // namespace geco
