// Strings, pairs, and templates: fitting, extraction and threads agree.
#include <string>

#include "core/features/extract.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

uint8_t classify_ascii(uint32_t c) {
  const bool upper = c >= 'A' && c <= 'Z', lower = c >= 'a' && c <= 'z', digit = c >= '0' && c <= '9';
  return static_cast<uint8_t>((upper ? Character::upper : 0) | (lower ? Character::lower : 0) | (digit ? Character::digit : 0) |
                              (upper || lower ? Character::letter : 0) | (upper || lower || digit ? Character::alphanumeric : 0) |
                              (c == ' ' ? Character::space : 0));
}

std::string value_of(Operation operation, int number, std::string_view text) {
  TextReader reader(&classify_ascii);
  std::string value;
  return reader.read(operation, number, text, value) ? value : "(none)";
}

FeatureProgram chunking() {
  FeatureProgram program;
  program.sources = 2;
  program.classify = &classify_ascii;
  program.leaves = {{Operation::word, 0, 0}, {Operation::word, 1, 0}, {Operation::suffix, 0, 2}, {Operation::first, -1, 0}};
  program.add_slot("w=", {{0, 0, false}});
  program.add_slot("w[-1]|w=", {{0, -1, false}, {0, 0, false}});
  program.add_slot("p[-1]|p|p[+1]=", {{1, -1, true}, {1, 0, true}, {1, 1, true}});
  program.add_slot("p|p[+1]|p[+2]=", {{1, 0, true}, {1, 1, true}, {1, 2, true}});
  program.add_slot("s2=", {{2, 0, false}});
  program.add_slot("first=", {{3, 0, false}});
  return program;
}

Corpus random_corpus(Random& random, int sequences) {
  Corpus corpus;
  corpus.sources.resize(2);
  corpus.leaf_values.resize(4);
  for (int n = 0; n < sequences; ++n) {
    const int length = random.below(12);
    for (int t = 0; t < length; ++t) {
      for (Corpus::Source& source : corpus.sources) {
        std::string text(static_cast<std::size_t>(random.below(4)), 'a');
        for (char& c : text) c = "ab|\\"[random.below(4)];
        source.ids.push_back(random.chance(0.1) && &source == &corpus.sources[1] ? -1 : source.strings.add(text));
      }
    }
    corpus.sequence_offsets.push_back(corpus.sequence_offsets.back() + length);
  }
  return corpus;
}

TEST(strings_keep_their_ids) {
  StringTable table;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 5000; ++i) CHECK_EQUAL(table.add(std::to_string(i * 7919)), i);
  CHECK_EQUAL(table.size(), 5000);
  CHECK_EQUAL(table.find("no"), -1);
  CHECK_EQUAL(table[3], std::string_view("23757"));
  CHECK_EQUAL(table.add(std::string_view("\0", 1)), 5000);
  CHECK_EQUAL(table.add(""), 5001);
}

TEST(pairs_keep_their_ids) {
  PairTable table;
  CHECK_EQUAL(table.find(0, 0), -1);
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 5000; ++i) CHECK_EQUAL(table.add(i / 70, i % 70), i);
  CHECK_EQUAL(table.find(70, 70), -1);
  CHECK_EQUAL(table.first(71), 1);
  CHECK_EQUAL(table.second(71), 1);
}

TEST(texts_are_read_by_characters) {
  CHECK_EQUAL(value_of(Operation::prefix, 1, "\xc3\xa9t\xc3\xa9"), "\xc3\xa9");
  CHECK_EQUAL(value_of(Operation::suffix, 2, "\xc3\xa9t\xc3\xa9"), "t\xc3\xa9");
  CHECK_EQUAL(value_of(Operation::suffix, 4, "\xc3\xa9t\xc3\xa9"), "(none)");
  CHECK_EQUAL(value_of(Operation::length, 0, "\xf0\x9f\x98\x80"), "1");
  CHECK_EQUAL(value_of(Operation::length, 3, "abcd"), "3+");
  CHECK_EQUAL(value_of(Operation::shape, 0, "IL-2r"), "AA-0a");
  CHECK_EQUAL(value_of(Operation::short_shape, 0, "ILL--22r"), "A-0a");
  CHECK_EQUAL(value_of(Operation::word, 0, "a|b\\"), "a\\|b\\\\");
  CHECK_EQUAL(value_of(Operation::is_roman, 1, "MCMXCIV"), "yes");
  CHECK_EQUAL(value_of(Operation::is_roman, 1, "IIII"), "no");
  CHECK_EQUAL(value_of(Operation::is_number, 0, "1,2.3"), "yes");
  CHECK_EQUAL(value_of(Operation::is_number, 0, "1,"), "(none)");
  for (int i = 0; i <= static_cast<int>(Operation::is_rna); ++i)  // cut off in the middle of a character: no reading past it
    value_of(static_cast<Operation>(i), 1, "\xf0\x9f");
}

FeatureTables read_from(const FeatureProgram& program, const StringTable& index) {
  return {program, index.bytes().data(), index.offsets().data(), index.size()};
}

TEST(slots_that_differ_in_place_share_a_lane) {
  const FeatureProgram program = chunking();
  CHECK_EQUAL(program.slots[2].lanes.back(), program.slots[3].lanes.back());
  CHECK_EQUAL(program.reach, 2);
}

TEST(extracting_what_was_fitted_gives_the_same) {
  const FeatureProgram program = chunking();
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const Corpus corpus = random_corpus(random, seed == 0 ? 3000 : 8);
    FeatureTables grown(program);
    const Rows fitted = fit_features(program, corpus, grown);
    const StringTable index = attribute_strings(program, grown, {});
    CHECK_EQUAL(index.size(), grown.size());
    const FeatureTables read = read_from(program, index);
    for (const int threads : {1, 3}) {
      const Rows again = extract_features(program, corpus, read, threads);
      CHECK(again.attributes == fitted.attributes);
      CHECK(again.item_offsets == fitted.item_offsets);
      CHECK(again.sequence_offsets == fitted.sequence_offsets);
    }
    Rows cut = fitted;
    const std::vector<int32_t> renamed = drop_rare(cut, grown.size(), 2);
    const StringTable kept = attribute_strings(program, grown, renamed);
    CHECK(extract_features(program, corpus, read_from(program, kept), 1).attributes == cut.attributes);
  }
}

}  // namespace
}  // namespace lawful
