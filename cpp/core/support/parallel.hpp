// Work on several threads. Which thread runs which task is left to chance, so a task must write only what is its own;
// then the result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>

#include "core/support/budget.hpp"
#include "core/support/kept_threads.hpp"

namespace lawful {

// Calls work(worker, abandoned) once for each worker in [0, threads), the first in the calling thread, and waits for
// all; fewer, if the system gives no more threads. If one of them throws, or the user wants the call to end, `abandoned`
// becomes true and the first exception is thrown on when all have come back.
template <typename Work>
void on_threads(int threads, const Work& work) {
  constexpr auto kBetweenQuestions = std::chrono::milliseconds(30);
  // Threads that share their work well end within microseconds of each other, and to be woken up takes as long as many of them.
  constexpr auto kAwake = std::chrono::microseconds(50);
  std::atomic<bool> abandoned{false};
  std::exception_ptr failure;
  std::mutex lock;
  std::condition_variable changed;
  std::atomic<int> busy{threads - 1};  // changed under the lock
  auto fail = [&](std::exception_ptr thrown) {
    const std::lock_guard guard(lock);
    if (!failure) failure = std::move(thrown);
    abandoned = true;
  };
  auto run = [&](int worker) {
    try {
      work(worker, abandoned);
    } catch (...) {
      fail(std::current_exception());
    }
  };
  auto come_back = [&] {
    const std::lock_guard guard(lock);
    --busy;
    changed.notify_one();
  };
  for (int worker = 1; worker < threads; ++worker) {
    if (run_elsewhere([&run, worker] { run(worker); }, come_back)) continue;
    const std::lock_guard guard(lock);
    busy -= threads - worker;
    break;
  }
  run(0);
  for (const auto until = Clock::now() + kAwake; busy > 0 && Clock::now() < until;) std::this_thread::yield();
  for (std::unique_lock guard(lock); busy > 0;) {
    if (changed.wait_for(guard, kBetweenQuestions, [&] { return busy == 0; }) || abandoned) continue;
    guard.unlock();
    try {
      ask_for_interruption();
    } catch (...) {
      fail(std::current_exception());
    }
    guard.lock();
  }
  if (failure) std::rethrow_exception(failure);
}

// Calls work(task, worker) once for each task in [0, count); worker is in [0, threads), for workspaces.
template <typename Work>
void parallel_for(int64_t count, int threads, const Work& work) {
  threads = static_cast<int>(std::min<int64_t>(threads, count));
  if (threads <= 1) {
    for (int64_t task = 0; task < count; ++task) work(task, 0);
    return;
  }
  std::atomic<int64_t> next{0};
  on_threads(threads, [&](int worker, const std::atomic<bool>& abandoned) {
    for (int64_t task; !abandoned && (task = next.fetch_add(1)) < count;) work(task, worker);
  });
}

}  // namespace lawful
