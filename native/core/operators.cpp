#include "core/operators.hpp"

#include <iterator>

namespace geco {
namespace {

// How many of n > 0 running sums are at most u. A search without branches: with a random u each would be a coin toss.
std::size_t count_up_to(const double* running, std::size_t n, double u) {
  const double* at = running;
  while (n > 1) {
    const std::size_t half = n / 2;
    at += half * (at[half - 1] <= u);
    n -= half;
  }
  return static_cast<std::size_t>(at - running) + (*at <= u);
}

}  // namespace

std::vector<Row> sample(const Group& group, std::size_t limit, int m, Row except, Rng& rng, std::vector<Row> out) {
  out.clear();
  const Shared<Row>& order = group.order();
  const std::vector<double>& running = group.running();
  const auto begin = order.begin();
  const std::size_t barred = except == 0 ? limit : std::find(begin, begin + limit, except) - begin;
  const auto wanted = static_cast<std::size_t>(m);
  if (limit - (barred < limit) <= wanted) {  // all there are
    std::copy_if(begin, begin + limit, std::back_inserter(out), [&](Row row) { return row != except; });
    return out;
  }
  // Which positions are gone: a bit each where they fit into a word, for there most draws hit what was drawn before.
  std::uint64_t gone = barred < 64 ? 1ULL << barred : 0;
  auto taken = [&](std::size_t at) {
    if (limit <= 64) return (gone >> at & 1) != 0;
    return at == barred || std::find(out.begin(), out.end(), order[at]) != out.end();
  };
  auto take = [&](std::size_t at) {
    out.push_back(order[at]);
    if (limit <= 64) gone |= 1ULL << at;
  };
  // Draw and reject what was drawn before: exactly sampling without replacement, and cheap unless a few rows hold
  // nearly all the weight; then draw from the remaining rows by a scan.
  const double total = running[limit - 1];
  for (int tries = 0; tries < 4 * m && out.size() < wanted; ++tries) {
    const std::size_t at = std::min(count_up_to(running.data(), limit, rng.uniform() * total), limit - 1);
    if (!taken(at)) take(at);
  }
  while (out.size() < wanted) {
    double sum = 0;
    std::size_t chosen = limit;
    for (std::size_t i = 0; i < limit; ++i) {
      if (taken(i)) continue;
      const double weight = running[i] - (i ? running[i - 1] : 0.0);
      sum += weight;
      if (chosen == limit || rng.uniform() * sum < weight) chosen = i;
    }
    take(chosen);
  }
  return out;
}

std::vector<bool> ruled_groups(const Space& space) {
  std::vector<bool> ruled(space.groups.size());
  auto look_at = [&](const Predicate& p) {
    for (std::int32_t g : p.groups) ruled[g] = true;
  };
  for (const Rule& rule : space.rules) {
    std::for_each(rule.antecedents.begin(), rule.antecedents.end(), look_at);
    look_at(rule.consequent);
    if (rule.defines >= 0) ruled[rule.defines] = true;
  }
  return ruled;
}

}  // namespace geco
