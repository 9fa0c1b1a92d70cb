// Network::Pass: the sums of candidates and of lines, layer by layer.
#pragma once
#include <algorithm>
#include <span>
#include <vector>

#include "core/activations.hpp"
#include "core/network.hpp"
#include "core/pieces.hpp"

namespace geco {

inline constexpr std::size_t kTogether = 4;  // shares added in one pass
inline constexpr std::size_t kLook = 16;     // candidates between two looks at the clock
inline constexpr std::size_t kPieces = 40;   // rows of a line from which on its pieces are worth working out

using Share = Network::Share;

inline void add(Share share, double* __restrict into, std::size_t n) {
  const double* __restrict of = share.of;
  for (std::size_t i = 0; i < n; ++i) into[i] += share.times * of[i];
}

inline void add(Share share, const double* __restrict to, double* __restrict into, std::size_t n) {
  const double* __restrict of = share.of;
  for (std::size_t i = 0; i < n; ++i) into[i] = share.times * of[i] + to[i];
}

inline void add(Share a, Share b, Share c, Share d, double* __restrict into, std::size_t n) {
  const double* __restrict u = a.of, * __restrict v = b.of, * __restrict w = c.of, * __restrict z = d.of;
  for (std::size_t i = 0; i < n; ++i) into[i] += (a.times * u[i] + b.times * v[i]) + (c.times * w[i] + d.times * z[i]);
}

// What a layer of ReLU gives to one output. Wide registers take half the time and give the same to the last bit: the
// lanes of the sum are the same, and nothing is fused.
GECO_WIDE static double through_relu(const double* __restrict rest, Share share, const double* __restrict weights,
                                     std::size_t n) {
  const double* __restrict of = share.of;
  const double times = share.times;
  return sum_of(n, [=](std::size_t i) { return relu(rest[i] + times * of[i]) * weights[i]; });
}

// The room that one call works in.
class Network::Pass {
 public:
  Pass(const Network& network, std::span<const double> x)
      : n_(network), x_(x), share_(network.stored_ ? 0 : kTogether * network.hidden_), before_(network.hidden_),
        rest_(network.hidden_), after_((network.width() + 1) * network.hidden_) {
    std::size_t widest = 0;
    for (const Layer& layer : n_.layers_) widest = std::max(widest, layer.outputs);
    layer_.resize(widest);
    next_.resize(widest);
    active_.resize(widest);
  }

  void point(const Row* rows, double* out) {
    std::copy(n_.base_.begin(), n_.base_.end(), layer_.begin());
    // Four shares a pass: they wait for memory together.
    std::size_t g = 0;
    for (; g + kTogether <= n_.width(); g += kTogether)
      add(share(g, rows[g]), share(g + 1, rows[g + 1]), share(g + 2, rows[g + 2]), share(g + 3, rows[g + 3]),
          layer_.data(), n_.hidden_);
    for (; g < n_.width(); ++g) add(share(g, rows[g]), layer_.data(), n_.hidden_);
    later_layers(out);
  }

  // A candidate by its rows in some groups; `base` has what all others give.
  void part(const std::vector<double>& base, const std::vector<std::int32_t>& groups, const Row* rows, double* out) {
    std::copy(base.begin(), base.end(), layer_.begin());
    for (std::size_t i = 0; i < groups.size(); ++i) add(share(groups[i], rows[i]), layer_.data(), n_.hidden_);
    later_layers(out);
  }

  // Lines first..last-1 have one parent and rising groups: each takes the sum of the groups before it and of those
  // after it, so that nothing is subtracted and no error builds up.
  void run(const LinesView& lines, std::size_t first, std::size_t last, double* out, const Until& until) {
    const std::size_t h = n_.hidden_;
    const Row* parent = lines.parent(first);
    std::copy(n_.base_.begin(), n_.base_.end(), before_.begin());
    for (std::size_t g = n_.width() - 1; g > static_cast<std::size_t>(lines.groups[first]); --g)
      add(share(g, parent[g]), after_.data() + (g + 1) * h, after_.data() + g * h, h);
    std::size_t seen = 0;
    for (std::size_t l = first; l < last; ++l) {
      const auto g = static_cast<std::size_t>(lines.groups[l]);
      for (; seen < g; ++seen) add(share(seen, parent[seen]), before_.data(), h);
      add({1.0, before_.data()}, after_.data() + (g + 1) * h, rest_.data(), h);
      const std::span<const Row> rows = lines.rows.subspan(lines.offsets[l], lines.offsets[l + 1] - lines.offsets[l]);
      double* of = out + lines.offsets[l] * n_.outputs();
      if (rows.size() >= kPieces && by_pieces(g, rows, of)) continue;
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i % kLook == 0) until.look();
        one(share(g, rows[i]), of + i * n_.outputs());
      }
    }
  }

  // The first layer before its activation, but for one group.
  const double* rest(const Row* parent, std::size_t group) {
    std::copy(n_.base_.begin(), n_.base_.end(), rest_.begin());
    for (std::size_t g = 0; g < n_.width(); ++g)
      if (g != group) add(share(g, parent[g]), rest_.data(), n_.hidden_);
    return rest_.data();
  }

  // The first layer before its activation, and the same but for one group of one column.
  void all(const Row* parent) {
    std::copy(n_.base_.begin(), n_.base_.end(), before_.begin());
    for (std::size_t g = 0; g < n_.width(); ++g) add(share(g, parent[g]), before_.data(), n_.hidden_);
  }
  const double* without(std::size_t group, Row row) {
    const Share less = share(group, row);
    add({-less.times, less.of}, before_.data(), rest_.data(), n_.hidden_);
    return rest_.data();
  }

 private:
  // The rows of a group of one column, all but x's own. False where that cannot be done.
  bool by_pieces(std::size_t g, std::span<const Row> rows, double* out) {
    const Table& table = n_.tables_[g];
    if (!n_.one_relu_ || !n_.finite_ || table.columns.size() != 1) return false;
    double low = table.values[rows.back()], high = low;
    for (Row row : rows) {
      if (row == 0) return false;
      low = std::min(low, table.values[row]), high = std::max(high, table.values[row]);
    }
    const Layer& last = n_.layers_.back();
    const double* of = n_.layers_.front().weights.data() + table.columns[0] * n_.hidden_;
    if (!pieces_.begin(n_.hidden_, rest_.data(), of, last.weights.data(), low, high)) return false;
    for (std::size_t i = 0; i < rows.size(); ++i) out[i] = last.biases[0] + pieces_.at(table.values[rows[i]]);
    return true;
  }

  Share share(std::size_t g, Row row) {
    const Table& table = n_.tables_[g];
    if (row == 0) return {1.0, x_.data() + g * n_.hidden_};
    if (table.columns.size() == 1)
      return {table.values[row], n_.layers_.front().weights.data() + table.columns[0] * n_.hidden_};
    if (n_.stored_) return {1.0, table.shares.data() + row * n_.hidden_};
    double* into = share_.data() + g % kTogether * n_.hidden_;
    std::fill_n(into, n_.hidden_, 0.0);
    n_.add_share(table.columns, table.values.data() + row * table.columns.size(), into);
    return {1.0, into};
  }

  // The sums of rest_ and one more share.
  void one(Share share, double* out) {
    const std::size_t h = n_.hidden_;
    if (n_.layers_.size() == 1) return add(share, rest_.data(), out, h);
    if (n_.one_relu_) {
      const Layer& last = n_.layers_.back();
      *out = last.biases[0] + through_relu(rest_.data(), share, last.weights.data(), h);
      return;
    }
    add(share, rest_.data(), layer_.data(), h);
    later_layers(out);
  }

  // From the first layer before its activation, in layer_.
  void later_layers(double* out) {
    const auto& layers = n_.layers_;
    for (std::size_t l = 1; l < layers.size(); ++l) {
      for (const LayerStep& step : layers[l - 1].steps) apply(step, layer_.data(), layers[l].inputs);
      if (l + 1 == layers.size()) return last_layer(out);
      middle_layer(layers[l]);
    }
    std::copy_n(layer_.data(), n_.outputs(), out);
  }

  // Four inputs at a time, those that are 0 left out: with relu about half of them.
  void middle_layer(const Layer& layer) {
    std::size_t active = 0;
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      active_[active] = i;
      active += layer_[i] != 0 || !n_.finite_;
    }
    std::copy(layer.biases.begin(), layer.biases.end(), next_.begin());
    double* __restrict into = next_.data();
    auto weights = [&](std::size_t i) { return layer.weights.data() + active_[i] * layer.outputs; };
    auto value = [&](std::size_t i) { return layer_[active_[i]]; };
    std::size_t i = 0;
    for (; i + 4 <= active; i += 4) {
      const double* __restrict a = weights(i);
      const double* __restrict b = weights(i + 1);
      const double* __restrict c = weights(i + 2);
      const double* __restrict d = weights(i + 3);
      const double u = value(i), v = value(i + 1), w = value(i + 2), z = value(i + 3);
      for (std::size_t j = 0; j < layer.outputs; ++j) into[j] += (u * a[j] + v * b[j]) + (w * c[j] + z * d[j]);
    }
    for (; i < active; ++i) add({value(i), weights(i)}, into, layer.outputs);
    std::swap(layer_, next_);
  }

  void last_layer(double* out) {
    const Layer& last = n_.layers_.back();
    const double* __restrict layer = layer_.data();
    for (std::size_t k = 0; k < last.outputs; ++k) {
      const double* __restrict weights = last.weights.data() + k * last.inputs;
      out[k] = last.biases[k] + sum_of(last.inputs, [=](std::size_t i) { return layer[i] * weights[i]; });
    }
  }

  const Network& n_;
  std::span<const double> x_;
  std::vector<double> share_;   // of the rows at hand, if shares are not stored
  std::vector<double> before_;  // the base and the shares of the parent's groups before the line's
  std::vector<double> rest_;    // the same and those after it
  std::vector<double> after_;   // [groups + 1, hidden]: per group the shares of it and the groups after it
  std::vector<double> layer_, next_;
  std::vector<std::size_t> active_;
  Pieces pieces_;
};

}  // namespace geco
