#include "core/parserator/probablepeople.hpp"

#include <algorithm>

namespace lawful {
namespace {

constexpr std::size_t kLongestEnd = 5;
constexpr const char* kPrefixes[] = {"prefix_1", "prefix_2", "prefix_3", "prefix_4", "prefix_5"};
constexpr const char* kSuffixes[] = {"suffix_1", "suffix_2", "suffix_3", "suffix_4", "suffix_5"};

bool is_vowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y'; }

bool opens(uint32_t point) { return is_one_of(point, "\"('"); }
bool closes(uint32_t point) { return is_one_of(point, "\")'"); }

}  // namespace

ProbablepeopleReader::ProbablepeopleReader(const CrfsuiteModel& model, const Characters& characters,
                                           const ProbablepeopleWords& words, const Metaphones& sounds, StringTable& unheard)
    : TokenReader(model), characters_(characters), words_(words), sounds_(sounds), unheard_(unheard) {
  first = model.find("rawstring.start");
  last = model.find("rawstring.end");
  single = {model.find("singleton")};
  names_ = {model.find("abbrev"),
            model.find("comma"),
            model.find("hyphenated"),
            model.find("contracted"),
            model.find("bracketed"),
            model.find("fullbracketed"),
            model.find("length"),
            model.find("initial"),
            model.find("has.vowels"),
            model.find("just.letters"),
            model.find("roman"),
            model.find("endswith.vowel"),
            model.find("digits:all_digits"),
            model.find("digits:some_digits"),
            model.find("digits:no_digits"),
            model.find("more.vowels"),
            model.find("in.names"),
            model.find("prepositions"),
            model.find("first.name"),
            model.find("gender_ratio"),
            model.find("possessive"),
            model.find("seen.comma")};
}

// \bc/o\b  or  [("']*\b[^\s\/,;#&()]+\b[.,;:'")]*  or  [#&@/], from left to right, letters of either case.
void ProbablepeopleReader::cut(const Text& text, std::vector<TokenSpan>& tokens) const {
  tokens.clear();
  const auto size = static_cast<int32_t>(text.size());
  const std::vector<uint32_t>& points = text.points;
  auto inside = [&](int32_t at) { return !(text.bits[at] & Characters::space) && !is_one_of(points[at], "/,;#&()"); };
  // The end of [^...]+\b from here: the last boundary of the run, or -1.
  auto run = [&](int32_t from) {
    if (!text.is_boundary(from)) return -1;
    int32_t end = from;
    while (end < size && inside(end)) ++end;
    while (end > from && !text.is_boundary(end)) --end;
    return end > from ? end : -1;
  };
  for (int32_t at = 0; at < size;) {
    if (at + 3 <= size && (points[at] | 32) == 'c' && points[at + 1] == '/' && (points[at + 2] | 32) == 'o' &&
        text.is_boundary(at) && text.is_boundary(at + 3)) {
      tokens.push_back({at, at + 3});
      at += 3;
      continue;
    }
    int32_t start = at;
    while (start < size && opens(points[start])) ++start;
    int32_t end = start < size ? run(start) : -1;
    if (end < 0 && start > at) end = run(at);  // with none of the opening marks; with some of them there is no boundary
    if (end >= 0) {
      while (end < size && is_one_of(points[end], ".,;:'\")")) ++end;
      tokens.push_back({at, end});
      at = end;
      continue;
    }
    if (is_one_of(points[at], "#&@/")) tokens.push_back({at, at + 1});
    ++at;
  }
}

bool ProbablepeopleReader::look(const Text& text, const std::vector<TokenSpan>& tokens, std::size_t index,
                                std::vector<Shown>& shown) {
  const TokenSpan token = tokens[index];
  const std::vector<uint32_t>& points = text.points;
  if (index == 0) comma_came_ = refused_ = false;
  else comma_came_ = comma_came_ || points[tokens[index - 1].end - 1] == ',';
  const bool ampersand = token.end - token.start == 1 && points[token.start] == '&';
  const TokenSpan clean = ampersand ? token : without_edges(text, token);

  word_.clear();
  upper_.clear();
  ends_.clear();
  int length = 0, vowels = 0;
  bool letters = true, digits = true, any_digit = false, roman = true, later_vowel = false, hyphen = false, apostrophe = false;
  for (int32_t at = clean.start; at < clean.end; ++at) {
    const uint32_t point = points[at];
    hyphen |= point == '-';
    apostrophe |= point == '\'';
    if (!ampersand && !text.is_word(at)) continue;
    const uint32_t lower = characters_.lower[point];
    const uint8_t bits = characters_.bits[lower];
    const bool vowel = lower < 0x80 && is_vowel(static_cast<char>(lower));
    letters &= (bits & Characters::letter) != 0;
    digits &= (bits & Characters::digit) != 0;
    any_digit |= lower >= '0' && lower <= '9';
    roman &= lower == 'x' || lower == 'v' || lower == 'i';
    later_vowel |= vowel && length > 0;
    vowels += vowel;
    ++length;
    ends_.push_back(word_.size());
    append_utf8(lower, word_);
  }
  ends_.push_back(word_.size());
  letters &= length > 0;
  digits &= length > 0;
  if (word_.find("next") != std::string::npos) return false;  // a part of a word that is the name of something else there
  for (const char c : word_) upper_ += static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  const int32_t sound = sounds_.words.find(word_);
  if (sound < 0) {
    unheard_.add(word_);
    refused_ = true;
  }
  if (refused_) return index + 1 < tokens.size();  // when all its words are noted

  int32_t run = token.start + 1;  // behind the word that an opening mark is followed by
  while (run < token.end && text.is_word(run)) ++run;
  const bool opened = opens(points[token.start]) && run > token.start + 1;
  const bool full = opened && run < token.end && closes(points[run]);
  const bool closed = text.is_word(token.start) && run < token.end && closes(points[run]);
  const std::size_t bytes = word_.size();
  const uint32_t last_point = clean.end > clean.start ? points[clean.end - 1] : 0;

  show(find("nopunc", word_), 1.0, shown);
  show(last_point == '.' ? names_.abbrev : -1, 1.0, shown);
  show(points[token.end - 1] == ',' ? names_.comma : -1, 1.0, shown);
  show(hyphen ? names_.hyphenated : -1, 1.0, shown);
  show(apostrophe ? names_.contracted : -1, 1.0, shown);
  show((opened || closed) && !full ? names_.bracketed : -1, 1.0, shown);
  show(full ? names_.fullbracketed : -1, 1.0, shown);
  show(names_.length, length, shown);
  show(length == 1 && letters ? names_.initial : -1, 1.0, shown);
  show(later_vowel ? names_.has_vowels : -1, 1.0, shown);
  show(letters ? names_.just_letters : -1, 1.0, shown);
  show(roman ? names_.roman : -1, 1.0, shown);
  show(bytes && is_vowel(word_[bytes - 1]) ? names_.ends_in_vowel : -1, 1.0, shown);
  show(digits ? names_.all_digits : any_digit ? names_.some_digits : names_.no_digits, 1.0, shown);
  show(find("metaphone1", sounds_.codes[0][sound]), 1.0, shown);
  show(find("metaphone2", sounds_.codes[1][sound]), 1.0, shown);
  show(length > 1 && vowels == length ? names_.more_vowels : -1, 1.0, shown);
  const int32_t first_name = words_.first_names.find(upper_), gendered = words_.gendered.find(word_);
  show(first_name >= 0 ? names_.in_names : -1, 1.0, shown);
  show(words_.prepositions.find(word_) >= 0 ? names_.prepositions : -1, 1.0, shown);
  if (first_name >= 0) show(names_.first_name, words_.first_name_ratios[first_name], shown);
  if (gendered >= 0) show(names_.gender_ratio, words_.gender_ratios[gendered], shown);
  const bool possessive = clean.end - clean.start > 1 && (last_point | 32) == 's' && points[clean.end - 2] == '\'';
  show(possessive ? names_.possessive : -1, 1.0, shown);
  look_at_ends(shown);
  look_inside(3, shown);
  look_inside(4, shown);
  show(comma_came_ ? names_.seen_comma : -1, 1.0, shown);
  return true;
}

void ProbablepeopleReader::look_at_ends(std::vector<Shown>& shown) {
  const std::size_t length = ends_.size() - 1;
  for (std::size_t i = 1; i < length && i <= kLongestEnd; ++i) {
    show(find(kPrefixes[i - 1], part(0, i)), 1.0, shown);
    show(find(kSuffixes[i - 1], part(length - i, length)), 1.0, shown);
  }
}

// The parts of the word of this many characters, each once, where it comes first.
void ProbablepeopleReader::look_inside(int length, std::vector<Shown>& shown) {
  parts_.clear();
  for (std::size_t from = 0; from + length < ends_.size(); ++from) {
    const int32_t name = model_.find(part(from, from + length));
    if (name < 0 || std::find(parts_.begin(), parts_.end(), name) != parts_.end()) continue;
    parts_.push_back(name);
    show(name, 1.0, shown);
  }
}

}  // namespace lawful
