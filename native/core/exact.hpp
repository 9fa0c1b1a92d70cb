// Exact: the nearest allowed good candidate, proved by branch and bound over boxes of options.
//
// Boxes wait in order of the distance that nothing good in them can be below. The nearest box is narrowed by the
// forest's bounds, by the rules and by what is left of the reach; if its nearest candidate meets the conditions and
// obeys the rules that candidate is handed out to be judged, otherwise the box is split along the leaves of a factor,
// or along a rule.
//
// Asked for minimal ways, it goes on: what a way leaves out (all that contains it without halving what the two share)
// is taken out of the boxes that wait, and the nearest of what is left is the next way. Of equally near candidates the
// one with the fewest changes and then the lowest rows comes first, so all boxes as near as a good candidate are looked
// at before it counts.
//
// Asked for sets, every different set of changed groups with an irreducible answer nearer than the reach is found, its
// nearest first. Where a change of the nearest candidate can be undone, the part of the box is left out of which that
// is true as well.
#pragma once
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <queue>

#include "core/certain.hpp"
#include "core/clauses.hpp"
#include "core/eased.hpp"
#include "core/factors.hpp"

namespace geco {

class Exact {
 public:
  struct Settings {
    std::size_t most_leaves = 2048;  // of a merged factor
    std::size_t most_words = kAnyWords;  // of all leaves of all trees
    std::size_t most_bytes = 512u << 20;  // of the boxes that wait
    enum class Proves { nearest, minimal, sets } proves = Proves::nearest;
    std::size_t ways = 1;  // minimal: so many are enough
    std::int64_t most_ties = 4096;  // boxes looked at for one that is as near and comes first
  };
  // `reach`: the distance of the best known answer; only what is nearer is looked for.
  // Throws OutOfTime where the bounds cannot be built in time, or with so many words.
  Exact(const Space& space, const Bounds& bounds, double reach, Settings settings, const Until& until);

  // Looks at up to so many boxes; ends earlier with a candidate to be judged, written to `rows`, or when the time is
  // over: the box that was being looked at then waits again, and nothing is lost but that look. A pause is made between
  // two boxes only, so that each ask gets on.
  bool ask(std::int64_t boxes, Row* rows, const Until& until, const Until& pause = Until());
  bool paused() const { return paused_; }
  // Whether the candidate handed out last is good, whether one of its changes can be undone, and the reach from now on.
  void tell(bool good, bool reducible, double reach);

  bool asking() const { return asking_; }
  bool complete() const {
    return !asking_ && (ways_.size() >= settings_.ways || (judged_.empty() && nothing_nearer_than(reach_)));
  }
  bool full() const { return pool_.size() * sizeof(Word) + packed_ > settings_.most_bytes; }
  // No allowed good candidate is nearer; the reach itself once it is proved that none is nearer than that.
  double lower() const;
  double reach() const { return reach_; }
  std::int64_t boxes() const { return boxes_; }
  // Minimal ways that are proved, in order; one that is known already need not be found again.
  const std::vector<std::vector<Row>>& ways() const { return ways_; }
  void leave_out(std::vector<Row> way) { ways_.push_back(std::move(way)); }

 private:
  using Met = std::shared_ptr<const Factors::Met>;
  // What a box was part of: what that met, and the leaf of a factor along which it was split.
  struct Part {
    Met met;
    std::int32_t factor = -1, leaf = 0;
    Factors::Of of() const { return {met.get(), factor, leaf}; }
  };
  struct Waiting {
    double distance;
    std::size_t slot;
    std::int64_t number;
    Part part;
    bool operator<(const Waiting& o) const {  // the nearest on top, of equals the latest
      return distance != o.distance ? distance > o.distance : number < o.number;
    }
  };
  using Changed = std::vector<bool>;  // per group
  struct Later {
    std::vector<Word> box;
    double least;
    Part part;
  };
  void push(const std::vector<Word>& box, double least) { push(box, least, {met()}); }
  void push(const std::vector<Word>& box, double least, Part part);
  const Met& met();
  bool look(Row* rows, const Until& until);
  bool is_no_way(const Until& until);
  std::optional<std::vector<Word>> reducible_part(const Until& until) const;
  Changed changed() const;
  std::vector<Word> same_changed() const;
  std::vector<Word> nearest_alone() const;
  void push_without(const std::vector<Word>& part);
  void push_eased(std::size_t way);
  bool nothing_nearer_than(double distance) const { return queue_.empty() || queue_.top().distance >= distance; }
  bool left_out_by(const Row* rows, const std::vector<Row>& way) const;
  bool comes_first(const Row* a, const Row* b) const;
  bool may_come_first(const std::vector<Row>& than) const;
  bool accept();
  bool wants(Settings::Proves what) const { return settings_.proves == what; }
  void split_by_leaves();
  void split_by_rule(std::int32_t rule);

  const Space& space_;
  Settings settings_;
  const Conditions& conditions_;
  Options options_;
  Clauses clauses_;
  std::optional<Factors> factors_;
  std::optional<Certain> certain_;  // ways
  bool x_apart_;
  double reach_;
  std::vector<Word> pool_;  // boxes that wait
  std::vector<std::size_t> free_;  // slots of the pool
  std::size_t packed_ = 0;  // bytes of leaves that parts of a box share
  std::priority_queue<Waiting> queue_;
  // The box that is being looked at, what it was part of, and the leaves it met once a part of it waits.
  std::vector<Word> box_;
  Part from_;
  Met met_;
  Factors::Reached reached_;
  std::vector<Row> nearest_;
  double least_ = 0;
  bool asking_ = false, paused_ = false;
  // Ways: the distance of the nearest irreducible answer per set of changed groups.
  std::map<Changed, double> found_;
  // Minimal ways: those that are proved; good candidates that may be the next one, the first of them in front; boxes
  // that are as near as that but cannot come before it.
  std::vector<std::vector<Row>> ways_, judged_;
  std::vector<Later> later_;
  std::vector<Eased> eased_;  // by the first of the ways
  std::int64_t ties_ = 0;  // boxes looked at that are as near as the first of the judged
  std::int64_t boxes_ = 0, pushed_ = 0;
};

}  // namespace geco
