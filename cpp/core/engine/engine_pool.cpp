#include "core/engine/engine_pool.hpp"

#include <atomic>
#include <mutex>
#include <vector>

#ifndef _WIN32
#include <pthread.h>
#endif

namespace lawful {
namespace {

constexpr std::size_t kMostIdle = 64;
constexpr std::size_t kMostKept = std::size_t{64} << 20;  // bytes, by all engines between two sequences

std::atomic<std::size_t> kept{0};

struct Pool {
  std::mutex lock;
  std::vector<std::unique_ptr<Engine>> idle;

  // A process may fork while another thread holds the lock. The forking thread takes it first, so that the child gets a
  // complete list and a free lock; engines that other threads had borrowed are lost in the child, which does no harm.
  Pool() {
#ifndef _WIN32
    pthread_atfork([] { pool().lock.lock(); }, [] { pool().lock.unlock(); }, [] { pool().lock.unlock(); });
#endif
  }

  static Pool& pool() {
    static Pool& only = *new Pool;  // never destroyed: threads may still decode when the process ends
    return only;
  }
};

}  // namespace

BorrowedEngine::BorrowedEngine() {
  Pool& pool = Pool::pool();
  {
    const std::lock_guard guard(pool.lock);
    if (!pool.idle.empty()) {
      engine_ = std::move(pool.idle.back());  // the last one to work: its buffers are still in the cache
      pool.idle.pop_back();
    }
  }
  if (!engine_) engine_ = std::make_unique<Engine>();
  counted_ = engine_->bytes();  // as `kept` has it
}

void BorrowedEngine::tidy(std::size_t wanted) {
  std::size_t now = engine_->bytes();
  if (now != counted_) kept += now - counted_;  // not without need: all threads share it
  counted_ = now;
  if (kept <= kMostKept && now <= wanted / 2) return;
  auto rounds = std::move(engine_->rounds);
  auto entered = std::move(engine_->entered);
  engine_ = std::make_unique<Engine>();
  engine_->rounds = std::move(rounds);
  engine_->entered = std::move(entered);
  give_back(now);
  kept -= now;
  counted_ = 0;
}

BorrowedEngine::~BorrowedEngine() {
  Pool& pool = Pool::pool();
  tidy(std::numeric_limits<std::size_t>::max());
  const std::lock_guard guard(pool.lock);
  if (pool.idle.size() < kMostIdle) pool.idle.push_back(std::move(engine_));
  else kept -= counted_;
}

}  // namespace lawful
