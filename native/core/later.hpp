// Later: a value that is made by whoever asks for it first, once; copies share it, and so may threads.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace geco {

template <class T>
class Later {
 public:
  Later() = default;
  explicit Later(std::function<T()> make) : state_(std::make_shared<State>(std::move(make))) {}

  const T& operator*() const {
    State& state = *state_;
    if (!state.done.load(std::memory_order_acquire)) {
      const std::lock_guard lock(state.making);
      if (!state.made) {
        state.made.emplace(state.make());
        state.done.store(true, std::memory_order_release);
      }
    }
    return *state.made;
  }
  const T* operator->() const { return &**this; }

 private:
  struct State {
    explicit State(std::function<T()> how) : make(std::move(how)) {}
    std::function<T()> make;
    std::mutex making;
    std::atomic<bool> done = false;
    std::optional<T> made;
  };
  std::shared_ptr<State> state_;
};

}  // namespace geco
