// FrontierSearch: keep the Pareto frontier of (distance, outcome) and expand it by lines.
//
// The paper ranks candidates that are not yet counterfactual by dist + 1 + (1 − M); distances are about 1e-3, so M alone
// decides and the near candidates that need one more small change are thrown away. Here a candidate stays in play if no
// nearer one has a higher outcome.
#pragma once
#include <algorithm>
#include <cmath>

#include "core/archive.hpp"
#include "core/cascade.hpp"

namespace geco {

struct FrontierSettings {
  int k = 1;
  int parents = 12;        // expanded per round
  int rows_per_line = 6;   // 0: all
  int first_rows = 24;     // rows per line of the first round
  int per_delta = 2;       // parents per Δ set and round beyond the first Pareto layer
  int combinations = 0;    // guesses and trades per round at most; 0: as many as there are
  bool swept = false;      // a row of a line costs next to nothing: ask about many and keep few
  std::uint64_t seed = 0;
  // When to stop: after this many rounds without a change of the bound, this many in all, or this many if nothing was found.
  int stalled = 3, max_rounds = 12, patience = 40;
  bool x_obeys = true;     // x breaks no rule as it stands
  bool possible = true;    // there is something to start from
};

enum class Stopped { converged, exhausted, budget };

// One round: points, and lines as (parent, group, rows by offsets).
struct Round {
  std::vector<Row> points;
  std::vector<Row> parents;
  std::vector<std::int32_t> groups;
  std::vector<std::int64_t> offsets{0};
  std::vector<Row> rows;

  // Empty again, with the room it has taken.
  void clear() {
    points.clear(), parents.clear(), groups.clear(), rows.clear();
    offsets.resize(1);
  }
};

inline double log_odds(double outcome) {
  const double p = std::clamp(outcome, 1e-4, 1 - 1e-4);
  return std::log(p / (1 - p));
}

class Frontier {
 public:
  Frontier(const Space& space, Archive& archive, FrontierSettings settings);

  // The round stays with the frontier until it is told of it.
  const Round& ask();
  // What the model said of x and of what was asked last, points and then rows of lines; NaN where it was not asked.
  struct Told {
    std::span<const double> outcome, number;
  };
  void tell(Told x, Told points, Told lines);
  const Round& asked() const { return last_; }
  bool swept() const { return settings_.swept; }
  bool x_obeys() const { return settings_.x_obeys; }
  bool converged() const { return converged_; }
  Stopped stopped_by() const { return stopped_by_; }
  int rounds() const { return told_; }
  const Space& space() const { return space_; }
  // Everything scored since the last ask is in the archive. The distance of the k-th best way, or infinity.
  double bound() const { return bound_; }
  const CascadeCounts& counts() const { return counts_; }

 private:
  struct Node {
    double distance, outcome;
    std::int64_t index;
    std::int32_t changed;
  };
  void next(Round& round);
  void score(Told told, const std::vector<Row>& points);
  void score_lines(Told told);
  void maybe_stop();
  std::span<const Node> nodes_in_play();  // until more is scored
  std::vector<std::int64_t> choose_parents();
  void expand(std::int64_t parent, int rows_per_line, Round& round);
  void sweep(std::int64_t parent, Round& round);
  void keep_of_lines(Told lines);
  struct Kept;
  void keep_of_line(std::size_t line, Told lines, Kept& kept);
  bool keep(std::vector<Row>& child, double outcome, double number);
  void repair(std::vector<Row> child, std::int32_t pinned);
  std::vector<Row> pick(std::int32_t g, std::int64_t parent, std::size_t limit, bool refine, int m) const;
  void remember_root();
  void trade(std::int64_t good, Round& round);
  struct Guess {
    double cost;
    std::vector<Row> rows;
  };
  std::span<const std::int64_t> bases() const;  // of the parents expanded last, those whose effects are put together
  void combine_effects(Round& round);
  void combine(std::int64_t base, std::vector<Guess>& guesses) const;
  void jump(Round& round);
  bool room_for_combinations(const Round& round) const;
  double root_effect(std::int32_t g, Row row) const;
  void foresee(std::int32_t g, int half, std::size_t n, double offset, std::vector<std::size_t>& places) const;

  const Space& space_;
  Archive& archive_;
  FrontierSettings settings_;
  CascadeCounts counts_;
  std::vector<std::uint8_t> expanded_;  // per archive index: 0 not yet, 1 with thinned lines, 2 with whole lines
  // What the first round said: per group and half, the place along it and the log-odds there relative to the start's.
  struct Effect {
    std::size_t place;
    double log_odds;
  };
  std::vector<std::vector<Effect>> root_[2];
  double root_log_odds_ = 0;
  std::vector<Node> nodes_;               // all that is scored, nearest first, of one distance the highest outcome first
  std::vector<std::int64_t> unscored_;    // archive indices that were not yet when they were last looked at
  std::size_t seen_ = 0;                  // archive indices looked at
  std::vector<int> tried_;  // per set of changed groups: parents expanded
  std::vector<std::int64_t> last_parents_;
  Round last_;                         // what was asked last
  std::vector<std::int64_t> line_of_;  // swept lines: whose line each of them is, by archive index
  std::vector<std::uint8_t> again_;    // and whether it was looked at for the second time
  std::vector<Row> repaired_;          // to be asked in the next round
  struct Shown {
    std::int64_t parent;
    std::int32_t group;
    Row row;
    double log_odds;
  };
  std::vector<Shown> shown_;  // what the last swept lines of the bases showed: their records
  double bound_;
  double reach_;       // how far swept lines look: the bound, or a little beyond the farthest way while there are too few
  double stretch_ = 1.5;
  std::uint64_t round_ = 0;
  bool complete_ = false;    // every candidate nearer than the bound has been expanded in full
  bool only_undos_ = false;  // the end game: settle the ways found, expand nothing more
  bool converged_ = false;
  Stopped stopped_by_ = Stopped::converged;
  int told_ = 0, unchanged_ = 0;
  double told_bound_;
  double nearest_ = 0, told_nearest_ = 0;
};

}  // namespace geco
