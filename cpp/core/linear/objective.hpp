// What training by maximum likelihood minimises: -log p(y | x) over a corpus, and its gradient.
//
// A pass goes over the corpus tile by tile. First, blocks of sequences go to the threads, which leave the marginals
// of every position in the tile; then ranges of attributes go to the threads, each adding up the marginals of its own
// attributes, position after position. No two threads write the same sum and every sum has a fixed order, so the
// result is the same for any number of threads, and no thread needs a gradient of its own.
//
// State weights stand in the order of TrainingPlan: `import_weights` and `export_weights` translate.
#pragma once

#include "core/linear/layout.hpp"
#include "core/linear/plan.hpp"
#include "core/linear/sums.hpp"

namespace lawful {

class LinearObjective {
 public:
  // `observed`: how often each feature was seen, in the layout's order. Layout and pairs must outlive the objective.
  LinearObjective(const LinearLayout& layout, const Sequences& data, const Sequences* pairs, const double* observed, int threads);

  int64_t size() const { return layout_.size(); }
  int threads() const { return threads_; }
  void import_weights(const double* in_layout_order, double* in_plan_order) const;
  void export_weights(const double* in_plan_order, double* in_layout_order) const;

  // The sum of -log p(y | x) and its gradient, without any penalty.
  double evaluate(const double* weights, double* gradient);

 private:
  struct Block {  // a range of sequences
    int64_t first, last;
  };
  struct Tile {  // a range of blocks
    int64_t first, last;
  };

  void cut_blocks();
  void cut_parts();
  void balance();
  void score_position(const double* weights, int64_t p, double* row) const;
  double sum_block(const double* weights, const Block& block, int64_t tile_start, EdgeSums& edges);
  void add_states(double* gradient, int64_t part, int64_t from, int64_t to);
  void add_pairs(double* gradient, int64_t low, int64_t high, int64_t from, int64_t to) const;
  void add_edges(double* gradient, const EdgeSums& sums) const;

  const LinearLayout& layout_;
  TrainingPlan plan_;
  std::vector<int64_t> sequence_offsets_;
  Sequences pairs_;
  bool has_pairs_;
  std::vector<double> observed_;  // in our order
  int threads_;
  std::vector<Block> blocks_;
  std::vector<Tile> tiles_;
  std::vector<int32_t> parts_;  // borders of ranges of attributes
  std::vector<uint32_t> part_starts_;  // (parts - 1, positions): where parts 1, 2, ... start among a position's items
  std::vector<double> part_seconds_;   // what each part took in this pass
  uint64_t passes_ = 0;
  EdgeTable table_;
  std::vector<EdgeSums> edge_sums_;     // one a block of a tile
  std::vector<double> log_sums_;        // the same
  Doubles row_weights_, row_gradient_;  // (plan.rows, stride)
  Doubles tile_rows_;                   // (positions of a tile, stride): marginals of outputs
  Doubles tile_pairs_;                  // (positions of a tile, K, padded K): probabilities of label pairs
};

}  // namespace lawful
