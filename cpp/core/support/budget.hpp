// What one call may use of time and memory. Whatever may run long or grow large asks it as it goes, and is thrown out
// where a limit is reached, or where the user wants the call to end.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>

#include "core/support/limits.hpp"

namespace lawful {

// Thrown at a limit, and caught where it is known what is proved so far.
struct LimitReached : std::exception {
  explicit LimitReached(LimitHit hit) : limit(hit) {}
  const char* what() const noexcept override { return name_of(limit); }
  LimitHit limit;
};

// Thrown in a thread whose fellow threads have failed.
struct Abandoned : std::exception {};

// Asks whether the user wants the call to end, and throws if so. The bindings say how; the core knows no Python.
void set_interruption(void (*ask)());
// Asks now. Only for the thread that the call was made in.
void ask_for_interruption();

// What a call may hold that does not say: half of what was free when it began. `held`: what it holds already.
int64_t default_memory(int64_t held = 0);

// Gives freed memory back to the system where the allocator would keep it; for those who freed this much. Little costs nothing.
void give_back(std::size_t freed);

class Budget {
 public:
  // The clock runs from here. `threads`: so many budgets share the machine's memory. `abandoned`: set if this thread is
  // not the call's own.
  explicit Budget(const Limits& limits, int threads = 1, const std::atomic<bool>* abandoned = nullptr);

  // Counts work in units of about a nanosecond. Looks at the clock about every millisecond.
  void work(int64_t units) {
    if ((units_ -= units) < 0) look();
  }
  // Says how many bytes the call holds in all, besides those that were set `aside`.
  void hold(std::size_t bytes) {
    if (aside_ + bytes > allowed_) exceed(bytes);
    if (aside_ + bytes > most_) most_ = aside_ + bytes;
  }
  // What is held by others of this call while the holder at work counts its own.
  void set_aside(std::size_t bytes) { aside_ = bytes; }

  // Makes room for more in a vector as push_back would, but asks before, and takes less than twice the room where that
  // would be too much. `others`: what the caller holds besides.
  template <typename Vector>
  void make_room(Vector& values, std::size_t more, std::size_t others) {
    const std::size_t needed = values.size() + more, size = sizeof(typename Vector::value_type);
    if (needed <= values.capacity()) return;
    std::size_t room = std::max<std::size_t>(needed, 2 * values.capacity());
    while (room > needed && !fits(others + (values.capacity() + room) * size)) room = needed + (room - needed) / 2;
    if (room < needed + needed / 16) room = needed + needed / 16;  // or growing would take quadratic time
    hold(others + (values.capacity() + room) * size);
    const std::size_t freed = values.capacity() * size;
    values.reserve(room);
    give_back(freed);
  }
  bool fits(std::size_t bytes);

  // A limit was reached: a little more time and memory, to end with the best answer that is near. Not a second time.
  void grant_grace();

  // For an iterator, whose user's time does not count.
  void stop_clock();
  void go_on();

  std::size_t most() const { return most_; }  // bytes that were held at once
  double seconds_left() const;                // 0 or more; infinity: no timeout

 private:
  [[gnu::noinline]] void look();
  [[gnu::noinline]] void exceed(std::size_t bytes);
  void settle_memory(std::size_t bytes);

  static constexpr int64_t kUnits = 1'000'000;  // between two looks
  int64_t units_ = kUnits;
  std::size_t aside_ = 0, most_ = 0, allowed_;
  bool by_default_;
  int threads_;
  Clock::time_point deadline_ = Clock::time_point::max(), asked_{};
  Clock::duration left_{};
  const std::atomic<bool>* abandoned_;
};

}  // namespace lawful
