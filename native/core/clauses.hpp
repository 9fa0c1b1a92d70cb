// Clauses: the rules across groups over boxes. They take out of a box what cannot be part of any candidate that obeys
// them.
#pragma once
#include "core/options.hpp"

namespace geco {

class Clauses {
 public:
  Clauses(const Space& space, const Options& options);

  // False if no candidate of the box obeys every rule. What stays may still break one, unless the box is one candidate.
  bool narrow(Word* box) const;
  // Whether of every candidate of the box that obeys the rules the change of this group can be undone without breaking
  // one.
  bool can_undo(std::int32_t group, const Word* box) const;
  // The box in two, where its nearest candidate breaks the rule: first the part without it. Nothing if it cannot be
  // split.
  std::vector<std::vector<Word>> split(std::int32_t rule, const Word* box) const;

 private:
  // A rule whose predicates are each about one group holds if one of its literals does.
  struct Literal {
    std::int32_t group;
    std::vector<Word> holds;
  };
  struct Clause {
    std::vector<Literal> literals;      // none: a predicate is about several groups, and the rule is asked itself
    std::vector<std::int32_t> groups;  // all it mentions
  };
  bool by_literals(const Clause& clause, Word* box, bool& changed) const;
  bool by_rows(const Rule& rule, const Clause& clause, Word* box, bool& changed) const;

  const Space& space_;
  const Options& options_;
  std::vector<Clause> clauses_;
};

}  // namespace geco
