// ToCrossing: the rows of a line that a model can be asked about where it says itself where the line turns good: up to
// that row, and no more of those before it than show what there is to gain on the way (docs/decisions/0005).
#pragma once
#include <memory>
#include <vector>

#include "core/crossings.hpp"
#include "core/frontier/expansion.hpp"

namespace geco {

class ToCrossing {
 public:
  ToCrossing(const Space& space, std::unique_ptr<Network::Crossings> crossings);

  // The lines chosen from here on are this parent's.
  void begin(const Origin& parent) { crossings_->begin(parent.rows.data()); }
  // Adds the rows of its line of group g that cost less than `cost`, nearest first: the nearest good one and the next;
  // of those before it the knees and `spread` others. False, and nothing is added, where it is as well to ask about all
  // rows, or where it is not known what comes before the crossing: rules across groups may forbid it.
  bool choose(const Origin& parent, std::size_t g, double cost, double shift, std::size_t spread,
              std::vector<Row>& rows);

 private:
  struct Side;
  struct Chosen {
    double cost;
    Row row;
  };
  void choose_before(const Side& side, std::size_t spread, double shift);
  void add(const Side& side, std::size_t position);

  std::unique_ptr<Network::Crossings> crossings_;
  std::vector<bool> known_;  // per group: the model knows its lines, and no rule across groups looks at it
  std::vector<std::size_t> positions_;  // room for a side's
  std::vector<Chosen> chosen_;  // and for a line's
};

}  // namespace geco
