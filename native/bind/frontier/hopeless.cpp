#include "core/frontier/hopeless.hpp"

#include "bind/arrays.hpp"

namespace geco::bind {
namespace {

void follow(Hopeless& h, Archive& archive, const std::vector<std::int64_t>& ways) {
  for (std::int64_t way : ways)
    require(way >= 0 && way < static_cast<std::int64_t>(archive.size()), "hopeless: ways are numbers of the archive");
  for (std::size_t i = 0; i < archive.size(); ++i) archive.changed_groups(i);
  h.follow(ways);
}

std::vector<bool> each(Hopeless& h, const Archive& archive, const std::vector<std::int64_t>& candidates) {
  std::vector<bool> verdicts;
  for (std::int64_t i : candidates) {
    require(i >= 0 && i < static_cast<std::int64_t>(archive.size()), "hopeless: candidates are numbers of the archive");
    verdicts.push_back(h(i));
  }
  return verdicts;
}

}  // namespace

void bind_hopeless(nb::module_& m) {
  nb::class_<Hopeless>(m, "Hopeless")
      .def(nb::init<const Archive&>(), nb::arg("archive"), nb::keep_alive<1, 2>())
      .def("follow", &follow, nb::arg("archive"), nb::arg("ways"), "These are the ways from here on.")
      .def("each", &each, nb::arg("archive"), nb::arg("candidates"),
           "Per candidate whether it contains one of the ways and does not halve it.");
}

}  // namespace geco::bind
