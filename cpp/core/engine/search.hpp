// Best path of a folded trellis under a product of parts: a forward pass over rows of scores, cut by completion
// scores and a lower bound.
#pragma once

#include <vector>

#include "core/engine/potentials.hpp"
#include "core/engine/product.hpp"
#include "core/support/budget.hpp"

namespace lawful {

struct SearchResult {
  double score = kForbidden;  // of the best path found; kForbidden if there is none
  double bound = kForbidden;  // no path can score more than this, or than the threshold
  int64_t states = 0, arcs = 0;
  LimitHit limit = LimitHit::none;
};

class Search {
 public:
  // kinds: an array (T) or null for each part of the product.
  // completion: (T, stride) scores from `Kernels::complete` over the same folded trellis; or, with potentials for
  // the same parts, theirs.
  // threshold: only paths at least this good are looked for. The path is written if one was found.
  SearchResult run(const Folded& folded, LazyProduct& product, const std::vector<const uint16_t*>& kinds,
                   const double* completion, const Potentials* potentials, double threshold, const Limits& limits, Budget& budget,
                   int32_t* path);

  std::size_t bytes() const;

 private:
  struct Layer {  // the rows that are alive at one position
    int32_t first = 0, count = 0;
  };

  double* scores(int32_t slot) { return scores_.data() + static_cast<std::size_t>(slot) * stride_; }
  const double* scores(int32_t slot) const { return scores_.data() + static_cast<std::size_t>(slot) * stride_; }
  uint64_t* alive(int32_t slot) { return alive_.data() + static_cast<std::size_t>(slot) * words_; }
  int32_t slot_for(int32_t row);
  void add_slots(Budget& budget);
  void add_row(int32_t row);
  int enter(const LazyProduct::Exits& exits, double promise, Budget& budget);
  double promise(int32_t slot, const uint64_t* labels) const;
  void hold(const LazyProduct& product, int32_t slot, Budget& budget) const;
  void step_in(LazyProduct& product, int joint_kind, Budget& budget);
  void step_full(const Step& step, LazyProduct& product, const Layer& from, int joint_kind, Budget& budget);
  void step_free(LazyProduct& product, const Layer& from, int joint_kind, Budget& budget);
  void step_stay(const Step& step, LazyProduct& product, const Layer& from, int joint_kind, Budget& budget);
  // Fills the layer of position t from the one before.
  int64_t advance(const Folded& folded, LazyProduct& product, const double* completion, const Potentials* potentials,
                  double threshold, int t, Budget& budget);
  void lay_out(const LazyProduct& product, const Potentials& potentials, Budget& budget);
  const double* correction(const LazyProduct& product, int32_t row);
  int64_t settle(const double* emissions, const double* completion, double threshold, Layer& layer, Budget& budget);
  double cut(const double* emissions, const double* completion, int64_t keep, Layer& layer, const LazyProduct& product,
             const Potentials* potentials);
  void find_joint_kinds(LazyProduct& product, const std::vector<const uint16_t*>& kinds, int length);
  void retrace(const Folded& folded, LazyProduct& product, int32_t slot, int label, int32_t* path, Budget& budget);

  int stride_ = 0, words_ = 1;
  int32_t slots_ = 0;
  Doubles scores_;                  // (slots, stride)
  std::vector<uint64_t> alive_;     // (slots, words): which labels are alive, as bits
  std::vector<int32_t> row_;        // (slots)
  std::vector<Layer> layers_;       // (T)
  std::vector<int32_t> slot_of_row_, stamp_of_row_;
  int32_t stamp_ = 0;
  std::vector<int32_t> joint_kinds_;  // (T)
  std::vector<uint16_t> kinds_here_;  // (parts)
  std::vector<Entry> entries_;        // where the labels of one group go; as many as anybody needed
  double threshold_ = kForbidden;
  const double *reach_before_ = nullptr, *emissions_before_ = nullptr;  // of the position that a step leaves; null: no promises
  std::vector<uint64_t> members_, left_;  // (words)
  Doubles potential_by_colour_;  // see LazyProduct::value_by_colour
  std::vector<Doubles> correction_of_row_;  // (rows): what the potentials of a row's states add to completions
  std::vector<uint8_t> corrected_;  // (rows): whether that is known in this run
  std::vector<const double*> corrections_;  // for the rows of the layer being settled
  std::size_t correction_bytes_ = 0;  // of correction_of_row_
};

}  // namespace lawful
