#include "core/solvers/dual_part.hpp"

#include <algorithm>

namespace lawful {

void PartPath::read_classes(const Part& part, int kind, const double* scores, const double* mask, int like, double slack) {
  classes_.assign(part.classes, {kForbidden, 0, -1});
  for (int k = 0; k < part.labels; ++k) {
    if (mask[k] == kForbidden) continue;
    Choice& best = classes_[part.class_at(kind, k)];
    if (best.label < 0 || -scores[k] > best.value) {
      best.value = -scores[k];
      best.label = k;
    }
  }
  if (mask[like] == kForbidden) return;
  Choice& wished = classes_[part.class_at(kind, like)];
  if (-scores[like] >= wished.value - slack) {
    wished.label = like;
    wished.shared = 1;
  }
}

double PartPath::best(const BoundPart& bound, int length, const double* scores, const double* mask, const int32_t* like,
                      double slack, int32_t* path, Budget& budget) {
  const Part& part = *bound.part;
  const int states = part.states, classes = part.classes, stride = part.stride();
  const std::size_t cells = static_cast<std::size_t>(length + 1) * states;
  if (cells > choices_.capacity()) {
    budget.hold((choices_.capacity() + cells) * sizeof(Choice));
    choices_.reserve(cells);
  }
  choices_.resize(cells);
  for (int s = 0; s < states; ++s) choices_[static_cast<std::size_t>(length) * states + s] = {-part.final_cost[s], 0, -1};
  for (int t = length - 1; t >= 0; --t) {
    budget.work(part.labels + 3 * static_cast<int64_t>(part.delta.size()));
    const std::size_t row = static_cast<std::size_t>(t) * stride;
    read_classes(part, bound.kind(t), scores + row, mask + row, like[t], slack);
    const Choice* next = choices_.data() + static_cast<std::size_t>(t + 1) * states;
    Choice* now = choices_.data() + static_cast<std::size_t>(t) * states;
    for (int s = 0; s < (t == 0 ? 1 : states); ++s) {
      Choice best{kForbidden, -1, -1};
      double top = kForbidden;
      for (int c = 0; c < classes; ++c) {
        const int32_t target = part.delta[s * classes + c];
        if (target == kDead || classes_[c].label < 0) continue;
        const double value = classes_[c].value - part.cost[s * classes + c] + next[target].value;
        const int32_t shared = classes_[c].shared + next[target].shared;
        if (value == kForbidden || value < top - slack) continue;
        if (value > top + slack || shared > best.shared) {
          best.shared = shared;
          best.label = classes_[c].label;
        }
        top = std::max(top, value);
      }
      best.value = top;  // the true best: the bound must not depend on how ties are broken
      now[s] = best;
    }
  }
  int32_t state = 0;
  for (int t = 0; t < length; ++t) {
    const int32_t label = choices_[static_cast<std::size_t>(t) * states + state].label;
    if (label < 0) return kForbidden;
    path[t] = label;
    state = part.delta[state * classes + part.class_at(bound.kind(t), label)];
  }
  return choices_[0].value;
}

}  // namespace lawful
