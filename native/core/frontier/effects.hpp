// Effects: the points a round asks about beside its lines, combinations of what lines showed one change at a time.
//
// Guesses put effects together, trades exchange some of one change for another, jumps go far away where nothing good is
// in sight. What comes out are rows; whether they are asked about is for Claims to say.
#pragma once
#include "core/frontier/sums.hpp"
#include "core/random.hpp"

namespace geco {

struct Guess {
  double cost;
  std::vector<Row> rows;
};

// Around a counterfactual: less of one change, a little more of another, and nearer altogether. One change at a time
// would have to pass through candidates that look worse than they are.
class Trades {
 public:
  Trades(const Space& space, const FrontierSettings& settings, std::span<const Row> good, std::int64_t index,
         std::uint64_t round);

  bool done() const { return tried_ == tries_; }
  // The next one is tried; false: it comes to nothing.
  bool next(std::vector<Row>& rows);
  // Where some are drawn, the same are drawn again and again: there is no need of the last one any more.
  void pass_over() { known_[last_] = true; }

 private:
  bool trade(std::size_t from, std::size_t to, std::size_t draw, std::vector<Row>& rows) const;
  double cost(std::size_t g, Row row) const { return row ? space_.groups[g].total(row) : 0.0; }

  const Space& space_;
  const FrontierSettings& settings_;
  std::vector<Row> good_;
  std::vector<double> costs_;  // of its rows
  Rngs draw_;
  Rng pick_;
  std::vector<std::size_t> changed_, free_;
  std::size_t draws_;  // per pair of groups: of either side
  std::size_t all_, tries_, tried_ = 0;
  bool some_;  // only some of them are drawn
  std::vector<bool> known_;  // those that come to nothing new
  std::size_t last_ = 0;
};

class Effects {
 public:
  Effects(const Space& space, const FrontierSettings& settings) : space_(space), settings_(settings) {}

  const Space& space() const { return space_; }
  void use(const FrontierSettings& settings) { settings_ = settings; }
  // The cheapest combinations that would turn good if effects on the log-odds simply added up: a Pareto merge of (cost,
  // effect) over the groups, from what the lines of this parent showed. Asked about as points they bring the bound down
  // early.
  void guess(std::span<const Row> parent, double log_odds, std::span<const Shown> shown, double bound,
             std::vector<Guess>& guesses);
  // `index` and `round` say which draws: the counterfactual's position in the archive, and the round.
  Trades trades(std::span<const Row> good, std::int64_t index, std::uint64_t round) const {
    return {space_, settings_, good, index, round};
  }
  // About half of the groups drawn by weight. Once such a candidate is good, undoing and narrowing its changes leads
  // back towards x.
  std::vector<Row> jump(Rng& rng) const;

 private:
  const Space& space_;
  FrontierSettings settings_;
  struct Room {
    Sums sums;
    std::vector<Sum> rows;
    std::vector<double> left;
  };
  Room room_;  // for guesses, one after the other
};

}  // namespace geco
