#include "core/archive.hpp"

#include <cmath>
#include <limits>

namespace geco {

Archive::Archive(const Space& space) : space_(space), table_(1 << 14) {
  for (std::size_t g = 0; g < space.groups.size(); ++g) factors_.push_back(Rng(0, 0, 0, g).next() | 1);
}

std::uint64_t Archive::key(const Row* rows) const {
  std::uint64_t sum = 0;
  for (std::size_t g = 0; g < factors_.size(); ++g) sum += part(g, rows[g]);
  return sum;
}

std::size_t Archive::slot_of(const Row* rows, std::uint32_t tag) const {
  const std::size_t bytes = space_.groups.size() * sizeof(Row), mask = table_.size() - 1;
  std::size_t slot = tag & mask;
  while (table_[slot].index >= 0 &&
         (table_[slot].tag != tag || std::memcmp(this->rows(table_[slot].index), rows, bytes) != 0))
    slot = (slot + 1) & mask;
  return slot;
}

std::int64_t Archive::find(const Row* rows) const { return find(rows, tag_of(key(rows))); }

std::pair<std::int64_t, bool> Archive::insert(const Row* rows) { return insert(rows, tag_of(key(rows))); }

std::pair<std::int64_t, bool> Archive::insert(const Row* rows, std::uint32_t tag) {
  const std::size_t slot = slot_of(rows, tag);
  if (table_[slot].index >= 0) return {table_[slot].index, false};
  const auto index = static_cast<std::int32_t>(size());
  table_[slot] = {tag, index};
  rows_.insert(rows_.end(), rows, rows + space_.groups.size());
  distances_.push_back(space_.distance(rows));
  outcomes_.push_back(std::numeric_limits<double>::quiet_NaN());
  numbers_.push_back(std::numeric_limits<double>::quiet_NaN());
  if (2 * size() > table_.size()) grow();
  return {index, true};
}

void Archive::grow() {
  std::vector<Slot> larger(4 * table_.size());
  for (const Slot& old : table_) {
    if (old.index < 0) continue;
    std::size_t slot = old.tag & (larger.size() - 1);
    while (larger[slot].index >= 0) slot = (slot + 1) & (larger.size() - 1);
    larger[slot] = old;
  }
  table_ = std::move(larger);
}

std::int32_t Archive::changed_groups(std::size_t i) {
  if (changed_.size() <= i) changed_.resize(size(), -1);
  if (changed_[i] >= 0) return changed_[i];
  const Row* rows = this->rows(i);
  const std::size_t width = space_.groups.size();
  std::uint64_t changed = 0;  // one bit per group; of more than 64 a sum, the same for two sets once in 2^64
  for (std::size_t g = 0; g < width; ++g)
    if (rows[g] != 0) changed += width <= 64 ? std::uint64_t{1} << g : factors_[g];
  changed_[i] = changed_sets_.try_emplace(changed, static_cast<std::int32_t>(changed_sets_.size())).first->second;
  return changed_[i];
}

void Archive::score(std::size_t i, double outcome, double number) {
  if (outcome > 0.5 && !(outcomes_[i] > 0.5))
    (distances_[i] > horizon_ ? far_ : good_).push_back({distances_[i], static_cast<std::int32_t>(i)});
  outcomes_[i] = outcome;
  numbers_[i] = number;
}

std::int64_t Archive::highest() const {
  std::int64_t best = -1;
  const std::size_t width = space_.groups.size();
  for (std::size_t i = 0; i < size(); ++i) {
    // x itself is no candidate; others may be as near, where a change is free.
    if (std::isnan(outcomes_[i]) || std::all_of(rows(i), rows(i) + width, [](Row r) { return r == 0; })) continue;
    if (best < 0 || outcomes_[i] > outcomes_[best] ||
        (outcomes_[i] == outcomes_[best] && distances_[i] < distances_[best]))
      best = static_cast<std::int64_t>(i);
  }
  return best;
}

Archive::Undo Archive::undo(const Row* candidate, std::vector<Row>& pending) const {
  const std::size_t width = space_.groups.size();
  // The undo is x, which is bad.
  if (width - std::count(candidate, candidate + width, 0) == 1) return Undo::irreducible;
  const std::uint64_t whole = key(candidate);
  std::vector<Row> undone(candidate, candidate + width);
  Undo verdict = Undo::irreducible;
  for (std::size_t g = 0; g < width; ++g) {
    if (candidate[g] == 0) continue;
    undone[g] = 0;
    // Looked up before the rules are tried: what was scored obeys them.
    const std::int64_t at = find(undone.data(), tag_of(whole - part(g, candidate[g])));
    if (at >= 0 && outcomes_[at] > 0.5) return Undo::reducible;
    if ((at < 0 || std::isnan(outcomes_[at])) && space_.first_broken(undone.data()) == -1) {
      pending.insert(pending.end(), undone.begin(), undone.end());
      verdict = Undo::pending;
    }
    undone[g] = candidate[g];
  }
  return verdict;
}

constexpr std::size_t kAhead = 8;  // rows fetched early: the nearest are scattered over memory

void Archive::sort_from(std::size_t sorted, std::size_t more) {
  const auto from = good_.begin() + sorted, to = from + std::min(more, good_.size() - sorted);
  if (to < good_.end()) std::nth_element(from, to, good_.end());
  std::sort(from, to);
}

Ways Archive::ways(std::size_t n, std::size_t enough) {
  Ways ways;
  std::vector<bool> taken;
  std::vector<Row> pending;
  std::size_t kept = 0, at = 0, settled = 0, sorted = 0;
  for (; at < good_.size() && ways.found.size() < n && settled < enough; ++at) {
    if (at == sorted) {  // most are never looked at
      const std::size_t more = std::max<std::size_t>(128, sorted);
      sort_from(sorted, more);
      sorted += more;
    }
    if (at + kAhead < good_.size()) __builtin_prefetch(rows(good_[at + kAhead].index));
    const Good good = good_[at];
    const std::int32_t changed = changed_groups(good.index);
    if (taken.size() < changed_sets_.size()) taken.resize(changed_sets_.size());
    if (!taken[changed]) {
      pending.clear();
      const Undo verdict = undo(rows(good.index), pending);
      if (verdict == Undo::reducible) continue;  // for good: what was scored good stays good
      taken[changed] = true;
      ways.found.push_back(good.index);
      ways.settled.push_back(verdict == Undo::irreducible);
      settled += verdict == Undo::irreducible;
      ways.pending.insert(ways.pending.end(), pending.begin(), pending.end());
    }
    good_[kept++] = good;
  }
  good_.erase(good_.begin() + kept, good_.begin() + at);
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
  struct Ranked {
    double score;
    std::int64_t index;
    bool bad;
    bool operator<(const Ranked& o) const {
      if (bad != o.bad) return o.bad;  // even if weights push a distance past 1
      return score != o.score ? score < o.score : index < o.index;
    }
  };
  std::vector<Ranked> ranked;
  ranked.reserve(distance.size());
  for (std::size_t i = 0; i < distance.size(); ++i) {
    if (std::isnan(outcome[i])) continue;
    const bool bad = !(outcome[i] > 0.5);
    ranked.push_back({bad ? distance[i] + 1 + (1 - outcome[i]) : distance[i], static_cast<std::int64_t>(i), bad});
  }
  q = std::min(q, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + q, ranked.end());
  std::vector<std::int64_t> order(q);
  std::transform(ranked.begin(), ranked.begin() + q, order.begin(), [](const Ranked& r) { return r.index; });
  return order;
}

}  // namespace geco
