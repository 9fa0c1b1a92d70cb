// Every number of the frontier search, together, each with the decision it comes from: docs/decisions/0003 is about
// the search, 0005 about swept lines. Python names none of them again (src/geco/search/frontier.py).
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "core/archive.hpp"

namespace geco {

struct FrontierSettings {
  // Rows of a line that can be afforded in a round: of a model that is asked row by row (0003); of a linear model and
  // of a network, for the nearest way alone (0005, "fewer rows of a line" and "other rows in every round"). Trees
  // afford all.
  static constexpr int kAskedRows = 4, kLinearRows = 360, kNetworkRows = 120;
  // Times as many in the first round, where x is the only parent (design).
  static constexpr int kFirst = 6;
  static constexpr double kSurest = 1e-4;  // log-odds are taken of nothing nearer to 0 or 1
  static constexpr double kGood = 0.5 + 1e-9;  // the outcome of every counterfactual: none is better than another
  // Rows of a thinned line stand elsewhere in every round (0005).
  static constexpr double kGolden = 0.6180339887498949;

  // What is given here are the numbers for lines that are asked row by row; `swept` has the others.
  int k = 1;  // different ways asked for
  Kind kind = Kind::minimal;  // what counts as different
  std::uint64_t seed = 0;

  // Parents (0003)
  int parents = 14;  // expanded per round: "about a dozen"
  int per_delta = 2;  // per Δ set and round beyond the first Pareto layer (design, section 2)
  int good_share = 2;  // one in so many is a counterfactual, to be brought nearer
  int good_more = 2;  // but no more of them than the ways asked for and so many
  int explorer_share = 4;  // "a quarter of the parents" is from the Δ sets expanded least
  double explorer_reach[3] = {0.5, 0.25, 0.75};  // of the bound: where an explorer may stand, in turn

  // How far a round looks
  int spare_ways = 4;  // ways looked at beyond two per way asked for: they may turn out reducible
  double stretch = 1.5;  // 0005, "few ways, short reach": times the distance of the farthest way,
  double stretch_growth = 2;  // and so many times as far in each further round

  // Lines; 0: all rows
  int rows_per_line = kAskedRows;
  int first_rows = kFirst * kAskedRows;  // of the first round
  int drawn_rows = 24;  // where the first round can ask about fewer, these are drawn by weight and spread
  int narrowing_rows = 64;  // of a swept line on which a counterfactual is brought nearer (0005), at least
  int crossing_rows = 6;  // before the row at which a line turns good, where a model says that; knees aside (0005)
  int second_look = 64;  // rows of a line looked at for the second time; it is the last
  double beyond_crossing = 0.25;  // how far behind the foreseen crossing a second row is asked
  // Kept of a swept line (0005)
  int plateau_rows = 3;  // though they set no record
  int record_rows = 8;  // of those that set one
  int repaired_rows = 3;  // of those that break a rule

  // Points beside the lines (0003)
  int combinations = 0;  // guesses and trades per round; 0: as many as there are
  int guesses = 9;  // per round, the cheapest of all parents': "the nine cheapest"
  int guess_before = 2, guess_after = 6;  // per parent, around the first sum that turns good
  int bases = 0;  // parents of a round whose effects are put together; 0: all of them
  int sums = 64;  // of effects, kept from group to group
  int trades = 3;  // per pair of groups and side
  int trade_tries = 3;  // per trade, where only some are drawn (0005, "from all pairs of groups")
  bool small_trades = false;  // two of three are small steps (0005, "half of the trades")
  double spent_least = 0.3, spent_range = 0.65;  // of what a trade saves, spent on the other change
  int jumps = 12;  // per round while nothing good is known

  // Ending
  int stalled = 7;  // rounds without a nearer k-th way: "six cost Adult/xgb one row of a hundred" (0003)
  int stalled_few = 3;  // the same while there are fewer than k: mostly there are no more to be had
  int max_rounds = 12;  // in all (0003)
  int end_game = 2;  // beyond them, that only settle what was found
  int tightenings = 0;  // of these, that also expand ways that never were (0005, "ways are brought nearer to the end")
  int patience = 60;  // rounds after which it ends without an answer (0003, jumps)

  // What a user has set of these; nothing: what suits the model.
  struct Given {
    std::optional<int> parents, rows_per_line, first_rows, combinations, max_rounds, per_delta, patience;
  };
  // For lines asked row by row, `rows` of each.
  static FrontierSettings thinned(int k, int rows);
  // For lines swept by a compiled model, of which it affords so many rows for the nearest way alone, or all.
  static FrontierSettings swept(int k, std::optional<int> rows, std::int64_t groups);
  FrontierSettings with(const Given& given) const;
  // For a model that may be asked about few rows in all: most of them for the first round, then small rounds that bring
  // the best answer nearer. `choices`: per group the rows that may be chosen.
  FrontierSettings within(std::int64_t max_rows, std::span<const std::int64_t> choices) const;
};

}  // namespace geco
