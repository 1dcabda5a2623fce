// A hash map from pairs of ids to ids. Chains of them name tuples exactly.
#pragma once

#include <cstdint>
#include <vector>

namespace bylaw {

class PairMap {
 public:
  int32_t find(int32_t a, int32_t b) const {  // -1 if it is not there
    if (entries_.empty()) return -1;
    const uint64_t key = pack(a, b);
    for (std::size_t at = place(key); entries_[at].value >= 0; at = (at + 1) & (entries_.size() - 1))
      if (entries_[at].key == key) return entries_[at].value;
    return -1;
  }

  // Where the value of a pair stands, below zero if it is new: the caller then puts one there.
  int32_t& at(int32_t a, int32_t b) {
    if (entries_.size() < 2 * (count_ + 1)) grow();
    const uint64_t key = pack(a, b);
    std::size_t at = place(key);
    for (; entries_[at].value >= 0; at = (at + 1) & (entries_.size() - 1))
      if (entries_[at].key == key) return entries_[at].value;
    entries_[at].key = key;
    ++count_;
    return entries_[at].value;
  }

  int32_t size() const { return static_cast<int32_t>(count_); }

 private:
  struct Entry {
    uint64_t key = 0;
    int32_t value = -1;
  };
  static uint64_t pack(int32_t a, int32_t b) { return static_cast<uint64_t>(static_cast<uint32_t>(a)) << 32 | static_cast<uint32_t>(b); }
  std::size_t place(uint64_t key) const {
    key ^= key >> 29;
    return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15ull >> shift_);
  }
  void grow() {
    std::vector<Entry> old(entries_.empty() ? 16 : entries_.size() * 2);
    old.swap(entries_);
    shift_ = 64;
    for (std::size_t size = entries_.size(); size > 1; size /= 2) --shift_;
    for (const Entry& entry : old) {
      if (entry.value < 0) continue;
      std::size_t at = place(entry.key);
      while (entries_[at].value >= 0) at = (at + 1) & (entries_.size() - 1);
      entries_[at] = entry;
    }
  }

  std::vector<Entry> entries_;
  std::size_t count_ = 0;
  int shift_ = 64;
};

}  // namespace bylaw
