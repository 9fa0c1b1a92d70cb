#include "core/ruler.hpp"

#include <algorithm>
#include <cmath>

#include "core/halving.hpp"
#include "core/measure.hpp"

namespace geco {

Ruler::Ruler(const TableForm& table, const Norm& norm, double largest_term, std::span<const double> x)
    : numbers_(table.features[0].numbers), supported_(table.supported),
      apart_(table.features[0], x[table.first], largest_term), norm_(norm), least_step_(table.features[0].least_step),
      rows_(table.rows()), known_(table.features[0].known), offers_missing_(std::isnan(x[table.first])),
      sides_(!offers_missing_), middle_(1) {
  for (std::size_t i = 0; i < table.exact.size(); ++i)
    if (const ExactForm& e = table.exact[i]; e.measured && sides_) {  // by the difference to x, which is rounded once
      high_ = e.high, low_ = e.low;
      high_of_x_ = x[table.first_exact + 2 * i], low_of_x_ = x[table.first_exact + 2 * i + 1];
      apart_.x = 0;
    }
  if (sides_) middle_ = first_not(1, known_, [&](Row r) { return !(number(r) > apart_.x); });
}

std::optional<Ruler> Ruler::of(const TableForm& table, const Norm& norm, double largest_term,
                               std::span<const double> x) {
  FeatureForm f = table.features[0];
  Ruler made(table, norm, largest_term, x);
  if (f.gaps && f.may_go_missing && made.sides_) return std::nullopt;
  if (made.known_ > 1) f.lowest = made.number(1), f.highest = made.number(made.known_ - 1);
  if (overflows(f, made.apart_.x, largest_term)) return std::nullopt;
  return made;
}

std::pair<Row, Row> Ruler::nearer_than(double distance) const {
  if (!sides_) return {1, static_cast<Row>(rows_)};
  return {first_not(1, middle_, [&](Row r) { return !(total(r) < distance); }),
          first_not(middle_, known_, [&](Row r) { return total(r) < distance; })};
}

Spans Ruler::offered(Row like_x) const {
  Spans offered = Spans::of(true, 1, offers_missing_ ? static_cast<Row>(rows_) : known_);
  if (like_x) offered = Spans::without(offered, Spans::of(false, like_x, like_x + 1));
  if (least_step_ > 0 && sides_) {
    auto far = [&](Row r) { return !(std::abs(number(r) - apart_.x) < least_step_); };
    auto equal = [&](Row r) { return number(r) == apart_.x; };
    const Row below = first_not(1, middle_, far), same = first_not(below, middle_, [&](Row r) { return !equal(r); });
    const Row above = first_not(middle_, known_, [&](Row r) { return !far(r); });
    offered = Spans::without(offered, Spans::of(false, below, same));
    offered = Spans::without(offered, Spans::of(false, middle_, above));
  }
  return offered;
}

void Ruler::choose(Spans allowed) {
  allowed_ = std::move(allowed);
  starts_.clear(), places_.clear();
  std::size_t sum = 0;
  for (std::size_t i = 0; i < allowed_.edges.size(); i += 2) {
    starts_.push_back(sum);
    places_.push_back(place(allowed_.edges[i]));
    sum += place(allowed_.edges[i + 1]) - places_.back();
  }
  auto& [below, above, down, up, straight] = chosen_;
  below = before(middle_), above = sum - below;
  down = below > 0 ? choice(below - 1) : 0, up = above > 0 ? choice(below) : 0;
  straight = (below == 0 || down - choice(0) == static_cast<Row>(below - 1)) &&
             (above == 0 || choice(sum - 1) - up == static_cast<Row>(above - 1));
}

std::size_t Ruler::place(Row row) const {
  if (!supported_) return static_cast<std::size_t>(row - 1);
  return std::lower_bound(supported_->begin(), supported_->end(), row) - supported_->begin();
}

Row Ruler::row_at(std::size_t place) const { return supported_ ? (*supported_)[place] : static_cast<Row>(place + 1); }

std::size_t Ruler::before(Row row) const {
  const auto& edges = allowed_.edges;
  const std::size_t passed = std::lower_bound(edges.begin(), edges.end(), row) - edges.begin();
  if (passed == 0) return 0;
  const std::size_t span = (passed - 1) / 2;
  const Row last = passed % 2 ? row : edges[2 * span + 1];
  return starts_[span] + place(last) - places_[span];
}

Row Ruler::choice(std::size_t at) const {
  std::size_t span = starts_.size() - 1;
  if (starts_.size() <= 8)  // mostly one or two
    while (span > 0 && starts_[span] > at) --span;
  else span = std::upper_bound(starts_.begin(), starts_.end(), at) - starts_.begin() - 1;
  return row_at(places_[span] + at - starts_[span]);
}

std::vector<Row> Ruler::choices() const {
  std::vector<Row> rows;
  rows.reserve(count());
  for (std::size_t i = 0; i < allowed_.edges.size(); i += 2)
    for (std::size_t p = place(allowed_.edges[i]), end = place(allowed_.edges[i + 1]); p < end; ++p)
      rows.push_back(row_at(p));
  return rows;
}

}  // namespace geco
