#include "core/frontier/parents.hpp"

#include <algorithm>

namespace geco {

// One round's choice, step by step.
class Parents::Choice {
 public:
  Choice(Parents& parents, const InPlay& in_play, double bound, const LeadsNowhere& leads_nowhere)
      : settings_(parents.settings_), looks_(parents.looks_), tried_(parents.tried_), nodes_(in_play.within(bound)),
        bound_(bound), wanted_(static_cast<std::size_t>(settings_.parents)), per_delta_(in_play.changed_sets()),
        explorers_(in_play.changed_sets()), leads_nowhere_(leads_nowhere) {}

  void take_counterfactuals(bool spare_second_looks);
  void sort_what_is_open();
  void take_explorers();
  void spread_along_the_frontier();
  void fill_up();
  void look_again();
  std::vector<Parent> chosen;

 private:
  void take(const Node& node) {
    chosen.push_back({node.index, looks_[node.index] == one});
    ++per_delta_[node.changed];
    ++tried_[node.changed];
  }
  bool is_chosen(const Node& node) const {
    return std::any_of(chosen.begin(), chosen.end(), [&](const Parent& p) { return p.index == node.index; });
  }
  void find_explorers();

  bool hopeless(const Node& node) const {
    return leads_nowhere_ && !(node.outcome > 0.5) && leads_nowhere_(node.index);
  }

  const FrontierSettings& settings_;
  std::vector<Looks>& looks_;
  std::vector<int>& tried_;
  std::span<const Node> nodes_;
  double bound_;
  std::size_t wanted_;
  std::vector<int> per_delta_;
  std::vector<const Node*> open_, frontier_, rest_;
  std::vector<const Node*> explorers_;  // per Δ set, or none
  const LeadsNowhere& leads_nowhere_;
};

std::vector<Parent> Parents::choose(const InPlay& in_play, double bound, const LeadsNowhere& leads_nowhere) {
  looks_.resize(std::max(looks_.size(), in_play.indices()), none);
  tried_.resize(in_play.changed_sets());
  Choice choice(*this, in_play, bound, leads_nowhere);
  choice.take_counterfactuals(whole_lines_);
  choice.sort_what_is_open();
  choice.take_explorers();
  choice.spread_along_the_frontier();
  choice.fill_up();
  if (choice.chosen.empty()) choice.look_again();
  return std::move(choice.chosen);
}

void Parents::expanded(const Parent& parent, bool whole, bool wide) {
  looks_.resize(std::max(looks_.size(), static_cast<std::size_t>(parent.index) + 1), none);
  looks_[parent.index] = whole && wide ? all : whole || parent.again ? enough : one;
}

void Parents::begin(const FrontierSettings& settings, bool whole_lines) {
  settings_ = settings, whole_lines_ = whole_lines;
  for (Looks& looks : looks_)
    if (looks != all) looks = none;
}

// The nearest counterfactuals, to bring them nearer still; their number grows with the ways asked for. A second look at
// thinned lines shows other rows; whole ones have shown their nearest good row.
void Parents::Choice::take_counterfactuals(bool spare_second_looks) {
  const std::size_t most = settings_.good_more + settings_.k;
  const std::size_t good_wanted = std::clamp<std::size_t>(wanted_ / settings_.good_share, 1, most);
  std::size_t good = 0, spared = 0;
  for (const Node& node : nodes_) {
    if (good == good_wanted) break;
    if (!(node.outcome > 0.5) || per_delta_[node.changed] > 0) continue;
    ++good;
    Looks& looks = looks_[node.index];
    const bool spare = spare_second_looks && looks == one;
    if (looks < enough && !spare) take(node);
    else ++per_delta_[node.changed];
    if (spare) looks = enough, ++spared;
  }
  wanted_ -= spared;
}

// The frontier itself and the rest. Which of the rest lead nowhere is found out where one would be taken.
void Parents::Choice::sort_what_is_open() {
  double best = -1;
  open_.reserve(nodes_.size()), rest_.reserve(nodes_.size());
  for (const Node& node : nodes_) {
    const bool on_frontier = node.outcome > best, good = node.outcome > 0.5;
    best = std::max(best, node.outcome);
    // What was chosen before this is good.
    if (looks_[node.index] != none || (good && is_chosen(node)) || (on_frontier && hopeless(node))) continue;
    (on_frontier ? frontier_ : rest_).push_back(&node);
    if (!good) open_.push_back(&node);
  }
}

// Per Δ set the highest outcome that leaves room for one more change, of equals the nearest. From far to near: outcomes
// mostly rise with distance, so that few have to be asked whether they lead nowhere.
void Parents::Choice::find_explorers() {
  std::vector<double> highest(explorers_.size(), -1);
  for (auto at = open_.rbegin(); at != open_.rend(); ++at) {
    const Node& node = **at;
    if (node.outcome < highest[node.changed]) continue;
    const double reach = bound_ == kInfinity ? kInfinity : bound_ * settings_.explorer_reach[tried_[node.changed] % 3];
    if (node.distance <= reach && !hopeless(node))
      explorers_[node.changed] = &node, highest[node.changed] = node.outcome;
  }
  std::erase(explorers_, nullptr);
}

// A quarter explores: in the Δ sets expanded least. Effects that only show together are found here.
void Parents::Choice::take_explorers() {
  const std::size_t room = wanted_ - std::min(wanted_, chosen.size());
  const std::size_t most = std::min(room, wanted_ / settings_.explorer_share);
  if (most == 0) return;
  find_explorers();
  const auto end = explorers_.begin() + static_cast<std::ptrdiff_t>(std::min(most, explorers_.size()));
  std::partial_sort(explorers_.begin(), end, explorers_.end(), [&](const Node* a, const Node* b) {
    const int ta = tried_[a->changed], tb = tried_[b->changed];
    return ta != tb ? ta < tb : a->distance != b->distance ? a->distance < b->distance : a->index < b->index;
  });
  explorers_.erase(end, explorers_.end());
  for (const Node* explorer : explorers_) {
    take(*explorer);
    std::erase(frontier_, explorer), std::erase(rest_, explorer);
  }
}

// From the nearest to the highest outcome.
void Parents::Choice::spread_along_the_frontier() {
  const std::size_t room = wanted_ - chosen.size(), many = frontier_.size();
  for (std::size_t i = 0; i < std::min(room, many); ++i)
    take(*frontier_[many <= room || room == 1 ? i : i * (many - 1) / (room - 1)]);
}

// Plateaus must not end the search: further Pareto layers of what is open, nearest first, a few per Δ set; then all.
void Parents::Choice::fill_up() {
  std::vector<const Node*> layer, left;
  while (chosen.size() < wanted_ && !rest_.empty()) {
    layer.swap(rest_);
    rest_.clear();
    double best = -1;
    for (const Node* node : layer) {
      if (chosen.size() == wanted_) break;
      if (node->outcome <= best) {
        rest_.push_back(node);
        continue;
      }
      if (hopeless(*node)) continue;
      best = node->outcome;
      if (per_delta_[node->changed] < settings_.per_delta) take(*node);
      else left.push_back(node);
    }
  }
  for (const Node* node : left)
    if (chosen.size() < wanted_) take(*node);
}

// Nothing new is left: what was expanded with thinned lines, nearest first.
void Parents::Choice::look_again() {
  for (const Node& node : nodes_) {
    if (chosen.size() == wanted_) break;
    if (looks_[node.index] < enough) chosen.push_back({node.index, looks_[node.index] == one});
  }
}

}  // namespace geco
