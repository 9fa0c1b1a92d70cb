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

std::size_t Archive::slot_of(const Row* rows, std::uint64_t hash) const {
  const std::size_t bytes = space_.groups.size() * sizeof(Row), mask = table_.size() - 1;
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  std::size_t slot = hash & mask;
  while (table_[slot].index >= 0 &&
         (table_[slot].tag != tag || std::memcmp(this->rows(table_[slot].index), rows, bytes) != 0))
    slot = (slot + 1) & mask;
  return slot;
}

std::int64_t Archive::find(const Row* rows) const { return table_[slot_of(rows, hash(rows))].index; }

std::pair<std::int64_t, bool> Archive::insert(const Row* rows) {
  const std::uint64_t key = hash(rows);
  const std::size_t slot = slot_of(rows, key);
  if (table_[slot].index >= 0) return {table_[slot].index, false};
  const auto index = static_cast<std::int32_t>(size());
  table_[slot] = {static_cast<std::uint32_t>(key >> 32), index};
  rows_.insert(rows_.end(), rows, rows + space_.groups.size());
  distances_.push_back(space_.distance(rows));
  outcomes_.push_back(std::numeric_limits<double>::quiet_NaN());
  numbers_.push_back(std::numeric_limits<double>::quiet_NaN());
  if (2 * size() > table_.size()) grow();
  return {index, true};
}

void Archive::grow() {
  table_.assign(4 * table_.size(), Slot{});
  for (std::size_t i = 0; i < size(); ++i) {
    const std::uint64_t key = hash(rows(i));
    std::size_t slot = key & (table_.size() - 1);
    while (table_[slot].index >= 0) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = {static_cast<std::uint32_t>(key >> 32), static_cast<std::int32_t>(i)};
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
    (distances_[i] > horizon_ ? far_ : good_).push_back({distances_[i], static_cast<std::int64_t>(i), -1});
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
    if (!is_x) {
      // Looked up before the rules are tried: what was scored obeys them.
      const std::int64_t at = find(undone.data());
      if (at >= 0 && outcomes_[at] > 0.5) return Undo::reducible;
      if ((at < 0 || std::isnan(outcomes_[at])) && space_.first_broken(undone.data()) == -1) {
        pending.insert(pending.end(), undone.begin(), undone.end());
        verdict = Undo::pending;
      }
    }
    undone[g] = candidate[g];
  }
  return verdict;
}

Ways Archive::ways(std::size_t n, std::size_t enough) {
  std::sort(good_.begin() + sorted_, good_.end());
  if (sorted_ < good_.size()) std::inplace_merge(good_.begin(), good_.begin() + sorted_, good_.end());

  Ways ways;
  std::vector<bool> taken;
  std::vector<Row> pending;
  std::size_t kept = 0, at = 0, settled = 0;
  for (; at < good_.size() && ways.found.size() < n && settled < enough; ++at) {
    Good good = good_[at];
    if (good.changed < 0) good.changed = changed_groups(rows(good.index));
    if (taken.size() < changed_sets_.size()) taken.resize(changed_sets_.size());
    if (!taken[good.changed]) {
      pending.clear();
      const Undo verdict = undo(rows(good.index), pending);
      if (verdict == Undo::reducible) continue;  // for good: what was scored good stays good
      taken[good.changed] = true;
      ways.found.push_back(good.index);
      ways.settled.push_back(verdict == Undo::irreducible);
      settled += verdict == Undo::irreducible;
      ways.pending.insert(ways.pending.end(), pending.begin(), pending.end());
    }
    good_[kept++] = good;
  }
  good_.erase(good_.begin() + kept, good_.begin() + at);
  sorted_ = good_.size();
  const bool all = ways.found.size() == n || settled == enough;
  if (!all && !far_.empty()) {
    good_.insert(good_.end(), far_.begin(), far_.end());
    far_.clear();
    horizon_ = std::numeric_limits<double>::infinity();
    return this->ways(n, enough);
  }
  if (all && !ways.found.empty()) horizon_ = std::min(horizon_, distances_[ways.found.back()]);
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
