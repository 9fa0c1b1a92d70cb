#include "core/frontier/sums.hpp"

namespace geco {
namespace {

bool cheaper(const Sum& a, const Sum& b) { return a.cost != b.cost ? a.cost < b.cost : a.effect > b.effect; }

// What no cheaper one surpasses, of two such fronts together; of equals the first. Written from `to` on, where it ends
// is given back. Without branches on which of the two is next, for that could not be guessed.
Sum* merge_fronts(std::span<const Sum> a, std::span<const Sum> b, Sum* to) {
  double best = -kInfinity;
  auto add = [&](const Sum& next) {
    *to = next;
    to += next.effect > best;
    best = next.effect > best ? next.effect : best;
  };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const Sum &one = a[i], &other = b[j];
    const bool second = (other.cost < one.cost) | ((other.cost == one.cost) & (other.effect > one.effect));
    add(*(second ? &other : &one));
    i += !second, j += second;
  }
  for (; i < a.size(); ++i) add(a[i]);
  for (; j < b.size(); ++j) add(b[j]);
  return to;
}

}  // namespace

bool Sums::add(std::vector<Sum>& rows) {
  std::sort(rows.begin(), rows.end(), cheaper);
  rows.resize(merge_fronts(rows, {}, rows.data()) - rows.data());
  put_together(rows);
  for (bool first = true; first || ends_.size() > 1; first = false) merge_pairs();
  const std::size_t many = ends_.front(), kept = std::min(many, most_);
  for (std::size_t i = 0; i < kept; ++i) all_.push_back(sums_[many > most_ ? i * (many - 1) / (most_ - 1) : i]);
  levels_.push_back(all_.size());
  return kept > 0;
}

// All sums with each of the rows: so many fronts.
void Sums::put_together(std::span<const Sum> rows) {
  const std::span<const Sum> sums = last();
  sums_.resize(std::max(sums_.size(), rows.size() * sums.size()));
  merged_.resize(sums_.size());
  ends_.clear();
  Sum* to = sums_.data();
  for (const Sum& row : rows) {
    for (std::size_t i = 0; i < sums.size() && sums[i].cost + row.cost < bound_; ++i)
      *to++ = {sums[i].cost + row.cost, sums[i].effect + row.effect, static_cast<std::int32_t>(i), row.row};
    ends_.push_back(to - sums_.data());
  }
}

// Each front with the one after it.
void Sums::merge_pairs() {
  Sum* to = merged_.data();
  std::size_t from = 0, pairs = 0;
  for (std::size_t i = 0; i < ends_.size(); i += 2) {
    const std::size_t middle = ends_[i], end = ends_[std::min(i + 1, ends_.size() - 1)];
    to = merge_fronts({sums_.data() + from, middle - from}, {sums_.data() + middle, end - middle}, to);
    from = end;
    ends_[pairs++] = to - merged_.data();
  }
  ends_.resize(pairs);
  sums_.swap(merged_);
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
