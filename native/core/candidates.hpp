// Two representations of a set of candidates behind one interface (Sec. 5.1): operators only load and push rows.
#pragma once
#include <algorithm>
#include <cstring>
#include <span>

#include "core/space.hpp"

namespace geco {

// Naive listing: the row number of every group, changed or not.
class Listing {
 public:
  explicit Listing(std::vector<Row> start) : start_(std::move(start)) {}
  std::size_t width() const { return start_.size(); }
  const std::vector<Row>& start() const { return start_; }
  std::size_t size() const { return width() ? rows_.size() / width() : 0; }
  std::size_t cells() const { return rows_.size(); }
  void push(const Row* rows) { rows_.insert(rows_.end(), rows, rows + width()); }
  void load(std::size_t i, Row* out) const { std::memcpy(out, rows_.data() + i * width(), width() * sizeof(Row)); }

 private:
  std::vector<Row> start_, rows_;
};

// Δ-representation: only the groups in Δ, that is, whose row differs from where the search starts.
class Delta {
 public:
  explicit Delta(std::vector<Row> start) : start_(std::move(start)), offsets_{0}, changed_(start_.size() + 1) {}
  std::size_t width() const { return start_.size(); }
  const std::vector<Row>& start() const { return start_; }
  std::size_t size() const { return offsets_.size() - 1; }
  std::size_t cells() const { return cells_.size(); }
  void push(const Row* rows) {
    // Every group is written, and written over if it is not in Δ: a branch would be guessed wrong too often.
    std::size_t used = 0;
    for (std::size_t g = 0; g < width(); ++g) {
      changed_[used] = {static_cast<std::int32_t>(g), rows[g]};
      used += rows[g] != start_[g];
    }
    cells_.insert(cells_.end(), changed_.begin(), changed_.begin() + used);
    offsets_.push_back(static_cast<std::int64_t>(cells_.size()));
  }
  void load(std::size_t i, Row* out) const {
    std::memcpy(out, start_.data(), width() * sizeof(Row));
    for (auto c = offsets_[i]; c < offsets_[i + 1]; ++c) out[cells_[c].group] = cells_[c].row;
  }

 private:
  struct Cell {
    std::int32_t group;
    Row row;
  };
  std::vector<Row> start_;
  std::vector<std::int64_t> offsets_;
  std::vector<Cell> cells_;
  std::vector<Cell> changed_;  // of the candidate being pushed, and one to write over
};

// What a representation stores for some points.
struct Stored {
  // The paper's size measure: features of Δ, summed over the points (listing: all features).
  std::int64_t features = 0;
  std::int64_t cells = 0;     // row numbers
};

// Counted from the points themselves: of a generation only those selected are ever built.
template <class Candidates>
Stored stored(const Space& space, const Row* points, std::size_t count) {
  const std::size_t width = space.groups.size();
  std::vector<std::int64_t> times(width, std::is_same_v<Candidates, Listing> ? count : 0);
  if constexpr (!std::is_same_v<Candidates, Listing>)
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t g = 0; g < width; ++g) times[g] += points[i * width + g] != space.start[g];
  Stored sum;
  for (std::size_t g = 0; g < width; ++g) {
    sum.features += times[g] * space.groups[g].features;
    sum.cells += times[g];
  }
  return sum;
}

template <class Candidates>
Candidates take(const Candidates& from, std::span<const std::int64_t> indices) {
  Candidates out(from.start());
  std::vector<Row> rows(from.width());
  for (std::int64_t i : indices) {
    from.load(static_cast<std::size_t>(i), rows.data());
    out.push(rows.data());
  }
  return out;
}

// The same of `from` and, numbered on, of points: the many that are not wanted are never built.
template <class Candidates>
Candidates select(const Candidates& from, const Row* points, std::span<const std::int64_t> indices) {
  Candidates out(from.start());
  std::vector<Row> rows(from.width());
  for (std::int64_t index : indices) {
    const auto i = static_cast<std::size_t>(index);
    if (i < from.size()) from.load(i, rows.data());
    out.push(i < from.size() ? rows.data() : points + (i - from.size()) * from.width());
  }
  return out;
}

}  // namespace geco
