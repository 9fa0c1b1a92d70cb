// Until: the moment after which a long piece of work gives up. Whoever works looks at it every so often: a look takes
// tens of nanoseconds, or nothing where there is no such moment.
#pragma once
#include <chrono>
#include <exception>
#include <limits>

namespace geco {

struct OutOfTime : std::exception {
  const char* what() const noexcept override { return "the time is over"; }
};

class Until {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  explicit Until(double seconds = kNever)
      : seconds_(seconds), begun_(seconds < kNever ? Clock::now() : Clock::time_point{}) {}
  bool over() const {
    return seconds_ < kNever && std::chrono::duration<double>(Clock::now() - begun_).count() >= seconds_;
  }
  // Throws OutOfTime once it is over.
  void look() const {
    if (over()) throw OutOfTime();
  }

 private:
  double seconds_;
  Clock::time_point begun_;
};

}  // namespace geco
