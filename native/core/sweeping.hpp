// Rounds of Algorithm 1 over a compiled model: ask, score, tell, one after the other without leaving the core.
//
// The loop in src/geco/algorithm1.py does the same three steps where the user's own model is asked in between; what both give
// is the same. Here a round costs tens of microseconds, and a run needs nothing of Python, so many can go on side by side.
#pragma once
#include <chrono>
#include <exception>
#include <limits>
#include <memory>

#include "core/frontier/frontier.hpp"
#include "core/lines.hpp"
#include "core/verdict.hpp"

namespace geco {

// A compiled model with x in slot 0.
class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual std::size_t outputs() const = 0;
  virtual std::vector<double> points(std::span<const Row> rows, std::size_t count, const Until& until) const = 0;
  virtual std::vector<double> lines(const LinesView& lines, const Until& until) const = 0;
};

template <class Model, class Number>
class BoundTo final : public Scorer {
 public:
  BoundTo(const Model& model, std::vector<Number> x) : model_(model), x_(std::move(x)) {}
  std::size_t outputs() const override { return model_.outputs(); }
  std::vector<double> points(std::span<const Row> rows, std::size_t count, const Until& until) const override {
    return model_.points(x_, rows, count, until);
  }
  std::vector<double> lines(const LinesView& lines, const Until& until) const override { return model_.lines(x_, lines, until); }

 private:
  const Model& model_;
  std::vector<Number> x_;
};

class Sweeping {
 public:
  using Clock = std::chrono::steady_clock;
  // Ends at the latest `seconds` from now, but for the first round; a round that is under way then is given up.
  Sweeping(Frontier& frontier, std::unique_ptr<Scorer> scorer, const Verdict& verdict, double seconds);

  // Up to this many rounds more, none begun after so many seconds; how many there were, 0 once all is done. What goes
  // wrong is kept, for whoever asks for the results.
  int run(int rounds, double seconds = std::numeric_limits<double>::infinity()) noexcept;
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

  bool out_of_time() const { return out_of_time_; }
  double x_outcome() const { return x_outcome_; }
  double x_number() const { return x_number_; }
  std::size_t scored() const { return scored_; }  // candidates, rows of lines included
  struct Laps {
    double expand = 0, sweep = 0, select = 0;  // seconds
  };
  const Laps& laps() const { return laps_; }

 private:
  bool ended() const;
  void round();
  void score(const Round& round, const Until& until);

  Frontier& frontier_;
  std::unique_ptr<Scorer> scorer_;
  const Verdict& verdict_;
  Until until_;
  double x_outcome_, x_number_;
  std::vector<double> outcome_, number_;  // x in the first round, points, rows of lines
  std::size_t scored_ = 0;
  bool out_of_time_ = false;
  Laps laps_;
  std::exception_ptr error_;
};

}  // namespace geco
