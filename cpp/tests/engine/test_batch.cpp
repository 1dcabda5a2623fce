// Batches on several threads.
#include <algorithm>
#include <thread>

#include "core/engine/batch.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

std::vector<std::shared_ptr<const Problem>> random_problems(uint64_t seed, int count) {
  Random random(seed);
  std::vector<std::shared_ptr<const Problem>> problems;
  for (int i = 0; i < count; ++i)
    problems.push_back(random_problem(random, random.between(1, 12), random.between(1, 4), random.between(0, 3)));
  return problems;
}

std::vector<const Problem*> pointers(const std::vector<std::shared_ptr<const Problem>>& problems) {
  std::vector<const Problem*> addresses;
  for (const auto& problem : problems) addresses.push_back(problem.get());
  return addresses;
}

void check_same(const Answers& a, const Answers& b) {
  CHECK(a.labels == b.labels && a.label_offsets == b.label_offsets);
  CHECK(a.violation_offsets == b.violation_offsets && a.round_offsets == b.round_offsets);
  CHECK_EQUAL(a.answers.size(), b.answers.size());
  for (std::size_t i = 0; i < a.answers.size(); ++i) {
    CHECK(a.answers[i].status == b.answers[i].status);
    CHECK_EQUAL(a.answers[i].score, b.answers[i].score);
    CHECK_EQUAL(a.answers[i].states, b.answers[i].states);
    for (int64_t r = a.round_offsets[i]; r < a.round_offsets[i + 1]; ++r) {
      const Round &ours = a.rounds[r], &theirs = b.rounds[r];
      CHECK_EQUAL(ours.score, theirs.score);
      CHECK_EQUAL(ours.entered, theirs.entered);
      for (int32_t e = 0; e < std::min(ours.entered, theirs.entered); ++e)
        CHECK_EQUAL(a.entered[ours.first_entered + e], b.entered[theirs.first_entered + e]);
    }
  }
}

TEST(an_empty_batch_is_empty) {
  for (const int threads : {1, 2, 8}) {
    const Answers answers = decode_all({}, {}, threads);
    CHECK(answers.answers.empty() && answers.labels.empty() && answers.rounds.empty());
    CHECK_EQUAL(answers.label_offsets.size(), 1u);
    CHECK_EQUAL(answers.round_offsets.size(), 1u);
  }
}

TEST(threads_change_nothing) {
  for (const int count : {1, 15, 16, 17, 1500}) {
    const auto problems = random_problems(static_cast<uint64_t>(count), count);
    const Answers alone = decode_all(pointers(problems), {}, 1);
    for (const int threads : {2, 3, 8, 100}) check_same(alone, decode_all(pointers(problems), {}, threads));
  }
}

TEST(a_batch_is_its_problems_one_by_one) {
  const auto problems = random_problems(5, 60);
  const Answers together = decode_all(pointers(problems), {}, 2);
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const Answers alone = decode_all({problems[i].get()}, {}, 1);
    CHECK(alone.answers[0].status == together.answers[i].status);
    CHECK_EQUAL(alone.answers[0].score, together.answers[i].score);
    if (alone.answers[0].status != Status::optimal) continue;
    CHECK(std::equal(alone.labels.begin(), alone.labels.end(), together.labels.begin() + together.label_offsets[i]));
    CHECK(std::equal(alone.violations.begin(), alone.violations.end(),
                     together.violations.begin() + together.violation_offsets[i]));
  }
}

TEST(batches_on_threads_may_run_beside_each_other) {
  const auto problems = random_problems(9, 80);
  const Answers expected = decode_all(pointers(problems), {}, 1);
  std::vector<Answers> answers_of_threads(4);
  std::vector<std::thread> threads;
  for (Answers& answers : answers_of_threads) threads.emplace_back([&] { answers = decode_all(pointers(problems), {}, 2); });
  for (std::thread& thread : threads) thread.join();
  for (const Answers& answers : answers_of_threads) check_same(expected, answers);
}

}  // namespace
}  // namespace lawful
