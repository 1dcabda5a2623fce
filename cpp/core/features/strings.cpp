#include "core/features/strings.hpp"

#include <cstring>
#include <limits>
#include <stdexcept>

namespace lawful {
namespace {

uint64_t mix(uint64_t a, uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

}  // namespace

uint32_t StringTable::hash(std::string_view text) {
  constexpr uint64_t kOne = 0xa0761d6478bd642full, kTwo = 0xe7037ed1a0b428dbull;
  const char* at = text.data();
  std::size_t left = text.size();
  uint64_t state = kOne ^ (left * kTwo);
  for (; left >= 8; at += 8, left -= 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    state = mix(state ^ word, kTwo);
  }
  uint64_t rest = 0;
  if (left != 0) std::memcpy(&rest, at, left);
  state = mix(state ^ rest, kOne);
  return static_cast<uint32_t>(state ^ (state >> 32));
}

int32_t StringTable::find(std::string_view text) const {
  if (slots_.empty()) return -1;
  const uint32_t key = hash(text);
  for (std::size_t at = key & mask_; slots_[at] != 0; at = (at + 1) & mask_) {
    if (slots_[at] >> 32 != key) continue;
    const auto id = static_cast<int32_t>(static_cast<uint32_t>(slots_[at]) - 1);
    if ((*this)[id] == text) return id;
  }
  return -1;
}

int32_t StringTable::add(std::string_view text) {
  if (offsets_.size() * 2 > slots_.size()) rebuild(slots_.empty() ? 16 : slots_.size() * 2);
  const uint32_t key = hash(text);
  std::size_t at = key & mask_;
  for (; slots_[at] != 0; at = (at + 1) & mask_) {
    if (slots_[at] >> 32 != key) continue;
    const auto id = static_cast<int32_t>(static_cast<uint32_t>(slots_[at]) - 1);
    if ((*this)[id] == text) return id;
  }
  if (offsets_.size() > static_cast<std::size_t>(std::numeric_limits<int32_t>::max() - 1))
    throw std::length_error("more than 2^31 different strings");
  slots_[at] = static_cast<uint64_t>(key) << 32 | offsets_.size();  // id + 1
  bytes_.insert(bytes_.end(), text.begin(), text.end());
  offsets_.push_back(static_cast<int64_t>(bytes_.size()));
  return size() - 1;
}

void StringTable::reserve(std::size_t strings, std::size_t bytes) {
  bytes_.reserve(bytes);
  offsets_.reserve(strings + 1);
  std::size_t slots = 16;
  while (slots < 2 * (strings + 1)) slots *= 2;
  if (slots > slots_.size()) rebuild(slots);
}

void StringTable::rebuild(std::size_t slots) {
  std::vector<uint64_t> old(slots, 0);
  old.swap(slots_);
  mask_ = slots - 1;
  for (const uint64_t entry : old) {
    if (entry == 0) continue;
    std::size_t at = (entry >> 32) & mask_;
    while (slots_[at] != 0) at = (at + 1) & mask_;
    slots_[at] = entry;
  }
}

}  // namespace lawful
