// RowSet: which rows of a group's table something holds for, slot 0 included. A byte each where a table is held row by
// row; spans where it is sorted and large, so that making one looks at few of its rows.
#pragma once
#include "core/shared.hpp"
#include "core/spans.hpp"
#include "core/tables.hpp"

namespace geco {

class RowSet {
 public:
  RowSet() = default;
  RowSet(std::vector<std::uint8_t> bytes) : size_(bytes.size()), bytes_(std::move(bytes)) {}
  // Of a table of so many rows; `counts`, if any, leave out those below `least`.
  RowSet(std::size_t size, Spans spans, Numbers counts = {}, double least = 0)
      : size_(size), edges_(std::move(spans.edges)), x_(spans.x), counts_(std::move(counts)), least_(least) {}

  std::size_t size() const { return size_; }
  bool operator[](Row r) const {
    if (!bytes_.empty()) return bytes_[r] != 0;
    if (r == 0) return x_;
    return Spans::within(edges_.view(), r) && (counts_.empty() || counts_[r] >= least_);
  }
  // Where it changes from row to row; none if it is held row by row.
  const Shared<Row>& edges() const { return edges_; }
  bool by_row() const { return !bytes_.empty(); }

 private:
  std::size_t size_ = 0;
  Shared<std::uint8_t> bytes_;
  Shared<Row> edges_;
  bool x_ = false;
  Numbers counts_;
  double least_ = 0;
};

}  // namespace geco
