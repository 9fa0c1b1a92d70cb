// Answers made ready for their confirmation: all that one call of the user's model has to say, and what is told once it
// has.
//
// Asked about are, in this order: the answers as they are shown, those of them that were rounded as they were found,
// the ends of ranges, and what lies between x and the first few of all these.
#pragma once
#include <span>
#include <vector>

#include "core/around/around.hpp"
#include "core/around/facts.hpp"

namespace geco {

class Prepared {
 public:
  // `near` is done; `ranges`: all was said that its ranges depend on. `steps`: of so many rows the way is asked about.
  Prepared(const Archive& archive, Around& near, bool ranges, std::size_t steps);

  std::size_t width() const { return width_; }
  std::size_t size() const { return shown_.size() / width_; }
  const std::vector<Row>& shown() const { return shown_; }
  const std::vector<std::size_t>& moved() const { return moved_; }  // answers that are not shown as they were found
  const std::vector<Row>& asked() const { return asked_; }
  std::size_t between() const { return (asked_.size() - sure_) / width_; }  // the last rows, which need not be good

  // The answers that the model called good; it may not have come to all that was asked.
  std::vector<Facts> confirmed(std::span<const double> outcome, std::span<const double> number) const;
  // All of them, as the compiled model has it; `number` has what it says of those that were moved, or nothing.
  std::vector<Facts> unconfirmed(std::span<const double> number) const;

 private:
  struct Heard {
    std::span<const double> outcome, number;
    bool good(std::size_t place) const { return place < outcome.size() && outcome[place] > 0.5; }
  };
  std::size_t rows() const { return asked_.size() / width_; }
  const Row* row(std::size_t place) const { return &asked_[place * width_]; }
  void ask_ends();
  void ask_ways(std::size_t steps);
  std::vector<Row> ends(const Range& range) const;
  bool hold(std::size_t range, const Heard& heard) const;
  Facts facts(std::size_t place) const;
  void add_ranges(std::size_t answer, const Heard* heard, Facts& of) const;
  void add_way(std::size_t place, const Heard& heard, Facts& of) const;
  Said said(const Row* rows, const Heard& heard) const;

  const Space& space_;
  const Archive& archive_;
  std::size_t width_;
  std::vector<Row> shown_, found_;
  std::vector<std::size_t> moved_, before_;  // before_: per answer the place of what it was, or kNone
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<Range> ranges_;
  std::vector<std::size_t> ends_;  // per range the place of its first end, then the place after the last
  std::vector<Row> asked_;
  std::size_t sure_ = 0;  // rows without those between, times the width
  std::vector<Way> ways_;  // of the first places
  std::vector<std::size_t> steps_;  // per way the place of its first step
};

}  // namespace geco
