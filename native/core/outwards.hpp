// Outwards: the choices of a table by place in the order of their distance, without making a list of them.
//
// On either side of x they are sorted by distance, so the order is that of two sorted lists merged, and who stands at a
// position of it is found by halving. docs/decisions/0010.
#pragma once
#include "core/ruler.hpp"

namespace geco {

class Outwards {
 public:
  // The ruler must outlive it.
  explicit Outwards(const Ruler& ruler)
      : ruler_(ruler), slopes_(ruler.slopes()), below_(ruler.chosen().below), above_(ruler.chosen().above),
        down_(ruler.chosen().down), up_(ruler.chosen().up), straight_(ruler.chosen().straight) {}

  // Who stands at this position; fast where positions rise from call to call.
  Row at(std::size_t position);
  // How many are nearer than this, in all and of one side (0: below x, 1: above).
  std::size_t nearer_than(double cost) const;
  std::size_t nearer_than(int side, double cost) const;
  // The one of a side that has so many between it and x; of equals below x, they stand by number here.
  Row at(int side, std::size_t i) const { return side == 1 ? up(i) : down(i); }
  // The last of one side that is no farther than this; 0 if there is none.
  Row last_within(int side, double cost) const;

 private:
  // Of one side, the one with so many between it and x.
  Row down(std::size_t i) const { return straight_ ? down_ - static_cast<Row>(i) : ruler_.choice(below_ - 1 - i); }
  Row up(std::size_t i) const { return straight_ ? up_ + static_cast<Row>(i) : ruler_.choice(below_ + i); }
  double down_cost(std::size_t i) const { return ruler_.total(down(i)); }
  double up_cost(std::size_t i) const { return ruler_.total(up(i)); }
  // How many of one side are within a cost, which holds up to a place.
  template <class Within>
  std::size_t count(bool up, double cost, Within within) const;
  Row down_in_order(std::size_t i, double cost) const;
  std::size_t guess(std::size_t least, std::size_t most, std::size_t position) const;

  const Ruler& ruler_;
  std::optional<Ruler::Slopes> slopes_;
  std::size_t below_, above_;  // how many there are
  Row down_, up_;  // the first of either side
  bool straight_;  // on either side there is nobody between them who is no choice
  std::size_t position_ = 0, passed_ = 0;  // asked for last; how many of those below x come before it
};

}  // namespace geco
