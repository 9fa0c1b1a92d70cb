#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "core/forest.hpp"
#include "core/seen.hpp"

namespace geco {
namespace {

// Where rules look at a group, telling its rows apart costs something, which so few are not worth.
constexpr std::size_t kFew = 512;
constexpr std::size_t kAhead = 8;  // runs whose numbers are fetched before they are looked at

// Which kinds of rows were met: those of one cell that the rules across groups cannot tell apart are one kind.
class Kinds {
 public:
  Kinds(const Seen& seen, const std::vector<std::int32_t>& cells) : seen_(seen), cells_(cells) {}

  // False: a row like this was met before. Rows without a cell are each of their own kind.
  bool meet(Row row) { return cells_[row] < 0 || meet(row, cells_[row]); }
  bool meet(Row row, std::int32_t cell) {
    key_.clear();
    seen_.append(row, key_);
    const auto pattern = patterns_.try_emplace(key_, static_cast<std::int32_t>(patterns_.size())).first->second;
    return met_.emplace(pattern, cell).second;
  }

 private:
  const Seen& seen_;
  const std::vector<std::int32_t>& cells_;
  std::vector<std::int64_t> key_;
  std::map<std::vector<std::int64_t>, std::int32_t> patterns_;
  std::set<std::pair<std::int32_t, std::int32_t>> met_;
};

using Costly = std::vector<std::pair<double, Row>>;  // rows, each with its cost

// Met by number they come nearer up to x and then go away from it, so that two halves are in order already.
std::vector<Row> nearest_first(Costly found) {
  const auto middle = std::is_sorted_until(found.begin(), found.end(), std::greater<>());
  std::reverse(found.begin(), middle);
  if (!std::is_sorted(middle, found.end())) std::sort(middle, found.end());
  std::inplace_merge(found.begin(), middle, found.end());
  std::vector<Row> rows;
  rows.reserve(found.size());
  for (const auto& [cost, row] : found) rows.push_back(row);
  return rows;
}

// The nearest row of each cell among rows that come in any order; every row without a cell.
class NearestOfCells {
 public:
  // `own`: the cell of x, of which none is wanted; -1 if there is none.
  NearestOfCells(std::size_t cells, std::int32_t own) : at_(cells, kNone) {
    if (own >= 0) at_[own] = kUnwanted;
  }
  bool wants(std::int32_t cell) const { return cell < 0 || at_[cell] != kUnwanted; }
  void add(Row row, double cost, std::int32_t cell) {
    if (!wants(cell)) return;
    if (cell >= 0 && at_[cell] >= 0) {
      kept_[at_[cell]] = std::min(kept_[at_[cell]], {cost, row});
      return;
    }
    if (cell >= 0) at_[cell] = static_cast<std::int32_t>(kept_.size());
    kept_.emplace_back(cost, row);
  }
  std::vector<Row> rows() && { return nearest_first(std::move(kept_)); }

 private:
  static constexpr std::int32_t kNone = -1, kUnwanted = -2;
  std::vector<std::int32_t> at_;  // per cell the place of its nearest row among those kept
  Costly kept_;
};

// Of each stretch of rows that neither forest nor rules tell apart the nearest to x; these nearest first.
std::vector<Row> nearest_of_stretches(const Forest& forest, std::size_t g, const Ruler& ruler, const Seen& seen) {
  Costly found;
  auto add = [&](Row from, Row to) {
    const Row row = ruler.nearest(from, to, [&](Row r) { return ruler.total(r); });
    if (row) found.emplace_back(ruler.total(row), row);
  };
  const std::vector<Row> cuts = seen.edges();
  forest.for_each_run(g, [&](Row from, Row to, std::int32_t cell) {
    if (cell >= 0) return for_each_stretch(from, to, cuts, add);
    for (Row row = from; row < to; ++row) add(row, row + 1);
  });
  return nearest_first(std::move(found));
}

// By place: of each run of rows in one cell the nearest to x.
void add_runs(const Forest& forest, std::size_t g, const Ruler& ruler, NearestOfCells& nearest) {
  auto cost = [&](Row row) { return ruler.total(row); };
  const std::span<const Row> runs = forest.runs(g);
  std::size_t ahead = kAhead;
  forest.for_each_run(g, [&](Row from, Row to, std::int32_t cell) {
    if (ahead < runs.size()) ruler.fetch(runs[ahead++]);
    if (!nearest.wants(cell)) return;
    for (Row begin = from; begin < to; begin = cell < 0 ? begin + 1 : to) {  // without a cell, each row by itself
      const Row row = ruler.nearest(begin, cell < 0 ? begin + 1 : to, cost);
      if (row != 0) nearest.add(row, cost(row), cell);
    }
  });
}

// The choices left of a group that rules across groups look at: the nearest of each kind, and none like x.
void thin_ruled(const Forest& forest, const Space& space, std::size_t g, Row like_x, Group& thinned) {
  const Group& group = space.groups[g];
  const Seen seen(space, static_cast<std::int32_t>(g));
  if (group.count() <= kFew || !seen.numbers.empty()) return;  // compared with another group, each row may matter
  Kinds kinds(seen, forest.cells(g));
  if (like_x > 0 && group.allowed[0] && forest.cells(g)[like_x] >= 0) kinds.meet(0, forest.cells(g)[like_x]);
  std::vector<Row> kept;
  auto keep = [&](Row row) {
    if (kinds.meet(row)) kept.push_back(row);
  };
  if (group.ruler() && !forest.runs(g).empty())
    std::ranges::for_each(nearest_of_stretches(forest, g, *group.ruler(), seen), keep);
  else std::for_each(group.order().begin(), group.order().end(), keep);
  if (kept.size() < group.count()) thinned.choose(std::move(kept));
}

}  // namespace

Space Forest::thin(const Space& space, std::span<const Row> like_x) const {
  Space thinned = space;
  std::vector<std::uint8_t> ruled(width());
  for (const Rule& rule : space.rules) {
    for (const Predicate& p : rule.antecedents)
      for (std::int32_t g : p.groups) ruled[g] = 1;
    for (std::int32_t g : rule.consequent.groups) ruled[g] = 1;
  }
  for (std::size_t g = 0; g < width(); ++g) {
    const Group& group = space.groups[g];
    const Table& table = tables_[g];
    if (!group.free || group.count() == 0) continue;
    if (ruled[g]) {
      thin_ruled(*this, space, g, like_x[g], thinned.groups[g]);
      continue;
    }
    NearestOfCells nearest(table.cell_count, like_x[g] > 0 && group.allowed[0] ? table.cell[like_x[g]] : -1);
    if (group.ruler() && !table.runs.empty()) {
      add_runs(*this, g, *group.ruler(), nearest);
    } else {
      const auto add = [&](Row row) { nearest.add(row, group.total(row), table.cell[row]); };
      if (group.in_order()) std::ranges::for_each(group.order(), add);
      else std::ranges::for_each(group.choices(), add);  // no need to put all of them in order
    }
    std::vector<Row> kept = std::move(nearest).rows();
    if (kept.size() < group.count()) thinned.groups[g].choose(std::move(kept));
  }
  return thinned;
}

}  // namespace geco
