#include "core/linear/sums.hpp"

#include <algorithm>
#include <cmath>

#include "core/kernels/chain_sums.hpp"

namespace lawful {
namespace {

// The largest and the smallest of the first K columns of some rows.
struct Range {
  double most = kForbidden, least = -kForbidden;
  void take(const double* scores, int rows, int labels, int stride) {
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < labels; ++k) {
        const double score = scores[static_cast<int64_t>(i) * stride + k];
        most = std::max(most, score);
        if (score != kForbidden) least = std::min(least, score);
      }
  }
  bool wide() const { return !(most - least < kWidestSpread); }
};

double log_sum(const double* terms, int count) {
  const double most = *std::max_element(terms, terms + count);
  if (most == kForbidden) return most;
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += std::exp(terms[i] - most);
  return most + std::log(sum);
}

}  // namespace

void EdgeTable::set(const LinearLayout& layout, const double* weights, double scale) {
  labels = layout.outputs.labels;
  stride = padded(labels);
  const std::size_t size = static_cast<std::size_t>(labels) * stride;
  for (Doubles* matrix : {&edges, &forward, &backward}) matrix->assign(size, 0.0);
  for (Doubles* row : {&first, &last, &exp_first, &exp_last}) row->assign(stride, 0.0);
  edge_scores(layout, weights, edges.data(), first.data(), last.data(), stride);
  if (scale != 1.0)
    for (Doubles* scores : {&edges, &first, &last})
      for (double& score : *scores) score *= scale;
  Range range, first_range, last_range;
  range.take(edges.data(), labels, labels, stride);
  first_range.take(first.data(), 1, labels, stride);
  last_range.take(last.data(), 1, labels, stride);
  wide = range.wide() || first_range.wide() || last_range.wide();
  edge_shift = range.most;
  boundary_shift = first_range.most + last_range.most;
  for (int i = 0; i < labels; ++i) {
    for (int j = 0; j < labels; ++j)
      forward[i * stride + j] = backward[j * stride + i] = std::exp(edges[i * stride + j] - edge_shift);
    exp_first[i] = std::exp(first[i] - first_range.most);
    exp_last[i] = std::exp(last[i] - last_range.most);
  }
  forward_blocks = layout.steps.by_source.view();
  backward_blocks = layout.steps.by_target.view();
}

void EdgeSums::clear(int labels, int stride) {
  for (Doubles* matrix : {&outer, &edges}) matrix->assign(static_cast<std::size_t>(labels) * stride, 0.0);
  for (Doubles* row : {&first, &last}) row->assign(stride, 0.0);
}

void EdgeSums::add(const EdgeSums& other) {
  auto plus = [](Doubles& into, const Doubles& from) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
  };
  plus(outer, other.outer);
  plus(edges, other.edges);
  plus(first, other.first);
  plus(last, other.last);
}

void EdgeSums::finish(const EdgeTable& table) {
  for (std::size_t i = 0; i < edges.size(); ++i) edges[i] += outer[i] * table.forward[i];
  std::fill(outer.begin(), outer.end(), 0.0);
}

double SequenceSums::run(const EdgeTable& table, double* rows, int length, double* pairs, EdgeSums& sums) {
  const int stride = table.stride;
  const std::size_t size = static_cast<std::size_t>(length) * stride;
  if (alpha_.size() < size) {
    alpha_.resize(size);
    arrival_.resize(size);
    scales_.resize(length);
  }
  if (scales_.size() < static_cast<std::size_t>(length)) scales_.resize(length);
  double result = std::nan("");
  if (pairs) {
    result = run_pairs(table, rows, length, pairs, sums);
  } else if (!table.wide) {
    const Chain chain{length,
                      table.labels,
                      stride,
                      rows,
                      table.forward.data(),
                      table.backward.data(),
                      table.exp_first.data(),
                      table.exp_last.data(),
                      alpha_.data(),
                      arrival_.data(),
                      rows,
                      scales_.data(),
                      table.forward_blocks,
                      table.backward_blocks};
    result = chain_kernels().forward_backward(chain);
    if (!std::isfinite(result)) result = std::nan("");  // every way died out among forbidden steps
    if (!std::isnan(result)) {
      chain_kernels().outer(chain, sums.outer.data());
      result += table.boundary_shift + (length - 1) * table.edge_shift;
    }
  }
  if (std::isnan(result)) result = run_logs(table, rows, length, pairs, sums);
  const double* last = rows + size - stride;
  for (int k = 0; k < table.labels; ++k) {
    sums.first[k] += rows[k];
    sums.last[k] += last[k];
  }
  return result;
}

// As the kernel does it, with a matrix for each step.
double SequenceSums::run_pairs(const EdgeTable& table, double* rows, int length, double* pairs, EdgeSums& sums) {
  const int labels = table.labels, stride = table.stride;
  const int64_t matrix = static_cast<int64_t>(labels) * stride;
  if (table.wide) return std::nan("");
  double result = table.boundary_shift, smallest;
  // First look, then touch: the scores must be whole if logs are needed.
  for (int t = 0; t < length; ++t) {
    Range range;
    range.take(rows + static_cast<int64_t>(t) * stride, 1, labels, stride);
    if (range.wide()) return std::nan("");
  }
  work_.resize(std::max(1, length - 1) * static_cast<std::size_t>(matrix));
  for (int t = 1; t < length; ++t) {
    double* step = work_.data() + (t - 1) * matrix;
    for (int64_t i = 0; i < matrix; ++i) step[i] = pairs[(t - 1) * matrix + i] + table.edges[i];
    Range range;
    range.take(step, labels, labels, stride);
    if (range.wide()) return std::nan("");
    result += range.most;
    for (int i = 0; i < labels; ++i) {
      double* row = step + static_cast<int64_t>(i) * stride;
      const double shift = std::exp(chain_kernels().exponentiate(row, row, labels, stride, &smallest) - range.most);
      for (int k = 0; k < labels; ++k) row[k] *= shift;
      std::fill(row + labels, row + stride, 0.0);
    }
  }
  for (int t = 0; t < length; ++t) {
    double *alpha = alpha_.data() + static_cast<int64_t>(t) * stride,
           *emission = arrival_.data() + static_cast<int64_t>(t) * stride;
    result += chain_kernels().exponentiate(rows + static_cast<int64_t>(t) * stride, emission, labels, stride, &smallest);
    if (t == 0) {
      std::copy(table.exp_first.begin(), table.exp_first.end(), alpha);
    } else {
      const double* step = work_.data() + (t - 1) * matrix;
      std::fill(alpha, alpha + stride, 0.0);
      for (int i = 0; i < labels; ++i)
        for (int k = 0; k < stride; ++k) alpha[k] += alpha[i - stride] * step[static_cast<int64_t>(i) * stride + k];
    }
    double total = 0;
    for (int k = 0; k < labels; ++k) total += alpha[k] *= emission[k];
    scales_[t] = 1 / total;
    for (int k = 0; k < stride; ++k) alpha[k] *= scales_[t];
    result += std::log(total);
  }
  double* beta = rows + static_cast<int64_t>(length - 1) * stride;
  const double* alpha = alpha_.data() + static_cast<int64_t>(length - 1) * stride;
  double total = 0;
  for (int k = 0; k < labels; ++k) total += alpha[k] * table.exp_last[k];
  for (int k = 0; k < stride; ++k) beta[k] = table.exp_last[k] / total;
  for (int t = length - 1; t >= 0; --t, beta -= stride, alpha -= stride) {
    double* arrival = arrival_.data() + static_cast<int64_t>(t) * stride;
    for (int k = 0; k < labels; ++k) arrival[k] *= beta[k] * scales_[t];
    std::fill(arrival + labels, arrival + stride, 0.0);
    for (int k = 0; k < stride; ++k) beta[k] *= alpha[k];
    if (t == 0) break;
    const double* step = work_.data() + (t - 1) * matrix;
    double* pair = pairs + (t - 1) * matrix;
    double* before = beta - stride;
    for (int i = 0; i < labels; ++i, step += stride, pair += stride) {
      double sum = 0;
      for (int k = 0; k < stride; ++k) pair[k] = step[k] * arrival[k];
      for (int k = 0; k < labels; ++k) sum += pair[k];
      before[i] = sum;
      const double from = (alpha - stride)[i];
      double* edge = sums.edges.data() + static_cast<int64_t>(i) * stride;
      for (int k = 0; k < stride; ++k) edge[k] += pair[k] *= from;
    }
    std::fill(before + labels, before + stride, 0.0);
  }
  return result + std::log(total);
}

// Slow, and right for any finite scores.
double SequenceSums::run_logs(const EdgeTable& table, double* rows, int length, double* pairs, EdgeSums& sums) {
  const int labels = table.labels, stride = table.stride;
  auto edge = [&](int t, int i, int k) {
    const int64_t at = static_cast<int64_t>(i) * stride + k;
    return table.edges[at] + (pairs ? pairs[(t - 1) * static_cast<int64_t>(labels) * stride + at] : 0.0);
  };
  double *alpha = alpha_.data(), *beta = arrival_.data();
  std::vector<double> terms(labels);
  for (int t = 0; t < length; ++t)
    for (int k = 0; k < labels; ++k) {
      double before = table.first[k];
      if (t > 0) {
        for (int i = 0; i < labels; ++i) terms[i] = alpha[(t - 1) * stride + i] + edge(t, i, k);
        before = log_sum(terms.data(), labels);
      }
      alpha[t * stride + k] = before + rows[t * stride + k];
    }
  for (int t = length - 1; t >= 0; --t)
    for (int i = 0; i < labels; ++i) {
      if (t == length - 1) {
        beta[t * stride + i] = table.last[i];
        continue;
      }
      for (int k = 0; k < labels; ++k) terms[k] = edge(t + 1, i, k) + rows[(t + 1) * stride + k] + beta[(t + 1) * stride + k];
      beta[t * stride + i] = log_sum(terms.data(), labels);
    }
  for (int k = 0; k < labels; ++k) terms[k] = alpha[(length - 1) * stride + k] + table.last[k];
  const double total = log_sum(terms.data(), labels);
  for (int t = 1; t < length; ++t)
    for (int i = 0; i < labels; ++i)
      for (int k = 0; k < labels; ++k) {
        const double p =
            std::exp(alpha[(t - 1) * stride + i] + edge(t, i, k) + rows[t * stride + k] + beta[t * stride + k] - total);
        sums.edges[static_cast<int64_t>(i) * stride + k] += p;
        if (pairs) pairs[(t - 1) * static_cast<int64_t>(labels) * stride + static_cast<int64_t>(i) * stride + k] = p;
      }
  for (int t = 0; t < length; ++t) {
    for (int k = 0; k < labels; ++k) rows[t * stride + k] = std::exp(alpha[t * stride + k] + beta[t * stride + k] - total);
    std::fill(rows + t * stride + labels, rows + (t + 1) * stride, 0.0);
  }
  return total;
}

}  // namespace lawful
