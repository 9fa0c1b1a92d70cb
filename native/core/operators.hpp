// Algorithms 2 and 3, for a whole generation and for either representation.
#pragma once
#include <set>

#include "core/candidates.hpp"
#include "core/cascade.hpp"

namespace geco {

// m rows of the first `limit` in the group's order, weighted, without replacement, never `except`; `out` lends its
// memory.
std::vector<Row> sample(const Group& group, std::size_t limit, int m, Row except, Rng& rng, std::vector<Row> out = {});

// Per group: does any rule look at it?
std::vector<bool> ruled_groups(const Space& space);

// Algorithm 2. `selective`: change again the groups already in Δ, to rows nearer to x (Sec. 4.6); otherwise those not
// in Δ.
template <class Candidates>
Candidates mutate(const Space& space, const Candidates& population, int m, bool selective, std::uint64_t seed,
                  std::uint64_t round, CascadeCounts& counts) {
  Candidates out(population.start());
  const std::vector<bool> ruled = ruled_groups(space);
  std::vector<Row> parent(population.width()), child, drawn;
  for (std::size_t p = 0; p < population.size(); ++p) {
    population.load(p, parent.data());
    const bool obeys = space.first_broken(parent.data()) == Space::kNoneBroken;
    for (std::size_t g = 0; g < parent.size(); ++g) {
      const Group& group = space.groups[g];
      const bool in_delta = parent[g] != space.start[g];
      if (!group.free || in_delta != selective) continue;
      const double now = parent[g] == 0 ? 0.0 : group.total(parent[g]);
      const std::vector<double>& cost = group.cost();
      const std::size_t limit =
          selective ? std::lower_bound(cost.begin(), cost.end(), now) - cost.begin() : group.count();
      Rng rng(seed, round, 2 * p + selective, g);
      const Row except = selective ? 0 : parent[g];  // the present row is none of the nearer ones
      drawn = sample(group, limit, m, except, rng, std::move(drawn));
      const bool safe = obeys && !ruled[g];  // the parent keeps every rule and the change concerns none
      for (Row row : drawn) {
        child = parent;
        child[g] = row;
        if (safe || Cascade::apply(space, child.data(), &rng, counts)) out.push(child.data());
      }
    }
  }
  return out;
}

// Indices of the first (best: the population is ranked) candidate of each Δ set.
template <class Candidates>
std::vector<std::int64_t> best_per_delta(const Candidates& population) {
  std::set<std::vector<bool>> seen;
  std::vector<std::int64_t> best;
  std::vector<Row> rows(population.width());
  std::vector<bool> delta(population.width());
  for (std::size_t i = 0; i < population.size(); ++i) {
    population.load(i, rows.data());
    for (std::size_t g = 0; g < rows.size(); ++g) delta[g] = rows[g] != population.start()[g];
    if (seen.insert(delta).second) best.push_back(static_cast<std::int64_t>(i));
  }
  return best;
}

// Algorithm 3: combine the best candidates of every two Δ sets.
template <class Candidates>
Candidates crossover(const Space& space, const Candidates& population, std::uint64_t seed, std::uint64_t round,
                     CascadeCounts& counts) {
  Candidates out(population.start());
  const std::vector<std::int64_t> best = best_per_delta(population);
  std::vector<Row> a(population.width()), b(population.width()), child;
  for (std::size_t i = 0; i < best.size(); ++i) {
    population.load(best[i], a.data());
    for (std::size_t j = i + 1; j < best.size(); ++j) {
      population.load(best[j], b.data());
      Rng rng(seed, round, ~(i * best.size() + j), ~0ULL);
      child = a;
      for (std::size_t g = 0; g < child.size(); ++g) {
        const bool in_a = a[g] != space.start[g], in_b = b[g] != space.start[g];
        if (in_b && (!in_a || rng.coin())) child[g] = b[g];
      }
      if (Cascade::apply(space, child.data(), &rng, counts)) out.push(child.data());
    }
  }
  return out;
}

}  // namespace geco
