// Semi-Markov CRFs (Sarawagi & Cohen 2004): a sequence is cut into segments, each with a label. A segmentation scores the
// sum over its segments of the attributes of their tokens, of their first and last tokens, of their lengths, and of the
// segments themselves, plus transitions between neighbouring segments. All attributes stand in one layout.
#pragma once

#include "core/linear/layout.hpp"
#include "core/support/aligned.hpp"

namespace lawful {

struct SemiShape {
  std::vector<int32_t> longest;  // (K): tokens of the longest segment of each label
  std::vector<uint8_t> repeats;  // (K): whether two segments of the label may stand side by side
  int width;                     // the largest of `longest`
  Ragged of_length;              // list d - 1: the labels that a segment of d tokens can have, ascending

  SemiShape(std::vector<int32_t> longest, std::vector<uint8_t> repeats);
  int64_t cells() const { return static_cast<int64_t>(of_length.items.size()); }  // segments that begin at one position
  int labels() const { return static_cast<int>(longest.size()); }
};

// Rows of attributes, ids of one layout. Null: none of this kind.
struct SemiCorpus {
  Sequences tokens;           // a row per position
  const Sequences* firsts = nullptr;    // the same, for the positions where a segment begins
  const Sequences* lasts = nullptr;     // and for those where one ends
  const Sequences* lengths = nullptr;   // a row per length, from 1 to width
  const Sequences* segments = nullptr;  // a row per segment: the one of length d from position p has row p * width + d - 1

  int length(int64_t s) const { return static_cast<int>(tokens.sequence_offsets[s + 1] - tokens.sequence_offsets[s]); }
};

// What weights say whatever the sequence.
struct SemiTables {
  Doubles edges, first, last, lengths;  // (K, K), -inf where labels may not repeat; (K); (K); (width, K)
  Doubles factors;   // (K, K): exp of edges minus the shift
  double shift = 0;  // the largest of the edges

  void set(const LinearLayout& layout, const double* weights, const SemiShape& shape, const SemiCorpus& corpus);
};

// Sums and best segmentations of one sequence; a workspace for one thread.
class SemiChain {
 public:
  SemiChain(const LinearLayout& layout, const SemiShape& shape) : layout_(layout), shape_(shape) {}

  void score(const double* weights, const SemiTables& tables, const SemiCorpus& corpus, int64_t s);
  const Doubles& cells() const { return cells_; }  // (T, shape.cells()): the scores of segments; before sum()

  double sum(const SemiTables& tables);  // the log-partition; afterwards the expected counts below
  const double* covering() const { return covering_.data(); }    // (T, K): probability of each label at each token
  const double* beginning() const { return beginning_.data(); }  // (T, K): of a segment that begins there
  const double* ending() const { return ending_.data(); }        // (T, K): of one that ends there
  const double* of_lengths() const { return of_lengths_.data(); }  // (width, K), summed over the sequence
  const double* of_edges() const { return of_edges_.data(); }      // (K, K)
  void of_segment(int start, int length, double* row) const;       // (K)

  // The best segments, first to last: where each ends, and its label. Returns the score.
  double best(const SemiTables& tables, std::vector<int32_t>& ends, std::vector<int32_t>& labels);

 private:
  int64_t cell(int start, int length) const { return start * shape_.cells() + shape_.of_length.first[length - 1]; }
  void forward(const SemiTables& tables);
  void backward_step(const SemiTables& tables, int start, double total);
  int most(int start) const { return std::min(shape_.width, length_ - start); }

  const LinearLayout& layout_;
  const SemiShape& shape_;
  int length_ = 0;
  Doubles cells_;  // (T, cells): scores; after sum(), probabilities
  Doubles tokens_, firsts_, lasts_, row_;
  Doubles enter_, alpha_, largest_, beta_, leave_, arriving_, leaving_;
  Doubles covering_, beginning_, ending_, of_lengths_, of_edges_;
};

// The sum of -log p(segments | x) over a corpus, and its gradient. The same for any number of threads.
class SemiObjective {
 public:
  // Everything must outlive the objective. `observed`: how often each feature was seen.
  SemiObjective(const LinearLayout& layout, const SemiShape& shape, const SemiCorpus& corpus, const double* observed,
                int threads);
  double evaluate(const double* weights, double* gradient);
  int64_t size() const { return layout_.size(); }

 private:
  double add(const double* weights, int64_t first, int64_t last, double* gradient);
  void scatter(const SemiChain& chain, int64_t s, double* gradient) const;

  const LinearLayout& layout_;
  const SemiShape& shape_;
  SemiCorpus corpus_;
  std::vector<double> observed_;
  int threads_;
  SemiTables tables_;
  std::vector<int64_t> borders_;  // of the shares of the corpus
  std::vector<std::vector<double>> gradients_;
};

// What the best segmentation of a sequence depends on.
struct SemiView {
  const SemiShape& shape;
  const double *edges, *first, *last;  // as in SemiTables
  const double* cells;                 // (T, shape.cells())
  int length;
};

// The best of what follows a segment of each label that ends before a position, `after` (T + 1, K), and the best from the beginning of
// such a segment on, `leave` (T, K).
void complete(const SemiView& view, Doubles& after, Doubles& leave);

// The best segments, first to last: where each ends, and its label; among ties the first label and the shortest segment. Returns
// the score.
double follow(const SemiView& view, const Doubles& after, const Doubles& leave, std::vector<int32_t>& ends,
              std::vector<int32_t>& labels);

}  // namespace lawful
