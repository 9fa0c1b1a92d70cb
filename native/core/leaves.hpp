// Leaves: a tree as a list of its leaves, each a box of options and what it adds.
#pragma once
#include <limits>

#include "core/hidden.hpp"
#include "core/options.hpp"

namespace geco {

// What is good, in sums before the link: for one of the alternatives each form, a weighted sum of outputs, reaches what
// it needs. Necessary, and where it is not sufficient whoever judges candidates has the last word.
struct Conditions {
  std::size_t alternatives = 0, forms = 0;  // forms of one alternative
  std::vector<double> weights;              // [alternatives, forms, outputs]
  std::vector<double> needs;                // [alternatives, forms]
  // The same: where all of them are passed it is good; infinite if nobody knows.
  std::vector<double> sure;
  // Of a network: the forms above are its units and need nothing, and good is what these make of them.
  Hidden hidden;

  std::size_t all_forms() const { return needs.size(); }
};

// Whether all forms of one alternative reach `least`, or pass it.
bool meets(std::span<const double> sums, std::span<const double> least, std::size_t forms);

// What a proof knows of a model: its forest, x in its terms, and what is good.
struct Bounds {
  const Forest& forest;
  std::vector<std::int32_t> x;
  Conditions conditions;
  bool x_apart = false;  // x only stands where a row stands that it is not equal to
};

// Of a leaf only what limits it is kept: of most groups it has all options.
struct Leaves {
  struct Limit {
    std::int32_t group;
    std::int32_t first;  // no option of the group that it lets pass is nearer
    std::size_t at;      // its words begin there
  };
  std::vector<Limit> limits;  // of each leaf by group
  std::vector<std::size_t> ends;  // per leaf, among the limits
  std::vector<Word> words;
  std::vector<double> values;  // [count, forms of all alternatives]

  std::size_t count() const { return ends.size(); }
  std::span<const Limit> of(std::size_t leaf) const {
    const std::size_t begin = leaf == 0 ? 0 : ends[leaf - 1];
    return {limits.data() + begin, ends[leaf] - begin};
  }
  const Word* mask(const Limit& limit) const { return words.data() + limit.at; }
  bool meets(std::size_t leaf, const Options& options, const Word* box) const;
  bool has(std::size_t leaf, std::span<const std::int32_t> chosen) const;  // an option per group
  void narrow_to(std::size_t leaf, const Options& options, Word* box) const;
  // One more limit for the leaf that `end` will end: an option passes if its bit is set.
  void add(std::int32_t group, std::int32_t first, std::span<const Word> mask);
  void end() { ends.push_back(limits.size()); }
};

inline constexpr std::size_t kAnyWords = std::numeric_limits<std::size_t>::max();

struct LeavesWithin {
  double reach;            // candidates that are nearer
  std::size_t most_words;  // of all boxes of all trees together
};
// One per tree, with every leaf that some candidate within reach is in. Throws OutOfTime where they are too large.
std::vector<Leaves> leaves_of(const Options& options, const Forest& forest, std::span<const std::int32_t> x,
                              const Conditions& conditions, LeavesWithin within, const Until& until);
// Where the forms begin, and how far a sum of the library may be off, which adds in another order and some in float32.
std::vector<double> base_of(const Forest& forest, const Conditions& conditions);
std::vector<double> rounding_of(const Forest& forest, const Conditions& conditions, const std::vector<Leaves>& trees);

}  // namespace geco
