#include "core/ground.hpp"

#include "bind/steps.hpp"

namespace geco::bind {
namespace {

using List = nb::typed<nb::list, nb::object>;

Slot slot_of(nb::handle source, std::size_t columns) { return steps_of(nb::cast<nb::tuple>(source), columns).first; }

PredicateSlots predicate_of(nb::handle source, std::size_t columns) {
  auto [slots, decided] = nb::cast<std::tuple<nb::list, nb::object>>(source);
  PredicateSlots p;
  for (nb::handle slot : slots) p.slots.push_back(slot_of(slot, columns));
  if (!decided.is_none()) p.decided = slot_of(decided, columns);
  return p;
}

void begin(Grounds* self, List rules, std::size_t columns) {
  std::vector<RuleSlots> made;
  for (nb::handle item : rules) {
    auto [antecedents, consequent, keeps] = nb::cast<std::tuple<nb::list, nb::object, bool>>(item);
    RuleSlots rule{{}, predicate_of(consequent, columns), keeps};
    for (nb::handle p : antecedents) rule.antecedents.push_back(predicate_of(p, columns));
    made.push_back(std::move(rule));
  }
  new (self) Grounds(std::move(made), columns);
}

nb::object of(const Grounds& grounds, const std::vector<double>& x) {
  require(x.size() == grounds.columns(), "grounds: one number per feature");
  const auto found = grounds(x);
  if (!found) return nb::none();
  const auto& [rules, kept, constants] = found->rules;
  const nb::bytes states(reinterpret_cast<const char*>(kept.data()), kept.size());
  return nb::make_tuple(rules, states, constants, found->missing, found->skipped);
}

}  // namespace

void bind_ground(nb::module_& m) {
  nb::class_<Grounds>(m, "Grounds")
      .def("__init__", &begin, nb::arg("rules"), nb::arg("columns"),
           "Per rule its antecedents and its consequent, each with what fills its slots and what decides it or None, "
           "and whether it keeps a feature as it is; over so many numbers of x.")
      .def("of", &of, nb::arg("x"),
           nb::sig("def of(self, x: Sequence[float]) -> tuple[list[int], bytes, list[float], list[int], "
                   "list[tuple[int, int]]] | None"),
           "C_x as Deployment.space takes it; of its rules those that ask that a feature stays missing; rules that are "
           "skipped, and the feature that x lacks. None where it is left to Python.");
}

}  // namespace geco::bind
