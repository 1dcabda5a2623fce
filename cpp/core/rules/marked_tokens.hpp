// Tokens that a rule tells apart from the others. Most are of kind 0, and where the others stand cannot be guessed: they are found
// without a branch for each.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace lawful {

// Bit i says whether kinds[i] is not 0, for the first `count` of them, which are at most 64.
inline uint64_t marked(const uint16_t* kinds, int count) {
  uint64_t bits = 0;
  int i = 0;
#if defined(__SSE2__)
  for (; i + 16 <= count; i += 16) {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kinds + i));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(kinds + i + 8));
    const __m128i bytes = _mm_packs_epi16(low, high);  // saturates: what is not 0 stays so
    const int zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
    bits |= static_cast<uint64_t>(~zeros & 0xffff) << i;
  }
#endif
  for (; i < count; ++i) bits |= static_cast<uint64_t>(kinds[i] != 0) << i;
  return bits;
}

// Calls visit(t), in order, for every token whose kind is not 0.
template <typename Visit>
inline void for_each_marked(const uint16_t* kinds, int length, Visit visit) {
  for (int from = 0; from < length; from += 64)
    for (uint64_t bits = marked(kinds + from, std::min(64, length - from)); bits; bits &= bits - 1)
      visit(from + std::countr_zero(bits));
}

}  // namespace lawful
