#include "core/frontier/claims.hpp"

#include "bind/checks.hpp"

namespace geco::bind {

void bind_claims(nb::module_& m) {
  nb::class_<Claims>(m, "Claims")
      .def(nb::init<const Space&, Archive&>(), nb::arg("space"), nb::arg("archive"), nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 3>())
      .def(
          "claim",
          [](Claims& c, std::vector<Row> rows, double bound) {
            check_rows(c.space(), rows);
            const bool claimed = c.claim(rows, bound);
            return std::make_pair(claimed, to_numpy(std::move(rows)));
          },
          nb::arg("rows"), nb::arg("bound"),
          "Repaired, nearer than the bound and never proposed before: whether it is, and the candidate.")
      .def_prop_ro("counts", &Claims::counts);
}

}  // namespace geco::bind
