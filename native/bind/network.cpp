#include "core/network.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>

#include "bind/arrays.hpp"
#include "bind/lines.hpp"
#include "bind/specialize.hpp"

namespace geco::bind {
namespace {

using List = nb::typed<nb::list, nb::object>;

using StepArrays = std::tuple<std::string, double, Array1<double>, Array1<double>>;

constexpr std::pair<const char*, Activation> kActivations[] = {{"relu", Activation::relu},
                                                               {"tanh", Activation::tanh},
                                                               {"logistic", Activation::logistic},
                                                               {"identity", Activation::identity},
                                                               {"leaky_relu", Activation::leaky_relu},
                                                               {"elu", Activation::elu},
                                                               {"gelu", Activation::gelu},
                                                               {"gelu_tanh", Activation::gelu_tanh},
                                                               {"norm", Activation::norm}};

LayerStep step_of(const StepArrays& given, std::size_t outputs) {
  const auto& [name, parameter, gain, shift] = given;
  const auto* found =
      std::find_if(std::begin(kActivations), std::end(kActivations), [&](const auto& a) { return name == a.first; });
  require(found != std::end(kActivations), "network: no step of that name");
  const std::size_t numbers = found->second == Activation::norm ? outputs : 0;
  require(gain.shape(0) == numbers && shift.shape(0) == numbers, "network: norm has one gain and one shift per output");
  return {found->second, parameter, copy(gain), copy(shift)};
}

Network make_network(const std::vector<Array2<double>>& weights, const std::vector<Array1<double>>& biases,
                     const std::vector<std::vector<StepArrays>>& steps, List tables, Array1<double> constant) {
  require(!weights.empty() && weights.size() == biases.size(), "network: one vector of biases per layer");
  require(steps.size() + 1 == weights.size(), "network: one list of steps per layer but the last");
  std::size_t inputs = constant.shape(0);
  std::vector<Layer> layers;
  for (std::size_t l = 0; l < weights.size(); ++l) {
    const auto& w = weights[l];
    require(w.shape(0) == inputs, "network: a layer takes what the one before it gives, the first the encoded columns");
    require(w.shape(1) > 0 && biases[l].shape(0) == w.shape(1), "network: one bias per output of a layer");
    Layer& layer = layers.emplace_back(Layer{inputs, w.shape(1), {w.data(), w.data() + w.size()}, copy(biases[l]), {}});
    if (l < steps.size())
      for (const StepArrays& step : steps[l]) layer.steps.push_back(step_of(step, layer.outputs));
    inputs = w.shape(1);
  }
  return Network(std::move(layers), tables_of(tables, constant.shape(0)), view(constant));
}

}  // namespace

void bind_network(nb::module_& m) {
  nb::class_<Network> network(m, "Network");
  network.def_static("build", &make_network, nb::arg("weights"), nb::arg("biases"), nb::arg("steps"), nb::arg("tables"),
                     nb::arg("constant"),
                     "Layers as in geco.models.kinds.network.Mlp, per group (columns, values) with slot 0, and the "
                     "columns no group owns.");
  bind_compiled<Network, double>(network);
  bind_specialized<SpecializedNetwork, double>(m, network, "SpecializedNetwork");
}

}  // namespace geco::bind
