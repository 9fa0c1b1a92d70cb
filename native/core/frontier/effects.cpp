#include "core/frontier/effects.hpp"

#include <algorithm>

namespace geco {
namespace {

constexpr double kSlack = 1e-6;  // more than rounding can make of sums of log-odds

// Per group, what it and those after it can add at most.
void most_left(std::span<const Shown> shown, std::size_t width, std::vector<double>& left) {
  left.assign(width + 1, 0);
  for (const Shown& one : shown) left[one.group] = std::max(left[one.group], one.effect);
  for (std::size_t g = width; g-- > 0;) left[g] += left[g + 1];
}

}  // namespace

void Effects::guess(std::span<const Row> parent, double now, std::span<const Shown> shown, double bound,
                    std::vector<Guess>& guesses) {
  auto& [sums, rows, left] = room_;
  sums.begin(bound, settings_.sums);
  most_left(shown, parent.size(), left);
  auto next = shown.begin();
  for (std::size_t g = 0; g < parent.size(); ++g) {
    const Group& group = space_.groups[g];
    auto cost = [&](Row row) { return row ? group.total(row) : 0.0; };
    rows.assign(1, {cost(parent[g]), 0, -1, parent[g]});
    for (; next != shown.end() && next->group == static_cast<std::int32_t>(g); ++next)
      rows.push_back({cost(next->row), next->effect, -1, next->row});
    if (now + sums.last().back().effect + left[g] < -kSlack || !sums.add(rows)) return;
  }
  const std::span<const Sum> last = sums.last();
  std::size_t crossing = 0;
  while (crossing < last.size() && now + last[crossing].effect <= 0) ++crossing;
  if (crossing == last.size()) return;
  const std::size_t from = crossing - std::min<std::size_t>(crossing, settings_.guess_before);
  for (std::size_t i = from; i < std::min(last.size(), crossing + settings_.guess_after); ++i)
    guesses.push_back({last[i].cost, sums.rows_of(i)});
}

std::vector<Row> Effects::jump(Rng& rng) const {
  std::vector<Row> rows = space_.start;
  for (std::size_t g = 0; g < rows.size(); ++g) {
    const Group& group = space_.groups[g];
    if (!group.free || group.count() == 0 || rng.coin()) continue;
    const std::vector<double>& running = group.running();
    const auto at = std::upper_bound(running.begin(), running.end(), rng.uniform() * running.back());
    rows[g] = group.order()[std::min<std::size_t>(at - running.begin(), group.count() - 1)];
  }
  return rows;
}

}  // namespace geco
