#include "core/truth_spans.hpp"

#include <cmath>
#include <vector>

#include "core/truth.hpp"

namespace geco {
namespace {

// An operation with a constant on one side.
struct Link {
  Step::Op op;
  double constant;
  bool on_the_left;
};

// What rises or falls with the column: the operations that make it of the column's numbers.
struct Moving {
  bool rises = true;
  std::vector<Link> links;

  double at(double number) const {
    for (const auto& [op, constant, on_the_left] : links)
      number = op == Step::negate ? -number
               : on_the_left      ? applied(op, constant, number)
                                  : applied(op, number, constant);
    return number;
  }
};

// A part of a predicate: exactly one of the three.
struct Part {
  std::optional<double> constant;
  std::optional<Moving> moving;
  std::optional<Spans> spans;
};

Step::Op mirrored(Step::Op op) {
  switch (op) {
    case Step::le: return Step::ge;
    case Step::lt: return Step::gt;
    case Step::ge: return Step::le;
    case Step::gt: return Step::lt;
    default: return op;
  }
}

class Reading {
 public:
  Reading(const Sorted& sorted, double of_x) : sorted_(sorted), of_x_(of_x) {}

  void push(double constant) { stack_.push_back({constant, {}, {}}); }
  void push_column() { stack_.push_back({{}, Moving{}, {}}); }
  // False: this cannot be said by looking at few rows.
  bool negate() {
    Part& top = stack_.back();
    if (top.constant) *top.constant = -*top.constant;
    else if (top.moving) top.moving->rises = !top.moving->rises, top.moving->links.push_back({Step::negate, 0, false});
    return !top.spans;
  }
  bool apply(Step::Op op) {
    Part b = std::move(stack_.back());
    stack_.pop_back();
    Part& a = stack_.back();
    if (a.constant && b.constant) return a = {applied(op, *a.constant, *b.constant), {}, {}}, true;
    if (op == Step::both || op == Step::either) return join(op, a, b);
    if (a.spans || b.spans || (a.moving && b.moving)) return false;
    if (op >= Step::eq && op <= Step::gt) {
      a = {{}, {}, a.moving ? where(*a.moving, op, *b.constant) : where(*b.moving, mirrored(op), *a.constant)};
      return true;
    }
    const Link link{op, a.moving ? *b.constant : *a.constant, !a.moving};
    a = {{}, linked(std::move(a.moving ? *a.moving : *b.moving), link), {}};
    return a.moving.has_value();
  }
  std::optional<Spans> result() {
    Part& top = stack_.back();
    return top.moving ? std::nullopt : std::optional(as_spans(top));
  }

 private:
  static std::optional<Moving> linked(Moving moving, Link link) {
    const double k = link.constant;
    if (!std::isfinite(k)) return std::nullopt;
    switch (link.op) {
      case Step::add: break;
      case Step::subtract: moving.rises ^= link.on_the_left; break;
      case Step::divide:
        if (link.on_the_left) return std::nullopt;
        [[fallthrough]];
      case Step::multiply:
        if (k == 0) return std::nullopt;
        moving.rises ^= k < 0;
        break;
      default: return std::nullopt;
    }
    moving.links.push_back(link);
    return moving;
  }
  Spans as_spans(const Part& part) const {
    if (part.spans) return *part.spans;
    return *part.constant != 0 ? Spans::of(true, 1, sorted_.rows) : Spans();
  }
  bool join(Step::Op op, Part& a, const Part& b) const {
    if (a.moving || b.moving) return false;
    const Spans left = as_spans(a), right = as_spans(b);
    a = {{}, {}, op == Step::both ? Spans::both(left, right) : Spans::either(left, right)};
    return true;
  }
  Spans where(const Moving& moving, Step::Op op, double constant) const {
    const bool x = applied(op, moving.at(of_x_), constant) != 0;
    if (std::isnan(constant)) return {};
    // Rows before `from` are on one side of the constant, those from `to` on on the other, those between equal it.
    const Step::Op strictly = moving.rises ? Step::lt : Step::gt, loosely = moving.rises ? Step::le : Step::ge;
    const Row from = first_not(1, moving, strictly, constant), to = first_not(from, moving, loosely, constant);
    if (op == strictly) return Spans::of(x, 1, from);
    if (op == loosely) return Spans::of(x, 1, to);
    if (op == Step::eq) return Spans::of(x, from, to);
    if (op == Step::ne) return Spans::without(Spans::of(x, 1, sorted_.known), Spans::of(false, from, to));
    return Spans::of(x, op == mirrored(strictly) ? to : from, sorted_.known);
  }
  Row first_not(Row from, const Moving& moving, Step::Op op, double constant) const {
    Row to = sorted_.known;
    while (from < to) {
      const Row half = from + (to - from) / 2;
      if (applied(op, moving.at(sorted_.numbers[half]), constant) != 0) from = half + 1;
      else to = half;
    }
    return from;
  }

  const Sorted& sorted_;
  double of_x_;
  std::vector<Part> stack_;
};

}  // namespace

std::optional<Spans> truth_spans(std::span<const Step> steps, const double* constants, const Sorted& sorted,
                                 double of_x) {
  Reading reading(sorted, of_x);
  for (const Step& step : steps) {
    bool read = true;
    if (step.op == Step::constant) reading.push(step.index ? constants[step.index - 1] : step.value);
    else if (step.op == Step::column) reading.push_column(), read = step.index == sorted.column;
    else read = step.op == Step::negate ? reading.negate() : reading.apply(step.op);
    if (!read) return std::nullopt;
  }
  return reading.result();
}

}  // namespace geco
