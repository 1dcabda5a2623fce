// Strings to tokens and plain labels, many at once.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/parserator/field_names.hpp"
#include "core/parserator/token_reader.hpp"

namespace lawful {

enum class Verdict : uint8_t {
  obeys,    // the plain labels are the answer
  breaks,   // they are labels that the package raises an error about
  far,      // so are they, and labels that obey cost more than the limit
  foreign,  // only the package itself can tell what it sees in this string
};

struct Parsings {
  std::vector<Verdict> verdicts;          // (N)
  std::vector<int64_t> offsets{0};        // (N + 1), into tokens; foreign strings have none here
  std::vector<TokenSpan> tokens;          // (M)
  std::vector<int32_t> labels;            // (M)
  std::vector<double> scores;             // (tokens of strings that break, none far, K): their emissions, one after another
};

struct StringParser {
  std::shared_ptr<const CrfsuiteModel> model;
  std::shared_ptr<const Characters> characters;
  FieldNames fields;
};

// Makes a reader for one thread.
using MakeReader = std::function<std::unique_ptr<TokenReader>()>;

// Lets readers see all tokens, for those that have to know them beforehand.
void look_at_strings(const StringParser& parser, const std::vector<RawText>& texts, const MakeReader& make_reader, int threads);

// limit: what it may cost to obey; infinity: whatever it takes.
Parsings parse_strings(const StringParser& parser, const std::vector<RawText>& texts, const MakeReader& make_reader, int threads,
                       double limit);

}  // namespace lawful
