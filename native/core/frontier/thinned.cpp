#include "core/frontier/thinned.hpp"

#include <algorithm>
#include <cmath>

#include "core/operators.hpp"

namespace geco {
namespace {

// Up to m positions of 0..n-1, closer together near 0: near rows are cheap, and a tree's pockets near x are narrow.
void log_spaced(std::size_t n, int m, double shift, std::vector<std::size_t>& out) {
  if (n == 0 || m <= 0) return;
  const double top = std::log(static_cast<double>(n) + 0.999);
  for (int i = 0; i < m; ++i) {
    const double u = m == 1 ? shift : (i + shift) / m;
    out.push_back(std::min(n - 1, static_cast<std::size_t>(std::exp(u * top) - 1 + 1e-9)));
  }
}

// With few rows to ask about, those that occur often tell most: m of the rows drawn, evenly from near to far.
std::vector<Row> spread(const Group& group, std::vector<Row> drawn, int m) {
  auto nearer = [&](Row a, Row b) {
    const double ca = group.total(a), cb = group.total(b);
    return ca != cb ? ca < cb : a < b;
  };
  std::sort(drawn.begin(), drawn.end(), nearer);
  std::vector<Row> out;
  const std::size_t n = drawn.size(), kept = std::min<std::size_t>(n, m);
  for (std::size_t i = 0; i < kept; ++i) out.push_back(drawn[(2 * i + 1) * n / (2 * kept)]);
  return out;
}

}  // namespace

// One line whose rows are being picked.
class Thinned::Line {
 public:
  Line(const Claims& claims, const Origin& origin, std::int64_t index, std::int32_t g, std::size_t limit)
      : g(g), index(index), limit(limit), good(origin.good), now(origin.rows[g]), group(claims.space().groups[g]),
        archive_(claims.archive()), probe_(origin.rows) {}

  // Was the candidate with this row proposed before?
  bool known(std::size_t position) const {
    probe_[g] = group.order()[position];
    return archive_.find(probe_.data()) >= 0;
  }
  // How many rows of a half are within the limit.
  std::size_t within(int half) const {
    const auto& positions = group.halves(half);
    return static_cast<std::size_t>(std::lower_bound(positions.begin(), positions.end(), limit) - positions.begin());
  }

  std::int32_t g;
  std::int64_t index;  // of the parent
  std::size_t limit;
  bool good;
  Row now;
  const Group& group;

 private:
  const Archive& archive_;
  mutable std::vector<Row> probe_;
};

void Thinned::begin(const Sight& sight, Round&) {
  if (sight.round == 1) foresight_ = Foresight(claims_.space(), claims_.archive());
}

bool Thinned::expand(const Parent& parent, const Sight& sight, Round& round) {
  const Origin origin(claims_, parent.index);
  // A second look, when nothing else is left to expand, takes (nearly) all rows and is the last.
  int rows_per_line = sight.round == 0 ? settings_.first_rows : settings_.rows_per_line;
  if (parent.again) rows_per_line = std::max(rows_per_line, settings_.second_look);
  bool whole = true;
  std::vector<Row> child;
  for (std::size_t g = 0; g < origin.rows.size(); ++g) {
    if (!origin.has_line(g)) continue;
    const auto group = static_cast<std::int32_t>(g);
    const Line line(claims_, origin, parent.index, group, origin.limit(g, sight.bound));
    std::vector<Row> rows = pick(line, rows_per_line, sight.round);
    whole = whole && rows.size() >= line.limit;
    if (line.now != 0) rows.insert(rows.begin(), 0);  // undo
    for (Row row : rows) {
      if (row == line.now) continue;
      child = origin.rows;
      child[g] = row;
      if (!claims_.claim(child, sight.bound, group)) continue;
      child[g] = line.now;
      if (child == origin.rows) round.rows.push_back(row);
      else child[g] = row, round.add_point(child);  // a repair changed other groups
    }
    round.end_line(parent, origin.rows, group);
  }
  return whole;
}

std::vector<Row> Thinned::pick(const Line& line, int m, std::uint64_t round) const {
  const Group& group = line.group;
  if (m <= 0 || line.limit <= static_cast<std::size_t>(m))
    return {group.order().begin(), group.order().begin() + line.limit};
  Rng rng(settings_.seed, round, static_cast<std::uint64_t>(line.index), static_cast<std::uint64_t>(line.g));
  if (round == 0 && m < settings_.drawn_rows)
    return spread(group, sample(group, line.limit, settings_.drawn_rows, 0, rng), m);
  std::vector<Row> rows;
  std::vector<std::size_t> positions;
  for (int half = 0; half < 2; ++half) {
    const std::size_t n = line.within(half);
    if (n == 0) continue;
    positions.clear();
    choose_positions(line, half, line.within(1 - half) == 0 ? m : (m + 1) / 2, round, rng, positions);
    std::sort(positions.begin(), positions.end());
    std::size_t next = 0;  // a position taken already moves on to the next free row
    for (std::size_t position : positions) {
      position = std::max(position, next);
      while (position < n && line.known(group.halves(half)[position])) ++position;
      if (position >= n) break;
      rows.push_back(group.order()[group.halves(half)[position]]);
      next = position + 1;
    }
  }
  return rows;
}

void Thinned::choose_positions(const Line& line, int half, int share, std::uint64_t round, Rng& rng,
                               std::vector<std::size_t>& positions) const {
  const std::size_t n = line.within(half);
  if (line.good && (!line.group.has_sides() || line.group.above(line.now) == (half == 1))) {
    // Between the farthest row known to be bad and the present one: an even grid, then again next round.
    std::size_t low = n;
    while (low > 0 && !line.known(line.group.halves(half)[low - 1])) --low;
    const std::size_t gap = n - low;
    const int dense = std::max(1, share - 1);
    for (int i = 0; i < dense && gap > 0; ++i) positions.push_back(low + (2 * i + 1) * gap / (2 * dense));
    log_spaced(n, share - dense, rng.uniform(), positions);
  } else if (round == 0) {
    log_spaced(n, share / 2, 0.0, positions);
    evenly_spaced(n, share - share / 2, 1.0, positions);
  } else {
    const double alone = foresight_.effect(claims_.space(), line.g, line.now);
    const double offset = log_odds(claims_.archive().outcome(line.index)) - alone;
    foresight_.positions(line.g, half, n, offset, settings_.beyond_crossing, positions);
    evenly_spaced(n, share - static_cast<int>(positions.size()), rng.uniform(), positions);
  }
}

std::vector<Row> Thinned::tell(const Round& round, Told lines, double) {
  const std::size_t width = claims_.space().groups.size();
  for (std::size_t line = 0; line < round.groups.size(); ++line) {
    std::vector<Row> child(round.parents.begin() + line * width, round.parents.begin() + (line + 1) * width);
    for (std::int64_t i = round.offsets[line]; i < round.offsets[line + 1]; ++i) {
      child[round.groups[line]] = round.rows[i];
      claims_.score(child.data(), lines.outcome[i], lines.number[i]);
    }
  }
  return {};
}

std::vector<Shown> Thinned::shown(std::int64_t parent, double bound) const {
  const Space& space = claims_.space();
  const Archive& archive = claims_.archive();
  std::vector<Row> probe(archive.rows(parent), archive.rows(parent) + space.groups.size());
  const double base = log_odds(archive.outcome(parent));
  std::vector<Shown> shown;
  for (std::size_t g = 0; g < probe.size(); ++g) {
    const Group& group = space.groups[g];
    if (!group.free) continue;
    const Row now = probe[g];
    auto look_up = [&](Row row) {
      if (row == now) return;
      probe[g] = row;
      const std::int64_t at = archive.find(probe.data());
      if (at >= 0 && !std::isnan(archive.outcome(at)))
        shown.push_back({static_cast<std::int32_t>(g), row, log_odds(archive.outcome(at)) - base});
    };
    for (std::size_t i = 0; i < group.count() && group.cost()[i] < bound; ++i) look_up(group.order()[i]);
    look_up(0);
    probe[g] = now;
  }
  return shown;
}

}  // namespace geco
