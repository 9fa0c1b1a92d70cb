// One round of a search over lines: what is asked, and what the model said of it.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/frontier/settings.hpp"
#include "core/lines.hpp"

namespace geco {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Parent {
  std::int64_t index;  // in the archive
  bool again = false;  // it is looked at for the second time
  bool base = true;    // what its lines show is put together in the next round
};

// Points, and lines as (parent, group, rows by offsets); of an outlined line a few rows are listed.
struct Round {
  std::vector<Row> points;
  std::vector<Row> parents;
  std::vector<std::int32_t> groups;
  std::vector<std::int64_t> offsets{0};
  std::vector<Row> rows;
  std::vector<Parent> line_of;  // per line: whose it is
  std::vector<OutlinedLine> outlined;  // per line
  std::size_t unlisted = 0;  // rows of outlined lines
  // The lines of x as far as this round looks, where they help a model; they stay, under their number, while they do.
  const Round* of_x = nullptr;
  std::uint64_t of_x_number = 0;

  LinesView lines(std::size_t width) const { return {width, parents, groups, offsets, rows, outlined}; }
  bool empty() const { return points.empty() && rows.empty(); }
  // Empty again, with the room it has taken.
  void clear() {
    points.clear(), parents.clear(), groups.clear(), rows.clear(), line_of.clear(), outlined.clear();
    offsets.resize(1);
    unlisted = 0;
    of_x = nullptr;
  }
  void add_point(std::span<const Row> point) { points.insert(points.end(), point.begin(), point.end()); }
  // The rows added since the last line, if there are any, are one of this parent and group.
  void end_line(const Parent& parent, std::span<const Row> parent_rows, std::int32_t group, OutlinedLine line = {}) {
    if (static_cast<std::int64_t>(rows.size()) == offsets.back()) return;
    line_of.push_back(parent);
    parents.insert(parents.end(), parent_rows.begin(), parent_rows.end());
    groups.push_back(group);
    outlined.push_back(line);
    offsets.push_back(static_cast<std::int64_t>(rows.size()));
  }
};

// What the model said of points, or of the rows of lines; NaN where it was not asked. Of outlined lines the turns come
// after all rows that are listed.
struct Told {
  std::span<const double> outcome, number;
  const Turns* turns = nullptr;
};

// Which round it is and how far it looks.
struct Sight {
  std::uint64_t round = 0;
  double bound;  // the distance of the k-th best way, or infinity: only what is nearer is of use
  double reach;  // of swept lines: the bound, or a little beyond the farthest way while there are too few
  const Forest* forest = nullptr;  // that scores the lines, and may be asked about outlined ones
};

// What one row of a line showed: its effect on the parent's log-odds.
struct Shown {
  std::int32_t group;
  Row row;
  double effect;
};

inline double log_odds(double outcome) {
  const double p = std::clamp(outcome, FrontierSettings::kSurest, 1 - FrontierSettings::kSurest);
  return std::log(p / (1 - p));
}

}  // namespace geco
