#include "core/eased.hpp"

namespace geco {
namespace {

void keep(std::vector<Word>& box, std::size_t first, const std::vector<Word>& kept) {
  for (std::size_t w = 0; w < kept.size(); ++w) box[first + w] &= kept[w];
}

}  // namespace

Eased::Eased(const Space& space, const Options& options, const std::vector<Row>& way) {
  for (std::size_t g = 0; g < options.width(); ++g) {
    if (way[g] == 0) continue;
    const bool forced = space.is_forced(g);
    const auto halves = [&](Row r) { return r != 0 && (forced || space.groups[g].halves_change(r, way[g])); };
    changed_.push_back({options[g].first, options.where(g, [](Row r) { return r == 0; }),
                        options.where(g, [](Row r) { return r != 0; }), options.where(g, halves)});
    compared_ |= !forced;
  }
}

std::vector<std::vector<Word>> Eased::parts(const std::vector<Word>& box) const {
  std::vector<std::vector<Word>> made;
  auto rest = box;
  for (const Changed& changed : changed_) {
    keep(made.emplace_back(rest), changed.first, changed.same);
    keep(rest, changed.first, changed.other);
  }
  for (const Changed& changed : changed_) keep(rest, changed.first, changed.halved);
  if (compared_) made.push_back(std::move(rest));
  return made;
}

}  // namespace geco
