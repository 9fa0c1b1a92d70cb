#include "core/options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/seen.hpp"

namespace geco {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMissing = -1;  // rows of a sorted table that have no rank

std::pair<double, double> cost(const Group& group, Row r) {
  return r == 0 ? std::make_pair(0.0, 0.0) : std::make_pair(group.additive(r), group.largest(r));
}

// One feature alone is the larger the farther it is.
double size_of(const Group& group, Row r) {
  if (group.features == 1 || r == 0 || !group.has_sizes()) return 0.0;
  return group.size(r) < 0 ? kInfinity : group.size(r);
}

// Of the rows, nearest first, those that are nearer or smaller than all that are the same to model and rules.
template <class Cell>
Options::OfGroup told_apart(const Group& group, const Seen& seen, std::span<const Row> rows, Cell cell,
                            const Until& until, bool sizes) {
  Options::OfGroup made;
  // Per kind of row the least ℓ∞ term and the least size so far.
  std::map<std::vector<std::int64_t>, std::pair<double, double>> least;
  std::vector<std::int64_t> key;
  for (Row r : rows) {
    until.look();
    key.assign(1, cell(r));
    seen.append(r, key);
    const auto [additive, largest] = cost(group, r);
    const double size = sizes ? size_of(group, r) : 0.0;
    const auto [at, fresh] = least.try_emplace(key, largest, size);
    if (!fresh && largest >= at->second.first && size >= at->second.second) continue;
    at->second = {std::min(largest, at->second.first), std::min(size, at->second.second)};
    made.rows.push_back(r);
    made.additive.push_back(additive);
    made.largest.push_back(largest);
  }
  return made;
}

// Of each stretch of rows that neither model nor rules tell apart the nearest, by number.
std::vector<Row> nearest_by_place(const Ruler& ruler, const Forest& forest, std::size_t g, const Seen& seen) {
  const std::vector<Row> cuts = seen.edges();
  std::vector<Row> rows;
  forest.for_each_run(g, [&](Row from, Row to, std::int32_t cell) {
    for_each_stretch(from, to, cuts, [&](Row begin, Row end) {
      const Row row = ruler.nearest(begin, end, [&](Row r) { return std::pair(ruler.additive(r), ruler.largest(r)); });
      if (row) rows.push_back(row);
    });
  });
  return rows;
}

// The cell of x: that of a row with the same ranks, else one that no row has.
std::int64_t cell_of_x(const Forest& forest, std::size_t g, std::span<const std::int32_t> x) {
  std::int64_t found = kMissing - 1;
  forest.for_each_run(g, [&](Row from, Row, std::int32_t cell) {
    if (found < kMissing && forest.like_x(g, x, from)) found = cell;
  });
  return found;
}

}  // namespace

Options::Options(const Space& space, const Forest& forest, std::span<const std::int32_t> x, double reach,
                 const Until& until, bool sizes) {
  for (std::size_t g = 0; g < space.groups.size(); ++g) {
    const Group& group = space.groups[g];
    const Seen seen(space, static_cast<std::int32_t>(g));
    const bool by_place = group.ruler() && !forest.runs(g).empty() && seen.numbers.empty();
    std::vector<Row> rows = by_place ? nearest_by_place(*group.ruler(), forest, g, seen) : group.choices();
    std::erase_if(rows, [&](Row r) { return !(group.total(r) < reach); });
    if (group.allowed[0]) rows.insert(rows.begin(), 0);
    const std::int64_t x_cell = cell_of_x(forest, g, x);
    std::stable_sort(rows.begin(), rows.end(), [&](Row a, Row b) { return cost(group, a) < cost(group, b); });
    auto cell = [&](Row r) { return r == 0 ? x_cell : std::int64_t{forest.cells(g)[r]}; };
    OfGroup made = told_apart(group, seen, rows, cell, until, sizes);
    made.first = words_;
    made.words = (made.rows.size() + 63) / 64;
    words_ += made.words;
    for (double largest : made.largest) joined_ |= largest > 0;
    groups_.push_back(std::move(made));
  }
}

std::vector<Word> Options::all() const {
  std::vector<Word> box(words_);
  for (const OfGroup& group : groups_)
    for (std::size_t i = 0; i < group.rows.size(); ++i) box[group.first + i / 64] |= Word{1} << (i % 64);
  return box;
}

std::int32_t Options::nearest(std::size_t g, const Word* box) const {
  const OfGroup& group = groups_[g];
  for (std::size_t w = 0; w < group.words; ++w)
    if (box[group.first + w]) return static_cast<std::int32_t>(64 * w) + std::countr_zero(box[group.first + w]);
  return -1;
}

std::int32_t Options::nearest(std::size_t g, const Word* box, const Word* within) const {
  const OfGroup& group = groups_[g];
  for (std::size_t w = 0; w < group.words; ++w)
    if (const Word both = box[group.first + w] & within[w])
      return static_cast<std::int32_t>(64 * w) + std::countr_zero(both);
  return -1;
}

bool Options::single(std::size_t g, const Word* box) const {
  int count = 0;
  for (std::size_t w = 0; w < groups_[g].words && count < 2; ++w) count += std::popcount(box[groups_[g].first + w]);
  return count < 2;
}

double Options::least_largest(std::size_t g, const Word* box) const {
  const OfGroup& group = groups_[g];
  double least = kInfinity;
  for (std::size_t w = 0; w < group.words; ++w)
    for (Word left = box[group.first + w]; left; left &= left - 1)
      least = std::min(least, group.largest[64 * w + std::countr_zero(left)]);
  return least;
}

double Options::distance(const Word* box) const {
  double sum = 0, largest = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::int32_t i = nearest(g, box);
    if (i < 0) return kInfinity;
    sum += groups_[g].additive[i];
    if (joined_) largest = std::max(largest, least_largest(g, box));
  }
  return sum + largest;
}

bool Options::within(double reach, Word* box) const {
  const double least = distance(box);
  if (!(least < reach)) return false;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const OfGroup& group = groups_[g];
    // A hair more than is left: it must not be rounding that drops an option.
    const double most = (reach - least) * (1 + 1e-9) + group.additive[nearest(g, box)];
    const auto count = static_cast<std::size_t>(std::upper_bound(group.additive.begin(), group.additive.end(), most) -
                                                group.additive.begin());
    for (std::size_t w = count / 64; w < group.words; ++w) {
      const std::size_t kept = w == count / 64 ? count % 64 : 0;
      box[group.first + w] &= (Word{1} << kept) - 1;
    }
  }
  return true;
}

void Options::rows_of_nearest(const Word* box, Row* rows) const {
  for (std::size_t g = 0; g < groups_.size(); ++g) rows[g] = groups_[g].rows[nearest(g, box)];
}

}  // namespace geco
