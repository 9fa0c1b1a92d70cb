// Grounding and Making: the rules of C_x as they meet the tables, and the groups of one x under way. Parts of
// Deployment::space.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/deployment.hpp"
#include "core/measure.hpp"
#include "core/near.hpp"
#include "core/truth.hpp"
#include "core/truth_spans.hpp"

namespace geco {

// The rules of C_x as they are taken from a Grounded one after the other.
class Deployment::Grounding {
 public:
  // `places`: of the groups that are worked out by place, how.
  Grounding(const Deployment& deployment, std::span<const double> x, const Grounded& grounded,
            const std::vector<std::optional<Ruler>>& places)
      : deployment_(deployment), x_(x), kept_(grounded.kept.data()), constants_(grounded.constants.data()),
        places_(places) {}

  // Per row of the group, x included: does the rule hold? Rules local to it only.
  std::vector<std::uint8_t> column(const RuleForm& rule) {
    std::vector<std::uint8_t> broken(deployment_.tables_[rule.group].rows(), 1);
    for (const PredicateForm& p : rule.antecedents)
      if (take() != Kept::dropped) {
        const auto fires = truth(p, Kept::written, rule.group);
        for (std::size_t r = 0; r < broken.size(); ++r) broken[r] &= fires[r];
      }
    auto holds = truth(rule.consequent, take(), rule.group);
    for (std::size_t r = 0; r < holds.size(); ++r) holds[r] |= !broken[r];
    return holds;
  }

  // The same by place.
  Spans spans(const RuleForm& rule) {
    const Spans all = Spans::of(true, 1, static_cast<Row>(deployment_.tables_[rule.group].rows()));
    Spans fires = all;
    for (const PredicateForm& p : rule.antecedents)
      if (take() != Kept::dropped) fires = Spans::both(fires, spans(p, Kept::written, rule.group));
    return Spans::either(Spans::without(all, fires), spans(rule.consequent, take(), rule.group));
  }

  Rule across(const RuleForm& rule) {
    Rule made;
    made.defines = rule.defines;
    for (const PredicateForm& p : rule.antecedents)
      if (take() != Kept::dropped) made.antecedents.push_back(predicate(p, Kept::written));
    made.consequent = predicate(rule.consequent, take());
    return made;
  }

 private:
  Kept take() { return *kept_++; }

  Predicate predicate(const PredicateForm& form, Kept kept) {
    Predicate p;
    p.groups = form.groups;
    if (form.groups.size() == 1) {
      p.group = form.groups[0];
      if (places_[p.group]) p.truth = RowSet(deployment_.tables_[p.group].rows(), spans(form, kept, p.group));
      else p.truth = truth(form, kept, p.group);
      return p;
    }
    p.steps = form.steps;
    for (Step& step : p.steps) {
      if (step.op == Step::constant && step.index) step.value = constants_[step.index - 1];
      if (step.op == Step::column) step.index = deployment_.column_of_[step.index];
    }
    constants_ += form.constants;
    return p;
  }

  Spans spans(const PredicateForm& form, Kept kept, std::int32_t group) {
    const TableForm& table = deployment_.tables_[group];
    const FeatureForm& f = table.features[0];
    const auto rows = static_cast<Row>(table.rows()), column = static_cast<std::int32_t>(table.first);
    if (kept == Kept::missing) return Spans::of(std::isnan(x_[column]), f.known, rows);
    auto found = truth_spans(form.steps, constants_, {column, f.numbers, f.known, rows}, x_[column]);
    if (!found) return Spans::of(truth(form, kept, group));
    constants_ += form.constants;
    return std::move(*found);
  }

  std::vector<std::uint8_t> truth(const PredicateForm& form, Kept kept, std::int32_t group) {
    const std::size_t rows = deployment_.tables_[group].rows();
    if (kept == Kept::missing) return missing(form, rows);
    auto truth = truth_column(form.steps, form.depth, rows, constants_,
                              [this](std::int32_t feature, double* into) { load(feature, into); });
    constants_ += form.constants;
    return truth;
  }

  // `x_cf.F = x.F` has one column, F.
  std::vector<std::uint8_t> missing(const PredicateForm& form, std::size_t rows) const {
    const auto column =
        std::find_if(form.steps.begin(), form.steps.end(), [](const Step& s) { return s.op == Step::column; });
    std::vector<double> numbers(rows);
    load(column->index, numbers.data());
    std::vector<std::uint8_t> truth(rows);
    for (std::size_t r = 0; r < rows; ++r) truth[r] = std::isnan(numbers[r]);
    return truth;
  }

  void load(std::int32_t column, double* into) const {
    const Numbers& numbers = deployment_.numbers(column);
    std::copy(numbers.begin(), numbers.end(), into);
    into[0] = x_[column];
  }

  const Deployment& deployment_;
  std::span<const double> x_;
  const Kept* kept_;
  const double* constants_;
  const std::vector<std::optional<Ruler>>& places_;
};

// The groups of one x under way: each by place, or row by row.
class Deployment::Making {
 public:
  Making(const Deployment& deployment, std::span<const double> x)
      : deployment_(deployment), x_(x), places(deployment.width()), spans_(deployment.width()),
        bytes_(deployment.width()), near_(deployment.width()) {
    for (std::size_t g = 0; g < deployment.width(); ++g) {
      const TableForm& table = deployment.tables_[g];
      like_x.push_back(deployment.row_of(table, x));
      if (table.by_place) places[g] = Ruler::of(table, deployment.norm_, deployment.largest_term_, x);
      if (places[g]) spans_[g] = places[g]->offered(like_x[g]);
      else offer_rows(g);
    }
  }

  // Leaves the rows that keep a rule local to their group.
  void keep(std::int32_t number, const RuleForm& rule, Grounding& grounding) {
    const std::int32_t g = rule.group;
    bool held, holds;  // by x
    if (places[g]) {
      const Spans kept = grounding.spans(rule);
      held = spans_[g].x, holds = kept.x;
      spans_[g] = Spans::both(spans_[g], kept);
    } else {
      const auto kept = grounding.column(rule);
      held = bytes_[g][0], holds = kept[0];
      for (std::size_t r = 0; r < kept.size(); ++r) bytes_[g][r] &= kept[r];
    }
    if (held && !holds) broken.emplace_back(g, number);  // the first to forbid slot 0
  }

  std::vector<Group> groups() {
    std::vector<Group> groups;
    std::vector<double> room;
    for (std::size_t g = 0; g < places.size(); ++g)
      groups.push_back(places[g] ? placed(deployment_.tables_[g], std::move(*places[g]), std::move(spans_[g]))
                                 : measured(table(g), deployment_.norm_, deployment_.largest_term_, of_x(g),
                                            std::move(bytes_[g]), room));
    return groups;
  }

 private:
  void offer_rows(std::size_t g) {
    if (!deployment_.tables_[g].exact.empty()) near_[g].emplace(deployment_.tables_[g], x_);
    bytes_[g] = deployment_.offered(table(g), of_x(g), like_x[g]);
  }
  const TableForm& table(std::size_t g) const { return near_[g] ? near_[g]->table : deployment_.tables_[g]; }
  const double* of_x(std::size_t g) const { return near_[g] ? near_[g]->x.data() : &x_[deployment_.tables_[g].first]; }

  const Deployment& deployment_;
  std::span<const double> x_;

 public:
  std::vector<std::optional<Ruler>> places;
  std::vector<Row> like_x;
  std::vector<std::pair<std::int32_t, std::int32_t>> broken;

 private:
  std::vector<Spans> spans_;
  std::vector<std::vector<std::uint8_t>> bytes_;
  std::vector<std::optional<Near>> near_;
};

}  // namespace geco
