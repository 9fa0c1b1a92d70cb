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
  explicit Delta(std::vector<Row> start) : start_(std::move(start)), offsets_{0} {}
  std::size_t width() const { return start_.size(); }
  const std::vector<Row>& start() const { return start_; }
  std::size_t size() const { return offsets_.size() - 1; }
  std::size_t cells() const { return rows_.size(); }
  void push(const Row* rows) {
    for (std::size_t g = 0; g < width(); ++g)
      if (rows[g] != start_[g]) {
        groups_.push_back(static_cast<std::int32_t>(g));
        rows_.push_back(rows[g]);
      }
    offsets_.push_back(static_cast<std::int64_t>(rows_.size()));
  }
  void load(std::size_t i, Row* out) const {
    std::memcpy(out, start_.data(), width() * sizeof(Row));
    for (auto c = offsets_[i]; c < offsets_[i + 1]; ++c) out[groups_[c]] = rows_[c];
  }

 private:
  std::vector<Row> start_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::int32_t> groups_;
  std::vector<Row> rows_;
};

// The paper's size measure: features of Δ, summed over the candidates (for the listing: all features).
template <class Candidates>
std::int64_t feature_cells(const Space& space, const Candidates& candidates) {
  std::vector<Row> rows(candidates.width());
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates.load(i, rows.data());
    for (std::size_t g = 0; g < rows.size(); ++g)
      if (std::is_same_v<Candidates, Listing> || rows[g] != candidates.start()[g]) sum += space.groups[g].features;
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

template <class Candidates>
Candidates unite(const Candidates& first, const Candidates& second) {
  Candidates out = first;
  std::vector<Row> rows(first.width());
  for (std::size_t i = 0; i < second.size(); ++i) {
    second.load(i, rows.data());
    out.push(rows.data());
  }
  return out;
}

}  // namespace geco
