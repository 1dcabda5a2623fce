// Sums over sequences that are drawn with replacement: what a bootstrap spends its time on.
#pragma once

#include <cstdint>
#include <vector>

namespace lawful {

// numbers (sequences, words): what is added up of each sequence, modulo 2^64. In every round as many sequences are drawn as there
// are, each as likely as any other. (rounds, words).
std::vector<uint64_t> resampled_sums(const uint64_t* numbers, uint32_t sequences, int words, int64_t rounds, uint64_t seed);

}  // namespace lawful
