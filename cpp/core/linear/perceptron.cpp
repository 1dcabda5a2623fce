#include "core/linear/online.hpp"

namespace lawful {

StructuredPerceptron::StructuredPerceptron(const LabelledCorpus& corpus, const double* weights, const Options& options)
    : corpus_(corpus), options_(options), path_(corpus.layout), weights_(weights, weights + corpus.layout.size()),
      timed_changes_(corpus.layout.size(), 0.0) {}

void StructuredPerceptron::best(int64_t s, const int32_t* against, int32_t* labels) {
  if (stale_) viterbi_.set(corpus_.layout, weights_.data());
  stale_ = false;
  viterbi_.run(corpus_.layout, weights_.data(), corpus_.data, corpus_.pairs, s, labels, against, options_.margin);
}

void StructuredPerceptron::update(int64_t s, const int32_t* target, const int32_t* predicted, double rate) {
  auto change = [&](const int32_t* labels, double by) {
    path_.visit(corpus_.data, corpus_.pairs, s, labels, [&](int64_t i, double value) {
      weights_[i] += by * value;
      timed_changes_[i] += by * time_ * value;
    });
  };
  change(target, rate);
  change(predicted, -rate);
  stale_ = true;
  if (!options_.record) return;
  const int length = corpus_.length(s);
  updates_.time.push_back(time_);
  updates_.rate.push_back(rate);
  updates_.sequence.push_back(s);
  updates_.target.insert(updates_.target.end(), target, target + length);
  updates_.predicted.insert(updates_.predicted.end(), predicted, predicted + length);
}

double StructuredPerceptron::epoch(const int64_t* order, int64_t count) {
  std::vector<int32_t> predicted;
  double loss = 0;
  for (int64_t n = 0; n < count; ++n, ++time_) {
    const int64_t s = order[n];
    const int length = corpus_.length(s);
    if (!length) continue;
    const int32_t* gold = corpus_.gold(s);
    predicted.resize(length);
    best(s, gold, predicted.data());
    int wrong = 0;
    for (int t = 0; t < length; ++t) wrong += predicted[t] != gold[t];
    if (!wrong) continue;
    loss += static_cast<double>(wrong) / length;
    update(s, gold, predicted.data(), options_.rate);
  }
  return count ? loss / static_cast<double>(count) : 0;
}

std::vector<double> StructuredPerceptron::averaged() const {
  std::vector<double> result(weights_);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] -= timed_changes_[i] / time_;
  return result;
}

}  // namespace lawful
