#include <algorithm>
#include <utility>

#include "core/forest.hpp"

namespace geco {

Space Forest::thin(const Space& space, std::span<const Row> like_x) const {
  Space thinned = space;
  std::vector<std::uint8_t> ruled(width());
  for (const Rule& rule : space.rules) {
    for (const Predicate& p : rule.antecedents)
      for (std::int32_t g : p.groups) ruled[g] = 1;
    for (std::int32_t g : rule.consequent.groups) ruled[g] = 1;
  }
  constexpr Row kNone = 0, kTaken = -1;
  for (std::size_t g = 0; g < width(); ++g) {
    const Group& group = space.groups[g];
    const Table& table = tables_[g];
    if (ruled[g] || !group.free || group.count() == 0) continue;
    std::vector<Row> of_cell(table.cell_count + 1, kNone);
    if (like_x[g] > 0 && group.allowed[0] && table.cell[like_x[g]] >= 0) of_cell[table.cell[like_x[g]]] = kTaken;
    std::vector<Row> kept;
    if (group.ruler() && !table.runs.empty()) {
      kept = nearest_of_cells(group, g, std::move(of_cell));
    } else {
      for (const Row row : group.order()) {
        const std::int32_t cell = table.cell[row];
        if (cell >= 0 && of_cell[cell] != kNone) continue;
        if (cell >= 0) of_cell[cell] = row;
        kept.push_back(row);
      }
    }
    if (kept.size() < group.count()) thinned.groups[g].choose(std::move(kept));
  }
  return thinned;
}

// The same by place: the nearest of each run, of those the nearest of each cell, and these nearest first. A cell that
// is not wanted has -1 already.
std::vector<Row> Forest::nearest_of_cells(const Group& group, std::size_t g, std::vector<Row> of_cell) const {
  const Ruler& ruler = *group.ruler();
  auto nearer = [&](Row a, Row b) {
    const double of_a = ruler.total(a), of_b = ruler.total(b);
    return of_a != of_b ? of_a < of_b : a < b;
  };
  std::vector<std::pair<double, Row>> kept;
  for_each_run(g, [&](Row from, Row to, std::int32_t cell) {
    if (cell >= 0 && of_cell[cell] < 0) return;
    for (Row begin = from; begin < to; begin = cell < 0 ? begin + 1 : to) {  // without a cell, each row by itself
      const Row end = cell < 0 ? begin + 1 : to, row = ruler.nearest(begin, end, [&](Row r) { return ruler.total(r); });
      if (row == 0) continue;
      if (cell < 0) kept.emplace_back(ruler.total(row), row);
      else if (of_cell[cell] == 0 || nearer(row, of_cell[cell])) of_cell[cell] = row;
    }
  });
  for (const Row row : of_cell)
    if (row > 0) kept.emplace_back(ruler.total(row), row);
  std::sort(kept.begin(), kept.end());
  std::vector<Row> rows;
  for (const auto& [cost, row] : kept) rows.push_back(row);
  return rows;
}

}  // namespace geco
