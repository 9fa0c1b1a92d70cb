// What happens between two layers of a network, one number after the other, in loops that the compiler vectorises.
#pragma once
#include <bit>
#include <cmath>

#include "core/network.hpp"

// A function that is compiled twice, for processors with registers of four doubles and for all others; which of the two
// is called is settled when the core is loaded.
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#define GECO_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define GECO_WIDE
#endif

namespace geco {

inline constexpr std::size_t kLanes = 8;  // sums side by side, so that a dot product is vectorised without reordering

// NaN stays NaN, as in NumPy.
inline double relu(double v) { return 0.0 > v ? 0.0 : v; }

// The terms of a polynomial, highest power first.
template <class... Terms>
inline double horner(double r, Terms... terms) {
  double p = 0;
  ((p = p * r + terms), ...);
  return p;
}

// exp(v) - 1 without a branch or a call, so that loops over it are vectorised: 2^k·(1 + r·p(r)) - 1 with |r| <= ln(2)
// / 2.
[[gnu::always_inline]] inline double exp_less_one(double v) {
  constexpr double kRound = 6755399441055744.0;  // 1.5·2^52: adding it leaves the nearest integer in the low bits
  const double size = std::abs(v), within = std::copysign(size > 708.0 ? 708.0 : size, v);
  const double shifted = within * 1.4426950408889634 + kRound, k = shifted - kRound;
  const double r = (within - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;  // ln(2) in two parts
  const double p = horner(r, 1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                          1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0);
  const double power = std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023) << 52);
  return (power - 1.0) + power * (r * p);
}

// (1 - e) / (1 + e) with e = exp(-2|v|); by exp - 1, so that small v keep all their digits.
inline double tanh_of(double v) {
  const double e = exp_less_one(-2.0 * std::abs(v));
  return std::copysign(e / (e + 2.0), v);
}

inline double logistic(double v) { return 1.0 / (2.0 + exp_less_one(-v)); }

inline double elu(double v, double alpha) { return v > 0.0 ? v : alpha * exp_less_one(v); }

inline double gelu(double v) { return 0.5 * v * std::erfc(-v * 0.7071067811865476); }

inline double gelu_tanh(double v) { return 0.5 * v * (1.0 + tanh_of(0.7978845608028654 * (v + 0.044715 * v * v * v))); }

template <class Function>
void each(double* layer, std::size_t n, Function function) {
  for (std::size_t i = 0; i < n; ++i) layer[i] = function(layer[i]);
}

// Σ term(i), the same order on every machine.
template <class Term>
[[gnu::always_inline]] inline double sum_of(std::size_t n, Term term) {
  double lanes[kLanes] = {};
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::size_t j = 0; j < kLanes; ++j) lanes[j] += term(i + j);
  for (std::size_t j = 0; i + j < n; ++j) lanes[j] += term(i + j);
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

inline void normalise(const LayerStep& step, double* layer, std::size_t n) {
  const double mean = sum_of(n, [=](std::size_t i) { return layer[i]; }) / static_cast<double>(n);
  each(layer, n, [=](double v) { return v - mean; });
  const double variance = sum_of(n, [=](std::size_t i) { return layer[i] * layer[i]; }) / static_cast<double>(n);
  const double size = std::sqrt(variance + step.parameter);
  for (std::size_t i = 0; i < n; ++i) layer[i] = layer[i] / size * step.gain[i] + step.shift[i];
}

inline void apply(const LayerStep& step, double* layer, std::size_t n) {
  const double parameter = step.parameter;
  switch (step.activation) {
    case Activation::relu: return each(layer, n, relu);
    case Activation::tanh: return each(layer, n, tanh_of);
    case Activation::logistic: return each(layer, n, logistic);
    case Activation::identity: return;
    case Activation::leaky_relu: return each(layer, n, [=](double v) { return v > 0.0 ? v : parameter * v; });
    case Activation::elu: return each(layer, n, [=](double v) { return elu(v, parameter); });
    case Activation::gelu: return each(layer, n, gelu);
    case Activation::gelu_tanh: return each(layer, n, gelu_tanh);
    case Activation::norm: return normalise(step, layer, n);
  }
}

}  // namespace geco
