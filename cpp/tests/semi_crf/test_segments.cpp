// Segmentations against finite differences and each other; local classifiers and histories of weights, for the sanitisers.
#include <cmath>
#include <numeric>
#include <random>

#include "core/learning/local_learning.hpp"
#include "core/linear/online.hpp"
#include "core/semi_crf/segment_scores.hpp"
#include "tests/check.hpp"

namespace lawful {
namespace {

struct Rows {
  std::vector<int64_t> sequences{0}, items{0};
  std::vector<int32_t> attributes;
  Sequences view;

  // `count` rows of up to three attributes of [first, first + size); a row may be empty.
  Rows(std::mt19937& random, std::vector<int64_t> offsets, int64_t count, int32_t first, int32_t size)
      : sequences(std::move(offsets)) {
    for (int64_t r = 0; r < count; ++r) {
      for (unsigned n = random() % 4; n > 0; --n) attributes.push_back(first + static_cast<int32_t>(random() % size));
      items.push_back(static_cast<int64_t>(attributes.size()));
    }
    view = {static_cast<int64_t>(sequences.size()) - 1, sequences.data(), items.data(), attributes.data(), nullptr};
  }
};

// Every (attribute, label), every transition, first and last labels.
LinearLayout full_layout(int labels, int attributes) {
  LinearLayout layout;
  Ragged members;
  for (int k = 0; k < labels; ++k) {
    members.items.push_back(k);
    members.first.push_back(k + 1);
  }
  layout.outputs = Outputs(labels, members);
  for (int a = 0; a < attributes; ++a) {
    for (int k = 0; k < labels; ++k) layout.state.items.push_back(k);
    layout.state.first.push_back(static_cast<int64_t>(layout.state.items.size()));
  }
  for (int j = 0; j < labels; ++j)
    for (int k = 0; k < labels; ++k) {
      layout.edge_source.push_back(j);
      layout.edge_target.push_back(k);
    }
  for (int k = 0; k < labels; ++k) {
    layout.first_output.push_back(k);
    layout.last_output.push_back(k);
  }
  return layout;
}

TEST(segmentations_sum_as_their_gradient_says) {
  for (const bool repeat : {false, true})
    for (const int labels : {1, 2, 5}) {
      std::mt19937 random(labels);
      std::vector<int32_t> longest;
      for (int k = 0; k < labels; ++k) longest.push_back(1 + (k * 2) % 5);
      const SemiShape shape(longest, std::vector<uint8_t>(labels, repeat || labels == 1));
      const std::vector<int64_t> offsets{0, 1, 1, 8, 20};
      const Rows tokens(random, offsets, 20, 0, 6), firsts(random, offsets, 20, 6, 3), lasts(random, offsets, 20, 9, 3);
      const Rows lengths(random, {0, shape.width}, shape.width, 12, 2),
          wholes(random, {0, 20 * shape.width}, 20 * shape.width, 14, 4);
      const SemiCorpus corpus{tokens.view, &firsts.view, &lasts.view, &lengths.view, &wholes.view};
      const LinearLayout layout = full_layout(labels, 18);
      const auto size = static_cast<std::size_t>(layout.size());
      std::vector<double> weights(size), observed(size, 0.0), gradient(size), again(size);
      for (double& weight : weights) weight = std::normal_distribution<>()(random);
      SemiObjective single(layout, shape, corpus, observed.data(), 1), threaded(layout, shape, corpus, observed.data(), 3);
      const double value = single.evaluate(weights.data(), gradient.data());
      CHECK_EQUAL(value, threaded.evaluate(weights.data(), again.data()));
      CHECK(gradient == again);
      for (std::size_t i = 0; i < size; ++i) {
        const double kept = weights[i];
        weights[i] = kept + 1e-5;
        const double above = single.evaluate(weights.data(), again.data());
        weights[i] = kept - 1e-5;
        const double below = single.evaluate(weights.data(), again.data());
        weights[i] = kept;
        CHECK(std::abs((above - below) / 2e-5 - gradient[i]) < 1e-5);
      }
      SemiTables tables;
      tables.set(layout, weights.data(), shape, corpus);
      const auto frame = std::make_shared<const SegmentFrame>(
          SegmentFrame{shape, tables.edges, tables.first, tables.last, std::vector<int32_t>(4 * labels)});
      SemiChain chain(layout, shape);
      std::vector<int32_t> ends, segment_labels;
      for (int64_t s = 0; s < tokens.view.sequences; ++s) {
        const int length = corpus.length(s);
        if (!length) continue;
        chain.score(weights.data(), tables, corpus, s);
        const double best = chain.best(tables, ends, segment_labels);
        CHECK_EQUAL(ends.back(), length);
        for (std::size_t i = 0; i < ends.size(); ++i) {
          CHECK(ends[i] - (i ? ends[i - 1] : 0) <= longest[segment_labels[i]]);
          if (i && !shape.repeats[segment_labels[i]]) CHECK(segment_labels[i] != segment_labels[i - 1]);
        }
        const SegmentScores scores(frame, length, chain.cells());
        CHECK_EQUAL(scores.best(), best);
        CHECK_EQUAL(scores.best_tags().size(), static_cast<std::size_t>(length));
        const SegmentGraph graph = scores.graph(kForbidden), near = scores.graph(best - 1);
        CHECK(graph.source.size() == graph.weight.size() && graph.final.size() > static_cast<std::size_t>(length * labels));
        CHECK(near.source.size() >= static_cast<std::size_t>(length) && near.source.size() <= graph.source.size());
        CHECK(std::abs(scores.reached_by(0) - best) < 1e-9 && scores.reached_by(1 << 20) == kForbidden);
        CHECK(chain.sum(tables) >= best - 1e-9);  // equal where there is one segmentation only
        for (int t = 0; t < length; ++t) {
          const double* row = chain.covering() + t * labels;
          CHECK(std::abs(std::accumulate(row, row + labels, 0.0) - 1) < 1e-9);
        }
      }
    }
}

TEST(local_classifiers_learn_what_can_be_learned) {
  std::mt19937 random(3);
  const int labels = 3, count = 60;
  std::vector<int64_t> each(count + 1), order(count), items{0};
  std::iota(each.begin(), each.end(), 0);
  std::iota(order.begin(), order.end(), 0);
  std::vector<int32_t> attributes, gold;
  for (int p = 0; p < count; ++p) {  // the first attribute is the label, the second means nothing, the third is unknown
    gold.push_back(static_cast<int32_t>(random() % labels));
    attributes.insert(attributes.end(), {gold.back(), labels + static_cast<int32_t>(random() % 4), -1});
    items.push_back(static_cast<int64_t>(attributes.size()));
  }
  const Sequences data{count, each.data(), items.data(), attributes.data(), nullptr};
  const LinearLayout layout = full_layout(labels, labels + 4);
  for (int which = 0; which < 8; ++which) {
    LocalOptions options;
    options.multiplicative = which & 1;
    options.balanced = options.multiplicative && (which & 2);
    options.one_vs_all = which & 4;
    options.margin = 0.1;
    options.threshold = options.multiplicative && !options.balanced ? 1 : 0;
    options.initial = 0.5;
    options.promotion = 1.3;
    options.demotion = 1 / 1.3;
    options.record = true;
    LocalLearner learner(layout, data, gold.data(), options);
    double wrong = 1;
    for (int epoch = 0; epoch < 20; ++epoch) wrong = learner.epoch(order.data(), count);
    CHECK(wrong < 0.1);
    std::vector<double> single(count * labels), threaded(count * labels);
    count_position_history(layout, data, gold.data(), options, learner.updates(), learner.time(), data, -1, 1, single.data());
    count_position_history(layout, data, gold.data(), options, learner.updates(), learner.time(), data, -1, 3, threaded.data());
    CHECK(single == threaded);
    CHECK(std::abs(std::accumulate(single.begin(), single.end(), 0.0) - 20.0 * count * count) < 1e-6);
  }
  const std::vector<double> zeros(layout.size(), 0.0);
  const std::vector<int64_t> lines{0, 20, 20, 50, 60}, turns{3, 0, 1, 2};
  const Sequences whole{4, lines.data(), items.data(), attributes.data(), nullptr};
  StructuredPerceptron perceptron({layout, whole, nullptr, gold.data()}, zeros.data(), {0.5, 1.0, true});
  for (int epoch = 0; epoch < 5; ++epoch) perceptron.epoch(turns.data(), 4);
  std::vector<double> single(count * labels), threaded(count * labels);
  const LabelledCorpus corpus{layout, whole, nullptr, gold.data()};
  count_sequence_history(corpus, zeros.data(), perceptron.updates(), perceptron.time(), whole, nullptr, -1, 1, single.data());
  count_sequence_history(corpus, zeros.data(), perceptron.updates(), perceptron.time(), whole, nullptr, -1, 4, threaded.data());
  CHECK(single == threaded);
  CHECK(std::abs(std::accumulate(single.begin(), single.end(), 0.0) - 20.0 * count) < 1e-9);
}

}  // namespace
}  // namespace lawful
