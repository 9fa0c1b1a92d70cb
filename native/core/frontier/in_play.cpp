#include "core/frontier/in_play.hpp"

#include <algorithm>
#include <cmath>

#include "core/frontier/settings.hpp"

namespace geco {
namespace {

constexpr auto nearer = [](const Node& a, const Node& b) {
  if (a.distance != b.distance) return a.distance < b.distance;
  return a.outcome != b.outcome ? a.outcome > b.outcome : a.index < b.index;
};

}  // namespace

void InPlay::follow(Archive& archive) {
  for (; seen_ < archive.size(); ++seen_) unscored_.push_back(static_cast<std::int64_t>(seen_));
  std::vector<Node> fresh;
  std::erase_if(unscored_, [&](std::int64_t i) {
    const double outcome = archive.outcome(i);
    if (std::isnan(outcome)) return false;
    fresh.push_back({archive.distance(i), outcome, i, archive.changed_groups(i)});
    return true;
  });
  add(std::move(fresh));
}

void InPlay::add(std::vector<Node> fresh) {
  for (Node& node : fresh) {
    node.outcome = std::min(node.outcome, FrontierSettings::kGood);
    indices_ = std::max(indices_, static_cast<std::size_t>(node.index) + 1);
    changed_sets_ = std::max(changed_sets_, static_cast<std::size_t>(node.changed) + 1);
  }
  std::sort(fresh.begin(), fresh.end(), nearer);
  const auto before = static_cast<std::ptrdiff_t>(nodes_.size());
  nodes_.insert(nodes_.end(), fresh.begin(), fresh.end());
  std::inplace_merge(nodes_.begin(), nodes_.begin() + before, nodes_.end(), nearer);
}

std::span<const Node> InPlay::within(double bound) const {
  const auto end = std::partition_point(nodes_.begin(), nodes_.end(), [&](const Node& n) {
    return n.distance < bound || (n.distance == bound && n.outcome > 0.5);
  });
  return {nodes_.begin(), end};
}

}  // namespace geco
