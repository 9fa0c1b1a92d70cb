// Around answers: rounder values for their quantities, and what else would do for each change, the rest as it is.
//
// Like a search it is asked and told: ask() gives lines to be scored, tell() takes what the model said of them, until
// nothing is left to ask. Where a model can only be asked, tries() gives a few candidates instead. An answer that
// contains a nearer one only since it was rounded stays as it was found.
#pragma once
#include <span>
#include <vector>

#include "core/around/walk.hpp"
#include "core/scoring.hpp"

namespace geco {

// As compiled models take them (lines.hpp).
struct AskedLines {
  std::vector<Row> parents;
  std::vector<std::int32_t> groups;
  std::vector<std::int64_t> offsets{0};
  std::vector<Row> rows;
};

class Around {
 public:
  Around(LineMaker maker, std::vector<Row> answers, bool round, bool ranges);
  Around(const Around&) = delete;  // walks know the maker

  // Lines that have to be scored next; none once all is known.
  AskedLines ask();
  void tell(std::span<const double> outcome);
  // Both, until nothing is left to ask. Throws OutOfTime.
  void sweep(const Scoring& scoring, const Until& until);

  // All quantities that no rule forced are rounded as if the model agreed, where the rules do.
  void round_on_trial();
  // Candidates on every line, at most `each` of them on one. What the model says of them is told in one piece.
  std::vector<Row> tries(std::int64_t each);
  void tell_tries(std::span<const std::uint8_t> good);

  std::size_t width() const { return space_.groups.size(); }
  std::size_t rows(std::size_t group) const { return space_.groups[group].allowed.size(); }  // slot 0 included
  std::size_t lines() const { return walks_.size(); }
  std::int64_t waiting() const { return offsets_.back(); }  // rows of lines or tries that were asked about
  const Space& space() const { return space_; }
  const std::vector<Row>& found() const { return found_; }  // the answers as they were given
  const std::vector<Row>& answers();                        // as round as they have become
  std::vector<Range> ranges();

 private:
  struct Answer {
    std::vector<std::size_t> walks;
    std::vector<std::size_t> rounding;  // those that may still be rounded, the last one next
  };

  Row* rows_of(const Walk& walk) { return &answers_[walk.line().answer * width()]; }
  std::vector<std::size_t> roundable(std::size_t answer);
  std::int64_t window_end(const Line& line) const;
  std::int64_t rounder(const Line& line, std::int64_t end) const;
  void settle(Answer& answer);
  void move(const Answer& answer, std::size_t moved, std::int64_t position);
  bool ask_about(const Answer& answer, AskedLines& asked);
  void ask_all(AskedLines& asked);
  bool keep_apart(const std::vector<Row>& others);
  bool contains_another(std::size_t answer, const std::vector<Row>& others) const;
  void unround(std::size_t answer);
  void end_line(std::size_t walk, AskedLines& asked);

  LineMaker maker_;
  const Space& space_;
  std::vector<Row> found_, answers_;
  bool ranges_;
  bool apart_ = false;  // it was looked at which answers contain another
  std::vector<Walk> walks_;
  std::vector<std::int64_t> begun_at_;  // per walk, the position of the answer as it was found
  std::vector<Answer> by_answer_;
  std::vector<std::size_t> asked_;           // walks, in the order of the lines
  std::vector<std::int64_t> offsets_ = {0};  // of the lines, or of tries
};

}  // namespace geco
