// What is the same for every x: the group tables, how far apart their rows are (Eq. 2), and the rules C with a place
// for each value of x. From it and the numbers of one x comes that x's Space. Immutable, so threads may share it.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/cascade.hpp"
#include "core/space.hpp"
#include "core/tables.hpp"

namespace geco {

// A predicate before x is known. A column step has the number of a feature, or after all of those that of one part of
// an exact column; a constant with index i > 0 is the i-th of the values that grounding gives.
struct PredicateForm {
  std::vector<Step> steps;
  std::vector<std::int32_t> groups;  // each group it mentions once
  std::int32_t constants = 0;        // how many values grounding gives
  std::int32_t depth = 0;            // of the stack its steps need
};

struct RuleForm {
  std::vector<PredicateForm> antecedents;
  PredicateForm consequent;
  std::int32_t defines = -1;
  std::int32_t group = -1;  // the only group it is about, otherwise -1
};

// What grounding left of a predicate: nothing, the predicate, or instead of `x_cf.F = x.F` that F stays missing.
enum class Kept : std::uint8_t { dropped, written, missing };

// C_x: the rules that are left by number, what became of their predicates (antecedents, then the consequent), and the
// values of x in the predicates that are left, all one after the other.
struct Grounded {
  std::vector<std::int32_t> rules;
  std::vector<Kept> kept;
  std::vector<double> constants;
};

// How far apart the rows of a table are, as one question has it: what params say of each feature.
struct Settings {
  double divisor = 0, weight = 1, raising = 1, lowering = 1, least_step = 0;
};

struct TableSettings {
  std::vector<Settings> features;
  std::optional<double> onehot_weight;
};

struct Made {
  Space space;
  std::vector<Row> like_x;                                    // per group the row that equals x, 0 if there is none
  std::vector<std::pair<std::int32_t, std::int32_t>> broken;  // group and the first rule local to it that x breaks
  std::vector<std::int32_t> empty;  // groups without a row to choose
  Feasible feasible = Feasible::yes;  // is there a start?
};

class Deployment {
 public:
  // Tables of one ordered feature and more rows than `held` are worked out by place, see ruler.hpp.
  static constexpr std::size_t kHeld = 512;
  Deployment(std::vector<TableForm> tables, std::vector<RuleForm> rules, std::vector<std::int32_t> topological,
             Norm norm, std::size_t held = kHeld);

  // The same tables asked with other rules, and with other settings and other free groups if any are given (one per
  // table): those of its rules with the numbers in `kept`, then the new ones.
  Deployment asked_with(const std::vector<std::int32_t>& kept, std::vector<RuleForm> rules,
                        std::vector<std::int32_t> topological, Norm norm, const std::vector<TableSettings>& settings,
                        const std::vector<bool>& free) const;

  std::size_t columns() const { return group_of_.size(); }  // and so many numbers has an x
  std::size_t width() const { return tables_.size(); }
  const TableForm& table(std::size_t group) const { return tables_[group]; }
  // Of a table that is worked out by place the rows that have a number and enough support; none of others.
  std::shared_ptr<const std::vector<Row>> known_rows(std::size_t group) const { return known_rows_[group]; }
  const Norm& norm() const { return norm_; }
  std::size_t features_of(std::size_t group) const { return tables_[group].features.size(); }
  const std::vector<std::int32_t>& group_of() const { return group_of_; }
  std::int32_t group_of(std::int32_t feature) const { return group_of_[feature]; }
  const std::vector<RuleForm>& rules() const { return rules_; }
  // The Space of x, with its start; `patience` limits the search for one where the nearest repairs fail.
  Made space(std::span<const double> x, const Grounded& grounded, Patience patience) const;

 private:
  class Grounding;
  class Making;
  void join();
  void find_support();
  const Numbers& numbers(std::int32_t column) const;
  Row row_of(const TableForm& table, std::span<const double> x) const;
  std::vector<std::uint8_t> offered(const TableForm& table, const double* x, Row like_x) const;
  std::vector<Column> joined(std::span<const double> x) const;

  std::vector<TableForm> tables_;
  std::vector<std::shared_ptr<const std::vector<Row>>> known_rows_;
  std::vector<RuleForm> rules_;
  std::vector<std::int32_t> topological_;
  Norm norm_;
  double largest_term_;                 // of Eq. 2, see measure.hpp
  std::size_t features_ = 0;
  std::vector<std::int32_t> group_of_;   // per feature, then per part of an exact column
  std::vector<std::int32_t> joined_;     // those that predicates over several groups read: the columns of a Space
  std::vector<std::int32_t> column_of_;  // per column its position in `joined_`, -1 if it has none
};

}  // namespace geco
