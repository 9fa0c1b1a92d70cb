// Expansion: the lines of a parent, which rows of them are asked about and what is kept of the answers.
//
// Two strategies, given to a search at construction: Thinned asks about a few rows of a line, each of which is a
// candidate of its own; Swept asks about whole lines, which cost a compiled model next to nothing, and keeps few of
// their rows.
#pragma once
#include "core/frontier/claims.hpp"

namespace geco {

class Expansion {
 public:
  virtual ~Expansion() = default;
  const Claims& claims() const { return claims_; }
  void use(const FrontierSettings& settings) { settings_ = settings; }

  // Said once per round, before its parents are expanded.
  virtual void begin(const Sight& sight, Round& round) = 0;
  // Adds the lines of this parent to the round. True: a second look would show nothing new.
  virtual bool expand(const Parent& parent, const Sight& sight, Round& round) = 0;
  // What the model said of the lines of the round. Gives candidates that are to be asked as points in the next one.
  virtual std::vector<Row> tell(const Round& round, Told lines, double bound) = 0;
  // What the lines of a parent expanded last showed, group by group.
  virtual std::vector<Shown> shown(std::int64_t parent, double bound) const = 0;
  // A line shows its nearest good row the first time it is looked at.
  virtual bool whole_lines() const = 0;

 protected:
  Expansion(Claims& claims, const FrontierSettings& settings) : claims_(claims), settings_(settings) {}
  Claims& claims_;
  FrontierSettings settings_;
};

// What both look at: a parent as it was when its lines were made.
struct Origin {
  Origin(const Claims& claims, std::int64_t index);
  // A counterfactual is only brought nearer: lines of its changed groups, to rows that cost less.
  bool has_line(std::size_t g) const { return space.groups[g].free && !(good && rows[g] == 0); }
  // How many of the group's choices, nearest first, leave a candidate nearer than `bound`, or than the parent if it is
  // good.
  std::size_t limit(std::size_t g, double bound) const { return space.groups[g].nearer_than(left(g, bound)); }
  // What they may cost.
  double left(std::size_t g, double bound) const;

  const Space& space;
  std::vector<Row> rows;
  double distance;
  bool good;

 private:
  struct Term {
    std::size_t group;
    double additive;
  };
  std::vector<Term> changed_;
};

// Up to m positions of 0..n-1, evenly spread.
void evenly_spaced(std::size_t n, int m, double shift, std::vector<std::size_t>& out);
// Up to m of them that stand the closer together the nearer they are to the end.
void ever_closer(std::size_t n, int m, std::vector<std::size_t>& out);

}  // namespace geco
