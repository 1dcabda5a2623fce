#include "core/evaluation/resampling.hpp"

#include <array>
#include <bit>

namespace lawful {
namespace {

// xoshiro256** by David Blackman and Sebastiano Vigna, seeded by their splitmix64: https://prng.di.unimi.it
class Random {
 public:
  explicit Random(uint64_t seed) {
    for (uint64_t& word : state_) {
      uint64_t mixed = seed += 0x9e3779b97f4a7c15;
      mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
      mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
      word = mixed ^ (mixed >> 31);
    }
  }

  uint64_t next() {
    const uint64_t drawn = std::rotl(state_[1] * 5, 7) * 9, shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return drawn;
  }

 private:
  std::array<uint64_t, 4> state_;
};

// Numbers below a limit, all equally likely: Lemire's way, by halves of 64 random bits. The few that would make some numbers
// likelier than others are drawn again.
class Below {
 public:
  Below(uint32_t limit, uint64_t seed) : limit_(limit), refused_((0u - limit) % limit), random_(seed) {}

  uint32_t next() {
    while (true) {
      left_ = left_ == 0 ? (bits_ = random_.next(), 1) : (bits_ >>= 32, 0);
      const uint64_t product = (bits_ & 0xffffffff) * limit_;
      if (static_cast<uint32_t>(product) >= refused_) return static_cast<uint32_t>(product >> 32);
    }
  }

 private:
  uint64_t limit_;
  uint32_t refused_;
  Random random_;
  uint64_t bits_ = 0;
  int left_ = 0;
};

// One round; the number of words is known to the compiler, so that sums stay in registers.
template <int kWords>
void add_round(const uint64_t* numbers, uint32_t sequences, Below& drawn, uint64_t* sums) {
  std::array<uint64_t, kWords> added{};
  for (uint32_t draw = 0; draw < sequences; ++draw) {
    const uint64_t* of_sequence = numbers + static_cast<std::size_t>(drawn.next()) * kWords;
    for (int word = 0; word < kWords; ++word) added[word] += of_sequence[word];
  }
  for (int word = 0; word < kWords; ++word) sums[word] = added[word];
}

void add_round(const uint64_t* numbers, uint32_t sequences, int words, Below& drawn, uint64_t* sums) {
  for (uint32_t draw = 0; draw < sequences; ++draw) {
    const uint64_t* of_sequence = numbers + static_cast<std::size_t>(drawn.next()) * words;
    for (int word = 0; word < words; ++word) sums[word] += of_sequence[word];
  }
}

}  // namespace

std::vector<uint64_t> resampled_sums(const uint64_t* numbers, uint32_t sequences, int words, int64_t rounds, uint64_t seed) {
  std::vector<uint64_t> sums(static_cast<std::size_t>(rounds) * words);
  if (sequences == 0) return sums;
  Below drawn(sequences, seed);
  for (int64_t round = 0; round < rounds; ++round) {
    uint64_t* of_round = sums.data() + static_cast<std::size_t>(round) * words;
    switch (words) {
      case 1: add_round<1>(numbers, sequences, drawn, of_round); break;
      case 2: add_round<2>(numbers, sequences, drawn, of_round); break;
      default: add_round(numbers, sequences, words, drawn, of_round);
    }
  }
  return sums;
}

}  // namespace lawful
