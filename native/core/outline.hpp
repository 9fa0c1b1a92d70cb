// Outline: the choices of one group as a sorted column of the forest has them, so that a line need not list its rows.
//
// A column that is tested with thousands of thresholds has as many cells; but the trees as one parent walks them test
// it at few of them. In between the outcome stays, and of such a stretch the nearest row says all
// (docs/decisions/0005).
#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/space.hpp"

namespace geco {

class Forest;

class Outline {
 public:
  // Nothing unless each choice is alone in its cell, the cells go outwards from x as the distances do, and no rule
  // across groups looks at them. Forest and space must outlive it.
  static std::shared_ptr<const Outline> of(const Forest& forest, const Space& space, std::size_t group);

 private:
  friend struct OutlinedLine;
  struct Side {
    std::vector<Row> rows;  // nearest first
    std::vector<std::int32_t> cells, positions;
  };
  bool add(Row row, std::int32_t cell, std::int32_t position);
  std::int32_t position_of(Row row, std::int32_t cell) const;  // kNowhere: it is no choice

  static constexpr std::int32_t kNowhere = std::numeric_limits<std::int32_t>::max();
  std::span<const std::int32_t> cells_;  // per row of the table
  std::span<const Row> order_;
  Side below_, above_;
};

// A line with the choices before a limit, but for the row that its parent has now; if that is a change, what undoes it
// stands before all others.
struct OutlinedLine {
  // One row that stands for a stretch of cells.
  struct Nearest {
    std::int32_t place;
    Row row;
    std::int32_t stretch;
  };

  OutlinedLine() = default;
  OutlinedLine(const Outline& outline, std::size_t limit, Row now);

  bool listed() const { return outline == nullptr; }
  std::int32_t length() const { return limit + (now != 0) - (gap < limit); }
  Row at(std::int32_t place) const;  // not of the undo
  // The first cell of them and the one behind the last; the undo's aside.
  std::pair<std::int32_t, std::int32_t> cells() const;
  // Of each stretch of cells, which begin at `starts`, the nearest row if it has one; these by place.
  void nearest(std::span<const std::int32_t> starts, std::vector<Nearest>& found) const;

  const Outline* outline = nullptr;
  std::int32_t limit = 0, gap = 0;  // where the present row would stand among the choices
  Row now = 0;

 private:
  std::size_t count(const Outline::Side& side) const;
  std::int32_t place(std::int32_t position) const { return position + (now != 0) - (gap < position); }
};

}  // namespace geco
