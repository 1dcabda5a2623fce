#include "core/support/kept_threads.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#ifndef _WIN32
#include <pthread.h>
#include <signal.h>
#endif

namespace lawful {
namespace {

constexpr auto kPatience = std::chrono::seconds(10);  // of a thread that waits for work

struct Errand {
  std::function<void()> work, done;
};

struct Waiting {  // on the stack of the thread that waits
  std::condition_variable called;
  Errand errand;
};

struct Crew {
  std::mutex lock;
  std::vector<Waiting*> free;

  // A process may fork while another thread holds the lock: the forking thread takes it first. The child has none of the
  // threads, so it forgets them.
  Crew() {
#ifndef _WIN32
    pthread_atfork([] { only().lock.lock(); }, [] { only().lock.unlock(); },
                   [] {
                     only().free.clear();
                     only().lock.unlock();
                   });
#endif
  }

  static Crew& only() {
    static Crew& crew = *new Crew;  // never destroyed: its threads may outlive whatever the end of the process destroys
    return crew;
  }
};

void serve(Errand errand) {
  Crew& crew = Crew::only();
  Waiting self;
  for (;;) {
    errand.work();
    {
      const std::lock_guard guard(crew.lock);
      crew.free.push_back(&self);
    }
    errand.done();
    std::unique_lock guard(crew.lock);
    if (!self.called.wait_for(guard, kPatience, [&] { return static_cast<bool>(self.errand.work); })) {
      std::erase(crew.free, &self);
      return;
    }
    errand = std::exchange(self.errand, {});
  }
}

// Signals are for the threads of the caller: one that came here would not end what the caller waits in.
class WithoutSignals {
#ifndef _WIN32
 public:
  WithoutSignals() {
    sigset_t most;
    sigfillset(&most);
    for (const int own_fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&most, own_fault);
    pthread_sigmask(SIG_SETMASK, &most, &before_);
  }
  ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_;
#endif
};

}  // namespace

bool run_elsewhere(std::function<void()> work, std::function<void()> done) {
  Crew& crew = Crew::only();
  Errand errand{std::move(work), std::move(done)};
  {
    const std::lock_guard guard(crew.lock);
    if (!crew.free.empty()) {
      Waiting& waiting = *crew.free.back();
      crew.free.pop_back();
      waiting.errand = std::move(errand);
      waiting.called.notify_one();  // under the lock: the thread may end as soon as it is free again
      return true;
    }
  }
  try {
    [[maybe_unused]] const WithoutSignals quiet;
    std::thread(serve, std::move(errand)).detach();
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

int threads_waiting() {
  const std::lock_guard guard(Crew::only().lock);
  return static_cast<int>(Crew::only().free.size());
}

}  // namespace lawful
