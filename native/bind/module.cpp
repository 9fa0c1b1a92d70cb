#include "bind/arrays.hpp"
#include "core/until.hpp"

namespace geco::bind {
void bind_space(nb::module_& m);
void bind_deployment(nb::module_& m);
void bind_candidates(nb::module_& m);
void bind_archive(nb::module_& m);
void bind_settings(nb::module_& m);
void bind_claims(nb::module_& m);
void bind_in_play(nb::module_& m);
void bind_hopeless(nb::module_& m);
void bind_parents(nb::module_& m);
void bind_expansion(nb::module_& m);
void bind_effects(nb::module_& m);
void bind_ending(nb::module_& m);
void bind_frontier(nb::module_& m);
void bind_forest(nb::module_& m);
void bind_network(nb::module_& m);
void bind_judge(nb::module_& m);
void bind_scoring(nb::module_& m);
void bind_sweeping(nb::module_& m);
void bind_exact(nb::module_& m);
void bind_around(nb::module_& m);
void bind_prepared(nb::module_& m);
void bind_encoded(nb::module_& m);
void bind_reader(nb::module_& m);
void bind_ground(nb::module_& m);
void bind_places(nb::module_& m);
}  // namespace geco::bind

NB_MODULE(_core, m) {
  m.doc() = "geco's native core: operators over row numbers";
  // What Python still holds when it ends (an Explainer in a cache, say) is no leak of ours, and no news for a user.
  nb::set_leak_warnings(false);
  nb::exception<geco::OutOfTime>(m, "OutOfTime");
  geco::bind::bind_space(m);
  geco::bind::bind_deployment(m);
  geco::bind::bind_candidates(m);
  geco::bind::bind_archive(m);
  geco::bind::bind_settings(m);
  geco::bind::bind_claims(m);
  geco::bind::bind_in_play(m);
  geco::bind::bind_hopeless(m);
  geco::bind::bind_parents(m);
  geco::bind::bind_expansion(m);
  geco::bind::bind_effects(m);
  geco::bind::bind_ending(m);
  geco::bind::bind_frontier(m);
  geco::bind::bind_forest(m);
  geco::bind::bind_network(m);
  geco::bind::bind_judge(m);
  geco::bind::bind_scoring(m);
  geco::bind::bind_sweeping(m);
  geco::bind::bind_exact(m);
  geco::bind::bind_around(m);
  geco::bind::bind_prepared(m);
  geco::bind::bind_encoded(m);
  geco::bind::bind_reader(m);
  geco::bind::bind_ground(m);
  geco::bind::bind_places(m);
}
