// A line and what is known of it: the run of rows around the chosen one that would do, or the other categories.
#pragma once
#include <span>
#include <vector>

#include "core/around/line.hpp"

namespace geco {

// What else would do for one change: rows of the group's table.
struct Range {
  static constexpr std::int64_t kAll = -1;
  std::int32_t answer = 0, group = 0, feature = Line::kOnehot;
  Row low = 0, high = 0;             // both the chosen row, of a category
  bool least = false, most = false;  // nothing that the rules allow lies beyond, on this side of x
  std::vector<Row> others = {};      // of names and categories the other rows that would do
  std::int64_t tried = kAll;         // how many rows were asked about
};

class Walk {
 public:
  Walk(const LineMaker& maker, Line line) : maker_(&maker), line_(std::move(line)) { begin(line_.chosen); }

  const Line& line() const { return line_; }
  std::int64_t low() const { return low_; }
  std::int64_t high() const { return high_; }
  // Nothing but the chosen row is known, for another change of the answer is a different one now.
  void begin(std::int64_t chosen);
  // The answer has another row of the run.
  void choose(std::int64_t position) { line_.chosen = position; }
  bool ended() const { return line_.nature == kCategory ? seen_ >= line_.size() : below_ends_ && above_ends_; }
  // Is all known up to this position, or to where the run ends before it?
  bool reaches(std::int64_t position) const;

  // Adds the rows that are to be asked about next; `rows` is the answer, and is left as it is. ask_to looks as far as a
  // position and no further, ask ever farther on both sides.
  void ask(Row* rows, std::vector<Row>& asked);
  void ask_to(std::int64_t position, Row* rows, std::vector<Row>& asked);
  void tell(std::span<const double> outcome);

  // Some rows for a model that can only be asked, at most so many: neighbours, both ends, ever farther ones between.
  const std::vector<std::int64_t>& tries(std::int64_t most, Row* rows);
  void tell_tries(std::span<const std::uint8_t> good);

  Range range(Row* rows) const;

 private:
  static constexpr std::int64_t kStep = 12, kGrowth = 2;  // rows on either side; how much farther each time
  static constexpr std::int64_t kCategories = 256;        // asked about at once
  static constexpr std::size_t kNamed = 20;               // other categories that are kept

  bool keeps(std::int64_t position, Row* rows) const { return maker_->keeps(line_.group, line_.row(position), rows); }
  std::vector<std::int64_t> next(int direction, std::int64_t limit, Row* rows, std::vector<Row>& asked);
  void ask_categories(Row* rows, std::vector<Row>& asked);
  void tell_sides(std::span<const double> outcome);
  bool any_beyond(std::int64_t from, int direction, Row* rows) const;

  const LineMaker* maker_;
  Line line_;
  std::int64_t low_ = 0, high_ = 0;  // the run as far as it is known
  bool below_ends_ = false, above_ends_ = false;
  std::int64_t step_ = kStep;
  std::optional<Along> along_;
  bool looked_ = false;  // for what the model gives along it
  std::vector<std::int64_t> below_, above_;  // how far what was asked about on either side goes
  std::int64_t seen_ = 0;               // of a category: what is before this position is known or asked about
  std::vector<std::int64_t> asked_;     // of a category, or tries
  std::vector<std::int64_t> others_;
  std::int64_t tried_ = Range::kAll;
};

}  // namespace geco
