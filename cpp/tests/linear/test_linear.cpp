// The kernels of linear models in every generation, the objective against finite differences, and what minimises it.
#include <cmath>
#include <numeric>

#include "core/kernels/chain_sums.hpp"
#include "core/learning/lbfgs.hpp"
#include "core/linear/feature_choice.hpp"
#include "core/linear/objective.hpp"
#include "core/linear/online.hpp"
#include "core/linear/tagging.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {

namespace base { const ChainKernels& chain_table(); }
#if defined(__x86_64__)
namespace v3 { const ChainKernels& chain_table(); }
namespace v4 { const ChainKernels& chain_table(); }
#endif

namespace {

std::vector<const ChainKernels*> generations() {
  std::vector<const ChainKernels*> tables{&base::chain_table()};
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    tables.push_back(&v3::chain_table());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw"))
    tables.push_back(&v4::chain_table());
#endif
  return tables;
}

Doubles rows(Random& random, int count, int labels) {
  const int stride = padded(labels);
  Doubles values(static_cast<std::size_t>(count) * stride, 0.0);
  for (int r = 0; r < count; ++r)
    for (int k = 0; k < labels; ++k) values[static_cast<std::size_t>(r) * stride + k] = random.score(false);
  return values;
}

// What a sequence's sums come to, all numbers behind one another.
Doubles sums_of(const ChainKernels& kernels, Random random, int labels, int length) {
  const int stride = padded(labels);
  Doubles scores = rows(random, length, labels), edges = rows(random, labels, labels), first = rows(random, 1, labels),
          last = rows(random, 1, labels);
  Doubles forward(edges.size(), 0.0), backward(edges.size(), 0.0);
  for (int i = 0; i < labels; ++i) {
    for (int j = 0; j < labels; ++j) forward[i * stride + j] = backward[j * stride + i] = std::exp(edges[i * stride + j]);
    first[i] = std::exp(first[i]);
    last[i] = std::exp(last[i]);
  }
  Doubles alpha(scores.size()), arrival(scores.size()), scales(length), outer(edges.size(), 0.0);
  const Chain chain{length,       labels,      stride,       scores.data(),  forward.data(), backward.data(),
                    first.data(), last.data(), alpha.data(), arrival.data(), scores.data(),  scales.data()};
  const double log_partition = kernels.forward_backward(chain);
  kernels.outer(chain, outer.data());
  for (int t = 0; t < length; ++t) {
    double total = 0;
    for (int k = 0; k < stride; ++k) total += scores[t * stride + k];
    CHECK(std::abs(total - 1) < 1e-12);
    for (int k = labels; k < stride; ++k) CHECK_EQUAL(scores[t * stride + k], 0.0);
  }
  double pairs = 0;
  for (std::size_t i = 0; i < outer.size(); ++i) pairs += outer[i] * forward[i];
  CHECK(std::abs(pairs - (length - 1)) < 1e-10 * length);
  scores.push_back(log_partition);
  scores.insert(scores.end(), outer.begin(), outer.end());
  return scores;
}

TEST(all_generations_of_sums_agree_to_the_last_bit) {
  for (const int labels : {1, 2, 7, 8, 9, 16, 17, 22, 25, 33, 40, 65})
    for (const int length : {1, 2, 3, 5, 6, 40}) {
      const Random random(labels * 100 + length);
      const Doubles expected = sums_of(base::chain_table(), random, labels, length);
      for (const ChainKernels* kernels : generations()) CHECK(sums_of(*kernels, random, labels, length) == expected);
    }
}

TEST(gathering_and_scattering_are_plain_sums) {
  for (const int labels : {1, 8, 9, 22, 31, 40, 72}) {
    Random random(labels);
    const int stride = padded(labels), count = 20;
    const Doubles table = rows(random, count, labels), row = rows(random, 1, labels);
    std::vector<int32_t> ids;
    std::vector<double> values;
    for (int i = 0; i < 13; ++i) {
      ids.push_back(random.below(count));
      values.push_back(random.score(false));
    }
    for (const ChainKernels* kernels : generations())
      for (const double* factors : {static_cast<const double*>(nullptr), static_cast<const double*>(values.data())}) {
        Doubles sum(row), spread(table), plain_sum(row), plain_spread(table);
        kernels->gather(table.data(), ids.data(), factors, 13, sum.data(), stride);
        kernels->scatter(spread.data(), ids.data(), factors, 13, row.data(), stride);
        for (int i = 0; i < 13; ++i)
          for (int k = 0; k < stride; ++k) {
            plain_sum[k] += (factors ? values[i] : 1.0) * table[ids[i] * stride + k];
            plain_spread[ids[i] * stride + k] += (factors ? values[i] : 1.0) * row[k];
          }
        CHECK(sum == plain_sum);
        CHECK(spread == plain_spread);
      }
  }
}

TEST(the_exponential_is_exact_to_a_few_units) {
  for (const ChainKernels* kernels : generations()) {
    alignas(64) double scores[8], powers[8];
    double worst = 0;
    for (double x = 0; x > -299; x -= 0.0937) {
      for (int k = 0; k < 8; ++k) scores[k] = k ? x - k * 0.01 : 0.0;
      double smallest;
      CHECK_EQUAL(kernels->exponentiate(scores, powers, 8, 8, &smallest), 0.0);
      for (int k = 0; k < 8; ++k) worst = std::max(worst, std::abs(powers[k] / std::exp(scores[k]) - 1));
    }
    CHECK(worst < 1e-15);
  }
}

// A random corpus that keeps its own arrays.
struct RandomCorpus {
  std::vector<int64_t> sequence_offsets{0}, item_offsets{0};
  std::vector<int32_t> attributes, labels;
  std::vector<double> values;
  Sequences view;

  RandomCorpus(Random& random, int sequences, int label_count, int attribute_count, bool valued) {
    for (int s = 0; s < sequences; ++s) {
      for (int t = random.below(9); t > 0; --t) {
        for (int i = random.below(6); i > 0; --i) {
          attributes.push_back(random.below(attribute_count + 1) - 1);
          values.push_back(valued ? random.score(false) : 1.0);
        }
        item_offsets.push_back(static_cast<int64_t>(attributes.size()));
        labels.push_back(random.below(label_count));
      }
      sequence_offsets.push_back(static_cast<int64_t>(labels.size()));
    }
    view = {sequences, sequence_offsets.data(), item_offsets.data(), attributes.data(), valued ? values.data() : nullptr};
    view.check(static_cast<int64_t>(attributes.size()), static_cast<int64_t>(labels.size()), attribute_count);
  }
};

Outputs random_outputs(Random& random, int labels, bool groups) {
  Ragged members;
  auto add = [&](const std::vector<int32_t>& of) {
    members.items.insert(members.items.end(), of.begin(), of.end());
    members.first.push_back(static_cast<int64_t>(members.items.size()));
  };
  for (int k = 0; k < labels; ++k) add({k});
  for (int group = groups ? 3 : 0; group > 0; --group) {
    std::vector<int32_t> of;
    for (int k = 0; k < labels; ++k)
      if (random.chance(0.5)) of.push_back(k);
    add(of);
  }
  return Outputs(labels, members);
}

TEST(the_gradient_is_that_of_finite_differences_and_of_every_number_of_threads) {
  for (uint64_t seed = 0; seed < 24; ++seed) {
    Random random(seed);
    const int labels = random.between(1, 10);
    const Outputs outputs = random_outputs(random, labels, seed % 2);
    const RandomCorpus data(random, 30, labels, 12, seed % 3 == 0);
    RandomCorpus pairs(random, 0, labels, 5, false);  // other attributes at the same positions
    pairs.sequence_offsets = data.sequence_offsets;
    pairs.item_offsets = data.item_offsets;
    for (std::size_t i = 0; i < data.attributes.size(); ++i) pairs.attributes.push_back(random.below(5));
    pairs.view = {data.view.sequences, pairs.sequence_offsets.data(), pairs.item_offsets.data(), pairs.attributes.data(),
                  nullptr};
    const Sequences* pair_view = seed % 4 < 2 ? nullptr : &pairs.view;
    FeatureChoiceOptions options;
    options.first = options.last = true;
    options.all_edges = options.all_states = seed % 5 == 0;
    options.label_outputs = labels;
    const ChosenFeatures chosen = choose_features(outputs, data.view, 12, data.labels.data(), pair_view, 5, options);
    chosen.layout.check();
    CHECK(count_features(chosen.layout, data.view, data.labels.data(), pair_view).size() == chosen.observed.size());
    const auto size = static_cast<std::size_t>(chosen.layout.size());
    Doubles weights(size), gradient(size), again(size);
    for (double& weight : weights) weight = random.score(false) / 4;
    LinearObjective objective(chosen.layout, data.view, pair_view, chosen.observed.data(), 1);
    LinearObjective threaded(chosen.layout, data.view, pair_view, chosen.observed.data(), 3);
    const double value = objective.evaluate(weights.data(), gradient.data());
    CHECK_EQUAL(threaded.evaluate(weights.data(), again.data()), value);
    CHECK(gradient == again);
    for (std::size_t i = 0; i < size; i += 1 + size / 20) {
      const double kept = weights[i];
      weights[i] = kept + 1e-5;
      const double above = objective.evaluate(weights.data(), again.data());
      weights[i] = kept - 1e-5;
      const double below = objective.evaluate(weights.data(), again.data());
      weights[i] = kept;
      CHECK(std::abs((above - below) / 2e-5 - gradient[i]) < 1e-5);
    }
    // The online trainers read the same corpus: one pass each, for the sanitisers and for sane answers.
    std::vector<int64_t> order(data.view.sequences);
    std::iota(order.begin(), order.end(), 0);
    const std::vector<double> zeros(size, 0.0);
    StructuredPerceptron perceptron({chosen.layout, data.view, pair_view, data.labels.data()}, zeros.data(), {});
    const double wrong = perceptron.epoch(order.data(), data.view.sequences);
    CHECK(wrong >= 0 && wrong <= 1);
    LinearDescent descent({chosen.layout, data.view, pair_view, data.labels.data()}, zeros.data(), 0.01);
    descent.set_first_step(0.01);
    const double before = descent.loss(order.data(), data.view.sequences);
    descent.epoch(order.data(), data.view.sequences);
    CHECK(descent.loss(order.data(), data.view.sequences) <= before + 1e-9);
    std::vector<int32_t> tagged(data.labels.size());
    tag_all(chosen.layout, descent.current().data(), data.view, pair_view, 2, tagged.data());
    for (const int32_t label : tagged) CHECK(label >= 0 && label < labels);
  }
}

// f(x) = sum of scale_i (x_i - target_i)^2 / 2, whose minimum with penalties is known for each x_i.
TEST(quadratics_are_minimised_with_every_penalty) {
  for (const double c1 : {0.0, 1.0})
    for (const double c2 : {0.0, 0.5}) {
      const int size = 50;
      std::vector<double> scale(size), target(size);
      for (int i = 0; i < size; ++i) {
        scale[i] = 1 + i % 7;
        target[i] = (i % 11 - 5) / 2.0;
      }
      Lbfgs lbfgs(size,
                  [&](const double* x, double* gradient) {
                    double value = 0;
                    for (int i = 0; i < size; ++i) {
                      gradient[i] = scale[i] * (x[i] - target[i]);
                      value += 0.5 * gradient[i] * (x[i] - target[i]);
                    }
                    return value;
                  },
                  {c1, c2, 6, 20, 1});
      const std::vector<double> zeros(size, 0.0);
      double last = lbfgs.start(zeros.data()).objective;
      for (int i = 0; i < 100; ++i) {
        const auto report = lbfgs.step();
        CHECK(report.objective <= last);
        last = report.objective;
        if (!report.improved) break;
      }
      for (int i = 0; i < size; ++i) {
        const double pull = scale[i] * target[i], rest = std::abs(pull) - c1;
        const double expected = rest <= 0 ? 0.0 : std::copysign(rest, pull) / (scale[i] + 2 * c2);
        CHECK(std::abs(lbfgs.x()[i] - expected) < 1e-6);
      }
    }
}

}  // namespace
}  // namespace lawful
