#include "core/support/free_memory.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string>

#if defined(_WIN32)
#define NOMINMAX
#include <windows.h>
#elif defined(__APPLE__)
#include <mach/mach.h>
#include <unistd.h>
#else
#include <unistd.h>
#endif

namespace lawful {
namespace {

constexpr int64_t kUnknown = -1;
constexpr int64_t kIfNobodyKnows = int64_t{2} << 30;
constexpr auto kFresh = std::chrono::milliseconds(250);

#if defined(__linux__)

int64_t number_in(const std::string& path) {
  std::ifstream file(path);
  int64_t number;
  return file >> number ? number : kUnknown;  // "max" is no number: no limit
}

int64_t available_by_meminfo() {
  std::ifstream file("/proc/meminfo");
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name;
    int64_t kilobytes;
    if (words >> name >> kilobytes && name == "MemAvailable:") return kilobytes * 1024;
  }
  return kUnknown;
}

// What a group's limit leaves; file pages that it could drop count as used, which errs on the safe side.
int64_t left_in(const std::string& limit, const std::string& used) {
  const int64_t most = number_in(limit), now = number_in(used);
  return most == kUnknown || now == kUnknown ? kUnknown : std::max<int64_t>(0, most - now);
}

// The groups from the process's own up to the root: each may have a limit.
int64_t left_by_groups() {
  int64_t least = kUnknown;
  auto take = [&](int64_t left) {
    if (left != kUnknown) least = least == kUnknown ? left : std::min(least, left);
  };
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool v2 = controllers.empty();
    if (!v2 && controllers != "memory") continue;
    const std::string root = v2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    for (std::string path = line.substr(second + 1);; path = path.substr(0, path.rfind('/'))) {
      const std::string group = root + (path == "/" ? "" : path);
      take(v2 ? left_in(group + "/memory.max", group + "/memory.current")
              : left_in(group + "/memory.limit_in_bytes", group + "/memory.usage_in_bytes"));
      if (path.empty() || path == "/") break;
    }
  }
  return least;
}

int64_t by_system() {
  const int64_t machine = available_by_meminfo(), group = left_by_groups();
  return machine == kUnknown ? group : group == kUnknown ? machine : std::min(machine, group);
}

#elif defined(__APPLE__)

int64_t by_system() {
  vm_statistics64_data_t statistics;
  mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
  if (host_statistics64(mach_host_self(), HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&statistics), &count) != KERN_SUCCESS)
    return kUnknown;
  return (static_cast<int64_t>(statistics.free_count) + statistics.inactive_count + statistics.purgeable_count) *
         static_cast<int64_t>(sysconf(_SC_PAGESIZE));
}

#elif defined(_WIN32)

int64_t by_system() {
  MEMORYSTATUSEX status;
  status.dwLength = sizeof status;
  return GlobalMemoryStatusEx(&status) ? static_cast<int64_t>(status.ullAvailPhys) : kUnknown;
}

#else

int64_t by_system() { return kUnknown; }

#endif

int64_t ask() {
  if (const int64_t free = by_system(); free != kUnknown) return free;
#if !defined(_WIN32)
  const int64_t pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0) return pages * size / 2;
#endif
  return kIfNobodyKnows;
}

}  // namespace

int64_t free_memory() {
  using Clock = std::chrono::steady_clock;
  static std::atomic<int64_t> known{kUnknown};  // no lock, so that a process may fork at any time
  static std::atomic<Clock::rep> asked{0};
  const auto now = Clock::now().time_since_epoch();
  if (known == kUnknown || now - Clock::duration(asked) > kFresh) {
    known = ask();
    asked = now.count();
  }
  return known;
}

}  // namespace lawful
