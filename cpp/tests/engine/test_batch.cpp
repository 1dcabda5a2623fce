// Batches on several threads.
#include <algorithm>
#include <thread>

#include "core/engine/batch.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

Problems random_problems(uint64_t seed, int count) {
  Random random(seed);
  Problems problems;
  for (int i = 0; i < count; ++i)
    problems.append(random_problem(random, random.between(1, 12), random.between(1, 4), random.between(0, 3)));
  return problems;
}

void check_same(const Answers& a, const Answers& b) {
  CHECK(a.labels == b.labels && a.label_offsets == b.label_offsets);
  CHECK_EQUAL(a.answers.size(), b.answers.size());
  for (std::size_t i = 0; i < a.answers.size(); ++i) {
    CHECK(a.answers[i].status == b.answers[i].status);
    CHECK_EQUAL(a.answers[i].score, b.answers[i].score);
    CHECK_EQUAL(a.answers[i].states, b.answers[i].states);
    const auto of_a = a.rounds(i), of_b = b.rounds(i);
    CHECK_EQUAL(of_a.size(), of_b.size());
    for (std::size_t r = 0; r < std::min(of_a.size(), of_b.size()); ++r) {
      CHECK_EQUAL(of_a[r].score, of_b[r].score);
      CHECK(std::ranges::equal(a.entered(i, of_a[r]), b.entered(i, of_b[r])));
    }
  }
}

TEST(an_empty_batch_is_empty) {
  for (const int threads : {1, 2, 8}) {
    const Answers answers = decode_all({}, {}, threads);
    CHECK(answers.answers.empty() && answers.labels.empty());
    CHECK_EQUAL(answers.label_offsets.size(), 1u);
  }
}

TEST(threads_change_nothing) {
  for (const int count : {1, 15, 16, 17, 1500}) {
    const auto problems = random_problems(static_cast<uint64_t>(count), count);
    const Answers alone = decode_all(problems, {}, 1);
    for (const int threads : {2, 3, 8, 100}) check_same(alone, decode_all(problems, {}, threads));
  }
}

TEST(a_batch_is_its_problems_one_by_one) {
  const auto problems = random_problems(5, 60);
  const Answers together = decode_all(problems, {}, 2);
  for (std::size_t i = 0; i < problems.items.size(); ++i) {
    Problems one;
    one.append(problems.items[i]);
    const Answers alone = decode_all(one, {}, 1);
    CHECK(alone.answers[0].status == together.answers[i].status);
    CHECK_EQUAL(alone.answers[0].score, together.answers[i].score);
    if (alone.answers[0].status != Status::optimal) continue;
    CHECK(std::equal(alone.labels.begin(), alone.labels.end(), together.labels.begin() + together.label_offsets[i]));
  }
}

// Trellises and flat scores, tied to rules as the threads come to them, are what their problems are.
TEST(threads_tie_what_they_decode) {
  Random random(12);
  const int labels = 3, count = 200;
  auto binder = std::make_shared<Binder>();
  std::vector<std::shared_ptr<const Part>> common;
  for (int rule = 0; rule < 3; ++rule)
    common.push_back(make_part(random_machine(random, labels, 1, Memory::any), rule ? Mode::once : Mode::counted, 1.5, rule));
  binder->common = PartSet::make(common);
  for (const Memory memory : {Memory::none, Memory::any})
    binder->sources.push_back(
        {Binder::Wants::positions, make_part(random_machine(random, labels, 2, memory), Mode::counted, 2.5, 3), false});
  binder->columns.push_back(
      {make_part(random_machine(random, labels, 3, Memory::last_class), Mode::counted, 1.0, 4), true, true});
  std::vector<std::unique_ptr<TokenTable::Row>> rows;
  for (const uint16_t kind : {0, 1, 2}) {
    rows.push_back(std::make_unique<TokenTable::Row>());
    if (kind) rows.back()->push_back({0, kind});
  }

  std::vector<int64_t> offsets{0};
  std::vector<double> scores;
  std::vector<std::shared_ptr<const Trellis>> trellises;
  for (int n = 0; n < count; ++n) {
    const int length = random.between(1, 40);
    for (int i = 0; i < length * labels; ++i) scores.push_back(random.score(false));
    offsets.push_back(offsets.back() + length);
    trellises.push_back(Trellis::make(scores.data() + offsets[n] * labels, length, labels, nullptr, nullptr, nullptr, nullptr));
  }
  Examples examples(offsets, binder->sources.size());
  for (auto& column : examples.columns) {
    column.starts.push_back(0);
    for (int n = 0; n < count; ++n) {
      if (random.chance(0.6)) column.positions.push_back(random.below(examples.length(n)));
      column.starts.push_back(static_cast<int64_t>(column.positions.size()));
    }
  }
  for (int64_t t = 0; t < offsets.back(); ++t) examples.rows.push_back(rows[random.below(3)].get());
  examples.apart[7] = 1;

  Problems problems;
  make_problems(trellises, binder, examples, 2, problems);
  const Answers expected = decode_all(problems, {}, 1);
  for (const int n : {0, 7, count - 1}) {
    const auto alone = problem_of(trellises, binder, examples, n);
    CHECK_EQUAL(alone == nullptr, n == 7);
    if (!alone) continue;
    Problems one;
    one.append(alone);
    CHECK_EQUAL(decode_all(one, {}, 1).answers[0].score, expected.answers[n].score);
  }
  for (const int threads : {1, 2, 5}) {
    for (const bool flat : {false, true}) {
      const Answers answers =
          flat ? decode_flat({scores.data(), labels, nullptr, nullptr, nullptr}, *binder, examples, {}, threads)
               : decode_trellises(trellises, *binder, examples, {}, threads);
      for (int n = 0; n < count; ++n) {
        if (n == 7) continue;
        CHECK_EQUAL(answers.answers[n].score, expected.answers[n].score);
        const auto ours = answers.labels.begin() + answers.label_offsets[n];
        CHECK(std::equal(ours, ours + examples.length(n), expected.labels.begin() + expected.label_offsets[n]));
      }
      CHECK_EQUAL(std::count(examples.apart.begin(), examples.apart.end(), 1), 1);
    }
  }
}

TEST(batches_on_threads_may_run_beside_each_other) {
  const auto problems = random_problems(9, 80);
  const Answers expected = decode_all(problems, {}, 1);
  std::vector<Answers> answers_of_threads(4);
  std::vector<std::thread> threads;
  for (Answers& answers : answers_of_threads) threads.emplace_back([&] { answers = decode_all(problems, {}, 2); });
  for (std::thread& thread : threads) thread.join();
  for (const Answers& answers : answers_of_threads) check_same(expected, answers);
}

}  // namespace
}  // namespace lawful
