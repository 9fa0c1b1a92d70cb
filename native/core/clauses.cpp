#include "core/clauses.hpp"

#include <algorithm>

namespace geco {

Clauses::Clauses(const Space& space, const Options& options) : space_(space), options_(options) {
  for (const Rule& rule : space.rules) {
    Clause clause;
    bool alone = true;
    auto add = [&](const Predicate& p, bool wanted) {
      clause.groups.insert(clause.groups.end(), p.groups.begin(), p.groups.end());
      alone &= p.group >= 0;
      if (p.group < 0) return;
      auto holds = options.where(p.group, [&](Row r) { return (p.truth[r] != 0) == wanted; });
      const auto known = std::find_if(clause.literals.begin(), clause.literals.end(),
                                      [&](const Literal& l) { return l.group == p.group; });
      if (known == clause.literals.end()) clause.literals.push_back({p.group, std::move(holds)});
      else
        for (std::size_t w = 0; w < holds.size(); ++w) known->holds[w] |= holds[w];
    };
    for (const Predicate& p : rule.antecedents) add(p, false);
    add(rule.consequent, true);
    if (!alone) clause.literals.clear();
    std::sort(clause.groups.begin(), clause.groups.end());
    clause.groups.erase(std::unique(clause.groups.begin(), clause.groups.end()), clause.groups.end());
    clauses_.push_back(std::move(clause));
  }
}

bool Clauses::narrow(Word* box) const {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t r = 0; r < clauses_.size(); ++r) {
      const bool possible = clauses_[r].literals.empty() ? by_rows(space_.rules[r], clauses_[r], box, changed)
                                                         : by_literals(clauses_[r], box, changed);
      if (!possible) return false;
    }
  }
  return true;
}

bool Clauses::by_literals(const Clause& clause, Word* box, bool& changed) const {
  const Literal* last = nullptr;
  for (const Literal& literal : clause.literals) {
    if (options_.nearest(literal.group, box, literal.holds.data()) < 0) continue;
    if (last) return true;  // two may still hold: nothing follows
    last = &literal;
  }
  if (!last) return false;
  Word* left = box + options_[last->group].first;
  for (std::size_t w = 0; w < last->holds.size(); ++w) {
    changed |= (left[w] & ~last->holds[w]) != 0;
    left[w] &= last->holds[w];
  }
  return true;
}

// A rule that compares groups is asked about every option of the one group that is still open.
bool Clauses::by_rows(const Rule& rule, const Clause& clause, Word* box, bool& changed) const {
  std::int32_t open = -1;
  for (std::int32_t g : clause.groups) {
    if (options_.single(g, box)) continue;
    if (open >= 0) return true;
    open = g;
  }
  std::vector<Row> rows(options_.width());
  for (std::int32_t g : clause.groups) rows[g] = options_[g].rows[options_.nearest(g, box)];
  if (open < 0) return space_.holds(rule, rows.data());
  const Options::OfGroup& group = options_[open];
  bool any = false;
  for (std::size_t i = 0; i < group.rows.size(); ++i) {
    Word& word = box[group.first + i / 64];
    const Word bit = Word{1} << (i % 64);
    if (!(word & bit)) continue;
    rows[open] = group.rows[i];
    if (space_.holds(rule, rows.data())) {
      any = true;
    } else {
      word &= ~bit;
      changed = true;
    }
  }
  return any;
}

bool Clauses::can_undo(std::int32_t group, const Word* box) const {
  const auto& rows = options_[group].rows;
  const std::size_t slot_0 = std::find(rows.begin(), rows.end(), 0) - rows.begin();
  if (slot_0 == rows.size()) return false;
  auto sure = [&](const Literal& literal) {
    if (literal.group == group) return (literal.holds[slot_0 / 64] >> (slot_0 % 64) & 1) != 0;
    const Word* left = box + options_[literal.group].first;
    for (std::size_t w = 0; w < literal.holds.size(); ++w)
      if (left[w] & ~literal.holds[w]) return false;
    return true;
  };
  // Rules that do not mention the group see no difference.
  return std::all_of(clauses_.begin(), clauses_.end(), [&](const Clause& clause) {
    return !std::binary_search(clause.groups.begin(), clause.groups.end(), group) ||
           std::any_of(clause.literals.begin(), clause.literals.end(), sure);
  });
}

std::vector<std::vector<Word>> Clauses::split(std::int32_t rule, const Word* box) const {
  const Clause& clause = clauses_[rule];
  auto halves = [&](std::int32_t g, const std::vector<Word>& first) {
    std::vector<std::vector<Word>> parts(2, std::vector<Word>(box, box + options_.words()));
    for (std::size_t w = 0; w < first.size(); ++w) {
      parts[0][options_[g].first + w] &= first[w];
      parts[1][options_[g].first + w] &= ~first[w];
    }
    return parts;
  };
  for (const Literal& literal : clause.literals)
    if (options_.nearest(literal.group, box, literal.holds.data()) >= 0) return halves(literal.group, literal.holds);
  for (std::int32_t g : clause.groups)
    if (!options_.single(g, box)) {
      const std::int32_t nearest = options_.nearest(g, box);
      return halves(g, options_.where(g, [&](Row r) { return r != options_[g].rows[nearest]; }));
    }
  return {};
}

}  // namespace geco
