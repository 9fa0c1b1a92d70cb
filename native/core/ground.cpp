#include "core/ground.hpp"

#include <cmath>

#include "core/truth.hpp"

namespace geco {
namespace {

constexpr double kWhole = 9007199254740992;  // so far a double is what a whole number of Python is

struct Value {
  enum { known, missing, unlike } state = known;  // unlike: another number than Python's
  double number = 0;
  std::int32_t feature = -1;  // that is missing
};

// The rules of one x under way.
class Making {
 public:
  explicit Making(std::span<const double> x) : x_(x) {}

  // False: it is left to Python.
  bool add(std::int32_t number, const RuleSlots& rule) {
    const std::size_t states = made.rules.kept.size(), constants = made.rules.constants.size();
    Value value;
    const bool stays = fires(rule, value) && leaves(number, rule, value);
    if (stays) made.rules.rules.push_back(number);
    else made.rules.kept.resize(states), made.rules.constants.resize(constants);
    return value.state != Value::unlike;
  }

  Ground made;

 private:
  // False if one of the antecedents is false or touches a missing value.
  bool fires(const RuleSlots& rule, Value& value) {
    for (const PredicateSlots& p : rule.antecedents) {
      const bool decided = decides(p, value);
      if (value.state != Value::known || (decided && value.number == 0)) return false;
      made.rules.kept.push_back(decided ? Kept::dropped : Kept::written);
      if (!decided && !fill(p, value)) return false;
    }
    return true;
  }

  // False if the consequent is true already, or cannot be said for want of a value of x.
  bool leaves(std::int32_t number, const RuleSlots& rule, Value& value) {
    const PredicateSlots& p = rule.consequent;
    if (decides(p, value) && value.number != 0) return false;
    if (value.state == Value::known && fill(p, value)) {
      made.rules.kept.push_back(Kept::written);
      return true;
    }
    if (value.state == Value::missing && !rule.keeps) made.skipped.emplace_back(number, value.feature);
    if (value.state == Value::unlike || !rule.keeps) return false;
    made.rules.kept.push_back(Kept::missing);
    made.missing.push_back(number);
    return true;
  }

  bool decides(const PredicateSlots& p, Value& value) {
    if (p.decided.empty()) return false;
    value = worked_out(p.decided);
    return value.state == Value::known;
  }

  bool fill(const PredicateSlots& p, Value& value) {
    for (const Slot& slot : p.slots) {
      value = worked_out(slot);
      if (value.state != Value::known) return false;
      made.rules.constants.push_back(value.number);
    }
    return true;
  }

  Value worked_out(const Slot& slot) {
    stack_.clear();
    for (const Step& step : slot) {
      if (step.op == Step::constant) stack_.push_back(step.value);
      else if (step.op == Step::column) stack_.push_back(x_[step.index]);
      else if (step.op == Step::negate) stack_.back() = -stack_.back();
      else {
        const double right = stack_.back();
        stack_.pop_back();
        stack_.back() = applied(step.op, stack_.back(), right);
      }
      if (step.op == Step::column && std::isnan(stack_.back())) return {Value::missing, 0, step.index};
      // Also where a value is missing farther on: Python, asked for all, skips the rule for that.
      if (slot.size() > 1 && !(std::abs(stack_.back()) < kWhole)) return {Value::unlike};
    }
    return {Value::known, stack_.back()};
  }

  std::span<const double> x_;
  std::vector<double> stack_;
};

}  // namespace

std::optional<Ground> Grounds::operator()(std::span<const double> x) const {
  Making making(x);
  for (std::size_t r = 0; r < rules_.size(); ++r)
    if (!making.add(static_cast<std::int32_t>(r), rules_[r])) return std::nullopt;
  return std::move(making.made);
}

}  // namespace geco
