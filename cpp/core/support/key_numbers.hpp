// Numbers 64-bit keys in the order in which they come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace lawful {

// Multiplying by it spreads keys that differ in few bits (2^64 divided by the golden ratio).
inline constexpr uint64_t kHashFactor = 0x9E3779B97F4A7C15u;

// Open addressing, because this is the inner loop of every product and search.
class KeyNumbers {
 public:
  KeyNumbers() : slots_(1 << 10) {}

  // The number of a key, and whether it is new.
  std::pair<int32_t, bool> number(uint64_t key) {
    if (2 * static_cast<std::size_t>(count_) >= slots_.size()) grow();
    Slot& slot = find(key);
    if (slot.stamp == stamp_) return {slot.number, false};
    slot = {key, count_++, stamp_};
    return {slot.number, true};
  }

  // A new stamp empties all slots at once, without writing to them.
  void clear() {
    ++stamp_;
    count_ = 0;
  }

  std::size_t bytes() const { return slots_.size() * sizeof(Slot); }
  // What `bytes` may be while so many more keys are numbered: the old slots and twice as many new ones.
  std::size_t bytes_to_grow(std::size_t more = 1) const { return bytes() * (has_room(more) ? 1 : 3); }
  // Whether so many more keys can be numbered in the slots that there are.
  bool has_room(std::size_t more) const { return 2 * (count_ + more) <= slots_.size(); }

 private:
  struct Slot {
    uint64_t key = 0;
    int32_t number = 0;
    uint32_t stamp = 0;  // in use if it is the present one
  };

  Slot& find(uint64_t key) {
    std::size_t i = (key * kHashFactor) >> 20;  // the high bits are the well mixed ones
    while (slots_[i &= slots_.size() - 1].stamp == stamp_ && slots_[i].key != key) ++i;
    return slots_[i];
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.stamp == stamp_) find(slot.key) = slot;
  }

  std::vector<Slot> slots_;
  int32_t count_ = 0;
  uint32_t stamp_ = 1;
};

}  // namespace lawful
