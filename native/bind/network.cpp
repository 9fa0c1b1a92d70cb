#include "core/network.hpp"

#include <nanobind/stl/string.h>

#include <algorithm>

#include "bind/arrays.hpp"
#include "bind/lines.hpp"
#include "bind/specialize.hpp"

namespace geco::bind {
namespace {

using List = nb::typed<nb::list, nb::object>;

Activation activation_of(const std::string& name) {
  if (name == "relu") return Activation::relu;
  if (name == "tanh") return Activation::tanh;
  if (name == "logistic") return Activation::logistic;
  require(name == "identity", "network: activation must be relu, tanh, logistic or identity");
  return Activation::identity;
}

Network make_network(const std::vector<Array2<double>>& weights, const std::vector<Array1<double>>& biases,
                     const std::string& activation, List tables, Array1<double> constant) {
  require(!weights.empty() && weights.size() == biases.size(), "network: one vector of biases per layer");
  std::size_t inputs = constant.shape(0);
  std::vector<Layer> layers;
  for (std::size_t l = 0; l < weights.size(); ++l) {
    const auto& w = weights[l];
    require(w.shape(0) == inputs, "network: a layer takes what the one before it gives, the first the encoded columns");
    require(w.shape(1) > 0 && biases[l].shape(0) == w.shape(1), "network: one bias per output of a layer");
    layers.push_back({inputs, w.shape(1), {w.data(), w.data() + w.size()}, copy(biases[l])});
    inputs = w.shape(1);
  }
  return Network(std::move(layers), activation_of(activation), tables_of(tables, constant.shape(0)), view(constant));
}

}  // namespace

void bind_network(nb::module_& m) {
  nb::class_<Network> network(m, "Network");
  network.def_static("build", &make_network, nb::arg("weights"), nb::arg("biases"), nb::arg("activation"), nb::arg("tables"),
                  nb::arg("constant"),
                  "Layers as in geco.models.mlp.Mlp, per group (columns, values) with slot 0, and the columns no group owns.");
  bind_compiled<Network, double>(network);
  bind_specialized<SpecializedNetwork, double>(m, network, "SpecializedNetwork");
}

}  // namespace geco::bind
