// C_x as src/geco/space/ground.py has it, for an x whose values are numbers that say all there is to say of them.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/deployment.hpp"

namespace geco {

// A part of a predicate that says nothing about x_cf: steps over the numbers of x, literals among them.
using Slot = std::vector<Step>;

struct PredicateSlots {
  std::vector<Slot> slots;  // as many as the predicate has constants
  Slot decided;             // of a comparison of numbers that is about x alone: is it true? Empty of others
};

struct RuleSlots {
  std::vector<PredicateSlots> antecedents;
  PredicateSlots consequent;
  bool keeps = false;  // `x_cf.F = x.F`
};

struct Ground {
  Grounded rules;
  std::vector<std::int32_t> missing;  // those of the rules that ask that a feature stays missing
  std::vector<std::pair<std::int32_t, std::int32_t>> skipped;  // a rule, and the feature of x that its consequent lacks
};

class Grounds {
 public:
  // Over so many numbers of x.
  Grounds(std::vector<RuleSlots> rules, std::size_t columns) : rules_(std::move(rules)), columns_(columns) {}
  std::size_t columns() const { return columns_; }
  // None where doubles may not be what Python's numbers are: beyond 2^53, or divided by 0.
  std::optional<Ground> operator()(std::span<const double> x) const;

 private:
  std::vector<RuleSlots> rules_;
  std::size_t columns_;
};

}  // namespace geco
