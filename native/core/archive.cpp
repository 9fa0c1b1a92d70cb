#include "core/archive.hpp"

#include <cmath>
#include <limits>

namespace geco {

std::uint64_t Archive::hash(const Row* rows) const {
  std::uint64_t h = 0x9e3779b97f4a7c15ULL;
  for (std::size_t g = 0; g < space_.groups.size(); ++g) {
    h ^= static_cast<std::uint32_t>(rows[g]) + (g << 32);
    h *= 0xbf58476d1ce4e5b9ULL;
    h ^= h >> 29;
  }
  return h;
}

std::int64_t Archive::find(const Row* rows) const {
  const std::size_t width = space_.groups.size(), mask = table_.size() - 1;
  for (std::size_t slot = hash(rows) & mask; table_[slot] >= 0; slot = (slot + 1) & mask)
    if (std::memcmp(this->rows(table_[slot]), rows, width * sizeof(Row)) == 0) return table_[slot];
  return -1;
}

std::pair<std::int64_t, bool> Archive::insert(const Row* rows) {
  if (const std::int64_t at = find(rows); at >= 0) return {at, false};
  const auto index = static_cast<std::int64_t>(size());
  rows_.insert(rows_.end(), rows, rows + space_.groups.size());
  distances_.push_back(space_.distance(rows));
  outcomes_.push_back(std::numeric_limits<double>::quiet_NaN());
  numbers_.push_back(std::numeric_limits<double>::quiet_NaN());
  if (2 * size() > table_.size()) {
    grow();
  } else {
    std::size_t slot = hash(rows) & (table_.size() - 1);
    while (table_[slot] >= 0) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = index;
  }
  return {index, true};
}

void Archive::grow() {
  table_.assign(4 * table_.size(), -1);
  for (std::size_t i = 0; i < size(); ++i) {
    std::size_t slot = hash(rows(i)) & (table_.size() - 1);
    while (table_[slot] >= 0) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = static_cast<std::int64_t>(i);
  }
}

std::int32_t Archive::changed_groups(const Row* rows) {
  std::string changed((space_.groups.size() + 7) / 8, '\0');
  for (std::size_t g = 0; g < space_.groups.size(); ++g)
    if (rows[g] != 0) changed[g / 8] |= static_cast<char>(1 << (g % 8));
  return changed_sets_.emplace(std::move(changed), static_cast<std::int32_t>(changed_sets_.size())).first->second;
}

void Archive::score(std::size_t i, double outcome, double number) {
  if (outcome > 0.5 && !(outcomes_[i] > 0.5))
    good_.push_back({distances_[i], static_cast<std::int64_t>(i), changed_groups(rows(i))});
  outcomes_[i] = outcome;
  numbers_[i] = number;
}

std::int64_t Archive::highest() const {
  std::int64_t best = -1;
  for (std::size_t i = 0; i < size(); ++i) {
    if (std::isnan(outcomes_[i]) || distances_[i] == 0) continue;
    if (best < 0 || outcomes_[i] > outcomes_[best] || (outcomes_[i] == outcomes_[best] && distances_[i] < distances_[best]))
      best = static_cast<std::int64_t>(i);
  }
  return best;
}

Archive::Undo Archive::undo(const Row* candidate, std::vector<Row>& pending) const {
  const std::size_t width = space_.groups.size();
  std::vector<Row> undone(candidate, candidate + width);
  Undo verdict = Undo::irreducible;
  for (std::size_t g = 0; g < width; ++g) {
    if (candidate[g] == 0) continue;
    undone[g] = 0;
    const bool is_x = std::all_of(undone.begin(), undone.end(), [](Row r) { return r == 0; });  // x itself is bad
    if (!is_x && space_.first_broken(undone.data()) == -1) {
      const std::int64_t at = find(undone.data());
      if (at >= 0 && outcomes_[at] > 0.5) return Undo::reducible;
      if (at < 0 || std::isnan(outcomes_[at])) {
        pending.insert(pending.end(), undone.begin(), undone.end());
        verdict = Undo::pending;
      }
    }
    undone[g] = candidate[g];
  }
  return verdict;
}

Ways Archive::ways(std::size_t n) {
  std::sort(good_.begin() + sorted_, good_.end());
  std::inplace_merge(good_.begin(), good_.begin() + sorted_, good_.end());

  Ways ways;
  std::vector<bool> taken(changed_sets_.size());
  std::vector<Row> pending;
  std::size_t kept = 0, at = 0;
  for (; at < good_.size() && ways.found.size() < n; ++at) {
    const Good good = good_[at];
    if (!taken[good.changed]) {
      pending.clear();
      const Undo verdict = undo(rows(good.index), pending);
      if (verdict == Undo::reducible) continue;  // for good: what was scored good stays good
      taken[good.changed] = true;
      ways.found.push_back(good.index);
      ways.settled.push_back(verdict == Undo::irreducible);
      ways.pending.insert(ways.pending.end(), pending.begin(), pending.end());
    }
    good_[kept++] = good;
  }
  good_.erase(good_.begin() + kept, good_.begin() + at);
  sorted_ = good_.size();
  return ways;
}

std::vector<std::int64_t> Archive::nearest(std::size_t n) const {
  std::vector<std::int64_t> good;
  for (std::size_t i = 0; i < size(); ++i)
    if (outcomes_[i] > 0.5) good.push_back(static_cast<std::int64_t>(i));
  n = std::min(n, good.size());
  std::partial_sort(good.begin(), good.begin() + n, good.end(), [&](std::int64_t a, std::int64_t b) {
    return distances_[a] != distances_[b] ? distances_[a] < distances_[b] : a < b;
  });
  good.resize(n);
  return good;
}

std::vector<std::int64_t> Archive::fittest(std::size_t q) const { return rank(distances_, outcomes_, q); }

std::vector<std::int64_t> rank(std::span<const double> distance, std::span<const double> outcome, std::size_t q) {
  std::vector<std::int64_t> order;
  for (std::size_t i = 0; i < distance.size(); ++i)
    if (!std::isnan(outcome[i])) order.push_back(static_cast<std::int64_t>(i));
  auto score = [&](std::int64_t i) { return outcome[i] > 0.5 ? distance[i] : distance[i] + 1 + (1 - outcome[i]); };
  auto better = [&](std::int64_t a, std::int64_t b) {
    const bool good_a = outcome[a] > 0.5, good_b = outcome[b] > 0.5;
    if (good_a != good_b) return good_a;  // even if weights push a distance past 1
    const double sa = score(a), sb = score(b);
    return sa != sb ? sa < sb : a < b;
  };
  q = std::min(q, order.size());
  std::partial_sort(order.begin(), order.begin() + q, order.end(), better);
  order.resize(q);
  return order;
}

}  // namespace geco
