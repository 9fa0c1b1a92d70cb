#include "core/frontier/settings.hpp"

#include <algorithm>
#include <limits>

namespace geco {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<int>::max();

int whole(std::int64_t number) { return static_cast<int>(std::clamp<std::int64_t>(number, 0, kMost)); }

}  // namespace

FrontierSettings FrontierSettings::thinned(int k, int rows) {
  FrontierSettings s;
  s.k = k;
  s.rows_per_line = rows;
  return s;
}

FrontierSettings FrontierSettings::swept(int k, std::optional<int> rows, std::int64_t groups) {
  FrontierSettings s;
  s.k = k;
  s.parents = 8;  // 0005: seven were a tenth faster and a tenth farther on forests
  // 0008: the nearest way is looked for first, whatever k is, so what it takes is a part of every search.
  s.rows_per_line = !rows ? 0 : std::max(1, k == 1 ? *rows / 6 : 2 * *rows / (3 * k));
  // 0005, "effort is shared by the ways" and "wide tables get more still": groups⁴ / 1600, 24 for 14 groups, 506
  // for 30.
  const std::int64_t wide = groups < 1000 ? groups * groups * groups * groups / 1600 : kMost;
  const std::int64_t few = rows || k > 1 ? 24 : 120;
  s.combinations = whole(std::max<std::int64_t>({1, few, std::min<std::int64_t>(1000, wide)}));
  s.bases = rows || k > 1 ? 2 : 8;  // so much is seen of one parent that a few are enough
  s.sums = 40;
  s.small_trades = true;
  // One more per ten groups of a wide table (0005).
  s.stalled = whole(std::max<std::int64_t>(k > 1 ? 1 : rows ? 2 : 5, groups / 10));
  s.stalled_few = 4;
  s.max_rounds = 20;
  // 0005, "five rounds instead of two to settle the last ways" and "ways are brought nearer to the end".
  s.end_game = rows ? 10 : 5;
  s.tightenings = rows ? 8 : 2;
  return s;
}

FrontierSettings FrontierSettings::with(const Given& given) const {
  FrontierSettings s = *this;
  s.parents = given.parents.value_or(s.parents);
  s.rows_per_line = given.rows_per_line.value_or(s.rows_per_line);
  s.first_rows = given.first_rows.value_or(whole(std::int64_t{kFirst} * s.rows_per_line));
  s.per_delta = given.per_delta.value_or(s.per_delta);
  s.combinations = given.combinations.value_or(s.combinations);
  s.max_rounds = given.max_rounds.value_or(s.max_rounds);
  s.patience = given.patience.value_or(s.patience);
  return s;
}

// Small budgets were measured when black boxes were asked about 100 to 1,000 rows in all
// (benchmarks/frontier_curve.py).
FrontierSettings FrontierSettings::within(std::int64_t max_rows, std::span<const std::int64_t> choices) const {
  max_rows = std::min(max_rows, kMost);
  const auto groups = std::max<std::int64_t>(1, std::ssize(choices) - std::count(choices.begin(), choices.end(), 0));
  const int tenths = max_rows < 14 * groups ? 7 : max_rows < 28 * groups ? 6 : 3;  // for the first round
  auto fits = [&](std::int64_t rows) {
    std::int64_t sum = 0;
    for (std::int64_t n : choices) sum += std::min(rows, n);
    return sum <= max_rows * tenths / 10;
  };
  const std::int64_t longest =
      choices.empty() ? 1 : std::max<std::int64_t>(1, *std::max_element(choices.begin(), choices.end()));
  std::int64_t first = first_rows ? first_rows : longest;
  if (!fits(first)) first = std::min(first, longest);
  while (first > 1 && !fits(first)) --first;
  FrontierSettings s = *this;
  s.first_rows = whole(first);
  s.parents = static_cast<int>(std::min<std::int64_t>(parents, std::max<std::int64_t>(1, max_rows / (20 * groups))));
  const std::int64_t most = combinations ? combinations : max_rows;
  s.combinations = whole(std::min(most, std::max<std::int64_t>(1, max_rows / 25)));
  return s;
}

}  // namespace geco
