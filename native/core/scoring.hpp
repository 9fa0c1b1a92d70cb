// Outcomes of candidates by a compiled model; how a round is scored, for the loop in Python and for the one in the
// core.
#pragma once
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/along.hpp"
#include "core/crossings.hpp"
#include "core/lines.hpp"
#include "core/near_x.hpp"
#include "core/verdict.hpp"

namespace geco {

// A compiled model with x in slot 0.
class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual std::size_t outputs() const = 0;
  virtual std::size_t width() const = 0;                // groups
  virtual std::size_t rows(std::size_t group) const = 0;  // slot 0 included
  virtual std::vector<double> points(std::span<const Row> rows, std::size_t count, const Until& until) const = 0;
  // Of the rows that are listed; `turns` has those of outlined lines, which only a forest knows.
  virtual std::vector<double> lines(const LinesView& lines, const Until& until, Turns& turns) const = 0;
  // What it gives along the line of a group, rows unseen; none where it cannot tell.
  virtual std::optional<Along> along(const Row* parent, std::size_t group) const = 0;
  // Where lines turn good, of a model that says so; null of others.
  virtual std::unique_ptr<Network::Crossings> crossings(const Verdict&) const { return nullptr; }
  // The forest that it asks, whose cells are worth knowing; none of other models.
  virtual const Forest* forest() const { return nullptr; }
  // What was kept for further rounds is not needed.
  virtual void forget() const {}
};

template <class Model, class Number>
class Anchored final : public Scorer {
 public:
  Anchored(const Model& model, std::vector<Number> x) : model_(model), x_(std::move(x)) {}
  std::size_t outputs() const override { return model_.outputs(); }
  std::size_t width() const override { return model_.width(); }
  std::size_t rows(std::size_t group) const override { return model_.rows(group); }
  std::vector<double> points(std::span<const Row> rows, std::size_t count, const Until& until) const override {
    if constexpr (std::is_same_v<Model, Forest>) return model_.points(x_, rows, count, until, &near_x_);
    else return model_.points(x_, rows, count, until);
  }
  std::vector<double> lines(const LinesView& lines, const Until& until, Turns& turns) const override {
    if constexpr (std::is_same_v<Model, Forest>) return model_.lines(x_, lines, until, &turns, &near_x_);
    else return model_.lines(x_, lines, until);
  }
  std::optional<Along> along(const Row* parent, std::size_t group) const override {
    if constexpr (std::is_same_v<Model, Forest>) return std::nullopt;
    else return model_.along(x_, parent, group);
  }
  std::unique_ptr<Network::Crossings> crossings(const Verdict& verdict) const override {
    if constexpr (std::is_same_v<Model, Network>) {
      if (model_.outputs() > 1) return nullptr;
      if (const auto turn = verdict.turn()) return std::make_unique<Network::Crossings>(model_, x_, *turn);
    }
    return nullptr;
  }
  const Forest* forest() const override {
    if constexpr (std::is_same_v<Model, Forest>) return &model_;
    else return nullptr;
  }
  void forget() const override { near_x_ = {}; }

 private:
  struct Nothing {};
  const Model& model_;
  std::vector<Number> x_;
  // Filled as lines are asked for.
  mutable std::conditional_t<std::is_same_v<Model, Forest>, Forest::NearX, Nothing> near_x_;
};

struct Scores {
  std::vector<double> outcome, number;  // of points, then of every row of every line, then of their turns
  Turns turns;
};

class Scoring {
 public:
  Scoring(std::unique_ptr<Scorer> model, const Verdict& verdict) : model_(std::move(model)), verdict_(verdict) {}
  const Scorer& model() const { return *model_; }
  // Exact: what the sums of a line leave to rounding is asked again as points. Throws OutOfTime.
  void operator()(std::span<const Row> points, const LinesView& lines, const Until& until, Scores& scores) const;
  std::unique_ptr<Network::Crossings> crossings() const { return model_->crossings(verdict_); }
  // The first and the last of the rows around this one that are good, whatever rounding does; itself if it may not be.
  std::pair<Row, Row> surely_good(Along& along, Row row) const;

 private:
  std::unique_ptr<Scorer> model_;
  const Verdict& verdict_;
};

// Places of outcomes that rounding may have decided, for sums along a line are right up to rounding only. A model that
// jumps (a difference in rounding may change its answer a lot) is taken at its word only where the word is no.
std::vector<std::int64_t> unsure(std::span<const double> outcome, bool jumps);

}  // namespace geco
