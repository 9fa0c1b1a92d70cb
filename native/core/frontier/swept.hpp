// Swept: every row of every line within reach, or (of a model that tells all rows apart) as many as show its shape,
// rules across groups aside. A compiled model answers about them for next to nothing; few are kept
// (docs/decisions/0005).
#pragma once
#include <optional>

#include "core/frontier/expansion.hpp"
#include "core/frontier/to_crossing.hpp"

namespace geco {

class Swept final : public Expansion {
 public:
  // `crossings`: of a model that knows where its lines turn good; or null.
  Swept(Claims& claims, const FrontierSettings& settings, std::unique_ptr<Network::Crossings> crossings = nullptr);

  void begin(const Sight& sight, Round& round) override;
  bool expand(const Parent& parent, const Sight& sight, Round& round) override;
  std::vector<Row> tell(const Round& round, Told lines, double bound) override;
  std::vector<Shown> shown(std::int64_t parent, double bound) const override;
  bool whole_lines() const override { return settings_.rows_per_line == 0; }

 private:
  void look_around_x(const Sight& sight, double reach);
  bool choose_to_crossing(const Origin& parent, std::size_t g, double reach, double shift, std::vector<Row>& rows);
  bool choose_rows(const Group& group, std::size_t limit, bool good, double shift, Row now, std::vector<Row>& rows);
  const Outline* outline(const Forest* forest, std::size_t group, std::size_t limit);
  // Of the rows that are kept though they set no record, how far one is from the next.
  std::int64_t step(const Parent& parent, std::int64_t length) const;
  OutlinedLine list_few(const Parent& parent, const OutlinedLine& line, Round& round) const;
  struct Line;
  struct Found;
  void look_along(const Line& line, double bound, Found& found);
  void look_along(const Line& line, const OutlinedLine& whole, double bound, Found& found);
  bool look_at(const Line& line, std::int64_t position, bool other, double bound, Found& found);
  void keep(const Line& line, double bound, Found& found);
  void take(const Line& line, std::int64_t position, double bound, Found& found);

  std::optional<ToCrossing> to_crossing_;
  // What the lines of the last round's bases showed, parent by parent; it stays until the next round is told.
  std::vector<Shown> shown_;
  struct Base {
    std::int64_t parent;
    std::size_t first;  // of what it showed
  };
  std::vector<Base> bases_;
  std::vector<std::size_t> positions_;  // room for a line's
  struct Outlined {
    bool tried = false;
    std::shared_ptr<const Outline> outline;
  };
  std::vector<Outlined> outlines_;  // per group
  Round of_x_;  // the lines of x within so much reach
  double of_x_reach_ = 0;
  std::uint64_t of_x_number_ = 0;
};

}  // namespace geco
