// A loop over numbered tasks on several threads. Which thread runs which task is left to chance, so a task must write
// only what is its own; then the result does not depend on the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace lawful {

// Calls work(task, worker) once for each task in [0, count); worker is in [0, threads), for workspaces.
template <typename Work>
void parallel_for(int64_t count, int threads, const Work& work) {
  threads = static_cast<int>(std::min<int64_t>(threads, count));
  if (threads <= 1) {
    for (int64_t task = 0; task < count; ++task) work(task, 0);
    return;
  }
  std::atomic<int64_t> next{0};
  std::exception_ptr failure;
  std::mutex failing;
  auto run = [&](int worker) {
    try {
      for (int64_t task; (task = next.fetch_add(1)) < count;) work(task, worker);
    } catch (...) {
      const std::lock_guard lock(failing);
      failure = std::current_exception();
      next = count;  // the other threads stop after the task they are at
    }
  };
  std::vector<std::thread> others;
  for (int worker = 1; worker < threads; ++worker) others.emplace_back(run, worker);
  run(0);
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace lawful
