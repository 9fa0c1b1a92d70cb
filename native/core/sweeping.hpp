// Rounds of Algorithm 1 over a compiled model: ask, score, tell, one after the other without leaving the core.
//
// The twin of the loop in src/geco/algorithm1.py, which does the same three steps where the user's model is asked in
// between; both score a round by scoring.hpp and end it by standing.hpp. Here a round costs tens of microseconds, and a
// run needs nothing of Python, so many can go on side by side.
#pragma once
#include <exception>
#include <limits>
#include <memory>
#include <optional>

#include "core/around/prepare.hpp"
#include "core/frontier/frontier.hpp"
#include "core/scoring.hpp"
#include "core/standing.hpp"

namespace geco {

class Sweeping {
 public:
  Sweeping(Frontier& frontier, const Scoring& scoring, Standing& standing)
      : frontier_(frontier), scoring_(scoring), standing_(standing) {}

  // Up to this many rounds more, none begun after so many seconds; how many there were, 0 once all is done. What goes
  // wrong is kept, for whoever asks for the results.
  int run(int rounds, double seconds = std::numeric_limits<double>::infinity()) noexcept;
  // What is wanted of the answers: whoever finds that all is done makes them ready at once.
  void then(Answering wanted) { wanted_.emplace(std::move(wanted)); }
  // The answers, made ready by now; null where there are none, or after it was called once.
  std::unique_ptr<Prepared> prepared();
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

  std::size_t scored() const { return scored_; }  // candidates, rows of lines included
  struct Laps {
    double expand = 0, sweep = 0, select = 0, prove = 0;  // seconds
  };
  const Laps& laps() const { return laps_; }

 private:
  bool ended();
  void round();
  void make_ready();

  Frontier& frontier_;
  const Scoring& scoring_;
  Standing& standing_;
  std::vector<Row> points_;  // x in the first round, then what was asked
  Scores scores_;
  std::size_t scored_ = 0;
  Laps laps_;
  std::optional<Answering> wanted_;  // until they are ready
  std::unique_ptr<Prepared> prepared_;
  std::exception_ptr error_;
};

}  // namespace geco
