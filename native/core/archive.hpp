// Everything scored so far for one x. Answers "was this proposed before?" and "which different ways are there?".
#pragma once
#include <limits>
#include <unordered_map>

#include "core/candidates.hpp"
#include "core/random.hpp"

namespace geco {

// Which counterfactuals count as different ways (product: `ways=`).
enum class Kind {
  minimal,  // none contains a nearer one without halving what the two share
  sets      // one per set of changed groups
};

struct Ways {
  std::vector<std::int64_t> found;     // archive indices, in order
  // Per found: is it known that no part of it is good, or does one still wait for its score?
  std::vector<std::uint8_t> settled;
  std::vector<Row> pending;            // those parts, dense rows
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
  std::pair<std::int64_t, bool> insert_at(const Row* rows, double distance) {  // the same where that is known
    return insert(rows, tag_of(key(rows)), &distance);
  }
  // The line through a candidate along one group, and candidates of it at a distance that is known.
  struct Line {
    std::uint64_t key = 0, changed = 0;  // without the group
    std::int32_t group = 0;
  };
  Line line(const Row* rows, std::int32_t group) const {
    return {key(rows) - part(group, rows[group]), changed(rows) - mark(group, rows[group]), group};
  }
  std::pair<std::int64_t, bool> insert_on(const Line& line, const Row* rows, double distance);
  template <class Candidates>
  void insert_all(const Candidates& candidates);
  void score(std::size_t i, double outcome, double number);
  std::int64_t highest() const;  // the candidate with the highest outcome, the nearest of them; -1: none scored

  std::int32_t changed_groups(std::size_t i);  // a number for the set of groups changed from x, below changed_sets()
  std::size_t changed_sets() const { return changed_sets_.size(); }

  // What is asked of `ways`.
  struct Wanted {
    Kind kind = Kind::minimal;
    std::size_t n = 1;       // up to so many
    std::size_t enough = 1;  // it ends as soon as so many of them are settled
    std::size_t deep = 1;    // of the first so many every part is asked about, of the others single undos
    bool only_settled = false;  // what is not settled is passed over
  };
  // Different irreducible counterfactuals in the order (distance, number of changed groups, rows).
  Ways ways(const Wanted& wanted);
  // Does it contain one of these ways without halving what the two share?
  bool left_out(std::size_t i, std::span<const std::int64_t> ways) const;
  // The answers: settled ways. What was shown for fewer ways stays, or what leaves it out is shown.
  std::vector<std::int64_t> best(Kind kind, std::size_t n);
  // From now on the nearest settled way is the first, and what comes before it is passed over: who asks for one way and
  // who asks for several are told of the same. False: there is none.
  bool fix_first(Kind kind);
  // It is known otherwise that no part of it is good.
  void settle(std::size_t i) {
    if (whole_.size() <= i) whole_.resize(size());
    whole_[i] = true;
  }
  // From now on nothing is passed over, and these many are shown by `best` though there are nearer ones.
  void release(Kind kind, std::size_t shown);
  std::vector<std::int64_t> nearest(std::size_t n) const;  // counterfactuals, nearest first
  std::vector<std::int64_t> fittest(std::size_t q) const;  // the q best by score of everything scored

 private:
  // A candidate's key is a sum over groups, so that the key of an undo is one subtraction; row 0 adds nothing.
  std::uint64_t part(std::size_t g, Row row) const { return factors_[g] * static_cast<std::uint32_t>(row); }
  std::uint64_t key(const Row* rows) const;
  // The set of changed groups: one bit per group; of more than 64 a sum, the same for two sets once in 2^64.
  std::uint64_t mark(std::size_t g, Row row) const {
    return row == 0 ? 0 : factors_.size() <= 64 ? std::uint64_t{1} << g : factors_[g];
  }
  std::uint64_t changed(const Row* rows) const {
    std::uint64_t sum = 0;
    for (std::size_t g = 0; g < factors_.size(); ++g) sum += mark(g, rows[g]);
    return sum;
  }
  std::int32_t number_of(std::uint64_t changed, const Row* rows);
  static std::uint32_t tag_of(std::uint64_t key) {
    return static_cast<std::uint32_t>(((key ^ (key >> 32)) * 0xbf58476d1ce4e5b9ULL) >> 32);
  }
  std::int64_t find(const Row* rows, std::uint32_t tag) const { return table_[slot_of(rows, tag)].index; }
  std::pair<std::int64_t, bool> insert(const Row* rows, std::uint32_t tag, const double* distance = nullptr);
  void grow();
  enum class Parts : std::uint8_t { unknown, irreducible, reducible, pending };
  // Whether a part of the candidate is good; parts whose score is needed to tell go to `pending`, single undos first.
  // Of sets, and where it is not `deep`, nothing but single undos is looked at.
  Parts parts(std::size_t i, Kind kind, bool deep, std::vector<Row>& pending);
  Parts several_undone(std::size_t i, const std::vector<std::size_t>& changed, std::vector<Row>& pending);
  Parts look_at(const std::vector<Row>& part, std::uint64_t key, std::vector<Row>& pending) const;
  bool before(std::size_t a, std::size_t b) const;  // in the order of ways
  bool passed_over(std::size_t i, const Wanted& wanted, const Ways& ways, const std::vector<bool>& taken);

  // A single tree is explained by some hundred candidates, and a batch has hundreds of archives at a time: larger
  // tables would push each other out of the cache before they are used.
  static constexpr std::size_t kSlots = 1 << 9;

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
  };
  void sort_from(std::size_t sorted, std::size_t more);  // puts the nearest `more` after the first `sorted`
  std::vector<Good> good_;  // counterfactuals not known to be reducible
  std::vector<Good> far_;  // those beyond the horizon, left alone until fewer ways than asked for are nearer
  std::int64_t first_ = -1;  // what comes before it is passed over
  std::vector<std::int64_t> shown_;  // for fewer ways
  double horizon_ = std::numeric_limits<double>::infinity();
  std::unordered_map<std::uint64_t, std::int32_t> changed_sets_;
  std::pair<std::uint64_t, std::int32_t> last_set_{
      0, -1};  // mostly the next one's too, as those of a line follow each other
  std::vector<std::int32_t> changed_;  // per index, as far as it was asked for; -1: not yet
  std::vector<std::uint64_t> masks_;  // per set: a bit per group, of more than 64 groups some share one
  std::vector<std::uint8_t> whole_;  // per index: it is known that no part of it is good
};

inline std::pair<std::int64_t, bool> Archive::insert_on(const Line& line, const Row* rows, double distance) {
  const Row row = rows[line.group];
  const auto at = insert(rows, tag_of(line.key + part(line.group, row)), &distance);
  if (!at.second) return at;
  changed_.resize(size(), -1);
  changed_[at.first] = number_of(line.changed + mark(line.group, row), rows);
  return at;
}

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
