// Proofs: after every stage of a search, the proof that its ways are the nearest there are, or what is nearer.
//
// A proof looks at boxes (exact.hpp) nearer than the last way that is known. Whatever it finds is a point of a round,
// scored like all others and ranked among the ways. How far it goes is a number of boxes, the same on every machine.
#pragma once
#include <optional>

#include "core/archive.hpp"
#include "core/exact.hpp"
#include "core/frontier/round.hpp"
#include "core/standing.hpp"

namespace geco {

class Proofs {
 public:
  struct Settings {
    Kind kind = Kind::minimal;
    bool several = true;      // not only the nearest is to be proved, but as many ways as a stage looks for
    std::int64_t boxes = 0;   // in all
    double seconds = Until::kNever;  // the same by a clock
    std::size_t most_words = kAnyWords;  // of all leaves; a proof with more is not begun
  };
  Proofs(const Space& space, Archive& archive, const Bounds& bounds, const Standing& standing, Settings settings);

  // So many ways were looked for. False: they are not to be proved.
  bool begin(std::size_t ways);
  // Adds what is to be judged next to the round, or nothing for now. False: this proof has ended.
  bool ask(Round& round);
  void tell(Told points);
  // Nothing was asked because of the clock: no round that anybody may count, or records would differ.
  bool paused() const { return exact_ && exact_->paused(); }

  std::size_t proved() const { return proved_; }  // so many leading ways; what comes next may not be the next
  bool none_left() const { return none_left_; }   // there are no other ways
  double lower() const { return lower_; }         // nothing good is nearer
  bool full() const { return full_; }             // the memory was
  std::int64_t boxes() const { return boxes_ + (exact_ ? exact_->boxes() : 0); }

 private:
  bool look_within(double reach);
  double reach();
  void add_undos(const Row* rows, Round& round) const;
  void settle();
  bool ask_parts(Round& round);
  bool farther();
  void end();
  bool minimal() const { return settings_.kind == Kind::minimal; }
  bool over() const { return boxes() >= settings_.boxes || exact_->full() || seconds() <= 0; }
  double seconds() const { return std::min(standing_.seconds(), settings_.seconds - spent_ - since(begun_)); }

  const Space& space_;
  Archive& archive_;
  const Bounds& bounds_;
  const Standing& standing_;
  Settings settings_;
  std::optional<Exact> exact_;
  std::size_t wanted_ = 0, proved_ = 0;
  double reach_ = 0, lower_ = 0, spent_ = 0;
  Steady::time_point begun_;
  bool judging_ = false, none_left_ = false, full_ = false;
  std::int64_t boxes_ = 0;  // of proofs that have ended
};

}  // namespace geco
