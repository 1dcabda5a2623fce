// Declared templates, as the core runs them, and the corpora that they run over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/features_strings.hpp"
#include "core/features_text.hpp"

namespace bylaw {

struct FeatureLeaf {
  Operation operation;
  int source;  // which column it reads; -1 if none
  int number;
};

// A leaf as slots read it: with values beyond the ends of a sequence (pad), or without.
struct FeatureLane {
  int leaf;
  bool pad;
};

struct FeaturePart {
  int lane;
  int offset;
};

struct FeatureSlot {
  std::string prefix;  // the escaped name and "="
  std::vector<FeaturePart> parts;
  bool many;  // whether a function is among them, which may have any number of values
};

struct FeatureProgram {
  uint64_t serial = 0;  // tells programs apart
  int sources = 0;
  std::vector<FeatureLeaf> leaves;
  std::vector<FeatureLane> lanes;
  std::vector<FeatureSlot> slots;
  Classify classify = nullptr;

  int reach = 0;           // the largest offset either way
  bool functions = false;  // whether any leaf is a function

  int lane_of(int leaf, bool pad);  // a new one if need be
  void prepare();
};

struct Corpus {
  struct Source {
    StringTable strings;       // the different texts
    std::vector<int32_t> ids;  // (M): which of them; -1 for none
  };
  struct Given {  // the values of a leaf that the caller evaluates: by text, or of a function by position
    StringTable strings;          // escaped
    std::vector<int32_t> ids;     // by text (-1 for none), or one after another
    std::vector<int64_t> offsets; // (M + 1), for functions
    std::vector<double> weights;  // for functions
  };
  uint64_t program = 0;  // the serial of the one that it was read for
  std::vector<int64_t> sequence_offsets{0};
  std::vector<Source> sources;
  std::vector<Given> given;  // by leaf; empty for those that the core reads itself

  int64_t positions() const { return sequence_offsets.back(); }
  int64_t sequences() const { return static_cast<int64_t>(sequence_offsets.size()) - 1; }
};

}  // namespace bylaw
