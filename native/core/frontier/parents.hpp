// Parents: whom a round expands. Candidates along the frontier of (distance, outcome), good ones, and explorers.
#pragma once
#include <functional>

#include "core/frontier/in_play.hpp"
#include "core/frontier/round.hpp"

namespace geco {

class Parents {
 public:
  // `whole_lines`: a line shows its nearest good row, so that a second look at a counterfactual is spared.
  Parents(const FrontierSettings& settings, bool whole_lines) : settings_(settings), whole_lines_(whole_lines) {}

  // Of candidates, by their index; counterfactuals aside.
  using LeadsNowhere = std::function<bool(std::int64_t)>;
  std::vector<Parent> choose(const InPlay& in_play, double bound, const LeadsNowhere& leads_nowhere = {});
  // The parent was expanded; `whole`: a second look would show nothing new, `wide`: not even if it looked farther.
  void expanded(const Parent& parent, bool whole, bool wide = false);
  // For rounds that look farther, by other settings: who was seen as far as there is anything is done with.
  void begin(const FrontierSettings& settings, bool whole_lines);

 private:
  class Choice;
  enum Looks : std::uint8_t { none, one, enough, all };

  FrontierSettings settings_;
  bool whole_lines_;
  std::vector<Looks> looks_;  // per archive index
  std::vector<int> tried_;    // per set of changed groups: parents expanded
};

}  // namespace geco
