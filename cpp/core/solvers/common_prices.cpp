#include "core/solvers/common_prices.hpp"

#include <algorithm>
#include <cmath>

namespace lawful {

// Calls visit(part, where it is among the parts, where its classes begin).
template <typename Visit>
void CommonPrices::each_part(const Problem& problem, Visit visit) const {
  std::size_t p = 0, first = 0;
  for (const int32_t index : problem.searched) {
    const BoundPart& bound = problem.parts[index];
    visit(bound, p++, first);
    first += static_cast<std::size_t>(bound.part->kinds) * bound.part->classes;
  }
}

void CommonPrices::begin(const Problem& problem, int labels, int stride) {
  length_ = problem.trellis->length;
  labels_ = labels;
  stride_ = stride;
  tokens_.clear();
  each_part(problem, [&](const BoundPart& bound, std::size_t, std::size_t first) {
    const int classes = bound.part->classes;
    tokens_.resize(first + static_cast<std::size_t>(bound.part->kinds) * classes, 0.0);
    for (int t = 0; t < length_; ++t)
      for (int c = 0; c < classes; ++c) ++tokens_[first + bound.kind(t) * classes + c];
  });
}

bool CommonPrices::aim(const Problem& problem, const int32_t* paths, const int32_t* trellis_path) {
  wanted_.assign(tokens_.size(), 0.0);
  each_part(problem, [&](const BoundPart& bound, std::size_t p, std::size_t first) {
    const int32_t* path = paths + p * length_;
    for (int t = 0; t < length_; ++t) {
      double* row = wanted_.data() + first + bound.kind(t) * bound.part->classes;
      ++row[bound.class_at(t, path[t])];
      --row[bound.class_at(t, trellis_path[t])];
    }
  });
  squares_ = 0;
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    if (wanted_[i] == 0) continue;
    squares_ += wanted_[i] * wanted_[i] / tokens_[i];
    wanted_[i] /= tokens_[i];
  }
  return squares_ > 0;
}

void CommonPrices::step(const Problem& problem, double gap, double* u, double* largest) const {
  const double size = gap / squares_;
  each_part(problem, [&](const BoundPart& bound, std::size_t p, std::size_t first) {
    for (int t = 0; t < length_; ++t, u += stride_) {
      const double* row = wanted_.data() + first + bound.kind(t) * bound.part->classes;
      for (int k = 0; k < labels_; ++k) {
        u[k] += size * row[bound.class_at(t, k)];
        largest[p] = std::max(largest[p], std::abs(u[k]));
      }
    }
  });
}

}  // namespace lawful
