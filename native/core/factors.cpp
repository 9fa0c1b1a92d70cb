#include "core/factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace geco {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr int kPasses = 4;  // narrowing stops there even if it could go on

}  // namespace

Factors::Factors(const Options& options, const Conditions& conditions, std::vector<Leaves> trees,
                 std::vector<double> base, std::span<const double> rounding, double reach, std::size_t most_leaves,
                 const Until& until)
    : options_(options), conditions_(conditions), factors_(std::move(trees)), base_(std::move(base)),
      need_(conditions.needs), forms_(need_.size()) {
  for (std::size_t f = 0; f < forms_; ++f) need_[f] -= rounding[f];
  if (const Hidden& hidden = conditions.hidden; hidden.any()) {
    off_ = hidden.off;
    for (std::size_t u = 0; u < forms_; ++u) off_[u] += rounding[u];
    need_ = hidden.lowered_needs(rounding);
  }
  merge(reach, most_leaves, until);
}

Factors::Met Factors::pack(const Reached& reached) {
  Met met;
  met.ends.reserve(reached.leaves.size());
  for (const auto& leaves : reached.leaves) {
    met.leaves.insert(met.leaves.end(), leaves.begin(), leaves.end());
    met.ends.push_back(met.leaves.size());
  }
  return met;
}

void Factors::begin(Of of, Reached& reached) const {
  reached.leaves.resize(factors_.size());
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    auto& leaves = reached.leaves[i];
    if (of.factor == static_cast<std::int32_t>(i)) {
      leaves.assign(1, of.leaf);
    } else if (of.met) {
      const auto all = of.met->leaves.begin();
      leaves.assign(all + (i ? of.met->ends[i - 1] : 0), all + of.met->ends[i]);
    } else {
      leaves.resize(factors_[i].count());
      std::iota(leaves.begin(), leaves.end(), 0);
    }
  }
}

bool Factors::narrow(Word* box, double reach, Of of, Reached& reached, const Until& until) const {
  begin(of, reached);
  bool changed = true;
  for (int pass = 0; changed && pass < kPasses; ++pass) {
    changed = false;
    if (!options_.within(reach, box) || !reach_leaves(box, reach, reached, until)) return false;
    if (!drop_hopeless(reached, changed, until) || !narrow_to(reached, box, changed, until)) return false;
  }
  return reached.distance < reach;
}

// The nearest option that both the box and a limit let pass, -1 if there is none; `now` is the box's nearest.
std::int32_t Factors::nearest_in(const Leaves& factor, const Leaves::Limit& limit, const Word* box,
                                 std::int32_t now) const {
  const Word* of_group = box + options_[limit.group].first;
  if (limit.first >= now && (of_group[limit.first / 64] >> (limit.first % 64) & 1)) return limit.first;
  const Word* mask = factor.mask(limit);
  if (mask[now / 64] >> (now % 64) & 1) return now;
  return options_.nearest(limit.group, box, mask);
}

// Of each factor the leaves that the box meets nearer than `reach`.
bool Factors::reach_leaves(const Word* box, double reach, Reached& reached, const Until& until) const {
  const double least = reached.distance = options_.distance(box);
  std::vector<std::int32_t> now(options_.width());
  for (std::size_t g = 0; g < now.size(); ++g) now[g] = options_.nearest(g, box);
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    const Leaves& factor = factors_[i];
    auto& leaves = reached.leaves[i];
    until.look();
    double nearest_leaf = kInfinity;
    std::size_t kept = 0;
    for (std::int32_t l : leaves) {
      double distance = least;
      bool met = true;
      for (const Leaves::Limit& limit : factor.of(l)) {
        const std::int32_t g = limit.group, nearest = nearest_in(factor, limit, box, now[g]);
        if (nearest == now[g]) continue;  // no farther than the box
        met = nearest >= 0 && (distance += options_[g].additive[nearest] - options_[g].additive[now[g]]) < reach;
        if (!met) break;
      }
      if (!met) continue;
      leaves[kept++] = l;
      nearest_leaf = std::min(nearest_leaf, distance);
    }
    leaves.resize(kept);
    if (kept == 0) return false;
    reached.distance = std::max(reached.distance, nearest_leaf);
  }
  return true;
}

bool Factors::met(std::span<const double> sums) const {
  return meets(sums, need_, conditions_.hidden.any() ? conditions_.hidden.forms : conditions_.forms);
}

bool Factors::drop_hopeless(Reached& reached, bool& changed, const Until& until) const {
  if (conditions_.hidden.any()) return drop_by_units(reached, changed, until);
  auto value = [&](const Leaves& factor, std::int32_t l, std::size_t f) { return factor.values[l * forms_ + f]; };
  return drop(reached, changed, base_, value, until);
}

// Leaves with which the highest of all other factors do not make a good sum.
template <class Value>
bool Factors::drop(Reached& reached, bool& changed, std::vector<double> upper, Value value, const Until& until) const {
  const std::size_t forms = upper.size();
  std::vector<double> highest(factors_.size() * forms, -kInfinity), with(forms);
  for (std::size_t i = 0; i < factors_.size(); ++i)
    for (std::size_t f = 0; f < forms; ++f) {
      double& most = highest[i * forms + f];
      for (std::int32_t l : reached.leaves[i]) most = std::max(most, value(factors_[i], l, f));
      upper[f] += most;
    }
  if (!met(upper)) return false;
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    until.look();
    auto hopeless = [&](std::int32_t l) {
      for (std::size_t f = 0; f < forms; ++f) with[f] = upper[f] - highest[i * forms + f] + value(factors_[i], l, f);
      return !met(with);
    };
    changed |= std::erase_if(reached.leaves[i], hopeless) > 0;
    if (reached.leaves[i].empty()) return false;
  }
  return true;
}

// The same of a network: between the lowest and the highest that each unit can be, its forms are below sums of units.
bool Factors::drop_by_units(Reached& reached, bool& changed, const Until& until) const {
  const Hidden& hidden = conditions_.hidden;
  std::vector<double> low = base_, high = base_, slopes(hidden.all_forms() * forms_);
  for (std::size_t i = 0; i < factors_.size(); ++i)
    for (std::size_t u = 0; u < forms_; ++u) {
      double least = kInfinity, most = -kInfinity;
      for (std::int32_t l : reached.leaves[i]) {
        least = std::min(least, factors_[i].values[l * forms_ + u]);
        most = std::max(most, factors_[i].values[l * forms_ + u]);
      }
      low[u] += least, high[u] += most;
    }
  for (std::size_t u = 0; u < forms_; ++u) low[u] -= off_[u], high[u] += off_[u];
  if (!met(hidden.highest(low, high))) return false;
  std::vector<double> upper(hidden.all_forms());
  for (std::size_t f = 0; f < upper.size(); ++f) {
    upper[f] = hidden.above(f, low, high, &slopes[f * forms_]);
    for (std::size_t u = 0; u < forms_; ++u)
      upper[f] += slopes[f * forms_ + u] * base_[u] + std::abs(slopes[f * forms_ + u]) * off_[u];
  }
  auto value = [&](const Leaves& factor, std::int32_t l, std::size_t f) {
    double sum = 0;
    for (std::size_t u = 0; u < forms_; ++u) sum += slopes[f * forms_ + u] * factor.values[l * forms_ + u];
    return sum;
  };
  return drop(reached, changed, std::move(upper), value, until);
}

// Of each group only the options that some leaf of each factor has.
bool Factors::narrow_to(const Reached& reached, Word* box, bool& changed, const Until& until) const {
  std::vector<Word> any(options_.words());
  // Per group how many leaves in a row, from the first, leave a part of the box out together.
  std::vector<std::size_t> limited(options_.width());
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    until.look();
    std::fill(limited.begin(), limited.end(), 0);
    const auto& leaves = reached.leaves[i];
    bool some = true;
    for (std::size_t n = 0; some && n < leaves.size(); ++n) {
      some = false;
      for (const Leaves::Limit& limit : factors_[i].of(leaves[n]))
        if (limited[limit.group] == n && limits_still(factors_[i], limit, box, n == 0, any.data())) {
          ++limited[limit.group];
          some = true;
        }
    }
    for (std::size_t g = 0; some && g < limited.size(); ++g) {
      if (limited[g] != leaves.size()) continue;
      const Options::OfGroup& group = options_[g];
      for (std::size_t w = group.first; w < group.first + group.words; ++w) {
        changed |= (box[w] & ~any[w]) != 0;
        box[w] &= any[w];
      }
      if (options_.nearest(g, box) < 0) return false;
    }
  }
  return true;
}

// Adds what the limit lets pass to `any`; false if that is all that the box has.
bool Factors::limits_still(const Leaves& factor, const Leaves::Limit& limit, const Word* box, bool first,
                           Word* any) const {
  const Options::OfGroup& group = options_[limit.group];
  const Word* mask = factor.mask(limit);
  Word left_out = 0;
  for (std::size_t w = 0; w < group.words; ++w) {
    Word& passes = any[group.first + w];
    passes = first ? mask[w] : passes | mask[w];
    left_out |= box[group.first + w] & ~passes;
  }
  return left_out != 0;
}

bool Factors::nearest_meets(const Word* box, const Reached& reached) const {
  std::vector<double> sums = base_;
  std::vector<std::int32_t> nearest(options_.width());
  for (std::size_t g = 0; g < nearest.size(); ++g) nearest[g] = options_.nearest(g, box);
  for (std::size_t i = 0; i < factors_.size(); ++i) {
    const Leaves& factor = factors_[i];
    const auto at = std::find_if(reached.leaves[i].begin(), reached.leaves[i].end(),
                                 [&](std::int32_t l) { return factor.has(l, nearest); });
    if (at == reached.leaves[i].end()) return false;  // its leaf has been left out
    for (std::size_t f = 0; f < forms_; ++f) sums[f] += factor.values[*at * forms_ + f];
  }
  if (!conditions_.hidden.any()) return met(sums);
  auto low = sums;
  for (std::size_t u = 0; u < forms_; ++u) low[u] -= off_[u], sums[u] += off_[u];
  return met(conditions_.hidden.highest(low, sums));
}

std::vector<Word> Factors::part(const Word* box, std::size_t i, std::int32_t leaf) const {
  std::vector<Word> made(box, box + options_.words());
  factors_[i].narrow_to(leaf, options_, made.data());
  return made;
}

}  // namespace geco
