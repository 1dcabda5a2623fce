// Pairs of ids to dense ids of their own, and back. Chains of these name tuples exactly.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace bylaw {

class PairTable {
 public:
  int32_t find(int32_t a, int32_t b) const {  // -1 if it is not there
    if (entries_.empty()) return -1;
    const uint64_t key = pack(a, b);
    for (std::size_t at = place(key); entries_[at].id >= 0; at = (at + 1) & (entries_.size() - 1))
      if (entries_[at].key == key) return entries_[at].id;
    return -1;
  }

  int32_t add(int32_t a, int32_t b) {
    if (entries_.size() < 2 * (pairs_.size() + 1)) grow();
    const uint64_t key = pack(a, b);
    std::size_t at = place(key);
    for (; entries_[at].id >= 0; at = (at + 1) & (entries_.size() - 1))
      if (entries_[at].key == key) return entries_[at].id;
    if (pairs_.size() >= static_cast<std::size_t>(std::numeric_limits<int32_t>::max()))
      throw std::length_error("more than 2^31 different pairs of values");
    entries_[at] = {key, static_cast<int32_t>(pairs_.size())};
    pairs_.push_back(key);
    return entries_[at].id;
  }

  void prefetch(int32_t a, int32_t b) const {
    if (!entries_.empty()) __builtin_prefetch(&entries_[place(pack(a, b))]);
  }

  int32_t size() const { return static_cast<int32_t>(pairs_.size()); }
  int32_t first(int32_t id) const { return static_cast<int32_t>(pairs_[id] >> 32); }
  int32_t second(int32_t id) const { return static_cast<int32_t>(pairs_[id]); }

 private:
  struct Entry {
    uint64_t key = 0;
    int32_t id = -1;
  };
  static uint64_t pack(int32_t a, int32_t b) {
    return static_cast<uint64_t>(static_cast<uint32_t>(a)) << 32 | static_cast<uint32_t>(b);
  }
  std::size_t place(uint64_t key) const {
    key ^= key >> 29;
    return static_cast<std::size_t>(key * 0x9e3779b97f4a7c15ull >> shift_);
  }
  void grow() {
    const std::size_t size = entries_.empty() ? 16 : entries_.size() * 2;
    entries_.assign(size, Entry{});
    shift_ = 64;
    for (std::size_t left = size; left > 1; left /= 2) --shift_;
    for (std::size_t id = 0; id < pairs_.size(); ++id) {
      std::size_t at = place(pairs_[id]);
      while (entries_[at].id >= 0) at = (at + 1) & (size - 1);
      entries_[at] = {pairs_[id], static_cast<int32_t>(id)};
    }
  }

  std::vector<Entry> entries_;   // open addressing, at most half full
  std::vector<uint64_t> pairs_;  // by id
  int shift_ = 64;
};

}  // namespace bylaw
