// Best path of a folded trellis under a product of parts: a forward pass over rows of scores, cut by completion
// scores and a lower bound.
#pragma once

#include <chrono>
#include <vector>

#include "core/fold.hpp"
#include "core/product.hpp"

namespace bylaw {

struct Limits {
  int64_t max_states = std::numeric_limits<int64_t>::max();   // (row, label) pairs that a search may keep
  int64_t max_memory = std::numeric_limits<int64_t>::max();   // bytes
  double timeout = std::numeric_limits<double>::infinity();   // seconds
  bool bounded = false;  // at a limit, go on with the most promising rows instead of giving up
};

enum class LimitHit : uint8_t { none, states, memory, time };

struct SearchResult {
  double score = kForbidden;  // of the best path found; kForbidden if there is none
  double bound = kForbidden;  // no path can score more than this
  int64_t states = 0, arcs = 0;
  int dead_at = -1;  // the position at which nothing was left; the length if it was the end
  LimitHit limit = LimitHit::none;
};

class Search {
 public:
  // completion: (T, stride) scores from `Kernels::complete` over the same folded trellis.
  // threshold: only paths at least this good matter. The path is written to `path` if score is not kForbidden.
  SearchResult run(const Folded& folded, LazyProduct& product, const std::vector<const uint16_t*>& kinds,
                   const double* completion, double threshold, const Limits& limits,
                   std::chrono::steady_clock::time_point started, int32_t* path);

 private:
  struct Layer {
    int first = 0, count = 0;  // its slots
  };
  double* new_scores(int stride);
  int slot_for(int row, int stride);
  // Each extends the last layer by one position, and says by how many rows of arcs.
  int64_t step_in(LazyProduct& product, int joint_kind, int stride);
  int64_t step_full(const Step& step, LazyProduct& product, const Layer& from, int joint_kind, int stride);
  int64_t step_free(LazyProduct& product, const Layer& from, int joint_kind, int stride);
  int64_t step_stay(const Step& step, LazyProduct& product, const Layer& from, int joint_kind, int stride);
  int64_t settle(const double* emissions, const double* completion, double threshold, int stride, Layer& layer);
  double cut(Layer& layer, const double* emissions, const double* completion, int64_t keep);
  void find_joint_kinds(LazyProduct& product, const std::vector<const uint16_t*>& kinds, int length);
  void retrace(const Folded& folded, LazyProduct& product, int slot, int label, int32_t* path);

  std::vector<int32_t> row_;         // of each slot
  std::vector<double*> scores_;      // of each slot
  std::vector<uint64_t> alive_;      // (slots, words)
  std::vector<Layer> layers_;        // (T)
  std::vector<int32_t> slot_of_row_, stamp_of_row_;
  std::vector<int32_t> joint_kinds_;  // (T)
  std::vector<Extension> extensions_;
  std::vector<RowExtension> row_extensions_;
  std::vector<Doubles> chunks_;
  std::size_t chunk_ = 0, used_ = 0;
  int words_ = 1;
  int32_t stamp_ = 0;
};

}  // namespace bylaw
