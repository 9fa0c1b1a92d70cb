// Sweep: every row of every line of one parent, by one walk per tree.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/near_x.hpp"
#include "core/parting.hpp"
#include "core/steps.hpp"

namespace geco {

// What each cell of each wanted group adds to the parent's sums. Every tree is walked along the parent's path; at a
// node that tests group G the cells of G that would go the other way leave the path and go on alone, only G free.
class Forest::Sweep {
 public:
  // `cells_of_x`: per group the cell that x is in, -1 if none.
  Sweep(const Forest& forest, std::span<const std::int32_t> x, std::span<const std::int32_t> cells_of_x)
      : f_(forest), x_(x), cell_of_x_(cells_of_x), ranks_(forest.tested_.size()), gathered_(forest.tested_.size()),
        added_(std::make_unique_for_overwrite<Whole[]>(forest.cells_ * forest.outputs_)),
        steps_(forest.cells_ * forest.outputs_), parting_(forest), wanted_(forest.width()), now_(forest.width()),
        path_(forest.trees_.depth) {}

  // Lines first..last-1 have one parent.
  void begin(const LinesView& lines, std::size_t first, std::size_t last);
  // The tree's nodes may be what is left of tree t. `watch` is told of each test that the walk follows, and of the
  // cells that leave the path.
  template <class Watch>
  void tree(std::size_t t, Narrowed::Tree tree, Watch& watch);
  void tree(std::size_t t, Narrowed::Tree tree) {
    Unwatched nobody;
    this->tree(t, tree, nobody);
  }
  // The same for all trees, of which only those are walked that tell the parent from x. False, and nothing is done, if
  // that takes more than is known near x.
  bool trees_near(const NearX& near);
  // The ranks that this parent and its lines have.
  void spread(Narrowed& over) const;
  void end(const LinesView& lines, double* out, Turns* turns) {
    for (std::size_t l = first_; l < last_; ++l) read(lines, l, out, turns);
  }

 private:
  friend class NearX;
  using Cells = Parting::Cells;
  struct Unwatched {
    void test(const Node&) {}
    template <As as>
    void left(std::int32_t, const Cells&, const Node&, const Node&) {}
  };
  As as(std::size_t g) const { return f_.tables_[g].as; }

  template <class Do>
  void for_type_of(std::size_t g, Do act) const {
    switch (as(g)) {
      case As::kInterval: act.template operator()<As::kInterval>(); break;
      case As::kBits: act.template operator()<As::kBits>(); break;
      case As::kWords: act.template operator()<As::kWords>(); break;
      case As::kList: act.template operator()<As::kList>(); break;
    }
  }

  std::int32_t cell_of(std::int32_t g, Row row) const { return row == 0 ? cell_of_x_[g] : f_.tables_[g].cell[row]; }
  void want(const LinesView& lines, std::size_t l);
  static bool outlined(const LinesView& lines, std::size_t l) {
    return !lines.outlined.empty() && !lines.outlined[l].listed();
  }
  void outputs_of(std::size_t t) {
    output_ = f_.output_[t] < 0 ? 0 : f_.output_[t];
    many_ = f_.output_[t] < 0 ? f_.outputs_ : 1;
  }
  template <As as, class Watch>
  void leave(const Node& node, bool left, std::int32_t g, Watch& watch);
  template <As as, class Watch>
  void alone(std::int32_t at, std::int32_t g, Cells cells, Watch& watch);
  // To the cells of a sorted table from low to high - 1; what they are beside the path.
  void add_between(std::size_t first, std::int32_t low, std::int32_t high, std::size_t to, Whole more) {
    steps_.add((first + low) * f_.outputs_ + to, more);
    steps_.add((first + high) * f_.outputs_ + to, -more);
  }
  // The same where there is one output.
  void add_between(std::size_t first, std::int32_t low, std::int32_t high, Whole more) {
    steps_.add(first + low, more);
    steps_.add(first + high, -more);
  }
  bool within(const NearX& near) const;
  void start_from(const NearX& near);
  // Adds what this tree says along the lines of x so many times: -1 takes it back.
  void add_of_x(const NearX& near, std::size_t t, Whole times);
  template <As as, class Do>
  void each_wanted(const NearX& near, const NearX::Left& left, Do act) const;

  void find_stretches(std::int32_t g);
  void spread_out(std::int32_t g);
  double sum_with(Whole added, std::size_t k) const { return f_.sum_of(sums_[k] + added, k); }
  void add_turns(const OutlinedLine& line, Turns& turns);
  void read(const LinesView& lines, std::size_t l, double* out, Turns* turns);

  const Forest& f_;
  const bool single_ = f_.outputs_ == 1;
  std::span<const std::int32_t> x_, cell_of_x_;
  struct Ranked {
    std::int32_t rank, group;
  };
  std::vector<Ranked> ranks_;
  std::vector<std::int32_t> gathered_;
  std::unique_ptr<Whole[]> added_;  // per cell what it adds
  Steps<Whole> steps_;              // the same of sorted tables
  std::vector<std::int32_t> starts_;  // stretches of cells of a sorted table that add the same
  std::vector<Whole> levels_;         // what they add: [stretches, outputs]
  std::vector<OutlinedLine::Nearest> nearest_;
  Parting parting_;
  std::vector<Cells> wanted_, now_;  // per group: of the lines; of those the ones still on the path
  struct Visited {
    const Node* node;
    std::int32_t group;
    bool left;
  };
  std::vector<Visited> path_;
  std::vector<Whole> sums_;
  std::vector<std::uint64_t> apart_;  // a bit for each tree that tells the parent from x
  const Node* nodes_ = nullptr;       // of the tree being walked
  const Node* on_path_ = nullptr;     // the parent's leaf
  std::size_t first_ = 0, last_ = 0;
  std::size_t output_ = 0, many_ = 1;
};

template <class Watch>
void Forest::Sweep::tree(std::size_t t, Narrowed::Tree tree, Watch& watch) {
  nodes_ = tree.nodes;
  outputs_of(t);
  std::size_t depth = 0;
  const Node* node = nodes_ + tree.root;
  while (node->tested >= 0) {
    const auto [rank, g] = ranks_[node->tested];
    const bool left = f_.goes_left(*node, rank);
    watch.test(*node);
    if (g >= 0) {
      path_[depth++] = {node, g, left};
      now_[g] = wanted_[g];
    }
    node = nodes_ + (left ? node->left : node->right);
  }
  on_path_ = node;
  for (std::size_t k = 0; k < many_; ++k) sums_[output_ + k] += f_.whole(*node, k);
  for (std::size_t i = 0; i < depth; ++i) {
    const auto [at, g, left] = path_[i];
    for_type_of(g, [&]<As as>() { leave<as>(*at, left, g, watch); });
  }
}

template <Forest::As as, class Watch>
void Forest::Sweep::leave(const Node& node, bool left, std::int32_t g, Watch& watch) {
  if (now_[g].empty(as)) return;
  const Cells others = parting_.part<as>(node, !left, g, now_[g], parting_.on_path<as>(g));
  if (!others.empty(as)) alone<as>(left ? node.right : node.left, g, others, watch);
}

// Cells that left the parent's path, all of them at the same node.
template <Forest::As as, class Watch>
void Forest::Sweep::alone(std::int32_t at, std::int32_t g, Cells cells, Watch& watch) {
  const Node* node = nodes_ + at;
  std::uint64_t* rest = parting_.free();
  parting_.hold<as>(g);
  while (node->tested >= 0) {
    bool left;
    if (ranks_[node->tested].group != g) {
      left = f_.goes_left(*node, ranks_[node->tested].rank);
      watch.test(*node);
    } else {
      const Cells gone = parting_.part<as>(*node, true, g, cells, rest);
      left = cells.empty(as);
      if (left) cells = gone;
      else if (!gone.empty(as)) alone<as>(node->left, g, gone, watch);
    }
    node = nodes_ + (left ? node->left : node->right);
  }
  parting_.let_go<as>(g);
  const std::size_t first = f_.tables_[g].first;
  watch.template left<as>(g, cells, *node, *on_path_);
  if (as == As::kInterval && single_)
    return add_between(first, cells.low, cells.high, node->whole() - on_path_->whole());
  for (std::size_t k = 0; k < many_; ++k) {
    const Whole more = f_.whole(*node, k) - f_.whole(*on_path_, k);
    const std::size_t to = output_ + k;
    if constexpr (as == As::kInterval) {
      add_between(first, cells.low, cells.high, to, more);
    } else {
      Whole* added = added_.get() + first * f_.outputs_ + to;
      parting_.each<as>(g, cells, [&](std::int32_t cell) { added[cell * f_.outputs_] += more; });
    }
  }
}

}  // namespace geco
