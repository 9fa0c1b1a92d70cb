// A network of dense layers compiled against the group tables of one deployment (Sec. 5.2, and the sweep).
//
// The first layer is a sum over groups, so each row of a group's table has a *share* of it: its encoded values times
// its part of the weights. A candidate is the bias plus one share per group; a line adds one share per row to what the
// other groups give. A linear model is a network of one layer.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/along.hpp"
#include "core/lines.hpp"
#include "core/space.hpp"

namespace geco {

enum class Activation { relu, tanh, logistic, identity, leaky_relu, elu, gelu, gelu_tanh, norm };

// What is done to the numbers of a layer: to each alone, or (norm) to all of them together.
struct LayerStep {
  Activation activation = Activation::identity;
  double parameter = 0;             // the slope of leaky_relu, the alpha of elu, what norm adds to the variance
  std::vector<double> gain, shift;  // of norm, one per output
};

// As src/geco/models/kinds/network.py has it.
struct Layer {
  std::size_t inputs = 0, outputs = 0;
  std::vector<double> weights;  // [inputs, outputs]
  std::vector<double> biases;
  std::vector<LayerStep> steps;      // in order; the last layer has none
};

class Network {
 public:
  // `constant`: per encoded column its value where no group owns it.
  Network(std::vector<Layer> layers, const std::vector<EncodedTable>& tables, std::span<const double> constant);

  std::size_t outputs() const { return layers_.back().outputs; }
  std::size_t width() const { return tables_.size(); }
  std::size_t rows(std::size_t group) const { return tables_[group].rows; }
  std::size_t anchor_size() const { return width() * hidden_; }
  std::size_t encoded_width() const { return layers_.front().inputs; }

  // `times` its numbers are the share of a row: a column's weights times its value, or 1 times a sum worked out before.
  struct Share {
    double times;
    const double* of;
  };

  // The shares of x per group [groups, hidden], from its encoded row; they stand for slot 0 in what follows.
  std::vector<double> anchor(std::span<const double> x) const;
  // Sums before the link for candidates [count, groups].
  std::vector<double> points(std::span<const double> x, std::span<const Row> rows, std::size_t count,
                             const Until& until = Until()) const;
  // The same for every row of every line; equal up to rounding.
  std::vector<double> lines(std::span<const double> x, const LinesView& lines, const Until& until = Until()) const;
  // The same for the line of one group, its rows unseen. None where it is not straight between a few breaks.
  std::optional<Along> along(std::span<const double> x, const Row* parent, std::size_t group) const;
  // Where lines of candidates turn good: see crossings.hpp.
  class Crossings;
  // Along a line of this group it is straight between a few breaks.
  bool is_straight(std::size_t group) const;

 private:
  friend class SpecializedNetwork;
  struct Table {
    std::vector<std::int32_t> columns;
    std::size_t rows = 0;
    std::vector<double> shares;  // [rows, hidden] of several columns, if they are stored
    std::vector<double> values;  // [rows, columns] otherwise
    std::size_t sorted = 0;      // of one column: the values of rows 1 up to this one never fall, or never rise
  };
  class Pass;

  void compile(const EncodedTable& table);
  void add_share(const std::vector<std::int32_t>& columns, const double* values, double* into) const;

  std::vector<Layer> layers_;       // of more than one, the last has its weights transposed: [outputs, inputs]
  bool one_relu_;                   // two layers, relu between them and one output: the usual small network
  std::size_t hidden_;              // outputs of the first layer
  bool stored_ = false;             // the shares of several columns are; otherwise they are computed when asked for
  bool finite_;                     // all weights are: then 0 times a weight is 0 and can be left out
  std::vector<double> base_;        // first biases and what the columns give that no group owns
  std::vector<Table> tables_;
};

// M_Δ: the shares of x in the groups outside Δ are added to the biases once, so that a candidate adds those of Δ only.
// The network must outlive it.
class SpecializedNetwork {
 public:
  // `groups`: Δ, rising.
  SpecializedNetwork(const Network& network, std::span<const double> x, std::span<const std::int32_t> groups);

  std::size_t outputs() const { return network_.outputs(); }
  std::size_t width() const { return groups_.size(); }
  std::size_t rows(std::size_t i) const { return network_.rows(groups_[i]); }
  std::size_t size() const { return base_.size() + x_.size(); }

  // Sums before the link for the `count` candidates of R_Δ [count, groups of Δ]; those of Network::points up to
  // rounding.
  std::vector<double> points(std::span<const Row> rows, std::size_t count) const;

 private:
  const Network& network_;
  std::vector<double> x_;
  std::vector<std::int32_t> groups_;
  std::vector<double> base_;
};

}  // namespace geco
