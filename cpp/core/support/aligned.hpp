// Arrays of doubles that start on a 64-byte boundary and whose rows are padded to whole vectors of eight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <vector>

namespace lawful {

inline constexpr double kForbidden = -std::numeric_limits<double>::infinity();
inline constexpr int kLanes = 8;

inline int padded(int labels) { return (labels + kLanes - 1) / kLanes * kLanes; }

template <typename T>
struct AlignedAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};
  AlignedAllocator() = default;
  template <typename U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kAlignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, kAlignment); }
  // Workspaces grow without being zeroed: every kernel writes a row before it reads it.
  template <typename U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  template <typename U, typename... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(static_cast<Args&&>(args)...);
  }
  bool operator==(const AlignedAllocator&) const { return true; }
};

using Doubles = std::vector<double, AlignedAllocator<double>>;
using Indices = std::vector<int64_t, AlignedAllocator<int64_t>>;

}  // namespace lawful
