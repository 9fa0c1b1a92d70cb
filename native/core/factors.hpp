// Factors: upper bounds. Few trees may be merged into one factor, whose leaves are the combinations of theirs that a
// candidate can be in: no candidate of a box has a higher sum than the highest leaves it meets, factor by factor.
#pragma once
#include "core/leaves.hpp"

namespace geco {

class Factors {
 public:
  // Factors are merged, up to so many leaves, with candidates nearer than `reach` in mind.
  Factors(const Options& options, const Conditions& conditions, std::vector<Leaves> trees, std::vector<double> base,
          std::span<const double> rounding, double reach, std::size_t most_leaves, const Until& until);

  struct Reached {
    std::vector<std::vector<std::int32_t>> leaves;  // per factor those that a good candidate within reach can be in
    double distance = 0;                            // no good candidate of the box is nearer
  };
  // The leaves that a box meets, packed: no part of the box meets others.
  struct Met {
    std::vector<std::int32_t> leaves;
    std::vector<std::size_t> ends;  // per factor, among the leaves
    std::size_t bytes() const { return leaves.size() * sizeof(leaves[0]) + ends.size() * sizeof(ends[0]); }
  };
  static Met pack(const Reached& reached);
  // What a part of a box has to be held against: the leaves that the box met, of one factor a single leaf.
  struct Of {
    const Met* met = nullptr;  // none: all leaves
    std::int32_t factor = -1, leaf = 0;
  };
  // All options, without those that no good candidate within reach has; every box must be part of it.
  const std::vector<Word>& start() const { return start_; }
  // Takes out of the box what no good candidate nearer than `reach` has; false if there is none.
  bool narrow(Word* box, double reach, Of of, Reached& reached, const Until& until) const;
  // Whether the nearest candidate of the box meets the conditions.
  bool nearest_meets(const Word* box, const Reached& reached) const;
  // The part of a box that is in a leaf.
  std::vector<Word> part(const Word* box, std::size_t factor, std::int32_t leaf) const;

 private:
  void merge(double reach, std::size_t most_leaves, const Until& until);
  void fold_single();
  bool merge_pairs(double reach, std::size_t most_leaves, const Until& until);
  Leaves joint(const Leaves& a, const Leaves& b, const Word* box, double reach) const;
  void keep(Leaves& factor, const std::vector<std::int32_t>& leaves) const;
  void begin(Of of, Reached& reached) const;
  std::int32_t nearest_in(const Leaves& factor, const Leaves::Limit& limit, const Word* box, std::int32_t now) const;
  bool reach_leaves(const Word* box, double reach, Reached& reached, const Until& until) const;
  bool drop_hopeless(Reached& reached, bool& changed, const Until& until) const;
  bool drop_by_units(Reached& reached, bool& changed, const Until& until) const;
  template <class Value>
  bool drop(Reached& reached, bool& changed, std::vector<double> upper, Value value, const Until& until) const;
  bool met(std::span<const double> sums) const;
  bool limits_still(const Leaves& factor, const Leaves::Limit& limit, const Word* box, bool first, Word* any) const;
  bool narrow_to(const Reached& reached, Word* box, bool& changed, const Until& until) const;

  const Options& options_;
  const Conditions& conditions_;
  std::vector<Leaves> factors_;
  std::vector<double> base_, need_, off_;  // off: of a network's units
  std::vector<Word> start_;
  std::size_t forms_;  // of all alternatives; the units of a network
};

}  // namespace geco
