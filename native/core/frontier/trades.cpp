#include <algorithm>

#include "core/frontier/effects.hpp"

namespace geco {

Trades::Trades(const Space& space, const FrontierSettings& settings, std::span<const Row> good, std::int64_t index,
               std::uint64_t round)
    : space_(space), settings_(settings), good_(good.begin(), good.end()),
      draw_(settings.seed, round, static_cast<std::uint64_t>(index)), pick_(draw_(~0ULL)), draws_(2 * settings.trades) {
  for (std::size_t g = 0; g < good_.size(); ++g) {
    costs_.push_back(cost(g, good_[g]));
    if (!space.groups[g].free) continue;
    free_.push_back(g);
    if (good_[g] != space.start[g] && good_[g] != 0) changed_.push_back(g);
  }
  all_ = changed_.size() * free_.size() * draws_;
  const auto wanted = static_cast<std::size_t>(settings.combinations);
  some_ = wanted > 0 && wanted < all_;
  tries_ = some_ ? settings.trade_tries * wanted : all_;
  known_.resize(all_);
}

bool Trades::next(std::vector<Row>& rows) {
  std::size_t at = tried_++;
  if (some_) at = std::min(all_ - 1, static_cast<std::size_t>(pick_.uniform() * static_cast<double>(all_)));
  if (known_[at]) return false;
  last_ = at;
  const std::size_t pair = at / draws_, from = changed_[pair / free_.size()], to = free_[pair % free_.size()];
  if (from != to && trade(from, to, at % draws_, rows)) return true;
  pass_over();
  return false;
}

bool Trades::trade(std::size_t from, std::size_t to, std::size_t draw, std::vector<Row>& rows) const {
  const int half = draw % 2;
  const Group &source = space_.groups[from], &target = space_.groups[to];
  if (good_[to] != 0 && target.has_sides() && target.above(good_[to]) != (half == 1)) return false;
  Rng rng = draw_((from * good_.size() + to) * draws_ + draw);
  // A line shows large steps; what is left to a trade are mostly small ones.
  const double u = rng.uniform(), less = settings_.small_trades && draw / 2 ? u * u * u : 1 - u;
  const double before = costs_[from];
  const Row given_up = source.last_within(source.has_sides() && source.above(good_[from]), (1 - less) * before);
  const double saved = before - cost(from, given_up);
  const Row taken =
      target.last_within(half, costs_[to] + (settings_.spent_least + settings_.spent_range * rng.uniform()) * saved);
  if (taken == good_[to] || taken == 0) return false;
  rows = good_;
  rows[from] = given_up, rows[to] = taken;
  return true;
}

}  // namespace geco
