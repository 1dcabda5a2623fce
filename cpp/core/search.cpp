#include "core/search.hpp"

#include <algorithm>

namespace bylaw {
namespace {

constexpr std::size_t kChunk = 1 << 15;  // doubles

// Calls visit(k) for every label k whose bit is set.
template <typename Visit>
void for_each_label(const uint64_t* alive, int words, Visit visit) {
  for (int word = 0; word < words; ++word)
    for (uint64_t bits = alive[word]; bits; bits &= bits - 1) visit(word * 64 + __builtin_ctzll(bits));
}

}  // namespace

double* Search::new_scores(int stride) {
  if (used_ + stride > kChunk || chunks_.empty()) {
    const std::size_t size = std::max<std::size_t>(kChunk, stride);
    if (!chunks_.empty()) ++chunk_;
    if (chunk_ == chunks_.size()) chunks_.emplace_back(size);
    if (chunks_[chunk_].size() < size) chunks_[chunk_].resize(size);
    used_ = 0;
  }
  double* row = chunks_[chunk_].data() + used_;
  used_ += stride;
  return row;
}

int Search::slot_for(int row, int stride) {
  if (static_cast<int>(stamp_of_row_.size()) <= row) {
    stamp_of_row_.resize(2 * row + 16, -1);
    slot_of_row_.resize(2 * row + 16);
  }
  if (stamp_of_row_[row] != stamp_) {
    stamp_of_row_[row] = stamp_;
    slot_of_row_[row] = static_cast<int32_t>(row_.size());
    row_.push_back(row);
    scores_.push_back(new_scores(stride));
    std::fill(scores_.back(), scores_.back() + stride, kForbidden);
  }
  return slot_of_row_[row];
}

void Search::find_joint_kinds(LazyProduct& product, const std::vector<const uint16_t*>& kinds, int length) {
  std::vector<uint16_t> now(kinds.size(), 0), before;
  joint_kinds_.resize(length);
  const bool constant = std::all_of(kinds.begin(), kinds.end(), [](const uint16_t* k) { return !k; });
  if (constant) {
    std::fill(joint_kinds_.begin(), joint_kinds_.end(), product.joint_kind(now));
    return;
  }
  for (int t = 0; t < length; ++t) {
    for (std::size_t p = 0; p < kinds.size(); ++p) now[p] = kinds[p] ? kinds[p][t] : 0;
    joint_kinds_[t] = t > 0 && now == before ? joint_kinds_[t - 1] : product.joint_kind(now);
    before = now;
  }
}

int64_t Search::step_in(LazyProduct& product, int joint_kind, int stride) {
  extensions_.clear();
  for (const LazyProduct::Exit& exit : product.start(joint_kind))
    extensions_.push_back({0.0, nullptr, exit.cost, scores_[slot_for(exit.row, stride)]});
  kernels().extend(extensions_.data(), static_cast<int64_t>(extensions_.size()), stride);
  return static_cast<int64_t>(extensions_.size());
}

int64_t Search::step_full(const Step& step, LazyProduct& product, const Layer& from, int joint_kind, int stride) {
  extensions_.clear();
  for (int slot = from.first; slot < from.first + from.count; ++slot) {
    const LazyProduct::Fan& fan = product.fan(row_[slot], joint_kind);
    for_each_label(&alive_[static_cast<std::size_t>(slot) * words_], words_, [&](int i) {
      const double score = scores_[slot][i];
      const double* row = step.forward + static_cast<std::size_t>(i) * stride;
      for (const LazyProduct::Exit& exit : fan.groups[fan.group_of[i]].exits)
        extensions_.push_back({score, row, exit.cost, scores_[slot_for(exit.row, stride)]});
    });
  }
  kernels().extend(extensions_.data(), static_cast<int64_t>(extensions_.size()), stride);
  return static_cast<int64_t>(extensions_.size());
}

int64_t Search::step_free(LazyProduct& product, const Layer& from, int joint_kind, int stride) {
  extensions_.clear();
  for (int slot = from.first; slot < from.first + from.count; ++slot) {
    for (const LazyProduct::Group& group : product.fan(row_[slot], joint_kind).groups) {
      const double score = kernels().largest(scores_[slot], group.mask, stride);
      if (score == kForbidden) continue;
      for (const LazyProduct::Exit& exit : group.exits)
        extensions_.push_back({score, nullptr, exit.cost, scores_[slot_for(exit.row, stride)]});
    }
  }
  kernels().extend(extensions_.data(), static_cast<int64_t>(extensions_.size()), stride);
  return static_cast<int64_t>(extensions_.size());
}

int64_t Search::step_stay(const Step& step, LazyProduct& product, const Layer& from, int joint_kind, int stride) {
  row_extensions_.clear();
  for (int slot = from.first; slot < from.first + from.count; ++slot)
    for (const LazyProduct::Exit& exit : product.fan(row_[slot], joint_kind).stay) {
      double* into = scores_[slot_for(exit.row, stride)];
      row_extensions_.push_back({scores_[slot], step.diagonal, exit.cost, into});
    }
  kernels().extend_rows(row_extensions_.data(), static_cast<int64_t>(row_extensions_.size()), stride);
  return static_cast<int64_t>(row_extensions_.size());
}

int64_t Search::settle(const double* emissions, const double* completion, double threshold, int stride, Layer& layer) {
  int64_t kept = 0;
  int write = layer.first;
  const int end = static_cast<int>(row_.size());
  alive_.resize(static_cast<std::size_t>(end) * words_);
  for (int slot = layer.first; slot < end; ++slot) {
    uint64_t* alive = &alive_[static_cast<std::size_t>(write) * words_];
    const int count = kernels().settle(scores_[slot], emissions, completion, threshold, stride, alive);
    if (!count) continue;
    kept += count;
    row_[write] = row_[slot];
    scores_[write++] = scores_[slot];
  }
  row_.resize(write);
  scores_.resize(write);
  alive_.resize(static_cast<std::size_t>(write) * words_);
  layer.count = write - layer.first;
  return kept;
}

// Keeps the `keep` most promising rows; returns the best that any path through the others could reach.
double Search::cut(Layer& layer, const double* emissions, const double* completion, int64_t keep) {
  if (layer.count <= keep) return kForbidden;
  struct Ranked {
    double promise;
    int slot;
  };
  std::vector<Ranked> ranked;
  for (int slot = layer.first; slot < layer.first + layer.count; ++slot) {
    double promise = kForbidden;
    for_each_label(&alive_[static_cast<std::size_t>(slot) * words_], words_, [&](int k) {
      promise = std::max(promise, scores_[slot][k] - emissions[k] + completion[k]);
    });
    ranked.push_back({promise, slot});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.promise > b.promise; });
  const double lost = ranked[keep].promise;
  ranked.resize(keep);
  std::vector<int32_t> rows;
  std::vector<double*> scores;
  std::vector<uint64_t> alive;
  for (const Ranked& r : ranked) {
    rows.push_back(row_[r.slot]);
    scores.push_back(scores_[r.slot]);
    alive.insert(alive.end(), &alive_[static_cast<std::size_t>(r.slot) * words_], &alive_[static_cast<std::size_t>(r.slot) * words_] + words_);
  }
  row_.resize(layer.first), scores_.resize(layer.first), alive_.resize(static_cast<std::size_t>(layer.first) * words_);
  row_.insert(row_.end(), rows.begin(), rows.end());
  scores_.insert(scores_.end(), scores.begin(), scores.end());
  alive_.insert(alive_.end(), alive.begin(), alive.end());
  layer.count = static_cast<int>(keep);
  return lost;
}

SearchResult Search::run(const Folded& folded, LazyProduct& product, const std::vector<const uint16_t*>& kinds,
                         const double* completion, double threshold, const Limits& limits,
                         std::chrono::steady_clock::time_point started, int32_t* path) {
  const int length = folded.length, stride = folded.stride;
  SearchResult result;
  row_.clear(), scores_.clear(), alive_.clear();
  chunk_ = used_ = 0;
  words_ = (stride + 63) / 64;
  layers_.assign(length, {});
  find_joint_kinds(product, kinds, length);

  int64_t width = std::numeric_limits<int64_t>::max();  // rows a layer may keep; shrinks at a limit
  const bool timed = limits.timeout < std::numeric_limits<double>::infinity();
  for (int t = 0; t < length; ++t) {
    ++stamp_;
    Layer& layer = layers_[t];
    layer.first = static_cast<int>(row_.size());
    const double* emissions = folded.emissions[t];
    const Step& step = folded.steps[t];
    int64_t extended;
    if (t == 0) extended = step_in(product, joint_kinds_[0], stride);
    else if (step.forward) extended = step_full(step, product, layers_[t - 1], joint_kinds_[t], stride);
    else if (step.diagonal) extended = step_stay(step, product, layers_[t - 1], joint_kinds_[t], stride);
    else extended = step_free(product, layers_[t - 1], joint_kinds_[t], stride);
    result.arcs += extended * folded.labels;
    result.states += settle(emissions, completion + static_cast<std::size_t>(t) * stride, threshold, stride, layer);
    if (!layer.count) {
      result.dead_at = t;
      return result;
    }
    LimitHit hit = LimitHit::none;
    if (result.states > limits.max_states) hit = LimitHit::states;
    const auto memory = static_cast<int64_t>((chunk_ + 1) * kChunk * sizeof(double) + product.memory());
    if (memory > limits.max_memory) hit = LimitHit::memory;
    if (timed && std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() > limits.timeout)
      hit = LimitHit::time;
    if (hit != LimitHit::none) {
      result.limit = hit;
      if (!limits.bounded) return result;
      width = std::min<int64_t>(width, 8);
    }
    if (layer.count > width) {
      const double lost = cut(layer, emissions, completion + static_cast<std::size_t>(t) * stride, width);
      result.bound = std::max(result.bound, lost);
    }
  }
  int best_slot = -1, best_label = 0;
  const Layer& last = layers_[length - 1];
  for (int slot = last.first; slot < last.first + last.count; ++slot) {
    const double* cost = product.final_cost(row_[slot]);
    for_each_label(&alive_[static_cast<std::size_t>(slot) * words_], words_, [&](int k) {
      const double score = cost ? scores_[slot][k] + cost[k] : scores_[slot][k];
      if (score > result.score || (score == result.score && best_slot >= 0 && k < best_label)) {
        result.score = score, best_slot = slot, best_label = k;
      }
    });
  }
  result.bound = std::max(result.bound, result.score);
  if (best_slot < 0) result.dead_at = length;
  else retrace(folded, product, best_slot, best_label, path);
  return result;
}

// Finds, from the end, which extension made each score. The sums are computed again in the same order, so that
// they are equal to the last bit.
void Search::retrace(const Folded& folded, LazyProduct& product, int slot, int label, int32_t* path) {
  const int stride = folded.stride;
  path[folded.length - 1] = label;
  for (int t = folded.length - 1; t > 0; --t) {
    const Step& step = folded.steps[t];
    const Layer& from = layers_[t - 1];
    const double target = scores_[slot][label];
    const int32_t row = row_[slot];
    const double emission = folded.emissions[t][label];
    bool found = false;
    for (int s = from.first; s < from.first + from.count && !found; ++s) {
      const LazyProduct::Fan& fan = product.fan(row_[s], joint_kinds_[t]);
      auto reaches = [&](const LazyProduct::Exits& exits, double score) {
        for (const LazyProduct::Exit& exit : exits) {
          if (exit.row != row) continue;
          if ((exit.cost ? score + exit.cost[label] : score) + emission == target) return true;
        }
        return false;
      };
      if (step.diagonal && !step.forward) {
        const double before = scores_[s][label];
        if (before > kForbidden && reaches(fan.stay, before + step.diagonal[label])) slot = s, found = true;
        continue;
      }
      for_each_label(&alive_[static_cast<std::size_t>(s) * words_], words_, [&](int i) {
        if (found) return;
        const double score = step.forward ? scores_[s][i] + step.forward[static_cast<std::size_t>(i) * stride + label] : scores_[s][i];
        if (reaches(fan.groups[fan.group_of[i]].exits, score)) slot = s, label = i, found = true;
      });
    }
    if (!found) {  // cannot happen; an impossible label makes the judge refuse the path
      path[0] = -1;
      return;
    }
    path[t - 1] = label;
  }
}

}  // namespace bylaw
