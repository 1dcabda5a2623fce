#include "core/support/budget.hpp"

#include <algorithm>

#include "core/support/free_memory.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lawful {
namespace {

constexpr std::size_t kLarge = std::size_t{64} << 20;        // bytes, below which nobody asks what is free
constexpr std::size_t kWorthReturning = std::size_t{16} << 20;  // bytes
constexpr auto kBetweenQuestions = std::chrono::milliseconds(30);
constexpr auto kGrace = std::chrono::milliseconds(40);
constexpr double kFarAhead = 1e9;  // seconds: no clock gets there

std::atomic<void (*)()> interruption{nullptr};

Clock::time_point after(double seconds) {
  if (!(seconds < kFarAhead)) return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

}  // namespace

void set_interruption(void (*ask)()) { interruption = ask; }

void ask_for_interruption() {
  if (auto* const ask = interruption.load()) ask();
}

int64_t default_memory(int64_t held) { return (free_memory() + held) / 2; }

void give_back([[maybe_unused]] std::size_t freed) {
#ifdef __GLIBC__
  if (freed >= kWorthReturning) malloc_trim(0);
#endif
}

Budget::Budget(const Limits& limits, int threads, const std::atomic<bool>* abandoned)
    : by_default_(limits.max_memory == std::numeric_limits<int64_t>::max()), threads_(threads), abandoned_(abandoned) {
  allowed_ = by_default_ ? kLarge : static_cast<std::size_t>(limits.max_memory);
  if (limits.timed()) {
    deadline_ = after(limits.timeout);
    units_ = 0;  // the first look comes at once: the time may be over already
  }
}

void Budget::look() {
  units_ = kUnits;
  const Clock::time_point now = Clock::now();
  if (now >= deadline_) throw LimitReached(LimitHit::time);
  if (abandoned_) {
    if (abandoned_->load(std::memory_order_relaxed)) throw Abandoned();
    return;
  }
  if (asked_ == Clock::time_point()) asked_ = now;  // short calls need not ask at all
  if (now - asked_ < kBetweenQuestions) return;
  asked_ = now;
  ask_for_interruption();
}

// What the default amounts to is found out by the first call that needs to know.
void Budget::settle_memory(std::size_t bytes) {
  if (!by_default_) return;
  by_default_ = false;
  const auto held = static_cast<int64_t>(std::min(aside_ + bytes, most_));
  allowed_ = std::max(kLarge, static_cast<std::size_t>(default_memory(held)) / threads_);
}

bool Budget::fits(std::size_t bytes) {
  if (aside_ + bytes > allowed_) settle_memory(bytes);
  return aside_ + bytes <= allowed_;
}

void Budget::exceed(std::size_t bytes) {
  if (!fits(bytes)) throw LimitReached(LimitHit::memory);
}

void Budget::grant_grace() {
  if (deadline_ != Clock::time_point::max()) deadline_ = std::max(deadline_, Clock::now() + kGrace);
  allowed_ += allowed_ / 16;
  units_ = std::min<int64_t>(units_, kUnits);
}

double Budget::seconds_left() const {
  if (deadline_ == Clock::time_point::max()) return std::numeric_limits<double>::infinity();
  return std::max(0.0, std::chrono::duration<double>(deadline_ - Clock::now()).count());
}

void Budget::stop_clock() {
  if (deadline_ != Clock::time_point::max()) left_ = deadline_ - Clock::now();
}

void Budget::go_on() {
  if (deadline_ != Clock::time_point::max()) deadline_ = Clock::now() + left_;
}

}  // namespace lawful
