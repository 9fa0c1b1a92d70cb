#include "core/archive.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "core/about.hpp"

namespace geco {

Archive::Archive(const Space& space) : space_(space), table_(kSlots) {
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

std::pair<std::int64_t, bool> Archive::insert(const Row* rows, std::uint32_t tag, const double* distance) {
  const std::size_t slot = slot_of(rows, tag);
  if (table_[slot].index >= 0) return {table_[slot].index, false};
  const auto index = static_cast<std::int32_t>(size());
  table_[slot] = {tag, index};
  rows_.insert(rows_.end(), rows, rows + space_.groups.size());
  distances_.push_back(distance ? *distance : space_.distance(rows));
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

std::int32_t Archive::number_of(std::uint64_t changed, const Row* rows) {
  if (last_set_.second >= 0 && last_set_.first == changed) return last_set_.second;
  const auto [at, fresh] = changed_sets_.try_emplace(changed, static_cast<std::int32_t>(changed_sets_.size()));
  if (fresh) {
    std::uint64_t mask = 0;
    for (std::size_t g = 0; g < factors_.size(); ++g) mask |= std::uint64_t{rows[g] != 0} << (g % 64);
    masks_.push_back(mask);
  }
  last_set_ = *at;
  return at->second;
}

std::int32_t Archive::changed_groups(std::size_t i) {
  if (changed_.size() <= i) changed_.resize(size(), -1);
  if (changed_[i] < 0) changed_[i] = number_of(changed(rows(i)), rows(i));
  return changed_[i];
}

void Archive::score(std::size_t i, double outcome, double number) {
  if (outcome > 0.5 && !(outcomes_[i] > 0.5))
    (distances_[i] > horizon_ ? far_ : good_).push_back({about(distances_[i]), static_cast<std::int32_t>(i)});
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

bool Archive::before(std::size_t a, std::size_t b) const {
  const double distance_a = about(distances_[a]), distance_b = about(distances_[b]);
  if (distance_a != distance_b) return distance_a < distance_b;
  const std::size_t width = space_.groups.size();
  const Row *left = rows(a), *right = rows(b);
  const auto unchanged_left = std::count(left, left + width, 0), unchanged_right = std::count(right, right + width, 0);
  if (unchanged_left != unchanged_right) return unchanged_left > unchanged_right;
  return std::lexicographical_compare(left, left + width, right, right + width);
}

Archive::Parts Archive::look_at(const std::vector<Row>& part, std::uint64_t key, std::vector<Row>& pending) const {
  // Looked up before the rules are tried: what was scored obeys them.
  const std::int64_t at = find(part.data(), tag_of(key));
  if (at >= 0 && outcomes_[at] > 0.5) return Parts::reducible;
  if ((at >= 0 && !std::isnan(outcomes_[at])) || space_.first_broken(part.data()) != -1) return Parts::irreducible;
  pending.insert(pending.end(), part.begin(), part.end());
  return Parts::pending;
}

namespace {

constexpr std::size_t kManyChanges =
    10;  // beyond them not all parts are looked at, but those that differ most and least

// Is this part, of so many kept changes of `all`, one that is looked at?
bool worth_a_look(std::size_t kept, std::size_t all) { return all <= kManyChanges || kept <= 2 || all - kept <= 2; }

}  // namespace

Archive::Parts Archive::parts(std::size_t i, Kind kind, bool deep, std::vector<Row>& pending) {
  if (whole_.size() <= i) whole_.resize(size());
  if (whole_[i]) return Parts::irreducible;
  const std::size_t width = space_.groups.size();
  std::vector<Row> part(rows(i), rows(i) + width);
  std::vector<std::size_t> changed;
  for (std::size_t g = 0; g < width; ++g)
    if (part[g] != 0) changed.push_back(g);
  // What is left is x, which is bad.
  if (changed.size() == 1) return Parts::irreducible;
  const std::uint64_t all = key(part.data());
  const std::size_t waiting = pending.size();
  for (std::size_t g : changed) {
    const Row row = std::exchange(part[g], 0);
    if (look_at(part, all - this->part(g, row), pending) == Parts::reducible) return Parts::reducible;
    part[g] = row;
  }
  if (pending.size() > waiting) return Parts::pending;
  if (kind == Kind::sets || changed.size() == 2) return whole_[i] = true, Parts::irreducible;
  if (!deep) return Parts::pending;
  return several_undone(i, changed, pending);
}

// The same once no single undo is good: parts without two changes or more.
Archive::Parts Archive::several_undone(std::size_t i, const std::vector<std::size_t>& changed,
                                       std::vector<Row>& pending) {
  const std::size_t width = space_.groups.size(), n = changed.size(), waiting = pending.size();
  std::vector<Row> part(width);
  const Row* whole = rows(i);
  auto look = [&](auto&& look, std::size_t from, std::size_t kept, std::uint64_t key) -> bool {
    if (kept > 0 && kept + 1 < n && worth_a_look(kept, n) && look_at(part, key, pending) == Parts::reducible)
      return true;
    if (kept + 2 >= n || (n > kManyChanges && kept == 2)) return false;
    for (std::size_t c = from; c < n; ++c) {
      part[changed[c]] = whole[changed[c]];
      if (look(look, c + 1, kept + 1, key + this->part(changed[c], whole[changed[c]]))) return true;
      part[changed[c]] = 0;
    }
    return false;
  };
  if (look(look, 0, 0, 0)) return Parts::reducible;
  if (n > kManyChanges) {  // those without two
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = a + 1; b < n; ++b) {
        part.assign(whole, whole + width);
        part[changed[a]] = part[changed[b]] = 0;
        if (look_at(part, key(part.data()), pending) == Parts::reducible) return Parts::reducible;
      }
  }
  if (pending.size() > waiting) return Parts::pending;
  whole_[i] = true;
  return Parts::irreducible;
}

constexpr std::size_t kAhead = 8;  // rows fetched early: the nearest are scattered over memory

void Archive::sort_from(std::size_t sorted, std::size_t more) {
  const auto from = good_.begin() + sorted, to = from + std::min(more, good_.size() - sorted);
  auto nearer = [&](const Good& a, const Good& b) {
    return a.distance != b.distance ? a.distance < b.distance : before(a.index, b.index);
  };
  if (to < good_.end()) std::nth_element(from, to, good_.end(), nearer);
  std::sort(from, to, nearer);
}

// Because of the first way, or of one that was found already.
bool Archive::passed_over(std::size_t i, const Wanted& wanted, const Ways& ways, const std::vector<bool>& taken) {
  if (first_ >= 0 && before(i, first_)) return true;
  if (wanted.kind == Kind::sets) return taken[changed_groups(i)];
  changed_groups(i);
  return left_out(i, ways.found);
}

bool Archive::left_out(std::size_t i, std::span<const std::int64_t> ways) const {
  const std::uint64_t mask = masks_[changed_[i]];
  return std::any_of(ways.begin(), ways.end(), [&](std::int64_t nearer) {
    return (masks_[changed_[nearer]] & ~mask) == 0 && space_.left_out(rows(i), rows(nearer));
  });
}

Ways Archive::ways(const Wanted& wanted) {
  Ways ways;
  std::vector<bool> taken;
  std::vector<Row> pending;
  std::size_t kept = 0, at = 0, settled = 0, sorted = 0;
  for (; at < good_.size() && ways.found.size() < wanted.n && settled < wanted.enough; ++at) {
    if (at == sorted) {  // most are never looked at
      const std::size_t more = std::max<std::size_t>(128, sorted);
      sort_from(sorted, more);
      sorted += more;
    }
    if (at + kAhead < good_.size()) __builtin_prefetch(rows(good_[at + kAhead].index));
    const Good good = good_[at];
    const std::int32_t changed = changed_groups(good.index);
    if (taken.size() < changed_sets_.size()) taken.resize(changed_sets_.size());
    if (!passed_over(good.index, wanted, ways, taken)) {
      pending.clear();
      const Parts verdict = parts(good.index, wanted.kind, ways.found.size() < wanted.deep, pending);
      if (verdict == Parts::reducible) continue;  // for good: what was scored good stays good
      if (verdict == Parts::irreducible || !wanted.only_settled) {
        taken[changed] = true;
        ways.found.push_back(good.index);
        ways.settled.push_back(verdict == Parts::irreducible);
        settled += verdict == Parts::irreducible;
        ways.pending.insert(ways.pending.end(), pending.begin(), pending.end());
      }
    }
    good_[kept++] = good;
  }
  good_.erase(good_.begin() + kept, good_.begin() + at);
  const bool all = ways.found.size() == wanted.n || settled == wanted.enough;
  // What was known before the horizon came near may lie beyond it, and something of what was put aside before that.
  const bool beyond = !ways.found.empty() && distances_[ways.found.back()] > horizon_;
  if ((!all || beyond) && !far_.empty()) {
    good_.insert(good_.end(), far_.begin(), far_.end());
    far_.clear();
    horizon_ = std::numeric_limits<double>::infinity();
    return this->ways(wanted);
  }
  if (all && !ways.found.empty()) horizon_ = std::min(horizon_, distances_[ways.found.back()]);
  return ways;
}

bool Archive::fix_first(Kind kind) {
  const Ways ways = this->ways({kind, 1, 1, 1, true});
  if (!ways.found.empty()) first_ = ways.found.front();
  return first_ >= 0;
}

void Archive::release(Kind kind, std::size_t shown) {
  shown_ = ways({kind, shown, shown, shown, true}).found;
  first_ = -1;
}

std::vector<std::int64_t> Archive::best(Kind kind, std::size_t n) {
  std::vector<std::int64_t> best = ways({kind, n, n, n, true}).found;
  if (shown_.empty()) return best;
  auto is_shown = [&](std::int64_t i) { return std::find(shown_.begin(), shown_.end(), i) != shown_.end(); };
  auto stands_for = [&](std::int64_t way, std::int64_t i) {
    return way == i ||
           (kind == Kind::minimal ? space_.left_out(rows(i), rows(way)) : changed_groups(i) == changed_groups(way));
  };
  for (std::int64_t i : shown_) {
    if (std::any_of(best.begin(), best.end(), [&](std::int64_t way) { return stands_for(way, i); })) continue;
    // In place of the farthest that was not shown before and that no other of those needs.
    const auto spare = std::find_if(best.rbegin(), best.rend(), [&](std::int64_t way) {
      return !is_shown(way) &&
             std::none_of(shown_.begin(), shown_.end(), [&](std::int64_t o) { return stands_for(way, o); });
    });
    if (best.size() == n && spare != best.rend()) best.erase(std::next(spare).base());
    if (best.size() < n) best.push_back(i);
  }
  std::sort(best.begin(), best.end(), [&](std::int64_t a, std::int64_t b) { return before(a, b); });
  return best;
}

std::vector<std::int64_t> Archive::nearest(std::size_t n) const {
  std::vector<std::int64_t> good;
  for (std::size_t i = 0; i < size(); ++i)
    if (outcomes_[i] > 0.5 && !(first_ >= 0 && before(i, first_))) good.push_back(static_cast<std::int64_t>(i));
  n = std::min(n, good.size());
  std::partial_sort(good.begin(), good.begin() + n, good.end(), [&](std::int64_t a, std::int64_t b) {
    return distances_[a] != distances_[b] ? distances_[a] < distances_[b] : a < b;
  });
  good.resize(n);
  return good;
}

std::vector<std::int64_t> Archive::fittest(std::size_t q) const { return rank(distances_, outcomes_, q); }

}  // namespace geco
