// Threads that carry out runs handed to them, in order; they know nothing of Python.
#pragma once
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
  explicit Pool(int threads) {
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
    {
      std::lock_guard locked(mutex_);
      waiting_.push_back({number, &run, rounds});
    }
    wanted_.notify_one();
  }
  // Numbers of the runs that ended since the last time; waits up to `seconds` for the first.
  std::vector<std::int64_t> finished(double seconds) {
    std::unique_lock locked(mutex_);
    ended_.wait_for(locked, std::chrono::duration<double>(seconds), [&] { return !done_.empty(); });
    return std::exchange(done_, {});
  }

 private:
  struct Job {
    std::int64_t number;
    Sweeping* run;
    int rounds;
  };

  void work() {
    std::unique_lock locked(mutex_);
    while (true) {
      wanted_.wait(locked, [&] { return closing_ || !waiting_.empty(); });
      if (closing_) return;
      const Job job = waiting_.front();
      waiting_.pop_front();
      locked.unlock();
      job.run->run(job.rounds);
      locked.lock();
      done_.push_back(job.number);
      ended_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wanted_, ended_;
  std::deque<Job> waiting_;
  std::vector<std::int64_t> done_;
  bool closing_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace geco
