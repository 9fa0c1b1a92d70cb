// All lines that are asked together: parents near x by what is known there, others by walking every tree.
#include <array>
#include <cstring>

#include "core/sweep.hpp"

namespace geco {
namespace {

constexpr std::size_t kParents = 16;  // parents of lines that walk a tree together
constexpr std::size_t kNodesPerParent = 8;  // a cut-down tree with more than so many is not worth making

// Behind the last line of this one's parent.
std::size_t same_parent(const LinesView& lines, std::size_t first) {
  std::size_t last = first + 1;
  const std::size_t bytes = lines.width * sizeof(Row);
  while (last < lines.size() && lines.groups[last] > lines.groups[last - 1] &&
         std::memcmp(lines.parent(first), lines.parent(last), bytes) == 0)
    ++last;
  return last;
}

}  // namespace

std::vector<double> Forest::lines(std::span<const std::int32_t> x, const LinesView& lines, const Until& until,
                                  Turns* turns, NearX* near) const {
  std::vector<double> out(lines.rows.size() * outputs_);
  NearX nothing;
  NearX& known = near ? *near : nothing;
  std::array<Sweep*, kParents> sweeps;
  std::size_t under_way = 0;
  auto walk = [&] {
    Narrowed narrowed(*this, trees_, under_way > 1 ? kNodesPerParent * under_way : 0);
    for (std::size_t i = 0; i < under_way; ++i) sweeps[i]->spread(narrowed);
    if (near && adds_up_) known.narrow(*this, narrowed);
    for (std::size_t t = 0; t < trees_.roots.size() && adds_up_; ++t) {
      if (t % kLook == 0) until.look();
      const Narrowed::Tree tree = narrowed.tree(t);
      for (std::size_t i = 0; i < under_way; ++i) sweeps[i]->tree(t, tree);
    }
    for (std::size_t i = 0; i < under_way; ++i) sweeps[i]->end(lines, out.data(), turns);
    under_way = 0;
  };
  if (lines.of_x && known.number() != lines.of_x->number) known.look(*this, x, *lines.of_x);
  for (std::size_t first = 0, last; first < lines.size(); first = last) {
    last = same_parent(lines, first);
    Sweep& sweep = *(sweeps[under_way] = &known.sweep(under_way, *this, x));
    sweep.begin(lines, first, last);
    if (lines.of_x && sweep.trees_near(known)) {
      until.look();
      if (under_way > 0) walk();  // in the order of lines
      sweep.end(lines, out.data(), turns);
    } else if (++under_way == kParents) {
      walk();
    }
  }
  if (under_way > 0) walk();
  return out;
}

}  // namespace geco
