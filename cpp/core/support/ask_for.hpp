// Memory that is asked for before it is read, so that it comes while something else is computed.
#pragma once

#include <algorithm>
#include <cstddef>

namespace lawful {

inline constexpr std::size_t kMostAskedFor = 4096;  // bytes: of more than that the processor itself asks ahead

inline void ask_for(const void* from, std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  for (std::size_t at = 0; at < std::min(bytes, kMostAskedFor); at += kLine)
    __builtin_prefetch(static_cast<const char*>(from) + at);
}

// The same bit by bit. A processor waits for a dozen lines at once; whoever asks for more has to wait himself.
class NeededSoon {
 public:
  NeededSoon() = default;
  NeededSoon(const void* from, std::size_t bytes)
      : at_(static_cast<const char*>(from)), end_(at_ + std::min(bytes, kMostAskedFor)) {}
  void ask_for_some() {
    constexpr std::ptrdiff_t kSome = 12 * 64;
    const char* const until = at_ + std::min<std::ptrdiff_t>(end_ - at_, kSome);
    ask_for(at_, static_cast<std::size_t>(until - at_));
    at_ = until;
  }

 private:
  const char *at_ = nullptr, *end_ = nullptr;
};

}  // namespace lawful
