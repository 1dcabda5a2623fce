// A CRFsuite model for texts whose tokens show their own features and those of their neighbours. Sums are made in
// CRFsuite's order and ties are broken its way, so that its labels come out, and not only labels of the same score.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/features/strings.hpp"
#include "core/support/aligned.hpp"

namespace lawful {

// A feature as a token shows it: a name without "previous:" or "next:", by number, and its value.
struct Shown {
  int32_t name;
  double value;
};

class CrfsuiteModel {
 public:
  struct Arrays {  // as in src/lawful/adapters/crfsuite/model_file.py
    const double* transitions;  // (K, K)
    const int64_t* row_starts;  // (A + 1)
    const int64_t* targets;     // (F), each below K
    const double* weights;      // (F)
  };
  // `names`: those of the attributes, in the order of their numbers.
  CrfsuiteModel(const std::vector<std::string_view>& names, int labels, const Arrays& arrays);

  int labels() const { return labels_; }
  int stride() const { return stride_; }
  // The number of a feature's name; -1 if the model has no attribute for it, whoever shows it.
  int32_t find(std::string_view name) const { return names_.find(name); }

  // Adds what a feature says of a token's labels to a row (stride) of scores.
  void add_own(const Shown& shown, double* row) const { add(kOwn, shown, row); }
  void add_previous(const Shown& shown, double* row) const { add(kPrevious, shown, row); }
  void add_next(const Shown& shown, double* row) const { add(kNext, shown, row); }

  struct Room {  // for `tag`
    Doubles reach;
    std::vector<const double*> rows;
    std::vector<int32_t> path;
  };
  // The best labels for emissions (T, stride), whose padding must be forbidden.
  void tag(const double* emissions, int length, Room& room, int32_t* labels) const;
  // The score of the best labels that have a label at a position: (T, stride); what stands in the padding means nothing.
  void best_through(const double* emissions, int length, Room& room, Doubles& through) const;

 private:
  enum Face { kOwn, kPrevious, kNext, kFaces };
  struct Row {  // the labels that an attribute speaks of: a few of them, or so many that a whole row is quicker
    int32_t start = 0, count = 0;
    bool whole = false;
  };
  void add(Face face, const Shown& shown, double* row) const;

  int labels_, stride_;
  StringTable names_;
  std::vector<Row> rows_;  // (names, faces)
  std::vector<int32_t> targets_;
  std::vector<double> weights_;
  Doubles whole_rows_;
  Doubles from_, into_;  // transitions (K, stride): [source][target], [target][source]
};

}  // namespace lawful
