// Threads that carry out runs handed to them, in order; they know nothing of Python.
//
// The caller's thread is one of them: while it prepares and concludes, one worker fewer is at work, so that the caller
// keeps its core; while it waits for runs to end, all are. On two cores, with two workers always at work, the system
// kept taking the caller's core away, and the workers then ran out of runs.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/sweeping.hpp"

namespace geco {

class Pool {
 public:
  explicit Pool(int threads) : most_(std::max(threads, 2)) {
    try {
      for (int i = 0; i < threads; ++i) workers_.emplace_back([this] { work(); });
    } catch (...) {  // the system gives no more of them: those begun must be joined first
      close();
      throw;
    }
  }
  ~Pool() { close(); }

  // What was not begun is dropped, what is under way is waited for.
  void close() {
    {
      std::lock_guard locked(mutex_);
      closing_ = true;
    }
    wanted_.notify_all();
    for (std::thread& worker : workers_) worker.join();
    workers_.clear();
  }

  // The run must live until `finished` names its number.
  void submit(std::int64_t number, Sweeping& run, int rounds) {
    std::lock_guard locked(mutex_);
    waiting_.push_back({number, &run, rounds});
    if (room()) wanted_.notify_one();  // otherwise whoever ends next takes it
  }
  // Numbers of the runs that ended since the last time; waits up to `seconds` for `few` of them, or for all there are.
  std::vector<std::int64_t> finished(double seconds, std::size_t few) {
    std::unique_lock locked(mutex_);
    caller_waits_ = seconds > 0;
    if (caller_waits_) wanted_.notify_one();
    ended_.wait_for(locked, std::chrono::duration<double>(seconds),
                    [&] { return done_.size() >= few || (waiting_.empty() && at_work_ == 0); });
    caller_waits_ = false;
    return std::exchange(done_, {});
  }

 private:
  struct Job {
    std::int64_t number;
    Sweeping* run;
    int rounds;
  };

  bool room() const { return at_work_ + (caller_waits_ ? 0 : 1) < most_; }

  void work() {
    std::unique_lock locked(mutex_);
    while (true) {
      wanted_.wait(locked, [&] { return closing_ || (!waiting_.empty() && room()); });
      if (closing_) return;
      const Job job = waiting_.front();
      waiting_.pop_front();
      ++at_work_;
      locked.unlock();
      job.run->run(job.rounds);
      locked.lock();
      --at_work_;
      done_.push_back(job.number);
      ended_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wanted_, ended_;
  std::deque<Job> waiting_;
  std::vector<std::int64_t> done_;
  const int most_;  // threads at work, the caller's among them
  int at_work_ = 0;  // without the caller's
  bool caller_waits_ = false, closing_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace geco
