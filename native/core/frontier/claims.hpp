// Claims: what a search may propose. A candidate is claimed once it obeys every rule, is near enough and was never
// proposed before; what the model then says of it is kept in the archive.
#pragma once
#include "core/archive.hpp"
#include "core/cascade.hpp"
#include "core/frontier/round.hpp"

namespace geco {

class Claims {
 public:
  Claims(const Space& space, Archive& archive) : space_(space), archive_(archive), counts_(space) {}

  const Space& space() const { return space_; }
  Archive& archive() { return archive_; }
  const Archive& archive() const { return archive_; }
  const CascadeCounts& counts() const { return counts_; }

  // Repairs the candidate (by the nearest rows, or by rows drawn; a pinned group stays) and claims it.
  bool claim(std::vector<Row>& rows, double bound, std::int32_t pinned = -1, Rng* rng = nullptr) {
    const std::int64_t repaired = counts_.repaired;
    const bool obeys = Cascade::apply(space_, rows.data(), rng, counts_, pinned);
    as_it_was_ = obeys && counts_.repaired == repaired;
    if (!obeys) return false;
    const double distance = space_.distance(rows.data());
    return distance < bound && archive_.insert_at(rows.data(), distance).second;
  }
  // Whether the candidate that was to be claimed last obeyed every rule without repair, so that nothing was counted.
  bool as_it_was() const { return as_it_was_; }
  // What the model said of a candidate; NaN: it was not asked.
  void score(const Row* rows, double outcome, double number) {
    if (!std::isnan(outcome)) archive_.score(archive_.insert(rows).first, outcome, number);
  }
  // The same of a candidate of a line that was not claimed before; what is known of it already stays.
  void keep(const Archive::Line& line, const Row* rows, double distance, double outcome, double number) {
    const std::int64_t index = archive_.insert_on(line, rows, distance).first;
    if (std::isnan(archive_.outcome(index))) archive_.score(index, outcome, number);
  }

 private:
  const Space& space_;
  Archive& archive_;
  CascadeCounts counts_;
  bool as_it_was_ = true;
};

}  // namespace geco
