#include "core/engine/search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace lawful {
namespace {

constexpr int64_t kBeam = 8;  // rows that a search goes on with after a limit
constexpr int32_t kAtOnce = 1024;  // rows that are settled between two looks at the budget
constexpr int32_t kHeldAtOnce = 32;  // rows that are extended between two sums of what is held,
constexpr int kLayersAtOnce = 8;     // and layers

// Calls visit(k) for every label k whose bit is set.
template <typename Visit>
void for_each_label(const uint64_t* alive, int words, Visit visit) {
  for (int word = 0; word < words; ++word)
    for (uint64_t bits = alive[word]; bits; bits &= bits - 1) visit(word * 64 + std::countr_zero(bits));
}

}  // namespace

std::size_t Search::bytes() const {
  return (scores_.capacity() + potential_by_colour_.capacity()) * sizeof(double) + alive_.capacity() * sizeof(uint64_t) +
         correction_bytes_ + (row_.capacity() + slot_of_row_.capacity() + stamp_of_row_.capacity()) * sizeof(int32_t) +
         corrections_.capacity() * sizeof(double*) + corrected_.capacity() + correction_of_row_.capacity() * sizeof(Doubles) +
         layers_.capacity() * sizeof(Layer) + joint_kinds_.capacity() * sizeof(int32_t);
}

// Room for more rows: twice as many, or as many as the budget lets in.
void Search::add_slots(Budget& budget) {
  const std::size_t slot_bytes = stride_ * sizeof(double) + words_ * sizeof(uint64_t) + sizeof(int32_t);
  std::size_t more = row_.size() + 64;
  // While the scores move, they are there twice.
  while (more > 64 && !budget.fits(bytes() + (row_.size() + more) * slot_bytes)) more /= 2;
  if (row_.size() > 16 * more) more = row_.size() / 16;  // or growing would take quadratic time
  budget.hold(bytes() + (row_.size() + more) * slot_bytes);
  more += row_.size();
  row_.reserve(more);
  alive_.reserve(more * words_);
  scores_.reserve(more * stride_);
  row_.resize(more);
  alive_.resize(more * words_);
  scores_.resize(more * stride_);
}

void Search::add_row(int32_t row) {
  stamp_of_row_.resize(2 * row + 16, -1);
  slot_of_row_.resize(2 * row + 16);
}

// Where a row stands among those of the next position, which have room for it.
inline int32_t Search::slot_for(int32_t row) {
  if (static_cast<int32_t>(stamp_of_row_.size()) <= row) add_row(row);
  if (stamp_of_row_[row] != stamp_) {
    stamp_of_row_[row] = stamp_;
    slot_of_row_[row] = slots_;
    row_[slots_] = row;
    std::fill(scores(slots_), scores(slots_) + stride_, kForbidden);
    ++slots_;
  }
  return slot_of_row_[row];
}

// What the best of these labels of a row may come to, the rounding of that sum added: what costs more than it is above the
// threshold leads nowhere.
double Search::promise(int32_t slot, const uint64_t* labels) const {
  if (!reach_before_) return -kForbidden;
  double most = kForbidden;
  for_each_label(labels, words_, [&](int k) {
    const double score = scores(slot)[k], reach = reach_before_[k], emission = emissions_before_[k];
    const double slack = 4 * kRounding * (std::abs(score) + std::abs(reach) + std::abs(emission));
    most = std::max(most, score - emission + reach + slack);
  });
  return most;
}

// Fills entries_ with the rows that these exits lead to, but for those that cost more than is promised.
int Search::enter(const LazyProduct::Exits& exits, double promise, Budget& budget) {
  const auto most = static_cast<std::size_t>(exits.count);
  if (entries_.size() < most) entries_.resize(most);
  while (row_.size() < slots_ + most) add_slots(budget);  // this moves all rows, so that it comes before pointers to them
  int count = 0;
  for (const LazyProduct::Exit& exit : exits)
    if (!(promise + exit.most < threshold_)) entries_[count++] = {scores(slot_for(exit.row)), exit.cost};
  return count;
}

void Search::find_joint_kinds(LazyProduct& product, const std::vector<const uint16_t*>& kinds, int length) {
  const bool constant = std::all_of(kinds.begin(), kinds.end(), [](const uint16_t* k) { return !k; });
  if (constant) {
    joint_kinds_.assign(length, product.kind_zero());
    return;
  }
  joint_kinds_.resize(length);
  kinds_here_.assign(kinds.size(), 0);
  for (int t = 0; t < length; ++t) {
    bool same = t > 0;
    for (std::size_t p = 0; p < kinds.size(); ++p) {
      if (!kinds[p] || kinds_here_[p] == kinds[p][t]) continue;
      kinds_here_[p] = kinds[p][t];
      same = false;
    }
    joint_kinds_[t] = same ? joint_kinds_[t - 1] : product.joint_kind(kinds_here_.data());
  }
}

// Says what is held; not after every row, because adding that up takes as long as a row itself.
void Search::hold(const LazyProduct& product, int32_t slot, Budget& budget) const {
  if (slot % kHeldAtOnce == 0) budget.hold(bytes() + product.memory());
}

void Search::step_in(LazyProduct& product, int joint_kind, Budget& budget) {
  const int count = enter(product.start(joint_kind, budget), -kForbidden, budget);
  kernels().extend_all(0.0, entries_.data(), count, stride_);
}

void Search::step_full(const Step& step, LazyProduct& product, const Layer& from, int joint_kind, Budget& budget) {
  for (int32_t slot = from.first; slot < from.first + from.count; ++slot) {
    const LazyProduct::Fan& fan = product.fan(row_[slot], joint_kind, budget);
    for (int w = 0; w < words_; ++w) left_[w] = alive(slot)[w];
    for (int word = 0; word < words_; ++word)
      while (left_[word]) {
        const LazyProduct::Group& group = fan.groups[fan.group_of[word * 64 + std::countr_zero(left_[word])]];
        for (int w = 0; w < words_; ++w) {
          members_[w] = left_[w] & group.members[w];
          left_[w] ^= members_[w];
        }
        const int count = enter(group.exits, group.exits.priced ? promise(slot, members_.data()) : -kForbidden, budget);
        if (count == 0) continue;
        kernels().extend(scores(slot), members_.data(), step.forward, entries_.data(), count, stride_);
        budget.work(stride_ * static_cast<int64_t>(count + stride_ / kLanes));
      }
    hold(product, slot, budget);
  }
}

void Search::step_free(LazyProduct& product, const Layer& from, int joint_kind, Budget& budget) {
  for (int32_t slot = from.first; slot < from.first + from.count; ++slot) {
    for (const LazyProduct::Group& group : product.fan(row_[slot], joint_kind, budget).groups) {
      uint64_t any = 0;
      for (int word = 0; word < words_; ++word) any |= alive(slot)[word] & group.members[word];
      if (!any) continue;
      const double score = kernels().largest(scores(slot), group.mask, stride_);
      const int count = enter(group.exits, -kForbidden, budget);
      kernels().extend_all(score, entries_.data(), count, stride_);
      budget.work(stride_ * static_cast<int64_t>(count + 1));
    }
    hold(product, slot, budget);
  }
}

void Search::step_stay(const Step& step, LazyProduct& product, const Layer& from, int joint_kind, Budget& budget) {
  for (int32_t slot = from.first; slot < from.first + from.count; ++slot) {
    const int count = enter(product.fan(row_[slot], joint_kind, budget).stay, -kForbidden, budget);
    kernels().extend_row(scores(slot), step.diagonal, entries_.data(), count, stride_);
    budget.work(stride_ * static_cast<int64_t>(count + 1));
    hold(product, slot, budget);
  }
}

// The potentials as rows, a part's for each of its colours: a correction is a sum of such rows.
void Search::lay_out(const LazyProduct& product, const Potentials& potentials, Budget& budget) {
  const std::size_t size = product.size_by_colour();
  budget.work(static_cast<int64_t>(size));
  if (size > potential_by_colour_.capacity())  // while they move, they are there twice
    budget.hold(bytes() + product.memory() + size * sizeof(double));
  potential_by_colour_.resize(size);
  product.value_by_colour([&](std::size_t part, int32_t state) { return potentials.kept_potential(part, state); },
                          potential_by_colour_.data());
}

// What the potentials of a row's states add to completions.
const double* Search::correction(const LazyProduct& product, int32_t row) {
  if (static_cast<std::size_t>(row) >= corrected_.size()) {
    corrected_.resize(2 * row + 16, 0);
    correction_of_row_.resize(2 * row + 16);
  }
  if (!corrected_[row]) {
    corrected_[row] = 1;
    if (correction_of_row_[row].empty()) correction_bytes_ += stride_ * sizeof(double) + 64;
    correction_of_row_[row].resize(stride_);
    product.sum_by_colour(row, potential_by_colour_.data(), correction_of_row_[row].data());
  }
  return correction_of_row_[row].data();
}

int64_t Search::settle(const double* emissions, const double* completion, double threshold, Layer& layer, Budget& budget) {
  int64_t kept = 0;
  for (int32_t slot = layer.first; slot < slots_; slot += kAtOnce) {
    const int32_t count = std::min(kAtOnce, slots_ - slot);
    kept += kernels().settle(scores(slot), count, emissions, completion,
                             corrections_.empty() ? nullptr : corrections_.data() + (slot - layer.first), threshold, stride_,
                             alive(slot));
    budget.work(static_cast<int64_t>(count) * stride_);
  }
  int32_t write = layer.first;
  for (int32_t slot = layer.first; slot < slots_; ++slot) {
    uint64_t any = 0;
    for (int word = 0; word < words_; ++word) any |= alive(slot)[word];
    if (!any) continue;
    if (write != slot) {
      row_[write] = row_[slot];
      std::copy(alive(slot), alive(slot) + words_, alive(write));
      std::copy(scores(slot), scores(slot) + stride_, scores(write));
    }
    ++write;
  }
  slots_ = write;
  layer.count = write - layer.first;
  return kept;
}

// Keeps the `keep` most promising rows; returns the best that any path through the others could reach.
double Search::cut(const double* emissions, const double* completion, int64_t keep, Layer& layer, const LazyProduct& product,
                   const Potentials* potentials) {
  if (layer.count <= keep) return kForbidden;
  std::vector<std::pair<double, int32_t>> ranked;
  for (int32_t slot = layer.first; slot < layer.first + layer.count; ++slot) {
    double promise = kForbidden;
    const double* more = potentials ? correction(product, row_[slot]) : nullptr;
    for_each_label(alive(slot), words_, [&](int k) {
      promise = std::max(promise, scores(slot)[k] - emissions[k] + completion[k] + (more ? more[k] : 0.0));
    });
    ranked.emplace_back(-promise, slot);
  }
  std::nth_element(ranked.begin(), ranked.begin() + keep, ranked.end());
  const double lost = -ranked[keep].first;
  ranked.resize(keep);
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  int32_t write = layer.first;
  for (const auto& [_, slot] : ranked) {
    row_[write] = row_[slot];
    std::copy(alive(slot), alive(slot) + words_, alive(write));
    std::copy(scores(slot), scores(slot) + stride_, scores(write));
    ++write;
  }
  slots_ = write;
  layer.count = static_cast<int32_t>(keep);
  return lost;
}

int64_t Search::advance(const Folded& folded, LazyProduct& product, const double* completion, const Potentials* potentials,
                        double threshold, int t, Budget& budget) {
  ++stamp_;
  layers_[t] = {slots_, 0};
  const Step& step = folded.steps[t];
  threshold_ = threshold;
  reach_before_ = potentials || t == 0 ? nullptr : completion - stride_;
  emissions_before_ = t == 0 ? nullptr : folded.emissions[t - 1];
  if (t == 0) step_in(product, joint_kinds_[0], budget);
  else if (step.forward) step_full(step, product, layers_[t - 1], joint_kinds_[t], budget);
  else if (step.diagonal) step_stay(step, product, layers_[t - 1], joint_kinds_[t], budget);
  else step_free(product, layers_[t - 1], joint_kinds_[t], budget);
  corrections_.clear();
  if (potentials) {
    if (t == 0) lay_out(product, *potentials, budget);
    for (int32_t slot = layers_[t].first; slot < slots_; ++slot) {
      corrections_.push_back(correction(product, row_[slot]));
      budget.work(folded.labels * 8);
    }
    budget.hold(bytes() + product.memory());
  }
  return settle(folded.emissions[t], completion, threshold, layers_[t], budget);
}

SearchResult Search::run(const Folded& folded, LazyProduct& product, const std::vector<const uint16_t*>& kinds,
                         const double* completion, const Potentials* potentials, double threshold, const Limits& limits,
                         Budget& budget, int32_t* path) {
  const int length = folded.length;
  SearchResult result;
  if (folded.stride != stride_) {
    *this = Search();
    stride_ = folded.stride;
    words_ = (stride_ + 63) / 64;
    members_.resize(words_);
    left_.resize(words_);
  }
  slots_ = 0;
  layers_.resize(length);
  find_joint_kinds(product, kinds, length);
  corrected_.assign(corrected_.size(), 0);
  corrections_.clear();
  int64_t kept = 1;
  bool narrow = false;  // after a limit only a few rows go on
  auto narrowed = [&](LimitHit hit) {
    result.limit = hit;
    narrow = true;
    if (limits.bounded) budget.grant_grace();
    return limits.bounded;
  };
  for (int t = 0; t < length; ++t, completion += stride_) {
    auto cut_before = [&](int64_t keep) {  // what is alive at the position before bounds every path
      if (t == 0) return keep ? kForbidden : -kForbidden;
      slots_ = layers_[t - 1].first + layers_[t - 1].count;
      return cut(folded.emissions[t - 1], completion - stride_, keep, layers_[t - 1], product, potentials);
    };
    auto advance_here = [&] { return advance(folded, product, completion, potentials, threshold, t, budget); };
    result.arcs += kept * folded.labels;
    try {
      kept = advance_here();
      if (!narrow && (t % kLayersAtOnce == 0 || t == length - 1)) budget.hold(bytes() + product.memory());
    } catch (const LimitReached& reached) {
      const bool first = !narrow;
      if (first && !narrowed(reached.limit)) return result;
      result.bound = std::max(result.bound, cut_before(first ? kBeam : 0));
      if (!first) return result;
      try {
        kept = advance_here();
      } catch (const LimitReached&) {
        result.bound = std::max(result.bound, cut_before(0));
        return result;
      }
    }
    result.states += kept;
    if (!kept) return result;
    if (!narrow && result.states > limits.max_states && !narrowed(LimitHit::states)) return result;
    if (narrow)
      result.bound = std::max(result.bound, cut(folded.emissions[t], completion, kBeam, layers_[t], product, potentials));
  }
  int32_t best_slot = -1;
  int best_label = 0;
  for (int32_t slot = layers_[length - 1].first; slot < slots_; ++slot) {
    const double* cost = product.final_cost(row_[slot]);  // as much work as a row's potentials, and done once
    for_each_label(alive(slot), words_, [&](int k) {
      const double score = cost ? scores(slot)[k] + cost[k] : scores(slot)[k];
      if (score > result.score || (score == result.score && best_slot >= 0 && k < best_label)) {
        result.score = score;
        best_slot = slot;
        best_label = k;
      }
    });
  }
  result.bound = std::max(result.bound, result.score);
  if (best_slot < 0) return result;
  try {
    retrace(folded, product, best_slot, best_label, path, budget);
  } catch (const LimitReached& reached) {  // the score of a path that nobody knows is a bound
    result.limit = reached.limit;
    result.score = kForbidden;
  }
  return result;
}

// Finds, from the end, which extension made each score. The sums are computed again in the same order, so that
// they are equal to the last bit.
void Search::retrace(const Folded& folded, LazyProduct& product, int32_t slot, int label, int32_t* path, Budget& budget) {
  path[folded.length - 1] = label;
  for (int t = folded.length - 1; t > 0; --t) {
    const Step& step = folded.steps[t];
    const double target = scores(slot)[label], emission = folded.emissions[t][label];
    const int32_t row = row_[slot];
    auto reaches = [&](const LazyProduct::Exits& exits, double score) {
      for (const LazyProduct::Exit& exit : exits)
        if (exit.row == row && (exit.cost ? score + exit.cost[label] : score) + emission == target) return true;
      return false;
    };
    bool traced = false;
    const int32_t end = layers_[t - 1].first + layers_[t - 1].count;
    for (int32_t from = layers_[t - 1].first; from < end && !traced; ++from) {
      budget.work(2 * stride_);
      const LazyProduct::Fan& fan = product.fan(row_[from], joint_kinds_[t], budget);
      if (step.diagonal && !step.forward) {
        traced = scores(from)[label] > kForbidden && reaches(fan.stay, scores(from)[label] + step.diagonal[label]);
        if (traced) slot = from;
        continue;
      }
      const int here = label;
      for_each_label(alive(from), words_, [&](int i) {
        if (traced) return;
        const double score =
            step.forward ? scores(from)[i] + step.forward[static_cast<std::size_t>(i) * stride_ + here] : scores(from)[i];
        traced = reaches(fan.groups[fan.group_of[i]].exits, score);
        if (traced) {
          slot = from;
          label = i;
        }
      });
    }
    path[t - 1] = traced ? label : -1;  // cannot happen; if it did, the judge would refuse the path
    if (!traced) return;
  }
}

}  // namespace lawful
