#include "core/frontier/sums.hpp"

namespace geco {
namespace {

bool cheaper(const Sum& a, const Sum& b) { return a.cost != b.cost ? a.cost < b.cost : a.effect > b.effect; }

// What no cheaper one surpasses, of two such fronts together; of equals the first. Without branches on which of the two
// is next, for that could not be guessed.
void merge_fronts(std::span<const Sum> a, std::span<const Sum> b, std::vector<Sum>& front) {
  front.resize(a.size() + b.size());
  double best = -kInfinity;
  std::size_t i = 0, j = 0, n = 0;
  auto add = [&](const Sum& next) {
    front[n] = next;
    n += next.effect > best;
    best = next.effect > best ? next.effect : best;
  };
  while (i < a.size() && j < b.size()) {
    const Sum &one = a[i], &other = b[j];
    const bool second = (other.cost < one.cost) | ((other.cost == one.cost) & (other.effect > one.effect));
    add(*(second ? &other : &one));
    i += !second, j += second;
  }
  for (; i < a.size(); ++i) add(a[i]);
  for (; j < b.size(); ++j) add(b[j]);
  front.resize(n);
}

}  // namespace

bool Sums::add(std::vector<Sum>& rows) {
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

std::vector<Row> Sums::rows_of(std::size_t at) const {
  std::vector<Row> rows(levels_.size() - 2);
  for (std::size_t g = rows.size(); g-- > 0;) {
    const Sum& sum = all_[levels_[g + 1] + at];
    rows[g] = sum.row;
    at = static_cast<std::size_t>(sum.before);
  }
  return rows;
}

}  // namespace geco
