// Whom a round expands: candidates along the frontier of (distance, outcome), good ones, and explorers.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/frontier.hpp"

namespace geco {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kReach[3] = {0.5, 0.25, 0.75};  // of the bound: where an explorer may stand, in turn

}  // namespace

// All that is scored stays in order from round to round, and only what is new is sorted.
std::span<const Frontier::Node> Frontier::nodes_in_play() {
  expanded_.resize(archive_.size(), 0);
  for (; seen_ < archive_.size(); ++seen_) unscored_.push_back(static_cast<std::int64_t>(seen_));
  std::vector<Node> fresh;
  std::erase_if(unscored_, [&](std::int64_t i) {
    const double outcome = archive_.outcome(i);
    if (std::isnan(outcome)) return false;
    fresh.push_back({archive_.distance(i), std::min(outcome, 0.5 + 1e-9), i, archive_.changed_groups(i)});
    return true;
  });
  auto nearer = [](const Node& a, const Node& b) {
    if (a.distance != b.distance) return a.distance < b.distance;
    return a.outcome != b.outcome ? a.outcome > b.outcome : a.index < b.index;
  };
  std::sort(fresh.begin(), fresh.end(), nearer);
  const auto before = static_cast<std::ptrdiff_t>(nodes_.size());
  nodes_.insert(nodes_.end(), fresh.begin(), fresh.end());
  std::inplace_merge(nodes_.begin(), nodes_.begin() + before, nodes_.end(), nearer);
  const auto end = std::partition_point(nodes_.begin(), nodes_.end(), [&](const Node& n) {
    return n.distance < bound_ || (n.distance == bound_ && n.outcome > 0.5);
  });
  return {nodes_.begin(), end};
}

std::vector<std::int64_t> Frontier::choose_parents() {
  const std::span<const Node> nodes = nodes_in_play();
  std::vector<std::int64_t> chosen;
  auto wanted = static_cast<std::size_t>(settings_.parents);
  std::vector<int> per_delta(archive_.changed_sets());
  tried_.resize(archive_.changed_sets());
  auto choose = [&](const Node& node) {
    chosen.push_back(node.index);
    ++per_delta[node.changed];
    ++tried_[node.changed];
  };

  // The nearest counterfactuals, to bring them nearer still; their number grows with the ways asked for.
  std::size_t good = 0;
  // A second look at thinned lines shows other rows. Whole ones have shown their nearest good row: a look is spared.
  const bool whole = swept() && settings_.rows_per_line == 0;
  std::size_t spared = 0;
  const std::size_t good_wanted = std::clamp<std::size_t>(wanted / 2, 1, 2 + settings_.k);
  for (const Node& node : nodes) {
    if (good == good_wanted) break;
    if (node.outcome > 0.5 && per_delta[node.changed] < 1) {
      ++good;
      const bool known = whole && expanded_[node.index] == 1;
      if (expanded_[node.index] < 2 && !known) choose(node);
      else ++per_delta[node.changed];
      if (known) ++expanded_[node.index], ++spared;
    }
  }
  wanted -= spared;
  // The frontier itself, and the rest. A quarter explores: in the Δ sets expanded least, the highest outcome that leaves
  // room for one more change. Effects that only show together are found here.
  auto open = [&](const Node& node) {
    return !expanded_[node.index] && std::find(chosen.begin(), chosen.end(), node.index) == chosen.end();
  };
  std::vector<const Node*> eligible, rest, explorers(archive_.changed_sets());
  double best = -1;
  for (const Node& node : nodes) {
    const bool on_frontier = node.outcome > best;
    best = std::max(best, node.outcome);
    if (!open(node)) continue;
    (on_frontier ? eligible : rest).push_back(&node);
    if (node.outcome > 0.5) continue;
    const double reach = bound_ == kInfinity ? kInfinity : bound_ * kReach[tried_[node.changed] % 3];
    const Node*& explorer = explorers[node.changed];
    if (node.distance <= reach && (!explorer || node.outcome > explorer->outcome)) explorer = &node;
  }
  std::erase(explorers, nullptr);
  std::sort(explorers.begin(), explorers.end(), [&](const Node* a, const Node* b) {
    const int ta = tried_[a->changed], tb = tried_[b->changed];
    return ta != tb ? ta < tb : a->distance != b->distance ? a->distance < b->distance : a->index < b->index;
  });
  const std::size_t before = chosen.size();
  for (std::size_t i = 0; i < explorers.size() && i < wanted / 4 && chosen.size() < wanted; ++i) choose(*explorers[i]);
  if (chosen.size() > before)
    for (auto* left_over : {&eligible, &rest}) std::erase_if(*left_over, [&](const Node* n) { return !open(*n); });
  // Spread from the nearest to the highest outcome.
  const std::size_t room = wanted - chosen.size();
  for (std::size_t i = 0; i < std::min(room, eligible.size()); ++i)
    choose(*eligible[eligible.size() <= room || room == 1 ? i : i * (eligible.size() - 1) / (room - 1)]);
  // Plateaus must not end the search: further Pareto layers of what is open, nearest first, a few per Δ set; then all.
  std::vector<const Node*> layer, left;
  while (chosen.size() < wanted && !rest.empty()) {
    layer.swap(rest);
    rest.clear();
    best = -1;
    for (const Node* node : layer) {
      if (chosen.size() == wanted) break;
      if (node->outcome <= best) {
        rest.push_back(node);
        continue;
      }
      best = node->outcome;
      if (per_delta[node->changed] < settings_.per_delta) choose(*node);
      else left.push_back(node);
    }
  }
  for (const Node* node : left)
    if (chosen.size() < wanted) choose(*node);
  // Nothing new is left: look again at what was expanded with thinned lines, nearest first.
  if (chosen.empty())
    for (const Node& node : nodes) {
      if (chosen.size() == wanted) break;
      if (expanded_[node.index] < 2) chosen.push_back(node.index);
    }
  return chosen;
}

}  // namespace geco
