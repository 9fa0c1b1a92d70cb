// Thinned: a few rows of every line, for a model that is asked row by row. Rules are kept by repairing each candidate
// before it is asked about; what needed a repair is asked as a point.
#pragma once
#include "core/frontier/expansion.hpp"
#include "core/frontier/foresight.hpp"

namespace geco {

class Thinned final : public Expansion {
 public:
  Thinned(Claims& claims, const FrontierSettings& settings) : Expansion(claims, settings), foresight_(claims.space()) {}

  void begin(const Sight& sight, Round&) override;
  bool expand(const Parent& parent, const Sight& sight, Round& round) override;
  std::vector<Row> tell(const Round& round, Told lines, double bound) override;
  std::vector<Shown> shown(std::int64_t parent, double bound) const override;
  bool whole_lines() const override { return false; }

 private:
  class Line;
  std::vector<Row> pick(const Line& line, int m, std::uint64_t round) const;
  void choose_positions(const Line& line, int half, int share, std::uint64_t round, Rng& rng,
                        std::vector<std::size_t>& positions) const;

  Foresight foresight_;
};

}  // namespace geco
