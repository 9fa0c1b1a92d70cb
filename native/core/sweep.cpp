#include "core/sweep.hpp"

#include <bit>
#include <utility>

namespace geco {

void Forest::Sweep::begin(const LinesView& lines, std::size_t first, std::size_t last) {
  first_ = first, last_ = last;
  f_.gather(x_, lines.parent(first), gathered_.data());
  std::fill(wanted_.begin(), wanted_.end(), Cells{});
  for (std::size_t l = first; l < last; ++l) want(lines, l);
  // Groups that no line varies are like columns of nobody: their tests are only followed.
  for (std::size_t t = 0; t < ranks_.size(); ++t) {
    const std::int32_t g = f_.tested_[t].group;
    ranks_[t] = {gathered_[t], g >= 0 && !wanted_[g].empty(as(g)) ? g : -1};
  }
  sums_.assign(f_.outputs_, 0);
}

// Only the cells that the line's rows are in: as the bound falls, so does the cost.
void Forest::Sweep::want(const LinesView& lines, std::size_t l) {
  const std::int32_t g = lines.groups[l];
  const Table& table = f_.tables_[g];
  const std::span rows(lines.rows.data() + lines.offsets[l], lines.rows.data() + lines.offsets[l + 1]);
  wanted_[g] = parting_.want(g, rows, [&](Row row) { return cell_of(g, row); });
  if (!table.sorted) {
    std::fill_n(added_.get() + table.first * f_.outputs_, table.cell_count * f_.outputs_, 0);
    return;
  }
  if (outlined(lines, l)) {
    const auto [low, high] = lines.outlined[l].cells();
    wanted_[g].low = std::min(wanted_[g].low, low), wanted_[g].high = std::max(wanted_[g].high, high);
  }
  // Nothing but the interval is looked at, and where it ends.
  if (wanted_[g].low < wanted_[g].high)
    steps_.clear((table.first + wanted_[g].low) * f_.outputs_, (table.first + wanted_[g].high + 1) * f_.outputs_);
}

void Forest::Sweep::spread(Narrowed& over) const {
  for (std::size_t t = 0; t < gathered_.size(); ++t) over.add(t, gathered_[t], gathered_[t]);
  for (std::size_t g = 0; g < wanted_.size(); ++g) {
    const Table& table = f_.tables_[g];
    if (wanted_[g].empty(as(g))) continue;
    if (table.sorted) {
      for (std::int32_t t : table.tested) over.add(t, wanted_[g].low, wanted_[g].high - 1);
      continue;
    }
    auto add = [&](std::int32_t cell) {
      const std::int32_t* ranks = &table.ranks[cell * table.tested.size()];
      for (std::size_t i = 0; i < table.tested.size(); ++i) over.add(table.tested[i], ranks[i], ranks[i]);
    };
    for_type_of(g, [&]<As as>() { parting_.each<as>(g, wanted_[g], add); });
  }
}

bool Forest::Sweep::trees_near(const NearX& near) {
  if (!within(near)) return false;
  near.tell_apart(f_, x_, gathered_, apart_);
  std::size_t count = 0;
  for (const std::uint64_t word : apart_) count += std::popcount(word);
  // Either what all trees say along the lines of x, and of these it is taken back; or what the others say, if they are
  // fewer.
  const bool most = 2 * count > f_.tree_count();
  if (!most) start_from(near);
  auto each = [&](bool apart, auto act) {
    for (std::size_t w = 0; w < apart_.size(); ++w) {
      const std::size_t first = 64 * w, some = std::min<std::size_t>(64, f_.tree_count() - first);
      std::uint64_t left = (apart ? apart_[w] : ~apart_[w]) & (~std::uint64_t{0} >> (64 - some));
      for (; left != 0; left &= left - 1) act(first + std::countr_zero(left));
    }
  };
  each(!most, [&](std::size_t t) { add_of_x(near, t, most ? 1 : -1); });
  each(true, [&](std::size_t t) { tree(t, near.tree(t)); });
  return true;
}

// Whether the parent and its lines are among what is known near x.
bool Forest::Sweep::within(const NearX& near) const {
  if (!near.within_.has(gathered_)) return false;
  for (std::size_t g = 0; g < wanted_.size(); ++g) {
    if (wanted_[g].empty(as(g))) continue;
    const NearX::Along& along = near.along_[g];
    if (!along.known) return false;
    if (f_.tables_[g].sorted) {
      if (wanted_[g].low < along.low || wanted_[g].high > along.high) return false;
      continue;
    }
    bool all = true;
    for_type_of(g, [&]<As as>() {
      parting_.each<as>(g, wanted_[g], [&](std::int32_t cell) { all = all && along.cells[cell]; });
    });
    if (!all) return false;
  }
  return true;
}

// As if every tree had been walked, and none told the parent from x.
void Forest::Sweep::start_from(const NearX& near) {
  sums_ = near.sums_;
  for (std::size_t g = 0; g < wanted_.size(); ++g) {
    if (wanted_[g].empty(as(g))) continue;
    const Table& table = f_.tables_[g];
    const auto& [known, from, to, starts, cells, added] = near.along_[g];
    if (!table.sorted) {
      std::copy(added.begin(), added.end(), added_.get() + table.first * f_.outputs_);
      continue;
    }
    const auto [low, high, words] = wanted_[g];
    std::size_t i = std::upper_bound(starts.begin(), starts.end(), low) - starts.begin() - 1;
    for (std::size_t k = 0; k < f_.outputs_; ++k)
      steps_.add((table.first + low) * f_.outputs_ + k, added[i * f_.outputs_ + k]);
    for (++i; i < starts.size() && starts[i] < high; ++i)
      for (std::size_t k = 0; k < f_.outputs_; ++k)
        steps_.add((table.first + starts[i]) * f_.outputs_ + k,
                   added[i * f_.outputs_ + k] - added[(i - 1) * f_.outputs_ + k]);
  }
}

template <Forest::As as, class Do>
void Forest::Sweep::each_wanted(const NearX& near, const NearX::Left& left, Do act) const {
  const std::uint64_t* cells = near.cells_left_.data() + left.from;
  const Cells& wanted = wanted_[left.group];
  auto each = [&](std::uint64_t bits, std::int32_t first) {
    for (; bits != 0; bits &= bits - 1) act(first + std::countr_zero(bits));
  };
  if constexpr (as == As::kBits) {
    each(Cells{left.low, left.high}.bits() & wanted.bits(), 0);
  } else if constexpr (as == As::kWords) {
    const std::int32_t low = std::max(left.low, wanted.low), high = std::min(left.high, wanted.high);
    for (std::int32_t w = low; w < high; ++w) each(cells[w - left.low] & wanted.words[w], 64 * w);
  } else {
    for (std::int32_t i = 0; i < left.high - left.low; ++i) act(static_cast<std::int32_t>(cells[i]));
  }
}

void Forest::Sweep::add_of_x(const NearX& near, std::size_t t, Whole times) {
  outputs_of(t);
  const std::size_t width = f_.leaf_width_;
  for (std::size_t k = 0; k < many_; ++k) sums_[output_ + k] += times * near.on_path_[t * width + k];
  const Whole* more = near.more_.data() + near.left_from_[t] * width;
  for (const NearX::Left& left : near.left(t)) {
    const Whole* of_leaf = std::exchange(more, more + width);
    const std::int32_t g = left.group;
    if (wanted_[g].empty(as(g))) continue;
    const std::size_t first = f_.tables_[g].first;
    if (as(g) == As::kInterval && single_) {
      const std::int32_t low = std::max(left.low, wanted_[g].low), high = std::min(left.high, wanted_[g].high);
      if (low < high) add_between(first, low, high, times * of_leaf[0]);
      continue;
    }
    for_type_of(g, [&]<As as>() {
      for (std::size_t k = 0; k < many_; ++k) {
        const Whole beside = times * of_leaf[k];
        if constexpr (as == As::kInterval) {
          const std::int32_t low = std::max(left.low, wanted_[g].low), high = std::min(left.high, wanted_[g].high);
          if (low < high) add_between(first, low, high, output_ + k, beside);
        } else {
          Whole* added = added_.get() + first * f_.outputs_ + output_ + k;
          each_wanted<as>(near, left, [&](std::int32_t cell) { added[cell * f_.outputs_] += beside; });
        }
      }
    });
  }
}

// Where what the cells of a sorted table add changes, and what it is from there on.
void Forest::Sweep::find_stretches(std::int32_t g) {
  const std::size_t k_many = f_.outputs_, first = f_.tables_[g].first;
  const auto [low, high, words] = wanted_[g];
  starts_.assign(1, low);
  levels_.assign(k_many, 0);
  if (low >= high) return;
  steps_.each((first + low) * k_many, (first + high) * k_many, [&](std::size_t at, Whole step) {
    if (step == 0) return;
    const auto cell = static_cast<std::int32_t>(at / k_many - first);
    if (cell != starts_.back()) {
      starts_.push_back(cell);
      levels_.resize(levels_.size() + k_many);
      std::copy_n(levels_.end() - 2 * k_many, k_many, levels_.end() - k_many);
    }
    levels_[levels_.size() - k_many + at % k_many] += step;
  });
}

void Forest::Sweep::spread_out(std::int32_t g) {
  const std::size_t k_many = f_.outputs_;
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    const std::int32_t end = i + 1 < starts_.size() ? starts_[i + 1] : wanted_[g].high;
    Whole* added = added_.get() + f_.tables_[g].first * k_many;
    for (std::int32_t cell = starts_[i]; cell < end; ++cell)
      std::copy_n(&levels_[i * k_many], k_many, added + cell * k_many);
  }
}

void Forest::Sweep::add_turns(const OutlinedLine& line, Turns& turns) {
  line.nearest(starts_, nearest_);
  for (const auto& [place, row, stretch] : nearest_) {
    turns.rows.push_back(row);
    turns.places.push_back(place);
    for (std::size_t k = 0; k < f_.outputs_; ++k) turns.sums.push_back(sum_with(levels_[stretch * f_.outputs_ + k], k));
  }
}

void Forest::Sweep::read(const LinesView& lines, std::size_t l, double* out, Turns* turns) {
  const std::int32_t g = lines.groups[l];
  const Table& table = f_.tables_[g];
  const std::size_t k_many = f_.outputs_;
  const bool in_stretches = outlined(lines, l);
  const Whole* added = added_.get() + table.first * k_many;
  if (table.sorted) find_stretches(g);
  if (table.sorted && !in_stretches) spread_out(g);
  if (in_stretches) add_turns(lines.outlined[l], *turns);
  if (turns) turns->offsets.push_back(static_cast<std::int64_t>(turns->rows.size()));
  auto of_cell = [&](std::int32_t cell) -> const Whole* {
    if (!in_stretches) return added + cell * k_many;
    const auto after = std::upper_bound(starts_.begin(), starts_.end(), cell);
    return &levels_[(after - starts_.begin() - 1) * k_many];
  };
  std::vector<Row> candidate;
  std::vector<std::int32_t> ranks;
  for (auto i = lines.offsets[l]; i < lines.offsets[l + 1]; ++i) {
    const Row row = lines.rows[i];
    const std::int32_t cell = cell_of(g, row);
    if (!f_.adds_up_ || (cell < 0 && !table.tested.empty())) {  // like no row of D, or missing: a cell by itself
      candidate.assign(lines.parent(l), lines.parent(l) + lines.width);
      candidate[g] = row;
      ranks.resize(gathered_.size());
      f_.gather(x_, candidate.data(), ranks.data());
      f_.sum(f_.trees_, ranks.data(), ranks.size(), 1, out + i * k_many);
      continue;
    }
    const Whole* of = table.tested.empty() ? nullptr : of_cell(cell);
    for (std::size_t k = 0; k < k_many; ++k) out[i * k_many + k] = sum_with(of ? of[k] : 0, k);
  }
}

}  // namespace geco
