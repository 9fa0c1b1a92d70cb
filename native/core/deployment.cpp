#include "core/deployment.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>

#include "core/grounding.hpp"

namespace geco {
namespace {

// The order of group tables: NaN after every number, and equal to itself.
bool before(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }

Row first_missing(const Numbers& numbers) {
  const auto first = numbers.begin() + 1;
  return static_cast<Row>(std::partition_point(first, numbers.end(), [](double z) { return !std::isnan(z); }) -
                          numbers.begin());
}

// Which groups no allowed candidate leaves as they are, where x breaks a rule and a start is known that mends it.
std::vector<std::uint8_t> forced(const Space& space) {
  constexpr std::int64_t kSteps = 20'000;  // per group; what they do not decide is not taken as forced
  if (space.first_broken(std::vector<Row>(space.groups.size()).data()) == -1) return {};
  std::vector<std::uint8_t> forced(space.groups.size());
  std::vector<Row> rows(space.groups.size());
  for (std::int32_t g = 0; g < space.width(); ++g)
    forced[g] =
        !space.groups[g].allowed[0] ||
        (space.start[g] != 0 &&
         any_allowed(space, rows.data(), false, {kSteps, std::numeric_limits<double>::infinity()}, g) == Feasible::no);
  return forced;
}

// action_cascade(x); where the nearest repairs fail, any allowed candidate that backtracking finds.
void find_start(Made& made, Patience patience) {
  CascadeCounts counts(made.space);
  std::vector<Row> start(made.space.groups.size(), 0);
  if (!Cascade::apply(made.space, start.data(), nullptr, counts))
    made.feasible = any_allowed(made.space, start.data(), false, patience);
  if (made.feasible == Feasible::yes) made.space.start = std::move(start);
  made.space.forced = forced(made.space);
}

}  // namespace

Deployment::Deployment(std::vector<TableForm> tables, std::vector<RuleForm> rules,
                       std::vector<std::int32_t> topological, Norm norm, std::size_t held)
    : tables_(std::move(tables)), rules_(std::move(rules)), topological_(std::move(topological)), norm_(norm) {
  for (std::size_t g = 0; g < tables_.size(); ++g) {
    tables_[g].first = group_of_.size();
    group_of_.insert(group_of_.end(), tables_[g].features.size(), static_cast<std::int32_t>(g));
    for (FeatureForm& f : tables_[g].features) {
      f.gaps = std::any_of(f.numbers.begin() + 1, f.numbers.end(), [](double z) { return std::isnan(z); });
      find_ends(f);
    }
    const FeatureForm& f = tables_[g].features[0];
    tables_[g].by_place =
        tables_[g].features.size() == 1 && !f.categorical && !tables_[g].onehot_weight && tables_[g].rows() > held;
    if (tables_[g].by_place) tables_[g].features[0].known = first_missing(f.numbers);
  }
  features_ = group_of_.size();
  for (std::size_t g = 0; g < tables_.size(); ++g) {
    tables_[g].first_exact = group_of_.size();
    group_of_.insert(group_of_.end(), 2 * tables_[g].exact.size(), static_cast<std::int32_t>(g));
  }
  largest_term_ = largest_term(features_);
  find_support();
  join();
}

// Which rows of the tables that are worked out by place have enough support.
void Deployment::find_support() {
  known_rows_.assign(tables_.size(), nullptr);
  for (std::size_t g = 0; g < tables_.size(); ++g) {
    TableForm& table = tables_[g];
    table.supported.reset();
    table.least_support = norm_.min_support;
    if (!table.by_place) continue;
    std::vector<Row> rows;
    for (std::size_t r = 1; r < table.rows(); ++r)
      if (table.counts[r] >= norm_.min_support) rows.push_back(static_cast<Row>(r));
    const auto missing = std::lower_bound(rows.begin(), rows.end(), table.features[0].known);
    known_rows_[g] = std::make_shared<const std::vector<Row>>(rows.begin(), missing);
    if (rows.size() + 1 < table.rows()) table.supported = std::move(rows);
  }
}

// Finds out which columns the predicates over several groups read.
void Deployment::join() {
  joined_.clear();
  column_of_.assign(group_of_.size(), -1);
  auto join = [&](const PredicateForm& p) {
    for (const Step& step : p.steps)
      if (p.groups.size() > 1 && step.op == Step::column && column_of_[step.index] < 0) {
        column_of_[step.index] = static_cast<std::int32_t>(joined_.size());
        joined_.push_back(step.index);
      }
  };
  for (const RuleForm& rule : rules_) {
    for (const PredicateForm& p : rule.antecedents) join(p);
    join(rule.consequent);
  }
}

Deployment Deployment::asked_with(const std::vector<std::int32_t>& kept, std::vector<RuleForm> rules,
                                  std::vector<std::int32_t> topological, Norm norm,
                                  const std::vector<TableSettings>& settings, const std::vector<bool>& free) const {
  Deployment asked(*this);  // the numbers of its tables are shared
  asked.rules_.clear();
  for (std::int32_t number : kept) asked.rules_.push_back(rules_[number]);
  std::move(rules.begin(), rules.end(), std::back_inserter(asked.rules_));
  asked.topological_ = std::move(topological);
  asked.norm_ = norm;
  for (std::size_t g = 0; g < settings.size(); ++g) {
    asked.tables_[g].onehot_weight = settings[g].onehot_weight;
    for (std::size_t i = 0; i < settings[g].features.size(); ++i) {
      FeatureForm& f = asked.tables_[g].features[i];
      const Settings& said = settings[g].features[i];
      f.divisor = said.divisor, f.weight = said.weight, f.least_step = said.least_step;
      f.raising = said.raising, f.lowering = said.lowering;
    }
  }
  for (std::size_t g = 0; g < free.size(); ++g) asked.tables_[g].free = free[g];
  if (norm.min_support != norm_.min_support) asked.find_support();
  asked.join();
  return asked;
}

Made Deployment::space(std::span<const double> x, const Grounded& grounded, Patience patience) const {
  Making making(*this, x);
  std::vector<Rule> across;
  Grounding grounding(*this, x, grounded, making.places);
  for (std::int32_t number : grounded.rules) {
    const RuleForm& rule = rules_[number];
    if (rule.group < 0) across.push_back(grounding.across(rule));
    else making.keep(number, rule, grounding);
  }
  std::sort(making.broken.begin(), making.broken.end());
  Made made{Space(making.groups(), std::move(across), joined(x), topological_),
            std::move(making.like_x),
            std::move(making.broken),
            {}};
  for (std::int32_t g = 0; g < made.space.width(); ++g)
    if (made.space.groups[g].count() == 0) made.empty.push_back(g);
  find_start(made, patience);
  return made;
}

const Numbers& Deployment::numbers(std::int32_t column) const {
  const TableForm& table = tables_[group_of_[column]];
  if (static_cast<std::size_t>(column) < features_) return table.features[column - table.first].numbers;
  const std::size_t part = column - table.first_exact;
  return part % 2 ? table.exact[part / 2].low : table.exact[part / 2].high;
}

Row Deployment::row_of(const TableForm& table, std::span<const double> x) const {
  std::size_t low = 1, high = table.rows();
  auto narrow = [&](const Numbers& column, double number) {
    const auto numbers = column.begin();
    const auto [from, to] = std::equal_range(numbers + low, numbers + high, number, before);
    low = from - numbers;
    high = to - numbers;
  };
  for (std::size_t f = 0; f < table.features.size(); ++f) {
    narrow(table.features[f].numbers, x[table.first + f]);
    for (std::size_t i = 0; i < table.exact.size(); ++i)
      if (const ExactForm& e = table.exact[i]; e.measured && static_cast<std::size_t>(e.feature) == f) {
        narrow(e.high, x[table.first_exact + 2 * i]);
        narrow(e.low, x[table.first_exact + 2 * i + 1]);
      }
  }
  return low < high ? static_cast<Row>(low) : 0;
}

// The mask before any rule: enough support, not x itself, no new missing values, no step too small to count.
std::vector<std::uint8_t> Deployment::offered(const TableForm& table, const double* x, Row like_x) const {
  std::vector<std::uint8_t> allowed(table.rows());
  for (std::size_t r = 1; r < allowed.size(); ++r) allowed[r] = table.counts[r] >= norm_.min_support;
  if (like_x) allowed[like_x] = 0;
  for (std::size_t i = 0; i < table.features.size(); ++i) {
    const FeatureForm& f = table.features[i];
    if (std::isnan(x[i])) continue;
    if (f.gaps && !f.may_go_missing)
      for (std::size_t r = 1; r < allowed.size(); ++r) allowed[r] &= !std::isnan(f.numbers[r]);
    if (f.least_step > 0)
      for (std::size_t r = 1; r < allowed.size(); ++r) {
        const double step = std::abs(f.numbers[r] - x[i]);
        allowed[r] &= !(step > 0 && step < f.least_step);
      }
  }
  allowed[0] = 1;
  return allowed;
}

std::vector<Column> Deployment::joined(std::span<const double> x) const {
  std::vector<Column> made;
  for (std::int32_t column : joined_) {
    made.push_back({group_of_[column], numbers(column), x[column]});
  }
  return made;
}

}  // namespace geco
