// Spans: the rows of a sorted table that something holds for, as where they begin and end.
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace geco {

using Row = std::int32_t;

// Whether it holds for x, and for which rows from 1 on: those from an edge of even position up to the edge after it.
struct Spans {
  bool x = false;
  std::vector<Row> edges;  // rising

  static Spans of(bool x, Row from, Row to) { return {x, from < to ? std::vector<Row>{from, to} : std::vector<Row>()}; }
  // Of a byte per row, slot 0 being x.
  static Spans of(std::span<const std::uint8_t> holds) {
    Spans made{holds[0] != 0, {}};
    bool in = false;
    for (std::size_t r = 1; r < holds.size(); ++r)
      if ((holds[r] != 0) != in) made.edges.push_back(static_cast<Row>(r)), in = !in;
    if (in) made.edges.push_back(static_cast<Row>(holds.size()));
    return made;
  }

  bool holds(Row r) const { return r == 0 ? x : within(edges, r); }
  static bool within(std::span<const Row> edges, Row r) {
    std::size_t passed = 0;
    if (edges.size() <= 8)
      for (const Row edge : edges) passed += edge <= r;
    else passed = std::upper_bound(edges.begin(), edges.end(), r) - edges.begin();
    return passed % 2 != 0;
  }

  // `keep` says of what is in either of the two, in both or in one, whether it stays; nothing comes from neither.
  template <class Keep>
  static Spans merged(const Spans& a, const Spans& b, Keep keep) {
    Spans made{keep(a.x, b.x), {}};
    std::size_t i = 0, j = 0;
    bool in = false;
    while (i < a.edges.size() || j < b.edges.size()) {
      const Row at = j == b.edges.size() || (i < a.edges.size() && a.edges[i] < b.edges[j]) ? a.edges[i] : b.edges[j];
      if (i < a.edges.size() && a.edges[i] == at) ++i;
      if (j < b.edges.size() && b.edges[j] == at) ++j;
      if (keep(i % 2 != 0, j % 2 != 0) != in) made.edges.push_back(at), in = !in;
    }
    return made;
  }
  static Spans both(const Spans& a, const Spans& b) {
    return merged(a, b, [](bool p, bool q) { return p && q; });
  }
  static Spans either(const Spans& a, const Spans& b) {
    return merged(a, b, [](bool p, bool q) { return p || q; });
  }
  static Spans without(const Spans& a, const Spans& b) {
    return merged(a, b, [](bool p, bool q) { return p && !q; });
  }
};

}  // namespace geco
