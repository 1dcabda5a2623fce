// Declared templates, as the core runs them, and the corpora that they run over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/features/strings.hpp"
#include "core/features/text.hpp"

namespace lawful {

struct FeatureLeaf {
  Operation operation;
  int source;  // which column it reads; -1 if none
  int number;
};

// What slots read: one id per position. A leaf's values, or pairs of two earlier lanes' ids, the right one taken `delta`
// positions on. Slots that differ only in where they look share a lane, so that a tuple is looked up once per position.
struct FeatureLane {
  int leaf = -1;
  bool pad = false;  // whether there is a value beyond the ends of a sequence
  int left = -1, right = -1, delta = 0;
  bool many = false;  // whether a function is in it, which may have any number of values
  int width = 0;      // how many slots read it
};

struct FeatureTerm {
  int leaf;
  int offset;
  bool pad;
};

struct FeatureSlot {
  std::string prefix;  // the escaped name and "="
  std::vector<FeatureTerm> terms;
  // Found by `add_slot`:
  std::vector<int> lanes;   // of the first term, of the first two, ...; the last one is the slot's own
  int shift = 0;            // where it is read: the first term's offset
  int column = 0;           // which of the lane's slots it is
};

struct FeatureProgram {
  uint64_t serial = 0;  // tells programs apart
  int sources = 0;
  std::vector<FeatureLeaf> leaves;
  std::vector<FeatureLane> lanes;  // those that make up a pair come before it
  std::vector<FeatureSlot> slots;
  Classify classify = nullptr;
  int reach = 0;  // the largest offset either way

  void add_slot(std::string prefix, std::vector<FeatureTerm> terms);

 private:
  int leaf_lane(const FeatureTerm& term);
  int pair_lane(int left, int right, int delta);
};

struct Corpus {
  struct Source {
    StringTable strings;       // the different texts
    std::vector<int32_t> ids;  // (M): which of them; -1 for none
  };
  struct LeafValues {  // the values of a leaf that the caller evaluates: by text, or of a function by position
    StringTable strings;           // escaped
    std::vector<int32_t> ids;      // by text (-1 for none), or one after another
    std::vector<int64_t> offsets;  // (M + 1), for functions
    std::vector<double> weights;   // for functions
  };
  uint64_t program = 0;  // the serial of the one that it was read for
  std::vector<int64_t> sequence_offsets{0};
  std::vector<Source> sources;
  std::vector<LeafValues> leaf_values;  // by leaf; empty for those that the core reads itself

  int64_t positions() const { return sequence_offsets.back(); }
  int64_t sequences() const { return static_cast<int64_t>(sequence_offsets.size()) - 1; }
};

}  // namespace lawful
