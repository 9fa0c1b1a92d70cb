#include "core/frontier/effects.hpp"

#include <algorithm>

namespace geco {
namespace {

// Rows of the groups so far, together.
struct Sum {
  double cost, effect;
  std::int32_t before;  // position in the sums of the groups before the last
  Row row;              // of the last group
};

bool cheaper(const Sum& a, const Sum& b) { return a.cost != b.cost ? a.cost < b.cost : a.effect > b.effect; }

// What no cheaper one surpasses, of two such fronts together.
void merge_fronts(std::span<const Sum> a, std::span<const Sum> b, std::vector<Sum>& front) {
  front.clear();
  double best = -kInfinity;
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const Sum& next = j == b.size() || (i < a.size() && !cheaper(b[j], a[i])) ? a[i++] : b[j++];
    if (next.effect > best) front.push_back(next), best = next.effect;
  }
}

// Sums over more and more groups: of no group, of the first, of two…
class Sums {
 public:
  Sums(double bound, std::size_t most) : bound_(bound), most_(most), all_{{0, 0, -1, 0}}, levels_{0, 1} {}

  std::span<const Sum> last() const { return {all_.begin() + levels_[levels_.size() - 2], all_.end()}; }
  // One group more: every sum with every row of it that no cheaper one surpasses, as far as they are nearer than the
  // bound; of too many, some from the cheapest to the highest. False: nothing is left.
  bool add(std::vector<Sum>& rows) {
    std::sort(rows.begin(), rows.end(), cheaper);
    merge_fronts(rows, {}, front_);
    merged_.clear();
    const std::span<const Sum> sums = last();
    for (const Sum& row : front_) {
      with_row_.clear();
      for (std::size_t i = 0; i < sums.size() && sums[i].cost + row.cost < bound_; ++i)
        with_row_.push_back(
            {sums[i].cost + row.cost, sums[i].effect + row.effect, static_cast<std::int32_t>(i), row.row});
      merge_fronts(merged_, with_row_, rows);
      merged_.swap(rows);
    }
    if (merged_.size() > most_)
      for (std::size_t i = 0; i < most_; ++i) merged_[i] = merged_[i * (merged_.size() - 1) / (most_ - 1)];
    merged_.resize(std::min(merged_.size(), most_));
    all_.insert(all_.end(), merged_.begin(), merged_.end());
    levels_.push_back(all_.size());
    return !merged_.empty();
  }
  // The rows of which a sum of the last level is made.
  std::vector<Row> rows_of(std::size_t at) const {
    std::vector<Row> rows(levels_.size() - 2);
    for (std::size_t g = rows.size(); g-- > 0;) {
      const Sum& sum = all_[levels_[g + 1] + at];
      rows[g] = sum.row;
      at = static_cast<std::size_t>(sum.before);
    }
    return rows;
  }

 private:
  double bound_;
  std::size_t most_;
  std::vector<Sum> all_;             // level after level
  std::vector<std::size_t> levels_;  // where each begins, and the end
  std::vector<Sum> front_, with_row_, merged_;
};

}  // namespace

void Effects::guess(std::span<const Row> parent, double now, std::span<const Shown> shown, double bound,
                    std::vector<Guess>& guesses) const {
  Sums sums(bound, settings_.sums);
  std::vector<Sum> rows;
  auto next = shown.begin();
  for (std::size_t g = 0; g < parent.size(); ++g) {
    const Group& group = space_.groups[g];
    auto cost = [&](Row row) { return row ? group.total(row) : 0.0; };
    rows.assign(1, {cost(parent[g]), 0, -1, parent[g]});
    for (; next != shown.end() && next->group == static_cast<std::int32_t>(g); ++next)
      rows.push_back({cost(next->row), next->effect, -1, next->row});
    if (!sums.add(rows)) return;
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
