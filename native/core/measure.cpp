#include "core/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace geco {

bool overflows(const FeatureForm& f, double x, double most) {
  const double apart = std::max(std::abs(f.lowest - x), std::abs(f.highest - x));
  const double size = f.divisor == 0 || std::isnan(apart) ? 1.0 : std::max(1.0, apart / f.divisor);
  return !(size * std::max({1.0, f.raising, f.lowering}) * std::max(1.0, f.weight) <= most);
}

namespace {

// A weighted δ of any size, but at most `most`: exponents are kept apart, so that nothing on the way is infinite or 0.
double finite_delta(const FeatureForm& f, double number, double x, double most) {
  if (number == x) return 0;  // a range too small for a float may be 0
  double product = 1;
  int exponent = 0;
  auto scale = [&](double factor, bool divided) {
    int of_factor;
    const double fraction = std::frexp(factor, &of_factor);
    product = divided ? product / fraction : product * fraction;
    exponent += divided ? -of_factor : of_factor;
  };
  const double apart = std::abs(number - x);
  if (f.divisor != 0) {
    scale(std::isinf(apart) ? std::abs(number / 2 - x / 2) : apart, false);
    exponent += std::isinf(apart);
    scale(f.divisor, true);
  }
  scale(number > x ? f.raising : f.lowering, false);
  scale(f.weight, false);
  return std::min(std::ldexp(product, exponent), most);
}

// δ of one feature between each row and x, weighted: 1 between a value and missing, 0 between two missing.
void fill_deltas(const FeatureForm& f, double x, double most, std::span<double> delta) {
  const bool unknown = std::isnan(x), far = overflows(f, x, most);
  const double* numbers = f.numbers.data();
  if (far) {
    for (std::size_t r = 1; r < delta.size(); ++r) delta[r] = finite_delta(f, numbers[r], x, most);
  } else if (f.divisor == 0) {  // a category, or an x that differs from a constant
    for (std::size_t r = 1; r < delta.size(); ++r) delta[r] = numbers[r] - x != 0 ? 1.0 : 0.0;
  } else {
    for (std::size_t r = 1; r < delta.size(); ++r) delta[r] = std::abs(numbers[r] - x) / f.divisor;
  }
  if (!far && (f.raising != 1 || f.lowering != 1))
    for (std::size_t r = 1; r < delta.size(); ++r) delta[r] *= numbers[r] - x > 0 ? f.raising : f.lowering;
  if (!far && f.weight != 1)
    for (std::size_t r = 1; r < delta.size(); ++r) delta[r] *= f.weight;
  if (f.gaps || unknown)
    for (std::size_t r = 1; r < delta.size(); ++r) {
      const bool missing = std::isnan(numbers[r]);
      if (missing || unknown) delta[r] = missing == unknown ? 0.0 : std::min(f.weight, most);
    }
}

// In a group of several features: rows that change a category, or state what was missing.
void mark_categories(const TableForm& table, const double* x, std::span<double> sizes) {
  for (std::size_t i = 0; i < table.features.size(); ++i) {
    const FeatureForm& f = table.features[i];
    if (!f.categorical && !std::isnan(x[i])) continue;
    for (std::size_t r = 1; r < sizes.size(); ++r)
      if (!(f.numbers[r] == x[i]) && !(std::isnan(f.numbers[r]) && std::isnan(x[i]))) sizes[r] = -std::abs(sizes[r]);
  }
}

// Does a change to this number count in ℓ0? Its δ may be too small for a double.
bool counts(const FeatureForm& f, double number, double x, double delta) {
  const bool differs = number < x || number > x;  // false where one is missing
  return delta > 0 || (differs && f.weight > 0 && (number > x ? f.raising : f.lowering) > 0);
}

Terms terms_of(const TableForm& table, const Norm& norm, double most, const double* x, std::vector<double>& room) {
  const std::size_t rows = table.rows();
  if (room.size() < rows) room.resize(rows);
  const std::span<double> delta(room.data(), rows);
  std::vector<double> sum, changed(norm.alpha != 0 ? rows : 0), largest(norm.gamma != 0 ? rows : 0);
  std::vector<std::uint8_t> differs(norm.alpha != 0 || table.onehot_weight ? rows : 0);
  auto add = [&](double weight) {
    if (sum.empty()) sum.assign(delta.begin(), delta.end()), sum[0] = 0;
    else
      for (std::size_t r = 1; r < rows; ++r) sum[r] += delta[r];
    if (norm.alpha != 0)
      for (std::size_t r = 1; r < rows; ++r) changed[r] += differs[r] ? std::min(weight, most) : 0.0;
    if (norm.gamma != 0)
      for (std::size_t r = 1; r < rows; ++r) largest[r] = std::max(largest[r], delta[r]);
  };
  for (std::size_t i = 0; i < table.features.size(); ++i) {
    const FeatureForm& f = table.features[i];
    fill_deltas(f, x[i], most, delta);
    for (std::size_t r = 1; r < differs.size(); ++r)
      differs[r] = counts(f, f.numbers[r], x[i], delta[r]) || (table.onehot_weight && differs[r]);
    if (!table.onehot_weight) add(f.weight);
  }
  if (table.onehot_weight) {
    for (std::size_t r = 1; r < rows; ++r) delta[r] = differs[r] ? std::min(*table.onehot_weight, most) : 0.0;
    add(*table.onehot_weight);
  }
  std::vector<double> additive(rows);
  if (changed.empty())
    for (std::size_t r = 1; r < rows; ++r) additive[r] = sum[r] * norm.beta / norm.n;
  else
    for (std::size_t r = 1; r < rows; ++r) additive[r] = (norm.alpha * changed[r] + sum[r] * norm.beta) / norm.n;
  if (norm.gamma != 0)
    for (std::size_t r = 1; r < rows; ++r) largest[r] *= norm.gamma;
  if (table.features.size() > 1 && !table.onehot_weight) mark_categories(table, x, sum);
  return {std::move(additive), std::move(largest), std::move(sum), {}};
}

// One feature's rows are sorted by number, so both sides of x are sorted by distance already: walk outwards and merge.
std::vector<Row> by_sides(const Group& group) {
  const std::vector<Row> choices = group.choices();
  const auto middle = std::partition_point(choices.begin(), choices.end(), [&](Row r) { return !group.above(r); });
  std::vector<Row> below(std::make_reverse_iterator(middle), choices.rend());
  for (auto run = below.begin(); run != below.end();) {  // equally far rows stay in the order of their numbers
    const auto end = std::find_if(run + 1, below.end(), [&](Row r) { return group.total(r) != group.total(*run); });
    std::reverse(run, end);
    run = end;
  }
  std::vector<Row> order(choices.size());
  auto low = below.begin();
  auto high = middle;
  auto next = order.begin();
  while (low != below.end() && high != choices.end()) {  // no branch on which is nearer: it could not be guessed
    const bool up = group.total(*high) < group.total(*low);
    *next++ = up ? *high : *low;
    high += up;
    low += !up;
  }
  std::copy(high, choices.end(), std::copy(low, below.end(), next));
  return order;
}

std::vector<Row> by_cost(const Group& group) { return sorted_by_cost(group, group.choices()); }

}  // namespace

double largest_term(std::size_t features) {
  return std::numeric_limits<double>::max() / (8.0 * static_cast<double>(features));
}

Group measured(const TableForm& table, const Norm& norm, double largest_term, const double* x,
               std::vector<std::uint8_t> allowed, std::vector<double>& room) {
  Terms terms = terms_of(table, norm, largest_term, x, room);
  const FeatureForm& first = table.features[0];
  const bool sides = table.features.size() == 1 && !first.categorical && !std::isnan(x[0]);
  if (sides) {
    std::vector<std::int8_t> side(table.rows(), -1);
    for (std::size_t r = 1; r < table.rows(); ++r)
      if (first.numbers[r] > x[0]) side[r] = 1;
    terms.side = std::move(side);
  }
  const auto chosen = static_cast<std::size_t>(std::count(allowed.begin() + 1, allowed.end(), 1));
  Group group(RowSet(std::move(allowed)), std::move(terms), table.counts);
  group.free = table.free;
  group.features = static_cast<std::int32_t>(table.features.size());
  const bool missing = first.gaps && first.may_go_missing;  // such rows stand last, however near they are
  group.choose_later(chosen, sides && !missing ? by_sides : by_cost);
  return group;
}

Group placed(const TableForm& table, Ruler ruler, Spans allowed) {
  ruler.choose(allowed);
  RowSet set(table.rows(), std::move(allowed), table.supported ? table.counts : Numbers(), table.least_support);
  Group group(std::move(set), std::make_shared<const Ruler>(std::move(ruler)), table.counts);
  group.free = table.free;
  group.choose_later(group.ruler()->count(), [](const Group& made) {
    return made.has_sides() ? by_sides(made) : made.choices();  // all of them are equally far
  });
  return group;
}

}  // namespace geco
