#include "core/options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "core/seen.hpp"

namespace geco {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMissing = -1;  // rows of a sorted table that have no rank
constexpr std::int64_t kNoRow = kMissing - 1;

struct Choice {
  Row row = 0;
  double additive = 0, largest = 0;
};

// One feature alone is the larger the farther it is.
double size_of(const Group& group, Row r) {
  if (group.features == 1 || r == 0 || !group.has_sizes()) return 0.0;
  return group.size(r) < 0 ? kInfinity : group.size(r);
}

// Of the rows, nearest first, those that are nearer or smaller than all that are the same to model and rules.
template <class Cell>
Options::OfGroup told_apart(const Group& group, const Seen& seen, std::span<const Choice> choices, Cell cell,
                            const Until& until, bool sizes) {
  using Least = std::pair<double, double>;  // per kind of row the least ℓ∞ term and the least size so far
  std::unordered_map<std::int64_t, Least> by_cell;
  std::map<std::vector<std::int64_t>, Least> by_key;
  const bool alone = seen.truths.empty() && seen.numbers.empty();  // no rule across groups looks at them
  if (alone) by_cell.reserve(choices.size());
  Options::OfGroup made;
  std::vector<std::int64_t> key;
  for (const auto& [r, additive, largest] : choices) {
    until.look();
    const Least of{largest, sizes ? size_of(group, r) : 0.0};
    const auto beaten = [&](auto& known, const auto& kind) {
      const auto [at, fresh] = known.try_emplace(kind, of);
      Least& least = at->second;
      if (!fresh && of.first >= least.first && of.second >= least.second) return true;
      least = {std::min(of.first, least.first), std::min(of.second, least.second)};
      return false;
    };
    if (!alone) {
      key.assign(1, cell(r));
      seen.append(r, key);
    }
    if (alone ? beaten(by_cell, cell(r)) : beaten(by_key, key)) continue;
    made.rows.push_back(r);
    made.additive.push_back(additive);
    made.largest.push_back(largest);
  }
  return made;
}

// Of each stretch of rows that neither model nor rules tell apart the nearest, by number.
std::vector<Row> nearest_by_place(const Ruler& ruler, const Forest& forest, std::size_t g, const Seen& seen,
                                  double reach) {
  const std::vector<Row> cuts = seen.edges();
  const auto [first, last] = ruler.nearer_than(reach);
  std::vector<Row> rows;
  forest.for_each_run(g, [&](Row from, Row to, std::int32_t cell) {
    if (to <= first || from >= last) return;
    for_each_stretch(from, to, cuts, [&](Row begin, Row end) {
      const Row row = ruler.nearest(begin, end, [&](Row r) { return std::pair(ruler.additive(r), ruler.largest(r)); });
      if (row) rows.push_back(row);
    });
  });
  return rows;
}

// The cell of x: that of a row with the same ranks, else one that no row has.
std::int64_t cell_of_x(const Forest& forest, std::size_t g, std::span<const std::int32_t> x) {
  std::int64_t found = kNoRow;
  forest.for_each_run(g, [&](Row from, Row, std::int32_t cell) {
    if (found < kMissing && forest.like_x(g, x, from)) found = cell;
  });
  return found;
}

}  // namespace

Options::Options(const Space& space, const Forest& forest, std::span<const std::int32_t> x, Settings settings,
                 const Until& until) {
  for (std::size_t g = 0; g < space.groups.size(); ++g) {
    const Group& group = space.groups[g];
    const Seen seen(space, static_cast<std::int32_t>(g));
    const bool by_place = group.ruler() && !forest.runs(g).empty() && seen.numbers.empty();
    std::vector<Choice> choices(group.allowed[0] ? 1 : 0);
    for (Row r : by_place ? nearest_by_place(*group.ruler(), forest, g, seen, settings.reach) : group.choices())
      if (const Choice made{r, group.additive(r), group.largest(r)}; made.additive + made.largest < settings.reach)
        choices.push_back(made);
    const std::int64_t x_cell = settings.x_apart ? kNoRow : cell_of_x(forest, g, x);
    std::stable_sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
      return a.additive != b.additive ? a.additive < b.additive : a.largest < b.largest;
    });
    auto cell = [&](Row r) { return r == 0 ? x_cell : std::int64_t{forest.cells(g)[r]}; };
    OfGroup made = told_apart(group, seen, choices, cell, until, settings.sizes);
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
