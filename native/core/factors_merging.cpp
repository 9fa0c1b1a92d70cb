// Merging: factors of several trees, made before the first box is looked at.
#include <algorithm>

#include "core/factors.hpp"

namespace geco {
namespace {

using Limit = Leaves::Limit;

// Calls `visit` with what either of two leaves limits, group by group, until it returns false.
template <class Visit>
bool each_limit(const Leaves& a, std::size_t i, const Leaves& b, std::size_t j, Visit visit) {
  const auto of_a = a.of(i), of_b = b.of(j);
  auto p = of_a.begin();
  auto q = of_b.begin();
  while (p != of_a.end() || q != of_b.end()) {
    const bool first = q == of_b.end() || (p != of_a.end() && p->group <= q->group);
    const bool second = p == of_a.end() || (q != of_b.end() && q->group <= p->group);
    if (!visit(first ? &*p : nullptr, second ? &*q : nullptr)) return false;
    p += first, q += second;
  }
  return true;
}

}  // namespace

// Small factors become one, two by two, as long as that stays small; in between, leaves that lead nowhere are left out.
// A factor of one leaf is the same for all that is left.
void Factors::merge(double reach, std::size_t most_leaves, const Until& until) {
  start_ = options_.all();
  Reached reached;
  for (bool merged = true; merged;) {
    if (!narrow(start_.data(), reach, {}, reached, until)) {
      // Nothing good is that near: one factor without a leaf says so.
      factors_.assign(1, Leaves{});
      return;
    }
    for (std::size_t i = 0; i < factors_.size(); ++i) {
      until.look();
      keep(factors_[i], reached.leaves[i]);
    }
    fold_single();
    merged = merge_pairs(reach, most_leaves, until);
  }
}

void Factors::fold_single() {
  std::erase_if(factors_, [&](const Leaves& factor) {
    if (factor.count() != 1) return false;
    for (std::size_t f = 0; f < forms_; ++f) base_[f] += factor.values[f];
    return true;
  });
}

bool Factors::merge_pairs(double reach, std::size_t most_leaves, const Until& until) {
  std::stable_sort(factors_.begin(), factors_.end(),
                   [](const Leaves& a, const Leaves& b) { return a.count() < b.count(); });
  std::vector<Leaves> made;
  std::size_t i = 0;
  for (; i + 1 < factors_.size() && factors_[i].count() * factors_[i + 1].count() <= most_leaves; i += 2) {
    until.look();
    made.push_back(joint(factors_[i], factors_[i + 1], start_.data(), reach));
  }
  const bool merged = i > 0;
  for (; i < factors_.size(); ++i) made.push_back(std::move(factors_[i]));
  factors_ = std::move(made);
  return merged;
}

// All pairs that some candidate within reach can be in.
Leaves Factors::joint(const Leaves& a, const Leaves& b, const Word* box, double reach) const {
  // Per limit the nearest option that it and the box let pass.
  auto nearest_of = [&](const Leaves& factor) {
    std::vector<std::int32_t> nearest;
    for (const Limit& limit : factor.limits) nearest.push_back(options_.nearest(limit.group, box, factor.mask(limit)));
    return nearest;
  };
  const auto nearest_a = nearest_of(a), nearest_b = nearest_of(b);
  std::vector<std::int32_t> now(options_.width());
  for (std::size_t g = 0; g < now.size(); ++g) now[g] = options_.nearest(g, box);
  const double least = options_.distance(box);
  Leaves made;
  for (std::size_t i = 0; i < a.count(); ++i)
    for (std::size_t j = 0; j < b.count(); ++j) {
      const std::size_t limits = made.limits.size(), words = made.words.size();
      double distance = least;
      const bool met = each_limit(a, i, b, j, [&](const Limit* of_a, const Limit* of_b) {
        const std::int32_t g = of_a ? of_a->group : of_b->group;
        const Word *mask_a = of_a ? a.mask(*of_a) : nullptr, *mask_b = of_b ? b.mask(*of_b) : nullptr;
        made.add(g, -1, {mask_a ? mask_a : mask_b, options_[g].words});
        if (mask_a && mask_b)
          for (std::size_t w = 0; w < options_[g].words; ++w) made.words[made.limits.back().at + w] &= mask_b[w];
        std::int32_t& nearest = made.limits.back().first;
        nearest = !of_b   ? nearest_a[of_a - a.limits.data()]
                  : !of_a ? nearest_b[of_b - b.limits.data()]
                          : options_.nearest(g, box, made.mask(made.limits.back()));
        if (nearest < 0) return false;
        distance += options_[g].additive[nearest] - options_[g].additive[now[g]];
        return distance < reach;
      });
      if (!met) {
        made.limits.resize(limits);
        made.words.resize(words);
        continue;
      }
      made.end();
      for (std::size_t f = 0; f < forms_; ++f)
        made.values.push_back(a.values[i * forms_ + f] + b.values[j * forms_ + f]);
    }
  return made;
}

// What limits a box no further is dropped.
void Factors::keep(Leaves& factor, const std::vector<std::int32_t>& leaves) const {
  Leaves kept;
  for (std::int32_t l : leaves) {
    for (const Limit& limit : factor.of(l)) {
      const Options::OfGroup& group = options_[limit.group];
      const std::span mask(factor.mask(limit), group.words);
      bool limits = false;
      for (std::size_t w = 0; w < group.words; ++w) limits |= (start_[group.first + w] & ~mask[w]) != 0;
      if (limits) kept.add(limit.group, limit.first, mask);
    }
    kept.end();
    kept.values.insert(kept.values.end(), factor.values.begin() + l * forms_, factor.values.begin() + (l + 1) * forms_);
  }
  factor = std::move(kept);
}

}  // namespace geco
