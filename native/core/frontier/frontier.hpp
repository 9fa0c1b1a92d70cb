// FrontierSearch: keep the Pareto frontier of (distance, outcome) and expand it by lines.
//
// The paper ranks candidates that are not yet counterfactual by dist + 1 + (1 − M); distances are about 1e-3, so M
// alone decides and the near candidates that need one more small change are thrown away. Here a candidate stays in play
// if no nearer one has a higher outcome.
//
// A round is put together by parts that do not know each other: InPlay (what is scored), Parents (whom to expand), an
// Expansion (by which lines), Effects (which points beside them) and Ending (when to stop). docs/decisions/0007.
#pragma once
#include "core/frontier/effects.hpp"
#include "core/frontier/ending.hpp"
#include "core/frontier/expansion.hpp"
#include "core/frontier/hopeless.hpp"
#include "core/frontier/parents.hpp"
#include "core/proofs.hpp"

namespace geco {

class Frontier {
 public:
  // What is known of x: whether it breaks no rule as it stands, and whether there is anything to start from.
  struct Start {
    bool x_obeys = true, possible = true;
  };
  // `stages`: the settings for the nearest way, then for several, ...; the first way is the same after any of them.
  // `proofs`: what is proved of the ways of each stage before the next begins; null: nothing.
  Frontier(Claims& claims, Expansion& expansion, std::vector<FrontierSettings> stages, Start start,
           Proofs* proofs = nullptr);

  // The round stays with the frontier until it is told of it. `forest`: whoever scores it knows outlined lines.
  const Round& ask(const Forest* forest = nullptr);
  // What the model said of x and of what was asked last, points and then rows of lines.
  void tell(Told x, Told points, Told lines);
  const Round& asked() const { return round_; }

  bool x_obeys() const { return start_.x_obeys; }
  bool converged() const { return ending_.converged() && !proving_; }
  bool proving() const { return proving_; }
  Stopped stopped_by() const { return ending_.stopped_by(); }
  int rounds() const { return rounds_ + ending_.rounds(); }  // of proofs, too
  const Space& space() const { return claims_.space(); }
  double bound() const { return sight_.bound; }  // the distance of the k-th best way, or infinity

 private:
  void next_stage();
  void ask_proof();
  void first_round();
  void next_round();
  void look_around(const Ways& ways);
  void ask_undos(const Ways& ways);
  bool is_tight(std::int64_t way) const;
  void tighten(const Ways& ways);
  void combine(const Ways& ways);
  void ask_guesses();
  void ask_trades(std::int64_t good);
  void ask_jumps();
  void expand(const Ways& ways);
  bool expand(std::vector<Parent> parents);
  bool room_for_combinations() const;
  void score(Told told, std::span<const Row> points);

  Claims& claims_;
  Expansion& expansion_;
  std::vector<FrontierSettings> stages_;
  std::size_t stage_ = 0;
  FrontierSettings settings_;  // of this stage
  int rounds_ = 0;  // of the stages before, and of proofs
  Start start_;
  Proofs* proofs_;
  bool proving_ = false, ended_ = false;  // by a proof
  InPlay in_play_;
  Parents parents_;
  Hopeless hopeless_;
  Effects effects_;
  Ending ending_;
  Round round_;  // what was asked last
  Sight sight_{0, kInfinity, kInfinity};
  double stretch_;  // of the reach, while there are too few ways
  double nearest_ = 0, farthest_ = kInfinity;  // the distances of the best way and of the last, of the k-th at most
  std::vector<std::int64_t> bases_;  // of the parents expanded last, those whose effects are put together
  int tightened_ = 0;  // rounds of this stage that did
  std::vector<bool> narrowed_;  // per archive index: it was good when it was expanded
  std::vector<Row> repaired_;  // to be asked in the next round
};

}  // namespace geco
