#include "core/linear/tagging.hpp"

#include <algorithm>

#include "core/linear/scores.hpp"
#include "core/support/parallel.hpp"

namespace lawful {
namespace {

constexpr int64_t kShare = 64;  // sequences that a thread takes at a time

template <typename Work>  // work(sequence, worker)
void each_sequence(const Sequences& data, int threads, const Work& work) {
  parallel_for((data.sequences + kShare - 1) / kShare, threads, [&](int64_t share, int worker) {
    for (int64_t s = share * kShare; s < std::min(data.sequences, (share + 1) * kShare); ++s) work(s, worker);
  });
}

void forbid_padding(Doubles& rows, int labels, int stride) {
  for (std::size_t row = 0; row < rows.size(); row += stride)
    std::fill(rows.begin() + row + labels, rows.begin() + row + stride, kForbidden);
}

int length_of(const Sequences& data, int64_t s) {
  return static_cast<int>(data.sequence_offsets[s + 1] - data.sequence_offsets[s]);
}

}  // namespace

void LinearViterbi::set(const LinearLayout& layout, const double* weights) {
  labels_ = layout.outputs.labels;
  stride_ = padded(labels_);
  sparse_.blocks = layout.steps.by_target.view();
  forward_.assign(static_cast<std::size_t>(labels_) * stride_, 0.0);
  first_.assign(stride_, 0.0);
  last_.assign(stride_, 0.0);
  edge_scores(layout, weights, forward_.data(), first_.data(), last_.data(), stride_);
  if (layout.steps.all()) {
    backward_.assign(forward_.size(), 0.0);
    for (int i = 0; i < labels_; ++i)
      for (int j = 0; j < labels_; ++j) backward_[j * stride_ + i] = forward_[i * stride_ + j];
  } else {
    backward_.assign(forward_.size(), kForbidden);
    for (int64_t s = 0; s < layout.steps.size(); ++s) {
      const int64_t i = layout.steps.source[s], j = layout.steps.target[s];
      backward_[j * stride_ + i] = forward_[i * stride_ + j];
    }
  }
  for (Doubles* rows : {&forward_, &backward_, &first_, &last_}) forbid_padding(*rows, labels_, stride_);
}

void LinearViterbi::run(const LinearLayout& layout, const double* weights, const Sequences& data, const Sequences* pairs,
                        int64_t s, int32_t* labels, const int32_t* against, double margin) {
  const int length = length_of(data, s);
  if (!length) return;
  const std::size_t size = static_cast<std::size_t>(length) * stride_;
  rows_.resize(size);
  reach_.resize(size);
  choice_.resize(size);
  state_scores(layout, weights, data, s, 1.0, rows_.data(), stride_);
  if (against && margin != 0)
    for (int t = 0; t < length; ++t)
      for (int k = 0; k < labels_; ++k) rows_[static_cast<int64_t>(t) * stride_ + k] += k == against[t] ? 0.0 : margin;
  for (int k = 0; k < labels_; ++k) {
    rows_[k] += first_[k];
    rows_[size - stride_ + k] += last_[k];
  }
  forbid_padding(rows_, labels_, stride_);
  emissions_.resize(length);
  steps_.assign(length, Step{forward_.data(), backward_.data(), nullptr, sparse_.blocks.first ? &sparse_ : nullptr});
  for (int t = 0; t < length; ++t) emissions_[t] = rows_.data() + static_cast<int64_t>(t) * stride_;
  if (pairs && layout.has_pairs() && length > 1) {
    const int64_t matrix = static_cast<int64_t>(labels_) * stride_;
    pair_forward_.assign((length - 1) * matrix, 0.0);
    pair_backward_.assign((length - 1) * matrix, 0.0);
    pair_scores(layout, weights, *pairs, s, 1.0, pair_forward_.data(), stride_);
    for (int t = 1; t < length; ++t) {
      double *forward = pair_forward_.data() + (t - 1) * matrix, *backward = pair_backward_.data() + (t - 1) * matrix;
      for (int i = 0; i < labels_; ++i)
        for (int j = 0; j < labels_; ++j) backward[j * stride_ + i] = forward[i * stride_ + j] += forward_[i * stride_ + j];
      steps_[t] = {forward, backward};
    }
    forbid_padding(pair_forward_, labels_, stride_);
    forbid_padding(pair_backward_, labels_, stride_);
  }
  kernels().complete(emissions_.data(), steps_.data(), reach_.data(), choice_.data(), length, labels_, stride_);
  kernels().follow(steps_.data(), reach_.data(), choice_.data(), labels, length, stride_);
}

void tag_all(const LinearLayout& layout, const double* weights, const Sequences& data, const Sequences* pairs, int threads,
             int32_t* labels) {
  std::vector<LinearViterbi> of_worker(std::max(1, threads));
  for (LinearViterbi& viterbi : of_worker) viterbi.set(layout, weights);
  each_sequence(data, threads, [&](int64_t s, int worker) {
    of_worker[worker].run(layout, weights, data, pairs, s, labels + data.sequence_offsets[s]);
  });
}

void emissions_of_all(const LinearLayout& layout, const double* weights, const Sequences& data, int threads, double* emissions) {
  const int labels = layout.outputs.labels;
  each_sequence(data, threads, [&](int64_t s, int) {
    state_scores(layout, weights, data, s, 1.0, emissions + data.sequence_offsets[s] * labels, labels);
  });
}

void marginals_of_all(const LinearLayout& layout, const double* weights, const Sequences& data, const Sequences* pairs,
                      int threads, double* marginals, double* log_partitions) {
  EdgeTable table;
  table.set(layout, weights);
  const int labels = table.labels, stride = table.stride;
  struct Worker {
    SequenceSums sums;
    EdgeSums edges;
    Doubles rows, matrices;
  };
  std::vector<Worker> of_worker(std::max(1, threads));
  for (Worker& workspace : of_worker) workspace.edges.clear(labels, stride);
  each_sequence(data, threads, [&](int64_t s, int worker) {
    const int length = length_of(data, s);
    log_partitions[s] = 0;
    if (!length) return;
    Worker& workspace = of_worker[worker];
    workspace.rows.resize(static_cast<std::size_t>(length) * stride);
    state_scores(layout, weights, data, s, 1.0, workspace.rows.data(), stride);
    double* matrices = nullptr;
    if (pairs && layout.has_pairs()) {
      workspace.matrices.assign(std::max(1, length - 1) * static_cast<std::size_t>(labels) * stride, 0.0);
      matrices = workspace.matrices.data();
      pair_scores(layout, weights, *pairs, s, 1.0, matrices, stride);
    }
    log_partitions[s] = workspace.sums.run(table, workspace.rows.data(), length, matrices, workspace.edges);
    double* into = marginals + data.sequence_offsets[s] * labels;
    for (int t = 0; t < length; ++t, into += labels)
      std::copy_n(workspace.rows.data() + static_cast<int64_t>(t) * stride, labels, into);
  });
}

}  // namespace lawful
