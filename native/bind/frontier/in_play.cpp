#include "core/frontier/in_play.hpp"

#include "bind/arrays.hpp"

namespace geco::bind {

void bind_in_play(nb::module_& m) {
  nb::class_<InPlay>(m, "InPlay")
      .def(nb::init<>())
      .def("follow", &InPlay::follow, nb::arg("archive"), "Take in what the archive has learned since the last time.")
      .def(
          "add",
          [](InPlay& p, const std::vector<std::tuple<double, double, std::int64_t, std::int32_t>>& nodes) {
            std::vector<Node> fresh;
            for (const auto& [distance, outcome, index, changed] : nodes) {
              require(index >= 0 && changed >= 0, "in play: numbers from 0");
              fresh.push_back({distance, outcome, index, changed});
            }
            p.add(std::move(fresh));
          },
          nb::arg("nodes"), "Distance, outcome, index in the archive, and the number of the set of changed groups.")
      .def(
          "within",
          [](const InPlay& p, double bound) {
            std::vector<std::int64_t> indices;
            for (const Node& node : p.within(bound)) indices.push_back(node.index);
            return indices;
          },
          nb::arg("bound"), "Indices of what is nearer, nearest first, and of the counterfactuals that are as far.");
}

}  // namespace geco::bind
