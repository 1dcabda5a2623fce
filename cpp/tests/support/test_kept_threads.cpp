// Work on threads that are kept between calls.
#include <sys/wait.h>
#include <unistd.h>

#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/support/parallel.hpp"
#include "tests/check.hpp"

namespace lawful {
namespace {

int64_t sum_on(int threads, int64_t count) {
  std::vector<int64_t> results(count);
  parallel_for(count, threads, [&](int64_t task, int) { results[task] = task; });
  return std::accumulate(results.begin(), results.end(), int64_t{0});
}

TEST(threads_do_every_task_once) {
  for (const int threads : {1, 2, 3, 8})
    for (const int64_t count : {0, 1, 7, 1000}) CHECK_EQUAL(sum_on(threads, count), count * (count - 1) / 2);
}

TEST(threads_wait_for_the_next_call) {
  std::set<std::thread::id> seen;
  std::mutex lock;
  for (int call = 0; call < 50; ++call)
    on_threads(3, [&](int, const std::atomic<bool>&) {
      const std::lock_guard guard(lock);
      seen.insert(std::this_thread::get_id());
    });
  CHECK(seen.size() <= 1 + static_cast<std::size_t>(threads_waiting()));
  CHECK(threads_waiting() > 0);
}

TEST(what_one_of_many_threads_throws_reaches_the_caller) {
  for (int call = 0; call < 20; ++call) {
    bool thrown = false;
    try {
      parallel_for(100, 4, [&](int64_t task, int) {
        if (task == 50) throw std::runtime_error("fifty");
      });
    } catch (const std::runtime_error&) {
      thrown = true;
    }
    CHECK(thrown);
  }
}

TEST(calls_on_threads_may_run_beside_each_other_and_inside_each_other) {
  std::vector<int64_t> sums(4);
  std::vector<std::thread> callers;
  for (int64_t& sum : sums)
    callers.emplace_back([&sum] { sum = sum_on(3, 1000); });
  for (std::thread& caller : callers) caller.join();
  for (const int64_t sum : sums) CHECK_EQUAL(sum, 499500);
  std::atomic<int64_t> inside{0};
  parallel_for(6, 3, [&](int64_t, int) { inside += sum_on(2, 100); });
  CHECK_EQUAL(inside.load(), 6 * 4950);
}

TEST(a_forked_process_begins_without_any) {
  sum_on(3, 100);
  const pid_t child = fork();
  // One thread or two then wait: the first may be free again before the second is asked for.
  if (child == 0) _exit(threads_waiting() == 0 && sum_on(3, 100) == 4950 && threads_waiting() > 0 ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK_EQUAL(sum_on(3, 100), 4950);
}

}  // namespace
}  // namespace lawful
