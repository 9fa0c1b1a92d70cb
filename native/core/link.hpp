// What a model makes of its sums; see src/geco/models/kinds/link.py for what each name means.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace geco {

struct Link {
  enum Name { identity, exp, expit, sigmoid, softmax, ovr, proba, huber } name = identity;
  double scale = 1;     // multiplies the sums first
  bool single = false;  // every step is rounded to float32; exp is taken in double so that it is rounded once

  // Columns of the answer for `many` sums.
  std::size_t width(std::size_t many) const { return many == 1 && (name == sigmoid || name == huber) ? 2 : many; }

  void operator()(const double* sums, std::size_t many, double* raw) const {
    for (std::size_t k = 0; k < many; ++k) raw[k] = sums[k] * scale;
    switch (name) {
      case identity:
      case proba: return;
      case exp:
        for (std::size_t k = 0; k < many; ++k) raw[k] = rounded(std::exp(raw[k]));
        return;
      case softmax: return softened(raw, many);
      case huber:
        for (std::size_t k = 0; k < many; ++k) raw[k] = (std::clamp(raw[k], -1.0, 1.0) + 1.0) / 2.0;
        break;
      case expit:
      case sigmoid:
      case ovr:
        for (std::size_t k = 0; k < many; ++k) raw[k] = rounded(1.0 / rounded(1.0 + rounded(std::exp(-raw[k]))));
        if (name == expit) return;
    }
    if (width(many) == 2 && many == 1) raw[1] = raw[0], raw[0] = rounded(1.0 - raw[1]);
    else shares(raw, many);
  }

 private:
  double rounded(double number) const { return single ? static_cast<double>(static_cast<float>(number)) : number; }

  void softened(double* raw, std::size_t many) const {
    const double most = *std::max_element(raw, raw + many);
    double total = 0;
    for (std::size_t k = 0; k < many; ++k) total += raw[k] = rounded(std::exp(rounded(raw[k] - most)));
    for (std::size_t k = 0; k < many; ++k) raw[k] = rounded(raw[k] / rounded(total));
  }

  // Divided by their sum; all equal where every one is 0, as scikit-learn has it.
  static void shares(double* raw, std::size_t many) {
    double total = 0;
    for (std::size_t k = 0; k < many; ++k) total += raw[k];
    for (std::size_t k = 0; k < many; ++k) raw[k] = total == 0 ? 1.0 / static_cast<double>(many) : raw[k] / total;
  }
};

}  // namespace geco
