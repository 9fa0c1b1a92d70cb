#include "core/operators.hpp"

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
  const auto begin = group.order.begin();
  const bool has_except = except != 0 && std::find(begin, begin + limit, except) != begin + limit;
  if (limit - has_except <= static_cast<std::size_t>(m)) {  // all there are
    for (std::size_t i = 0; i < limit; ++i)
      if (group.order[i] != except) out.push_back(group.order[i]);
    return out;
  }
  auto taken = [&](Row row) { return row == except || std::find(out.begin(), out.end(), row) != out.end(); };
  // Draw and reject what was drawn before: exactly sampling without replacement, and cheap unless a few rows hold
  // nearly all the weight; then draw from the remaining rows by a scan.
  const double total = group.running[limit - 1];
  for (int tries = 0; tries < 4 * m && out.size() < static_cast<std::size_t>(m); ++tries) {
    const std::size_t at = count_up_to(group.running.data(), limit, rng.uniform() * total);
    const Row row = group.order[std::min(at, limit - 1)];
    if (!taken(row)) out.push_back(row);
  }
  while (out.size() < static_cast<std::size_t>(m)) {
    double sum = 0;
    Row chosen = 0;
    for (std::size_t i = 0; i < limit; ++i) {
      if (taken(group.order[i])) continue;
      const double weight = group.running[i] - (i ? group.running[i - 1] : 0.0);
      sum += weight;
      if (chosen == 0 || rng.uniform() * sum < weight) chosen = group.order[i];
    }
    out.push_back(chosen);
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
