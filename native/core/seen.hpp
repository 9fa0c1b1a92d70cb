// Seen: what the rules across groups see of the rows of one group.
#pragma once
#include <bit>
#include <cmath>
#include <vector>

#include "core/space.hpp"

namespace geco {

// Truth of predicates about it alone, numbers of all others. Points into the space.
struct Seen {
  std::vector<const RowSet*> truths;
  std::vector<const Column*> numbers;

  Seen(const Space& space, std::int32_t g) {
    auto see = [&](const Predicate& p) {
      if (p.group == g) truths.push_back(&p.truth);
      for (const Step& s : p.steps)
        if (s.op == Step::column && space.columns[s.index].group == g) numbers.push_back(&space.columns[s.index]);
    };
    for (const Rule& rule : space.rules) {
      for (const Predicate& p : rule.antecedents) see(p);
      see(rule.consequent);
    }
  }

  void append(Row row, std::vector<std::int64_t>& key) const {
    for (const RowSet* truth : truths) key.push_back((*truth)[row]);
    for (const Column* number : numbers) {
      const double z = (*number)[row];
      key.push_back(std::bit_cast<std::int64_t>(std::isnan(z) ? std::nan("") : z + 0.0));
    }
  }
  // Where a row may look otherwise than the one before it, if it is by place.
  std::vector<Row> edges() const {
    std::vector<Row> all;
    for (const RowSet* truth : truths) all.insert(all.end(), truth->edges().begin(), truth->edges().end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
};

// Calls `visit(from, to)` for the stretches that two rising lists of rows cut [from, to) into together.
template <class Visit>
void for_each_stretch(Row from, Row to, std::span<const Row> cuts, Visit visit) {
  auto next = std::upper_bound(cuts.begin(), cuts.end(), from);
  while (from < to) {
    const Row end = next == cuts.end() ? to : std::min(to, *next++);
    visit(from, end);
    from = end;
  }
}

}  // namespace geco
