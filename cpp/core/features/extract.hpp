// Declared templates over whole corpora: from token ids to attribute ids, with no string per attribute.
#pragma once

#include "core/features/program.hpp"
#include "core/features/rows.hpp"
#include "core/features/tables.hpp"

namespace lawful {

// Tables grow with what the corpus has; attributes are numbered in the order in which they first appear.
Rows fit_features(const FeatureProgram& program, const Corpus& corpus, FeatureTables& tables);

// Only what the tables know.
Rows extract_features(const FeatureProgram& program, const Corpus& corpus, const FeatureTables& tables, int threads);

// Attributes hashed to 2^bits ids; with `signs`, half of them count -1.
Rows hash_features(const FeatureProgram& program, const Corpus& corpus, int bits, bool signs);

// The strings of the attributes that the tables were given, of those whose new id is not negative (none: all of them).
StringTable attribute_strings(const FeatureProgram& program, const FeatureTables& tables, const std::vector<int32_t>& renamed);

}  // namespace lawful
