#include "core/engine/engine_pool.hpp"

#include <mutex>
#include <vector>

#ifndef _WIN32
#include <pthread.h>
#endif

namespace lawful {
namespace {

constexpr std::size_t kMostIdle = 64;

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
}

BorrowedEngine::~BorrowedEngine() {
  Pool& pool = Pool::pool();
  const std::lock_guard guard(pool.lock);
  if (pool.idle.size() < kMostIdle) pool.idle.push_back(std::move(engine_));
}

}  // namespace lawful
