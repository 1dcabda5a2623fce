// Threads that wait for work between calls, so that a call on several threads need not start its own.
//
// None is started before it is needed, one that nobody needs for some seconds ends, and a forked process begins with none.
#pragma once

#include <functional>

namespace lawful {

// Runs `work` and then `done` on a kept thread; neither may throw. When `done` runs, the thread already counts as free, so that
// whoever is told may call again at once. False if the system gives no thread; then nothing is run.
bool run_elsewhere(std::function<void()> work, std::function<void()> done);

// How many threads wait for work now.
int threads_waiting();

}  // namespace lawful
