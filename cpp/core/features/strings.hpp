// Strings to dense ids and back: what a model calls its attributes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lawful {

class StringTable {
 public:
  int32_t size() const { return static_cast<int32_t>(offsets_.size() - 1); }
  int32_t find(std::string_view text) const;  // -1 if it is not there
  int32_t add(std::string_view text);         // its id, a new one if need be
  std::string_view operator[](int32_t id) const {
    return {bytes_.data() + offsets_[id], static_cast<std::size_t>(offsets_[id + 1] - offsets_[id])};
  }
  const std::vector<char>& bytes() const { return bytes_; }
  const std::vector<int64_t>& offsets() const { return offsets_; }
  void reserve(std::size_t strings, std::size_t bytes);

 private:
  static uint32_t hash(std::string_view text);
  void rebuild(std::size_t slots);

  std::vector<char> bytes_;
  std::vector<int64_t> offsets_{0};
  std::vector<uint64_t> slots_;  // hash << 32 | id + 1; 0 is empty. Linear probing from the hash's low bits
  std::size_t mask_ = 0;
};

}  // namespace lawful
