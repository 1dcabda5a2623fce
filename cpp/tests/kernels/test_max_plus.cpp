// Every generation of the kernels that this processor runs, against plain loops, to the last bit.
#include <algorithm>
#include <cmath>

#include "core/kernels/block_lists.hpp"
#include "core/kernels/max_plus.hpp"
#include "core/support/aligned.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {

namespace base { const Kernels& table(); }
#if defined(__x86_64__)
namespace v3 { const Kernels& table(); }
namespace v4 { const Kernels& table(); }
#endif

namespace {

std::vector<const Kernels*> generations() {
  std::vector<const Kernels*> tables{&base::table()};
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    tables.push_back(&v3::table());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw"))
    tables.push_back(&v4::table());
#endif
  return tables;
}

// Rows whose padding is forbidden, as everywhere in the core.
Doubles rows(Random& random, int count, int labels, double forbidden = 0.2) {
  const int stride = padded(labels);
  Doubles values(static_cast<std::size_t>(count) * stride, kForbidden);
  const bool whole = random.chance(0.5);
  for (int r = 0; r < count; ++r)
    for (int k = 0; k < labels; ++k)
      if (!random.chance(forbidden)) values[static_cast<std::size_t>(r) * stride + k] = random.score(whole);
  return values;
}

// Calls body(kernels, random, labels) for each generation and many sizes; each generation sees the same numbers.
template <typename Body>
void for_all(Body body) {
  for (const Kernels* kernels : generations())
    for (const int labels : {1, 2, 7, 8, 9, 16, 17, 24, 31, 40, 64, 65, 100, 130})
      for (uint64_t seed = 0; seed < 6; ++seed) {
        Random random(seed * 1000 + static_cast<uint64_t>(labels));
        body(*kernels, random, labels);
      }
}

struct Rows {  // rows and steps of every kind, as `complete` takes them
  std::vector<const double*> emissions;
  std::vector<Step> steps;
  Doubles values, forward, backward, diagonal;

  Rows(Random& random, int length, int labels) {
    const int stride = padded(labels);
    values = rows(random, length, labels, 0.1);
    forward = rows(random, labels, labels, 0.1);
    diagonal = rows(random, 1, labels, 0.1);
    backward.assign(forward.size(), kForbidden);
    for (int i = 0; i < labels; ++i)
      for (int j = 0; j < labels; ++j)
        backward[static_cast<std::size_t>(j) * stride + i] = forward[static_cast<std::size_t>(i) * stride + j];
    steps.resize(length);
    for (int t = 0; t < length; ++t) {
      emissions.push_back(values.data() + static_cast<std::size_t>(t) * stride);
      const int type = random.below(3);
      if (type == 0) steps[t] = {forward.data(), backward.data(), diagonal.data()};
      if (type == 1) steps[t] = {nullptr, nullptr, diagonal.data()};
    }
  }

  double step(int t, int from, int to, int stride) const {
    if (steps[t].forward) return steps[t].forward[static_cast<std::size_t>(from) * stride + to];
    if (steps[t].diagonal) return from == to ? steps[t].diagonal[to] : kForbidden;
    return 0.0;
  }
};

// Labels with histories: source i leads to target j if i % kinds says the same as j / (labels / kinds) does.
Doubles steps_between_histories(Random& random, int labels, int kinds) {
  const int stride = padded(labels), each = (labels + kinds - 1) / kinds;
  Doubles backward = rows(random, labels, labels, 0.0);
  for (int j = 0; j < labels; ++j)
    for (int i = 0; i < labels; ++i)
      if (i % kinds != j / each) backward[static_cast<std::size_t>(j) * stride + i] = kForbidden;
  return backward;
}

TEST(sorted_steps_complete_as_all_of_them_do) {
  for_all([](const Kernels& kernels, Random& random, int labels) {
    const int length = random.between(2, 9), stride = padded(labels);
    const Doubles backward = steps_between_histories(random, labels, 13);
    const SortedMatrix sorted = SortedMatrix::of(backward.data(), labels, labels, stride, kForbidden);
    CHECK_EQUAL(sorted.empty(), labels < 57);  // where rows are short, they are read as a whole
    if (sorted.empty()) return;
    CHECK(BlockLists::of(backward.data(), labels, stride, kForbidden).empty());
    const Doubles values = rows(random, length, labels, 0.1);
    std::vector<const double*> emissions;
    for (int t = 0; t < length; ++t) emissions.push_back(values.data() + static_cast<std::size_t>(t) * stride);
    Doubles whole(values.size()), skipping(values.size());
    const std::vector<Step> every(length, Step{nullptr, backward.data(), nullptr});
    const SparseMatrix sparse{sorted.blocks(), sorted.view()};
    const std::vector<Step> few(length, Step{nullptr, backward.data(), nullptr, &sparse});
    kernels.complete(emissions.data(), every.data(), whole.data(), nullptr, length, labels, stride);
    kernels.complete(emissions.data(), few.data(), skipping.data(), nullptr, length, labels, stride);
    for (std::size_t n = 0; n < whole.size(); ++n) CHECK_EQUAL(whole[n], skipping[n]);
  });
}

TEST(completions_and_their_best_path) {
  for_all([](const Kernels& kernels, Random& random, int labels) {
    const int length = random.between(1, 9), stride = padded(labels);
    const Rows trellis(random, length, labels);
    Doubles reach(static_cast<std::size_t>(length) * stride);
    Indices choices(reach.size());
    int64_t* choice = random.between(0, 1) ? choices.data() : nullptr;
    kernels.complete(trellis.emissions.data(), trellis.steps.data(), reach.data(), choice, length, labels, stride);
    auto at = [&](int t, int k) { return reach[static_cast<std::size_t>(t) * stride + k]; };
    for (int t = length - 1; t >= 0; --t)
      for (int k = 0; k < stride; ++k) {
        double best = t == length - 1 ? 0.0 : kForbidden;
        if (t < length - 1)
          for (int j = 0; j < labels && k < labels; ++j) best = std::max(best, at(t + 1, j) + trellis.step(t + 1, k, j, stride));
        CHECK_EQUAL(at(t, k), best + trellis.emissions[t][k]);
      }
    std::vector<int32_t> path(length, -7);
    const double score = kernels.follow(trellis.steps.data(), reach.data(), choice, path.data(), length, stride);
    const double best = *std::max_element(reach.begin(), reach.begin() + stride);
    CHECK_EQUAL(score, best);
    if (best == kForbidden) {
      CHECK_EQUAL(path[0], -7);
      return;
    }
    for (int t = 0; t < length; ++t) {  // each label is the first of the best
      auto worth = [&](int k) { return (t ? trellis.step(t, path[t - 1], k, stride) : 0.0) + at(t, k); };
      int first = 0;
      for (int k = 1; k < labels; ++k)
        if (worth(k) > worth(first)) first = k;
      CHECK_EQUAL(path[t], first);
    }
  });
}

TEST(extensions) {
  for_all([](const Kernels& kernels, Random& random, int labels) {
    const int stride = padded(labels), words = (stride + 63) / 64, count = random.between(1, 4);
    const Doubles scores = rows(random, 1, labels), matrix = rows(random, labels, labels), row = rows(random, 1, labels);
    const Doubles costs = rows(random, count, labels), before = rows(random, count, labels);
    std::vector<uint64_t> members(words, 0);
    for (int k = 0; k < labels; ++k)
      if (random.chance(0.5)) members[k / 64] |= uint64_t{1} << (k % 64);
    const double all = random.score(false);
    for (int which = 0; which < 3; ++which) {
      Doubles into = before;
      std::vector<Entry> entries;
      for (int e = 0; e < count; ++e) {
        const std::size_t offset = static_cast<std::size_t>(e) * stride;
        entries.push_back({into.data() + offset, e % 2 ? nullptr : costs.data() + offset});
      }
      if (which == 0) kernels.extend(scores.data(), members.data(), matrix.data(), entries.data(), count, stride);
      if (which == 1) kernels.extend_all(all, entries.data(), count, stride);
      if (which == 2) kernels.extend_row(scores.data(), row.data(), entries.data(), count, stride);
      for (int e = 0; e < count; ++e)
        for (int k = 0; k < labels; ++k) {
          const std::size_t at = static_cast<std::size_t>(e) * stride + k;
          double best = which == 1 ? all : which == 2 ? scores[k] + row[k] : kForbidden;
          for (int i = 0; which == 0 && i < labels; ++i)
            if (members[i / 64] >> (i % 64) & 1)
              best = std::max(best, scores[i] + matrix[static_cast<std::size_t>(i) * stride + k]);
          CHECK_EQUAL(into[at], std::max(before[at], e % 2 ? best : best + costs[at]));
        }
    }
  });
}

TEST(maxima_and_sums) {
  for_all([](const Kernels& kernels, Random& random, int labels) {
    const int stride = padded(labels);
    const Doubles a = rows(random, 1, labels, random.chance(0.2) ? 1.0 : 0.3), b = rows(random, 1, labels);
    for (const double* other : {static_cast<const double*>(nullptr), b.data()}) {
      auto sum = [&](int k) { return other ? a[k] + other[k] : a[k]; };
      int first = 0;
      for (int k = 1; k < stride; ++k)
        if (sum(k) > sum(first)) first = k;
      double best = 0.0;
      CHECK_EQUAL(kernels.first_best(a.data(), other, stride, &best), first);
      CHECK_EQUAL(best, sum(first));
      CHECK_EQUAL(kernels.largest(a.data(), other, stride), sum(first));
    }
    Doubles total(stride);
    kernels.add(a.data(), b.data(), total.data(), stride);
    for (int k = 0; k < stride; ++k) CHECK_EQUAL(total[k], a[k] + b[k]);
    const Doubles c = rows(random, 1, labels);
    const std::vector<Addition> additions{{1, 3, b.data()}, {1, 2, c.data()}};
    std::vector<const double*> moving{a.data(), a.data(), a.data()};
    Doubles sums(3 * static_cast<std::size_t>(stride));
    kernels.add_all(additions.data(), 2, moving.data(), sums.data(), stride);
    CHECK_EQUAL(moving[0], a.data());
    CHECK_EQUAL(moving[1], sums.data() + stride);
    CHECK_EQUAL(moving[2], sums.data() + 2 * stride);
    for (int k = 0; k < stride; ++k) {
      CHECK_EQUAL(moving[1][k], a[k] + b[k] + c[k]);
      CHECK_EQUAL(moving[2][k], a[k] + b[k]);
    }
  });
}

TEST(settling) {
  for_all([](const Kernels& kernels, Random& random, int labels) {
    const int stride = padded(labels), words = (stride + 63) / 64, count = random.between(1, 4);
    const Doubles before = rows(random, count, labels), emissions = rows(random, 1, labels), reach = rows(random, 1, labels);
    Doubles corrections = rows(random, count, labels, 0.0);
    std::vector<const double*> pointers;
    for (int r = 0; r < count; ++r) {
      double* row = corrections.data() + static_cast<std::size_t>(r) * stride;
      std::fill(row + labels, row + stride, 0.0);
      pointers.push_back(row);
    }
    for (const bool corrected : {false, true})
      for (const double threshold : {kForbidden, random.score(true), random.score(false)}) {
        Doubles scores = before;
        std::vector<uint64_t> alive(static_cast<std::size_t>(count) * words, ~uint64_t{0});
        const int64_t kept = kernels.settle(scores.data(), count, emissions.data(), reach.data(),
                                            corrected ? pointers.data() : nullptr, threshold, stride, alive.data());
        int64_t expected = 0;
        for (int r = 0; r < count; ++r)
          for (int k = 0; k < stride; ++k) {
            const std::size_t at = static_cast<std::size_t>(r) * stride + k;
            const double promise = corrected ? before[at] + reach[k] + pointers[r][k] : before[at] + reach[k];
            const bool lives = promise > kForbidden && promise >= threshold;
            expected += lives;
            CHECK_EQUAL((alive[static_cast<std::size_t>(r) * words + k / 64] >> (k % 64)) & 1, static_cast<uint64_t>(lives));
            CHECK_EQUAL(scores[at], lives ? before[at] + emissions[k] : kForbidden);
          }
        CHECK_EQUAL(kept, expected);
      }
  });
}

TEST(padding) {
  for_all([](const Kernels& kernels, Random& random, int labels) {
    const int stride = padded(labels), count = random.between(1, 5);
    std::vector<double> scores;
    double largest = 0;
    for (int i = 0; i < count * labels; ++i) {
      scores.push_back(random.chance(0.2) ? kForbidden : random.score(false));
      if (scores.back() > kForbidden) largest = std::max(largest, std::abs(scores.back()));
    }
    Doubles rows(static_cast<std::size_t>(count) * stride, 1.0);
    CHECK_EQUAL(kernels.pad(scores.data(), count, labels, stride, rows.data()), largest);
    for (int r = 0; r < count; ++r)
      for (int k = 0; k < stride; ++k) CHECK_EQUAL(rows[r * stride + k], k < labels ? scores[r * labels + k] : kForbidden);
    for (const double illegal : {-kForbidden, std::nan("")}) {
      auto wrong = scores;
      wrong[random.below(count * labels)] = illegal;
      CHECK(std::isnan(kernels.pad(wrong.data(), count, labels, stride, rows.data())));
    }
  });
}

TEST(the_newest_generation_is_picked) { CHECK_EQUAL(std::string(kernels().name), generations().back()->name); }

}  // namespace
}  // namespace lawful
