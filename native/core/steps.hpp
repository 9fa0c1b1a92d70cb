// Steps: what the cells of sorted tables add to a sum, as differences between neighbours, few of which are not 0.
#pragma once
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace geco {

template <class Number>
class Steps {
 public:
  explicit Steps(std::size_t size) : steps_(std::make_unique_for_overwrite<Number[]>(size)), there_((size + 63) / 64) {}

  // No step from here to there, or to where their words end.
  void clear(std::size_t from, std::size_t to) {
    for (std::size_t w = from / 64; w <= to / 64 && w < there_.size(); ++w) there_[w] = 0;
  }
  void add(std::size_t at, Number more) {
    std::uint64_t& word = there_[at / 64];
    const std::uint64_t bit = std::uint64_t{1} << (at % 64);
    steps_[at] = (word & bit ? steps_[at] : Number{}) + more;
    word |= bit;
  }
  // Calls `visit(at, step)` for each of them, rising.
  template <class Visit>
  void each(std::size_t from, std::size_t to, Visit visit) const {
    for (std::size_t w = from / 64; w * 64 < to; ++w) {
      std::uint64_t left = there_[w];
      if (w == from / 64) left &= ~std::uint64_t{0} << (from % 64);
      if (to - w * 64 < 64) left &= (std::uint64_t{1} << (to % 64)) - 1;
      for (; left != 0; left &= left - 1) {
        const std::size_t at = w * 64 + std::countr_zero(left);
        visit(at, steps_[at]);
      }
    }
  }

 private:
  std::unique_ptr<Number[]> steps_;
  std::vector<std::uint64_t> there_;  // a bit for each that was added to
};

}  // namespace geco
