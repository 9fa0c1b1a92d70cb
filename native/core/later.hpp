// Later: a value that is made by whoever asks for it first, once, whatever the number of threads.
#pragma once
#include <atomic>
#include <mutex>
#include <optional>

namespace geco {

template <class T>
class Later {
 public:
  // `make` gives the value; whoever may be first has to give the same.
  template <class Make>
  const T& get(Make make) const {
    if (!done_.load(std::memory_order_acquire)) {
      const std::lock_guard lock(making_);
      if (!made_) {
        made_.emplace(make());
        done_.store(true, std::memory_order_release);
      }
    }
    return *made_;
  }

 private:
  mutable std::mutex making_;
  mutable std::atomic<bool> done_ = false;
  mutable std::optional<T> made_;
};

}  // namespace geco
