// Pieces: along a line a network with one hidden layer of ReLU is straight, but for breaks where a unit begins or ends.
//
// Units that stay on from one end of the line to the other are added up once, and each of the few that do not is added
// on its side of its break; then a value costs one multiplication, however wide the layer is.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace geco {

inline constexpr double kSlack = 1e-12;  // rounding leaves less of thousands of units, in whatever order

class Pieces {
 public:
  // Σ weights·relu(rest + t·of) over so many units, for t between two ends. False if it is not finite there.
  bool begin(std::size_t units, const double* rest, const double* of, const double* weights, double low, double high);
  // The same of constant + t·slope, which has no breaks.
  bool begin(double constant, double slope, double low, double high);
  // Fast where t rises or falls from call to call.
  double at(double t);
  // Where the sum first passes `sum`, going from t up to `last` or down to it; beyond `last` if it does not. `good`: of
  // a sum, whether it is on the other side.
  template <class Good>
  double turns(double t, double last, bool rises, double sum, Good good);
  // How many breaks come before t, how many there are, where one is and what is there.
  std::size_t before(double t);
  std::size_t breaks() const { return breaks_.size(); }
  double place(std::size_t b) const { return low_ + breaks_[b].t; }
  double at_break(std::size_t b) const { return pieces_[b].constant + breaks_[b].t * pieces_[b].slope; }

 private:
  struct Straight {
    double constant = 0, slope = 0;  // at the low end; per t
    void operator+=(const Straight& other) { constant += other.constant, slope += other.slope; }
  };
  struct Break {
    double t;  // from the low end
    Straight unit;
    bool begins;  // on after it; otherwise before it
  };

  void add_up(Straight always);

  double low_ = 0;
  std::vector<Break> breaks_;
  std::vector<Straight> pieces_;  // one more than breaks
  std::size_t piece_ = 0;  // where the last t was
  std::vector<double> turned_;  // room: per unit whether it begins or ends
};

template <class Good>
double Pieces::turns(double t, double last, bool rises, double sum, Good good) {
  constexpr double kNowhere = std::numeric_limits<double>::infinity();
  std::size_t p = before(t);
  // At a break, going down, the piece is the one below it.
  for (;;) {
    const bool more = rises ? p < breaks() : p > 0;
    const double end = more ? place(rises ? p : p - 1) : last;
    const bool reaches = !more || (rises ? end >= last : end <= last);
    const Straight& piece = pieces_[p];
    const double to = reaches ? last : end;
    if (good(piece.constant + (to - low_) * piece.slope)) {
      const double at = low_ + (sum - piece.constant) / piece.slope;
      return rises ? std::clamp(at, t, to) : std::clamp(at, to, t);
    }
    if (reaches) return rises ? kNowhere : -kNowhere;
    t = end;
    rises ? ++p : --p;
  }
}

}  // namespace geco
