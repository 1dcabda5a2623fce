// Memory that is handed out piece by piece and freed all at once: no header a piece, and neighbours stay neighbours.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "core/support/aligned.hpp"

namespace lawful {

class Arena {
 public:
  // Room for n values, not initialised; it stays where it is as long as the arena lives.
  template <typename T>
  T* take(std::size_t n) {
    static_assert(std::is_trivially_destructible_v<T>, "nobody will call the destructor");
    const std::size_t alignment = std::is_same_v<T, double> ? kCacheLine : alignof(T);  // rows of scores are read as vectors
    used_ = (used_ + alignment - 1) / alignment * alignment;
    if (used_ + n * sizeof(T) > size_) add_block(n * sizeof(T));
    T* const taken = reinterpret_cast<T*>(block_ + used_);
    used_ += n * sizeof(T);
    return taken;
  }

  template <typename T>
  const T* copy(const T* values, std::size_t n) {
    T* const taken = take<T>(n);
    std::copy(values, values + n, taken);
    return taken;
  }

  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kCacheLine = 64, kFirstBlock = 4096, kLargestBlock = std::size_t{1} << 18;
  using Block = std::vector<std::byte, AlignedAllocator<std::byte>>;

  void add_block(std::size_t least) {
    size_ = std::max(least, std::clamp(bytes_, kFirstBlock, kLargestBlock));  // twice as much, up to a size
    blocks_.emplace_back(size_);
    block_ = blocks_.back().data();
    bytes_ += size_;
    used_ = 0;
  }

  std::vector<Block> blocks_;
  std::byte* block_ = nullptr;  // the last one
  std::size_t size_ = 0, used_ = 0, bytes_ = 0;
};

}  // namespace lawful
