#include "core/crf_online.hpp"
#include "core/crf_tagging.hpp"

namespace bylaw {

CrfPerceptron::CrfPerceptron(const LabelledCorpus& corpus, const double* weights)
    : corpus_(corpus), path_(corpus.layout), weights_(weights, weights + corpus.layout.size()),
      weighted_(corpus.layout.size(), 0.0) {}

double CrfPerceptron::epoch(const int64_t* order, int64_t count) {
  CrfViterbi viterbi;
  viterbi.set(corpus_.layout, weights_.data());
  std::vector<int32_t> found;
  double loss = 0;
  for (int64_t n = 0; n < count; ++n, ++seen_) {
    const int64_t s = order[n];
    const int length = corpus_.length(s);
    if (!length) continue;
    const int32_t* gold = corpus_.gold(s);
    found.resize(length);
    viterbi.run(corpus_.layout, weights_.data(), corpus_.data, corpus_.pairs, s, found.data());
    int wrong = 0;
    for (int t = 0; t < length; ++t) wrong += found[t] != gold[t];
    if (!wrong) continue;
    loss += static_cast<double>(wrong) / length;
    auto change = [&](const int32_t* labels, double sign) {
      path_.visit(corpus_.data, corpus_.pairs, s, labels, [&](int64_t i, double value) {
        weights_[i] += sign * value;
        weighted_[i] += sign * seen_ * value;
      });
    };
    change(gold, 1), change(found.data(), -1);
    viterbi.set(corpus_.layout, weights_.data());
  }
  return count ? loss / static_cast<double>(count) : 0;
}

std::vector<double> CrfPerceptron::averaged() const {
  std::vector<double> result(weights_);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] -= weighted_[i] / seen_;
  return result;
}

}  // namespace bylaw
