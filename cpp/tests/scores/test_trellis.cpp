// Layout and padding, and the score of a path by the definition.
#include <cmath>
#include <stdexcept>

#include "core/scores/trellis.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

TEST(a_path_scores_the_sum_of_what_it_passes) {
  const double emissions[] = {1, 2, 3, 4, 5, 6}, steps[] = {10, 20, 30, 40}, start[] = {100, 200}, end[] = {1000, 2000};
  const auto trellis = Trellis::make(emissions, 3, 2, Transitions::make(steps, 1, 2), start, end, nullptr);
  const int32_t path[] = {0, 1, 1};
  CHECK_EQUAL(path_score(*trellis, path), 100 + 1 + 20 + 4 + 40 + 6 + 2000.0);
  const auto bare = Trellis::make(emissions, 3, 2, nullptr, nullptr, nullptr, nullptr);
  CHECK_EQUAL(path_score(*bare, path), 1 + 4 + 6.0);
}

TEST(a_matrix_a_step_is_used_at_its_step) {
  const double emissions[6] = {}, steps[] = {0, 1, 2, 3, 10, 11, 12, 13};
  const auto trellis = Trellis::make(emissions, 3, 2, Transitions::make(steps, 2, 2), nullptr, nullptr, nullptr);
  const int32_t path[] = {1, 0, 1};
  CHECK_EQUAL(path_score(*trellis, path), 2 + 11.0);
}

TEST(a_mask_forbids) {
  const double emissions[] = {1, 2, 3, 4};
  const uint8_t mask[] = {1, 0, 1, 1};
  const auto trellis = Trellis::make(emissions, 2, 2, nullptr, nullptr, nullptr, mask);
  const int32_t banned[] = {1, 0}, allowed[] = {0, 1};
  CHECK_EQUAL(path_score(*trellis, banned), kForbidden);
  CHECK_EQUAL(path_score(*trellis, allowed), 5.0);
}

TEST(a_mask_forbids_where_it_is_zero_and_nowhere_else) {
  Random random(4);
  const std::vector<double> emissions(5 * 11, 1.0);
  std::vector<uint8_t> mask(emissions.size());
  for (auto& allowed : mask) allowed = random.chance(0.5);
  const auto trellis = Trellis::make(emissions.data(), 5, 11, nullptr, nullptr, nullptr, mask.data());
  for (int t = 0; t < 5; ++t)
    for (int k = 0; k < 11; ++k) CHECK_EQUAL(trellis->emission(t)[k], mask[t * 11 + k] ? 1.0 : kForbidden);
}

TEST(rows_are_aligned_and_their_padding_is_forbidden) {
  Random random(1);
  for (const int labels : {1, 3, 8, 9, 70}) {
    TrellisOptions options;
    options.a_matrix_a_step = options.boundaries = true;
    const auto trellis = random_trellis(random, 4, labels, options);
    const Transitions& transitions = *trellis->transitions;
    for (int t = 0; t < 4; ++t) {
      CHECK_EQUAL(reinterpret_cast<uintptr_t>(trellis->emission(t)) % 64, 0u);
      for (int k = labels; k < trellis->stride; ++k) CHECK_EQUAL(trellis->emission(t)[k], kForbidden);
    }
    for (int step = 0; step < 3; ++step)
      for (int i = 0; i < labels; ++i) {
        const double *forward = transitions.forward_at(step), *backward = transitions.backward_at(step);
        for (int j = 0; j < trellis->stride; ++j) {
          if (j >= labels) CHECK_EQUAL(forward[i * trellis->stride + j], kForbidden);
          else CHECK_EQUAL(forward[i * trellis->stride + j], backward[j * trellis->stride + i]);
        }
        CHECK_EQUAL(transitions.diagonal_at(step)[i], forward[i * trellis->stride + i]);
      }
  }
}

TEST(no_path_exceeds_the_magnitude) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const auto trellis = random_trellis(random, 5, 3, random_options(random));
    std::vector<int32_t> path(5);
    for (int tries = 0; tries < 30; ++tries) {
      for (auto& label : path) label = random.below(3);
      const double score = path_score(*trellis, path.data());
      if (score > kForbidden) CHECK(std::abs(score) <= trellis->magnitude * (1 + 1e-12));
    }
  }
}

TEST(rounding_is_a_matter_of_the_paths_own_terms) {
  const double emissions[] = {-1e30, 2, 3, 4};
  const auto trellis = Trellis::make(emissions, 2, 2, nullptr, nullptr, nullptr, nullptr);
  const int32_t plain[] = {1, 0}, masked[] = {0, 1};
  const PathSum small = sum_path(*trellis, plain), large = sum_path(*trellis, masked);
  CHECK_EQUAL(small.score, 5.0);
  CHECK_EQUAL(small.size, 5.0);
  CHECK(small.rounding(5.0) < 1e-13);
  CHECK(small.rounding(5.0 - 1e15) > 0.1);  // what rules charge is added up as well
  CHECK(large.rounding(large.score) > 1e13);
}

TEST(scores_that_could_overflow_are_refused) {
  const double inf = std::numeric_limits<double>::infinity();
  auto refused = [](const double* emissions, int length, std::shared_ptr<const Transitions> steps, const double* end) {
    try {
      Trellis::make(emissions, length, 2, std::move(steps), nullptr, end, nullptr);
      return false;
    } catch (const std::overflow_error&) {
      return true;
    }
  };
  const double one[] = {1, 9e301, 2, 3, -inf, 4}, two[] = {1, 9e301, -9e301, 3, 4, 5}, fine[] = {0, 0, 0, 0, 0, 0};
  const double steps[] = {0, 4e301, 0, 0}, more[] = {0, 6e301, 0, 0}, end[] = {0, 1e303};
  CHECK(!refused(one, 3, nullptr, nullptr));  // three times the largest would be too much, but it is there once
  CHECK(refused(two, 3, nullptr, nullptr));
  CHECK(!refused(fine, 3, Transitions::make(steps, 1, 2), nullptr));
  CHECK(refused(fine, 3, Transitions::make(more, 1, 2), nullptr));
  CHECK(refused(fine, 3, nullptr, end));
}

TEST(without_scores_only_what_is_forbidden_stays) {
  const double inf = std::numeric_limits<double>::infinity();
  const double emissions[] = {1, -inf, 3, 1e30}, steps[] = {5, -inf, 7, 8}, start[] = {-inf, 1};
  const auto trellis = Trellis::make(emissions, 2, 2, Transitions::make(steps, 1, 2), start, nullptr, nullptr);
  const auto bare = without_scores(*trellis);
  for (int a = 0; a < 2; ++a)
    for (int b = 0; b < 2; ++b) {
      const int32_t path[] = {a, b};
      CHECK_EQUAL(path_score(*bare, path), path_score(*trellis, path) > kForbidden ? 0.0 : kForbidden);
    }
}

TEST(illegal_scores_are_seen) {
  const double inf = std::numeric_limits<double>::infinity();
  const double good[] = {0, -inf, 1e300}, infinite[] = {0, inf}, not_a_number[] = {0, std::nan("")};
  CHECK(scores_are_legal(good, 3));
  CHECK(!scores_are_legal(infinite, 2));
  CHECK(!scores_are_legal(not_a_number, 2));
  for (std::size_t n = 1; n < 30; ++n)
    for (std::size_t at = 0; at < n; ++at)
      for (const double score : {-inf, -7.0, inf, std::nan("")}) {
        std::vector<double> scores(n, 1.0);
        scores[at] = score;
        CHECK_EQUAL(scores_are_legal(scores.data(), n), score < inf);
      }
}

TEST(the_magnitude_sees_every_score) {
  for (int length = 1; length < 12; ++length)
    for (int at = 0; at < 3 * length; ++at)
      for (const double score : {-50.0, 50.0}) {
        std::vector<double> scores(3 * length, kForbidden);
        scores[at] = score;
        CHECK_EQUAL(Trellis::make(scores.data(), length, 3, nullptr, nullptr, nullptr, nullptr)->magnitude, 50.0 * length);
      }
}

}  // namespace
}  // namespace lawful
