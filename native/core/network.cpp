#include "core/network.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/crossings.hpp"

namespace geco {
namespace {

constexpr std::size_t kStored = 16'000'000;  // numbers of all shares together: 128 MB

bool has_one_relu(const std::vector<Layer>& layers) {
  if (layers.size() != 2 || layers.back().outputs != 1) return false;
  const std::vector<LayerStep>& steps = layers.front().steps;
  return steps.size() == 1 && steps.front().activation == Activation::relu;
}

// What the terms of a line add up to, signs left out. In wide registers as through_relu is.
GECO_WIDE double size_of(const double* __restrict rest, const double* __restrict of, double far,
                         const double* __restrict weights, std::size_t n) {
  return sum_of(n, [=](std::size_t i) { return (std::abs(rest[i]) + far * std::abs(of[i])) * std::abs(weights[i]); });
}

bool has_finite_weights(const Layer& layer) {
  return std::all_of(layer.weights.begin(), layer.weights.end(), [](double w) { return std::isfinite(w); });
}

// The row before which values from row 1 on never fall, or never rise; those that are no numbers do both.
std::size_t sorted_until(const std::vector<double>& values) {
  if (values.size() < 2) return values.size();
  const auto first = values.begin() + 1, end = values.end();
  const auto falls = std::adjacent_find(first, end, [](double a, double b) { return !(a <= b); });
  const auto rises = std::adjacent_find(first, end, [](double a, double b) { return !(a >= b); });
  const auto until = std::max(falls, rises);
  return until - values.begin() + (until != end);
}

void transpose(Layer& layer) {
  std::vector<double> transposed(layer.weights.size());
  for (std::size_t i = 0; i < layer.inputs; ++i)
    for (std::size_t k = 0; k < layer.outputs; ++k)
      transposed[k * layer.inputs + i] = layer.weights[i * layer.outputs + k];
  layer.weights = std::move(transposed);
}

}  // namespace

Network::Network(std::vector<Layer> layers, const std::vector<EncodedTable>& tables, std::span<const double> constant)
    : layers_(std::move(layers)), one_relu_(has_one_relu(layers_)), hidden_(layers_.front().outputs),
      finite_(std::all_of(layers_.begin(), layers_.end(), has_finite_weights)), base_(layers_.front().biases) {
  std::size_t numbers = 0;
  for (const EncodedTable& table : tables)
    if (table.columns.size() > 1) numbers += table.rows * hidden_;
  stored_ = numbers < kStored;
  for (const EncodedTable& table : tables) compile(table);
  std::vector<bool> owned(constant.size());
  for (const EncodedTable& table : tables)
    for (std::int32_t c : table.columns) owned[c] = true;
  for (std::size_t c = 0; c < constant.size(); ++c)
    if (!owned[c]) add({constant[c], layers_.front().weights.data() + c * hidden_}, base_.data(), hidden_);
  if (layers_.size() > 1) transpose(layers_.back());
}

void Network::compile(const EncodedTable& table) {
  Table& made = tables_.emplace_back(Table{table.columns, table.rows, {}, {}, 0});
  if (!stored_ || table.columns.size() == 1) {
    made.values = table.values;
    if (table.columns.size() == 1) made.sorted = sorted_until(made.values);
    return;
  }
  made.shares.resize(table.rows * hidden_);
  for (std::size_t r = 1; r < table.rows; ++r)
    add_share(made.columns, table.values.data() + r * made.columns.size(), made.shares.data() + r * hidden_);
}

void Network::add_share(const std::vector<std::int32_t>& columns, const double* values, double* into) const {
  const double* weights = layers_.front().weights.data();
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (values[i] != 0 || !finite_) add({values[i], weights + columns[i] * hidden_}, into, hidden_);
}

std::vector<double> Network::anchor(std::span<const double> x) const {
  std::vector<double> shares(anchor_size()), values;
  for (std::size_t g = 0; g < width(); ++g) {
    values.clear();
    for (std::int32_t c : tables_[g].columns) values.push_back(x[c]);
    add_share(tables_[g].columns, values.data(), shares.data() + g * hidden_);
  }
  return shares;
}

std::vector<double> Network::points(std::span<const double> x, std::span<const Row> rows, std::size_t count,
                                    const Until& until) const {
  std::vector<double> out(count * outputs());
  Pass pass(*this, x);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % kLook == 0) until.look();
    pass.point(rows.data() + i * width(), out.data() + i * outputs());
  }
  return out;
}

std::vector<double> Network::lines(std::span<const double> x, const LinesView& lines, const Until& until) const {
  std::vector<double> out(lines.rows.size() * outputs());
  Pass pass(*this, x);
  const std::size_t bytes = lines.width * sizeof(Row);
  for (std::size_t first = 0; first < lines.size();) {
    std::size_t last = first + 1;
    while (last < lines.size() && lines.groups[last] > lines.groups[last - 1] &&
           std::memcmp(lines.parent(first), lines.parent(last), bytes) == 0)
      ++last;
    pass.run(lines, first, last, out.data(), until);
    first = last;
  }
  return out;
}

std::optional<Along> Network::along(std::span<const double> x, const Row* parent, std::size_t group) const {
  if (!is_straight(group)) return std::nullopt;
  const Table& table = tables_[group];
  const bool linear = !one_relu_;
  Pass pass(*this, x);
  const double* rest = pass.rest(parent, group);
  const double* of = layers_.front().weights.data() + table.columns[0] * hidden_;
  const auto [low, high] = std::minmax(table.values[1], table.values[table.sorted - 1]);
  Pieces pieces;
  const bool begun = linear ? pieces.begin(*rest, *of, low, high)
                            : pieces.begin(hidden_, rest, of, layers_.back().weights.data(), low, high);
  if (!begun) return std::nullopt;
  const double bias = linear ? 0.0 : layers_.back().biases[0], far = std::max(std::abs(low), std::abs(high));
  const auto size = [&](std::size_t i) {
    return (std::abs(rest[i]) + far * std::abs(of[i])) * (linear ? 1.0 : std::abs(layers_.back().weights[i]));
  };
  return Along(std::move(pieces), bias, std::abs(bias) + sum_of(hidden_, size),
               std::span<const double>(table.values.data(), table.sorted));
}

bool Network::is_straight(std::size_t group) const {
  const bool linear = layers_.size() == 1 && outputs() == 1;
  return (one_relu_ || linear) && finite_ && tables_[group].sorted >= 2;
}

bool Network::Crossings::line(std::size_t group, Row a, Row b) {
  const Table& table = n_.tables_[group];
  if (std::max<std::size_t>(a, b) >= table.sorted) return false;
  values_ = &table.values;
  const auto [low, high] = std::minmax({value(a), value(b)});
  const double* rest = pass_.without(group, parent_[group]);
  const double* of = n_.layers_.front().weights.data() + table.columns[0] * n_.hidden_;
  const double far = std::max(std::abs(low), std::abs(high));
  if (!n_.one_relu_) {
    slack_ = kSlack * (std::abs(*rest) + far * std::abs(*of));
    return pieces_.begin(*rest, *of, low, high);
  }
  const double* weights = n_.layers_.back().weights.data();
  bias_ = n_.layers_.back().biases[0];
  slack_ = kSlack * (std::abs(bias_) + size_of(rest, of, far, weights, n_.hidden_));
  return pieces_.begin(n_.hidden_, rest, of, weights, low, high);
}

SpecializedNetwork::SpecializedNetwork(const Network& network, std::span<const double> x,
                                       std::span<const std::int32_t> groups)
    : network_(network), x_(x.begin(), x.end()), groups_(groups.begin(), groups.end()), base_(network.base_) {
  for (std::size_t g = 0; g < network.width(); ++g)
    if (!std::binary_search(groups_.begin(), groups_.end(), static_cast<std::int32_t>(g)))
      add({1.0, x_.data() + g * network.hidden_}, base_.data(), network.hidden_);
}

std::vector<double> SpecializedNetwork::points(std::span<const Row> rows, std::size_t count) const {
  std::vector<double> out(count * outputs());
  Network::Pass pass(network_, x_);
  for (std::size_t i = 0; i < count; ++i)
    pass.part(base_, groups_, rows.data() + i * width(), out.data() + i * outputs());
  return out;
}

}  // namespace geco
