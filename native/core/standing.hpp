// What the model said of x itself, and whether rounds have to end for a reason that the search does not know.
//
// One for the loop in src/geco/algorithm1.py and for the one in the core (sweeping.hpp), whichever carries them out.
#pragma once
#include <cmath>
#include <limits>

#include "core/clock.hpp"

namespace geco {

class Standing {
 public:
  // `kept` seconds of the clock are left for the confirmation.
  Standing(const Clock& clock, double kept, bool x_obeys) : clock_(clock), kept_(kept), x_obeys_(x_obeys) {}

  // x is asked about with the first round.
  bool first() const { return !told_; }
  void tell_x(double outcome, double number) { told_ = true, x_outcome_ = outcome, x_number_ = number; }
  double x_outcome() const { return x_outcome_; }
  double x_number() const { return x_number_; }
  // x has the wanted outcome and obeys every rule.
  bool already_good() const { return x_outcome_ > 0.5 && x_obeys_; }
  // Nothing can be said about an x without a number.
  bool unknowable() const { return told_ && std::isnan(x_number_); }

  // For the next round: the first is always carried out, for something must be known of x, however late it is.
  double seconds() const { return told_ ? clock_.left() - kept_ : Until::kNever; }
  // Looks at the clock, before a round.
  bool late() { return late_ = late_ || seconds() <= 0; }
  // A round under way was out of time.
  void give_up() { late_ = true; }
  bool was_late() const { return late_; }
  bool over() const { return late_ || unknowable() || already_good(); }

 private:
  const Clock& clock_;
  double kept_;
  bool x_obeys_, told_ = false, late_ = false;
  double x_outcome_ = std::numeric_limits<double>::quiet_NaN(), x_number_ = x_outcome_;
};

}  // namespace geco
