// Pairs of ids to dense ids of their own, and back. Chains of these name tuples exactly.
#pragma once

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace lawful {

class PairTable {
 public:
  int32_t find(int32_t a, int32_t b) const {  // -1 if it is not there
    if (entries_.empty()) return -1;
    return entries_[seek(a, b)].id;
  }

  int32_t add(int32_t a, int32_t b) {
    if (2 * entries_.size() < 3 * (pairs_.size() + 1)) rebuild(entries_.empty() ? 16 : entries_.size() * 2);
    Entry& entry = entries_[seek(a, b)];
    if (entry.id >= 0) return entry.id;
    if (pairs_.size() >= static_cast<std::size_t>(std::numeric_limits<int32_t>::max()))
      throw std::length_error("more than 2^31 different pairs of values");
    entry = {a, b, size()};
    pairs_.push_back({a, b});
    return entry.id;
  }

  void prefetch(int32_t a, int32_t b) const {
    if (!entries_.empty()) __builtin_prefetch(&entries_[home(a, b)]);
  }

  void reserve(std::size_t pairs) {
    pairs_.reserve(pairs);
    if (room_for(pairs) > entries_.size()) rebuild(room_for(pairs));
  }

  void finish() {  // nothing more will be added: gives back what was kept for growth
    if (pairs_.empty()) return;
    if (room_for(pairs_.size()) < entries_.size()) rebuild(room_for(pairs_.size()));
    pairs_.shrink_to_fit();
  }

  int32_t size() const { return static_cast<int32_t>(pairs_.size()); }
  int32_t first(int32_t id) const { return pairs_[id].first; }
  int32_t second(int32_t id) const { return pairs_[id].second; }

 private:
  struct Entry {  // twelve bytes: with a 64-bit key it would take sixteen
    int32_t a = 0, b = 0, id = -1;
  };
  struct Pair {
    int32_t first, second;
  };
  static std::size_t room_for(std::size_t pairs) { return pairs * 5 / 3 + 16; }
  std::size_t home(int32_t a, int32_t b) const {
    uint64_t key = static_cast<uint64_t>(static_cast<uint32_t>(a)) << 32 | static_cast<uint32_t>(b);
    key = (key ^ key >> 29) * 0x9e3779b97f4a7c15ull;
    // A 64-bit fraction times the size: as good as a remainder, without a division, for any size.
    return static_cast<std::size_t>(static_cast<unsigned __int128>(key) * entries_.size() >> 64);
  }
  std::size_t seek(int32_t a, int32_t b) const {  // where it stands, or the empty entry where it would
    std::size_t at = home(a, b);
    while (entries_[at].id >= 0 && (entries_[at].a != a || entries_[at].b != b))
      if (++at == entries_.size()) at = 0;
    return at;
  }
  void rebuild(std::size_t size) {
    std::vector<Entry>().swap(entries_);  // freed before the new ones are made: pairs_ holds all that is needed
    entries_.resize(size);
    for (std::size_t id = 0; id < pairs_.size(); ++id) {
      const auto [a, b] = pairs_[id];
      entries_[seek(a, b)] = {a, b, static_cast<int32_t>(id)};
    }
  }

  std::vector<Entry> entries_;  // open addressing, at most two thirds full
  std::vector<Pair> pairs_;     // by id
};

}  // namespace lawful
