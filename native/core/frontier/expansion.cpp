#include "core/frontier/expansion.hpp"

#include <algorithm>
#include <cmath>

namespace geco {

Origin::Origin(const Claims& claims, std::int64_t index)
    : space(claims.space()), rows(claims.archive().rows(index), claims.archive().rows(index) + space.groups.size()),
      distance(claims.archive().distance(index)), good(claims.archive().outcome(index) > 0.5) {
  for (std::size_t g = 0; g < rows.size(); ++g)
    if (rows[g] != 0) changed_.push_back({g, space.groups[g].additive(rows[g])});
}

double Origin::left(std::size_t g, double bound) const {
  double rest = 0;  // without the largest term, which is not a sum: rows it would leave out may still be near enough
  for (const Term& term : changed_)
    if (term.group != g) rest += term.additive;
  return (good ? distance : bound) - rest;
}

void evenly_spaced(std::size_t n, int m, double shift, std::vector<std::size_t>& out) {
  const auto size = static_cast<double>(n);
  for (int i = 0; i < m && n > 0; ++i) out.push_back(std::min(n - 1, static_cast<std::size_t>((i + shift) / m * size)));
}

void ever_closer(std::size_t n, int m, std::vector<std::size_t>& out) {
  const double rate = std::pow(static_cast<double>(n), 1.0 / m);
  double away = 1;
  for (int i = 0; i < m; ++i, away *= rate)
    out.push_back(n - std::min(n, std::max<std::size_t>(i + 1, static_cast<std::size_t>(away))));
}

}  // namespace geco
