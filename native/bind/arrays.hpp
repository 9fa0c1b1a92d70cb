// NumPy in and out, with shapes checked.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace nb = nanobind;

namespace geco::bind {

template <class T>
using Array1 = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array2 = nb::ndarray<const T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class T>
using Array3 = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <class T>
using Vector = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T>
using Matrix = nb::ndarray<nb::numpy, T, nb::ndim<2>>;

template <class T>
nb::capsule owner_of(std::vector<T>* held) {
  return nb::capsule(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
}

template <class T>
Vector<T> to_numpy(std::vector<T>&& values) {
  auto* held = new std::vector<T>(std::move(values));
  return Vector<T>(held->data(), {held->size()}, owner_of(held));
}

template <class T>
Matrix<T> to_numpy(std::vector<T>&& values, std::size_t rows, std::size_t columns) {
  auto* held = new std::vector<T>(std::move(values));
  return Matrix<T>(held->data(), {rows, columns}, owner_of(held));
}

template <class T>
std::span<const T> view(const Array1<T>& a) {
  return {a.data(), a.shape(0)};
}

template <class Array>
auto copy(const Array& a) {
  return std::vector<std::remove_const_t<typename Array::Scalar>>(a.data(), a.data() + a.size());
}

inline void require(bool ok, const char* what) {
  if (!ok) throw std::invalid_argument(what);
}

}  // namespace geco::bind
