#include "core/certain.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace geco {
namespace {

constexpr std::size_t kAtOnce = 8;  // trees are decided by the candidate in so many rounds

}  // namespace

Certain::Certain(const Options& options, const Conditions& conditions, const std::vector<Leaves>& trees,
                 std::vector<double> base, std::span<const double> rounding, const Until& until)
    : options_(options), conditions_(conditions), base_(std::move(base)), sure_(conditions.sure) {
  trees_.reserve(trees.size());
  for (const Leaves& tree : trees) {  // large forests fill gigabytes
    until.look();
    trees_.push_back(tree);
  }
  for (std::size_t f = 0; f < sure_.size(); ++f) sure_[f] += rounding[f];
}

bool Certain::narrow(std::span<const std::int32_t> candidate, Word* box, const Until& until) const {
  const std::size_t forms = sure_.size();
  std::vector<std::size_t> leaf(trees_.size());
  std::vector<double> sums = base_;
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    until.look();
    while (leaf[t] < trees_[t].count() && !trees_[t].has(leaf[t], candidate)) ++leaf[t];
    for (std::size_t f = 0; f < forms; ++f) sums[f] += trees_[t].values[leaf[t] * forms + f];
  }
  if (!meets(sums, sure_, conditions_.forms)) return false;
  std::vector<double> per_tree;
  std::vector<std::size_t> order(trees_.size());
  std::iota(order.begin(), order.end(), 0);
  std::size_t decided = 0;
  while (true) {
    lowest(box, per_tree, sums, until);
    if (decided == trees_.size() || meets(sums, sure_, conditions_.forms)) return true;
    // First the trees by which the candidate is most above the lowest of the box.
    auto above = [&](std::size_t t) {
      double sum = 0;
      for (std::size_t f = 0; f < forms; ++f) sum += trees_[t].values[leaf[t] * forms + f] - per_tree[t * forms + f];
      return sum;
    };
    std::vector<double> gains(trees_.size());
    for (std::size_t i = decided; i < order.size(); ++i) gains[order[i]] = above(order[i]);
    const std::size_t next = std::min(order.size(), decided + std::max<std::size_t>(1, trees_.size() / kAtOnce));
    std::partial_sort(order.begin() + decided, order.begin() + next, order.end(),
                      [&](std::size_t a, std::size_t b) { return gains[a] != gains[b] ? gains[a] > gains[b] : a < b; });
    for (; decided < next; ++decided) trees_[order[decided]].narrow_to(leaf[order[decided]], options_, box);
  }
}

void Certain::lowest(const Word* box, std::vector<double>& per_tree, std::vector<double>& sums,
                     const Until& until) const {
  const std::size_t forms = sure_.size();
  per_tree.assign(trees_.size() * forms, std::numeric_limits<double>::infinity());
  sums = base_;
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    until.look();
    for (std::size_t l = 0; l < trees_[t].count(); ++l)
      if (trees_[t].meets(l, options_, box))
        for (std::size_t f = 0; f < forms; ++f)
          per_tree[t * forms + f] = std::min(per_tree[t * forms + f], trees_[t].values[l * forms + f]);
    for (std::size_t f = 0; f < forms; ++f) sums[f] += per_tree[t * forms + f];
  }
}

}  // namespace geco
