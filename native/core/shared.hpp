// An array that nobody changes once it is made, so that copies of it share the values. What is read costs what it costs
// in a vector: the values are one step away.
#pragma once
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace geco {

template <class T>
class Shared {
 public:
  Shared() = default;
  Shared(std::vector<T> values) {
    if (values.empty()) return;
    held_ = std::make_shared<const std::vector<T>>(std::move(values));
    values_ = *held_;
  }

  const T& operator[](std::size_t i) const { return values_[i]; }
  const T& back() const { return values_.back(); }
  std::span<const T> view() const { return values_; }
  const T* data() const { return values_.data(); }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

 private:
  std::shared_ptr<const std::vector<T>> held_;
  std::span<const T> values_;
};

}  // namespace geco
