// Sums over sequences drawn with replacement.
#include <numeric>
#include <vector>

#include "core/evaluation/resampling.hpp"
#include "tests/check.hpp"

namespace lawful {
namespace {

TEST(every_round_draws_as_many_sequences_as_there_are) {
  for (const int words : {1, 2, 3}) {
    const std::vector<uint64_t> ones(static_cast<std::size_t>(7) * words, 1);
    for (const uint64_t sum : resampled_sums(ones.data(), 7, words, 20, 5)) CHECK_EQUAL(sum, uint64_t{7});
  }
}

TEST(words_of_one_sequence_are_drawn_together) {
  std::vector<uint64_t> numbers;
  for (uint64_t n = 0; n < 10; ++n) numbers.insert(numbers.end(), {n, 10 * n, 100 * n});
  const std::vector<uint64_t> sums = resampled_sums(numbers.data(), 10, 3, 50, 1);
  for (std::size_t round = 0; round < sums.size(); round += 3) {
    CHECK_EQUAL(sums[round + 1], 10 * sums[round]);
    CHECK_EQUAL(sums[round + 2], 100 * sums[round]);
  }
}

TEST(every_sequence_is_drawn_equally_often) {
  // How often sequence n is drawn stands in byte n: a round draws 7, so that no byte overflows.
  std::vector<uint64_t> numbers;
  for (int n = 0; n < 7; ++n) numbers.push_back(uint64_t{1} << (8 * n));
  std::vector<int> times(7);
  const int rounds = 20000;
  for (const uint64_t sum : resampled_sums(numbers.data(), 7, 1, rounds, 3))
    for (int n = 0; n < 7; ++n) times[n] += static_cast<int>(sum >> (8 * n) & 0xff);
  CHECK_EQUAL(std::accumulate(times.begin(), times.end(), 0), 7 * rounds);
  for (const int of_sequence : times) CHECK(of_sequence > rounds - 700 && of_sequence < rounds + 700);  // five deviations
}

TEST(a_seed_says_what_is_drawn) {
  const std::vector<uint64_t> numbers{1, 2, 4, 8};
  CHECK(resampled_sums(numbers.data(), 4, 1, 9, 1) == resampled_sums(numbers.data(), 4, 1, 9, 1));
  CHECK(resampled_sums(numbers.data(), 4, 1, 9, 1) != resampled_sums(numbers.data(), 4, 1, 9, 2));
}

}  // namespace
}  // namespace lawful
