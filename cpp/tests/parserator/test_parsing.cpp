#include <limits>
#include <random>
#include <string>

#include "core/parserator/parsing.hpp"
#include "core/parserator/probablepeople.hpp"
#include "core/parserator/usaddress.hpp"
#include "tests/check.hpp"

namespace {

using namespace lawful;

constexpr double kAnyLoss = std::numeric_limits<double>::infinity();

std::shared_ptr<const Characters> ascii() {
  auto made = std::make_shared<Characters>();
  made->bits.assign(128, Characters::known);
  made->lower.resize(128);
  for (uint32_t c = 0; c < 128; ++c) {
    const bool digit = c >= '0' && c <= '9', upper = c >= 'A' && c <= 'Z', letter = upper || (c >= 'a' && c <= 'z');
    made->lower[c] = upper ? c + 32 : c;
    if (digit || letter || c == '_') made->bits[c] |= Characters::word;
    if (digit) made->bits[c] |= Characters::digit;
    if (letter) made->bits[c] |= Characters::letter;
    if (c == ' ' || (c >= 9 && c <= 13)) made->bits[c] |= Characters::space;
  }
  return made;
}

// Two labels: digits are 0, words are 1, and a word before a number is 1 for sure.
StringParser small_parser() {
  static const std::vector<std::string_view> names = {"digits:all_digits", "digits:no_digits", "next:digits:all_digits",
                                                      "previous:address.start", "length:d:2"};
  static const double transitions[4] = {0.0, 0.0, 0.0, 0.0}, weights[5] = {2.0, 1.0, 0.5, 0.25, -0.5};
  static const int64_t starts[6] = {0, 1, 2, 3, 4, 5}, targets[5] = {0, 1, 1, 0, 0};
  StringParser parser;
  parser.model = std::make_shared<const CrfsuiteModel>(names, 2, CrfsuiteModel::Arrays{transitions, starts, targets, weights});
  parser.characters = ascii();
  parser.fields = {{0, 0}, {0, 1}, false, {0, 0}, {0, 0}};
  return parser;
}

RawText raw(const std::string& text) { return {text.data(), static_cast<int64_t>(text.size()), 1}; }

TEST(addresses_are_cut_as_the_package_cuts_them) {
  const StringParser parser = small_parser();
  const UsaddressWords words;
  UsaddressReader reader(*parser.model, *parser.characters, words);
  const std::pair<std::string, std::string> cases[] = {
      {"12 Main St., (rear) #4", "12|Main|St.,|(rear)|#|4|"}, {"((a -b ((-c", "((a|b|c|"}, {"", ""}, {"a,b;\n c", "a,|b;\n|c|"}};
  for (const auto& [string, expected] : cases) {
    Text text;
    CHECK(text.read(raw(string), *parser.characters));
    std::vector<TokenSpan> tokens;
    reader.cut(text, tokens);
    std::string cut;
    for (const TokenSpan& token : tokens) cut += string.substr(token.start, token.end - token.start) + "|";
    CHECK_EQUAL(cut, expected);
  }
}

TEST(strings_get_labels_a_verdict_and_the_scores_of_those_that_break_the_rules) {
  const StringParser parser = small_parser();
  const UsaddressWords words;
  const std::string obeys = "12 Main", breaks = "Main 12 Main", foreign = "\xff";
  const MakeReader make_reader = [&] { return std::make_unique<UsaddressReader>(*parser.model, *parser.characters, words); };
  const Parsings found = parse_strings(parser, {raw(obeys), raw(breaks), raw(foreign), raw("")}, make_reader, 2, kAnyLoss);
  CHECK(found.verdicts == (std::vector<Verdict>{Verdict::obeys, Verdict::breaks, Verdict::foreign, Verdict::obeys}));
  CHECK(found.labels == (std::vector<int32_t>{0, 1, 1, 0, 1}));
  // next:digits for the first token, previous:address.start for the second
  CHECK(found.scores == (std::vector<double>{0.0, 1.5, 1.75, 0.0, 0.0, 1.0}));
  // With another label for the last token, or for an earlier one, it obeys: that costs 1.0, or more.
  const Parsings affordable = parse_strings(parser, {raw(breaks)}, make_reader, 1, 1.0);
  CHECK(affordable.verdicts == std::vector<Verdict>{Verdict::breaks});
  const Parsings far = parse_strings(parser, {raw(breaks), raw(obeys)}, make_reader, 1, 0.9);
  CHECK(far.verdicts == (std::vector<Verdict>{Verdict::far, Verdict::obeys}));
  CHECK(far.labels == (std::vector<int32_t>{1, 0, 1, 0, 1}) && far.scores.empty());
}

TEST(any_text_is_read_without_a_fault_by_both_readers) {
  const StringParser parser = small_parser();
  const UsaddressWords address_words;
  const ProbablepeopleWords name_words;
  std::mt19937 random(3);
  std::vector<std::string> strings;
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (int n = static_cast<int>(random() % 20); n > 0; --n) text += "aB1 .,;#&()'\"/@\nc/onext-"[random() % 23];
    strings.push_back(text);
  }
  std::vector<RawText> texts;
  for (const std::string& text : strings) texts.push_back(raw(text));
  const MakeReader addresses = [&] {
    return std::make_unique<UsaddressReader>(*parser.model, *parser.characters, address_words);
  };
  const Parsings one = parse_strings(parser, texts, addresses, 1, kAnyLoss),
                 three = parse_strings(parser, texts, addresses, 3, kAnyLoss);
  CHECK(one.labels == three.labels && one.offsets == three.offsets && one.scores == three.scores);

  Metaphones sounds;
  StringTable unheard;
  const MakeReader names = [&]() -> std::unique_ptr<TokenReader> {
    return std::make_unique<ProbablepeopleReader>(*parser.model, *parser.characters, name_words, sounds, unheard);
  };
  look_at_strings(parser, texts, names, 1);
  CHECK(unheard.size() > 100);
  for (int32_t word = 0; word < unheard.size(); ++word) {
    sounds.words.add(unheard[word]);
    for (auto& codes : sounds.codes) codes.emplace_back("X");
  }
  const Parsings heard = parse_strings(parser, texts, names, 1, kAnyLoss);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool next = strings[i].find("ext") != std::string::npos;
    if (!next) CHECK(heard.verdicts[i] != Verdict::foreign);
  }
}

}  // namespace
