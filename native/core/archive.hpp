// Everything scored so far for one x. Answers "was this proposed before?" and "which different ways are there?".
#pragma once
#include <limits>
#include <unordered_map>

#include "core/candidates.hpp"
#include "core/random.hpp"

namespace geco {

struct Ways {
  std::vector<std::int64_t> found;     // archive indices, nearest first, one per set of changed groups
  // Per found: is it known to be irreducible, or does an undo still wait for its score?
  std::vector<std::uint8_t> settled;
  std::vector<Row> pending;            // those undos, dense rows
};

class Archive {
 public:
  explicit Archive(const Space& space);

  std::size_t size() const { return outcomes_.size(); }
  const Row* rows(std::size_t i) const { return rows_.data() + i * space_.groups.size(); }
  double distance(std::size_t i) const { return distances_[i]; }
  double outcome(std::size_t i) const { return outcomes_[i]; }
  double number(std::size_t i) const { return numbers_[i]; }  // the model's own

  std::int64_t find(const Row* rows) const;                 // -1: never proposed
  std::pair<std::int64_t, bool> insert(const Row* rows);    // index, and whether it is new; outcome NaN until scored
  template <class Candidates>
  void insert_all(const Candidates& candidates);
  void score(std::size_t i, double outcome, double number);
  std::int64_t highest() const;  // the candidate with the highest outcome, the nearest of them; -1: none scored

  std::int32_t changed_groups(std::size_t i);  // a number for the set of groups changed from x, below changed_sets()
  std::size_t changed_sets() const { return changed_sets_.size(); }

  // Up to n counterfactuals, at most one per set of changed groups, each irreducible: undoing any one change loses the
  // good outcome or breaks a rule (design of `diverse`).
  // Ends as soon as `enough` of them are settled.
  Ways ways(std::size_t n, std::size_t enough);
  std::vector<std::int64_t> nearest(std::size_t n) const;  // counterfactuals, nearest first
  std::vector<std::int64_t> fittest(std::size_t q) const;  // the q best by score of everything scored

 private:
  // A candidate's key is a sum over groups, so that the key of an undo is one subtraction; row 0 adds nothing.
  std::uint64_t part(std::size_t g, Row row) const { return factors_[g] * static_cast<std::uint32_t>(row); }
  std::uint64_t key(const Row* rows) const;
  static std::uint32_t tag_of(std::uint64_t key) {
    return static_cast<std::uint32_t>(((key ^ (key >> 32)) * 0xbf58476d1ce4e5b9ULL) >> 32);
  }
  std::int64_t find(const Row* rows, std::uint32_t tag) const { return table_[slot_of(rows, tag)].index; }
  std::pair<std::int64_t, bool> insert(const Row* rows, std::uint32_t tag);
  void grow();
  enum class Undo { irreducible, reducible, pending };
  Undo undo(const Row* candidate, std::vector<Row>& pending) const;

  const Space& space_;
  std::vector<Row> rows_;
  std::vector<double> distances_, outcomes_, numbers_;
  std::vector<std::uint64_t> factors_;  // per group, odd
  // Open addressing. The tag says where a candidate belongs and spares most looks at rows that are far away in memory.
  struct Slot {
    std::uint32_t tag = 0;
    std::int32_t index = -1;
  };
  std::size_t slot_of(const Row* rows, std::uint32_t tag) const;  // where it is, or where it would go
  std::vector<Slot> table_;
  struct Good {
    double distance;
    std::int32_t index;
    bool operator<(const Good& o) const { return distance != o.distance ? distance < o.distance : index < o.index; }
  };
  void sort_from(std::size_t sorted, std::size_t more);  // puts the nearest `more` after the first `sorted`
  std::vector<Good> good_;  // counterfactuals not known to be reducible
  std::vector<Good> far_;  // those beyond the horizon, left alone until fewer ways than asked for are nearer
  double horizon_ = std::numeric_limits<double>::infinity();
  std::unordered_map<std::uint64_t, std::int32_t> changed_sets_;
  std::vector<std::int32_t> changed_;  // per index, as far as it was asked for; -1: not yet
};

template <class Candidates>
void Archive::insert_all(const Candidates& candidates) {
  // A slot of the table is mostly far away in memory: those of the next few candidates are fetched together.
  constexpr std::size_t kAhead = 16;
  const std::size_t width = space_.groups.size();
  std::vector<Row> rows(kAhead * width);
  std::uint32_t tags[kAhead];
  for (std::size_t first = 0; first < candidates.size(); first += kAhead) {
    const std::size_t count = std::min(kAhead, candidates.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      candidates.load(first + i, rows.data() + i * width);
      tags[i] = tag_of(key(rows.data() + i * width));
      __builtin_prefetch(&table_[tags[i] & (table_.size() - 1)]);
    }
    for (std::size_t i = 0; i < count; ++i) insert(rows.data() + i * width, tags[i]);
  }
}

// The q best by score (Eq. 11), best first; every counterfactual before every other candidate, the unscored left out.
std::vector<std::int64_t> rank(std::span<const double> distance, std::span<const double> outcome, std::size_t q);

}  // namespace geco
