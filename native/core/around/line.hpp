// Lines through answers: all values that D has for one changed feature, the rest as it is. What nobody is offered, for
// its support or the least step, is not on a line; what the rules of its group forbid is, and no run goes past it.
#pragma once
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/deployment.hpp"
#include "core/scoring.hpp"
#include "core/space.hpp"

namespace geco {

// What a feature is, as far as its neighbours matter.
enum Nature : std::uint8_t {
  kCategory,
  kNames,     // text with an order
  kOrdered,   // a date, say
  kQuantity,  // may be rounded
};

struct Line {
  static constexpr std::int32_t kOnehot = -1;
  std::int32_t answer = 0, group = 0;
  std::int32_t feature = kOnehot;                 // of the group's table
  std::shared_ptr<const std::vector<Row>> rows;  // by value; those of a category by number
  std::int64_t chosen = 0;                        // where the answer's row stands
  // Positions of its rows on the side of x where the chosen one is: the value of x itself would not do.
  std::int64_t first = 0, last = 0;
  Nature nature = kCategory;

  Row row(std::int64_t position) const { return (*rows)[position]; }
  std::int64_t size() const { return static_cast<std::int64_t>(rows->size()); }
};

using Stretch = std::pair<std::int64_t, std::int64_t>;  // first and last position

// The lines of one x; what a group allows, and which rules speak of it, is looked up once.
class LineMaker {
 public:
  // `natures` has one of them per feature, group by group. `scoring`: what asks the compiled model, if there is one.
  LineMaker(const Deployment& deployment, const Space& space, std::vector<double> x, std::vector<std::uint8_t> natures,
            const Scoring* scoring = nullptr);

  // One for every changed feature of the answer, unless it goes missing; in the order of the groups.
  void add_lines(std::int32_t answer, const Row* rows, std::vector<Line>& lines);
  double number(const Line& line, std::int64_t position) const;
  double x_number(const Line& line) const;
  // Does the candidate with this row instead of its present one keep the rules? It is left as it is.
  bool keeps(std::int32_t group, Row row, Row* rows) const;
  // What the model gives along the line through this answer, where that is known and the line long.
  std::optional<Along> along(const Line& line, const Row* rows) const;
  // The first and the last of the positions around this one that the rules cannot tell from it, nor a forest.
  Stretch alike(const Line& line, std::int64_t position) const;
  // Those of them that need not be asked about once this one is.
  Stretch stretch(const Line& line, std::int64_t position, std::optional<Along>& along) const;
  const Space& space() const { return space_; }

 private:
  using Rows = std::shared_ptr<const std::vector<Row>>;
  Line line(std::int32_t answer, std::int32_t group, std::int32_t feature, Row row);
  const Rows& offered(std::int32_t group);
  bool is_offered(std::int32_t group, Row row) const;
  Rows same_but(std::int32_t group, std::int32_t feature, Row row);
  bool same(const TableForm& table, std::size_t feature, Row a, Row b) const;
  bool like_x(const TableForm& table, std::size_t feature, Row row) const;
  void set_sides(Line& line) const;
  std::vector<Row> cuts(std::int32_t group) const;

  const Deployment& deployment_;
  const Space& space_;
  std::vector<double> x_;
  std::vector<std::uint8_t> natures_;
  const Scoring* scoring_;
  const Forest* forest_;
  std::vector<std::vector<Row>> cuts_;  // per group, once lines are made: where rows begin to differ; none: each does
  std::vector<Rows> offered_;  // per group, once asked for
  std::vector<std::vector<std::int32_t>> rules_of_;  // per group
};

}  // namespace geco
