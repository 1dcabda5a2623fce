// Combinations of small numbers as keys of a few 64-bit words, and such keys numbered in the order in which they come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/support/key_numbers.hpp"

namespace lawful {

// One digit for each of several numbers, each with a radix of its own. As many digits share a word as fit, and what a
// digit adds to its word does not depend on the others: the key of a combination is a sum.
class MixedRadix {
 public:
  MixedRadix() = default;
  explicit MixedRadix(const std::vector<int>& radices) {
    uint64_t factor = 1;
    for (const int radix : radices) {
      if (factor > std::numeric_limits<uint64_t>::max() / static_cast<uint64_t>(radix)) {
        ++words_;
        factor = 1;
      }
      digits_.push_back({words_ - 1, static_cast<uint64_t>(radix), factor});
      factor *= static_cast<uint64_t>(radix);
    }
  }

  int words() const { return words_; }
  std::size_t digits() const { return digits_.size(); }
  int word_of(std::size_t digit) const { return digits_[digit].word; }
  uint64_t worth(std::size_t digit, int value) const { return digits_[digit].factor * static_cast<uint64_t>(value); }
  int digit(const uint64_t* key, std::size_t digit) const {
    const Digit& d = digits_[digit];
    return static_cast<int>(key[d.word] / d.factor % d.radix);
  }

 private:
  struct Digit {
    int word;
    uint64_t radix, factor;
  };
  std::vector<Digit> digits_;
  int words_ = 1;
};

// Numbers keys of some words each, in the order in which they come.
class WideKeyNumbers {
 public:
  explicit WideKeyNumbers(int words = 1) : words_(static_cast<std::size_t>(words)), slots_(16, -1) {}

  int32_t number(const uint64_t* key) {
    if (2 * static_cast<std::size_t>(count_) >= slots_.size()) grow();
    int32_t& slot = find(key);
    if (slot >= 0) return slot;
    keys_.insert(keys_.end(), key, key + words_);
    return slot = count_++;
  }

  int32_t count() const { return count_; }
  const uint64_t* key(int32_t number) const { return keys_.data() + static_cast<std::size_t>(number) * words_; }
  std::size_t bytes() const { return keys_.capacity() * sizeof(uint64_t) + slots_.capacity() * sizeof(int32_t); }

 private:
  int32_t& find(const uint64_t* key) {
    uint64_t hash = 0;
    for (std::size_t w = 0; w < words_; ++w) {
      hash = (hash ^ key[w]) * kHashFactor;
      hash ^= hash >> 32;
    }
    std::size_t i = hash;
    for (;; ++i) {
      i &= slots_.size() - 1;
      if (slots_[i] < 0) return slots_[i];
      const uint64_t* known = this->key(slots_[i]);
      bool same = true;
      for (std::size_t w = 0; w < words_; ++w) same &= known[w] == key[w];
      if (same) return slots_[i];
    }
  }

  void grow() {
    slots_.assign(2 * slots_.size(), -1);
    for (int32_t known = 0; known < count_; ++known) find(key(known)) = known;
  }

  std::size_t words_;
  std::vector<uint64_t> keys_;   // (numbered, words)
  std::vector<int32_t> slots_;  // hashed; a number or -1
  int32_t count_ = 0;
};

}  // namespace lawful
