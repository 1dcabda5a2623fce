#include "core/parserator/usaddress.hpp"

namespace lawful {
namespace {

constexpr std::size_t kShort = 32;  // lengths whose names are looked up beforehand

bool is_vowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }

}  // namespace

UsaddressReader::UsaddressReader(const CrfsuiteModel& model, const Characters& characters, const UsaddressWords& words)
    : TokenReader(model), characters_(characters), words_(words) {
  first = model.find("address.start");
  last = model.find("address.end");
  single = {first, last};
  abbrev_ = model.find("abbrev");
  all_digits_ = model.find("digits:all_digits");
  some_digits_ = model.find("digits:some_digits");
  no_digits_ = model.find("digits:no_digits");
  directional_ = model.find("directional");
  street_name_ = model.find("street_name");
  has_vowels_ = model.find("has.vowels");
  for (const bool digits : {false, true})
    for (std::size_t length = 0; length < kShort; ++length)
      lengths_[digits].push_back(model.find((digits ? "length:d:" : "length:w:") + std::to_string(length)));
}

// \(*\b[^\s,;#&()]+[.,;)\n]*  or  [#&], from left to right.
void UsaddressReader::cut(const Text& text, std::vector<TokenSpan>& tokens) const {
  tokens.clear();
  const auto size = static_cast<int32_t>(text.size());
  auto inside = [&](int32_t at) { return !(text.bits[at] & Characters::space) && !is_one_of(text.points[at], ",;#&()"); };
  for (int32_t at = 0; at < size;) {
    int32_t start = at;
    while (start < size && text.points[start] == '(') ++start;
    if (start < size && inside(start) && text.is_boundary(start)) {
      int32_t end = start + 1;
      while (end < size && inside(end)) ++end;
      while (end < size && is_one_of(text.points[end], ".,;)\n")) ++end;
      tokens.push_back({at, end});
      at = end;
    } else if (start > at) {
      at = start;  // with fewer brackets before it, it fails too
    } else {
      if (text.points[at] == '#' || text.points[at] == '&') tokens.push_back({at, at + 1});
      ++at;
    }
  }
}

int32_t UsaddressReader::length_name(bool digits, std::size_t length) {
  return length < kShort ? lengths_[digits][length] : model_.find((digits ? "length:d:" : "length:w:") + std::to_string(length));
}

bool UsaddressReader::look(const Text& text, const std::vector<TokenSpan>& tokens, std::size_t index, std::vector<Shown>& shown) {
  const TokenSpan token = tokens[index];
  const uint32_t first_point = text.points[token.start];
  const bool symbol = token.end - token.start == 1 && (first_point == '&' || first_point == '#' || first_point == 0xbd);
  const TokenSpan clean = symbol ? token : without_edges(text, token);
  if (clean.start == clean.end) return false;

  word_.clear();
  std::size_t length = 0, zeros = 0;  // in characters; how many zeros end it
  bool clean_is_digits = true, word_is_digits = true, any_digit = false, vowels = false;
  for (int32_t at = clean.start; at < clean.end; ++at) {
    const uint32_t point = text.points[at];
    any_digit |= point >= '0' && point <= '9';
    clean_is_digits &= (text.bits[at] & Characters::digit) != 0;
    if (point == '.') continue;
    const uint32_t lower = characters_.lower[point];
    word_is_digits &= (text.bits[at] & Characters::digit) != 0;
    vowels |= length > 0 && lower < 0x80 && is_vowel(static_cast<char>(lower));
    zeros = point == '0' ? zeros + 1 : 0;
    ++length;
    append_utf8(lower, word_);
  }
  word_is_digits &= length > 0;

  show(text.points[clean.end - 1] == '.' ? abbrev_ : -1, 1.0, shown);
  show(clean_is_digits ? all_digits_ : any_digit ? some_digits_ : no_digits_, 1.0, shown);
  if (word_is_digits) show(find("trailing.zeros", std::string(zeros, '0')), 1.0, shown);
  else show(find("word", word_), 1.0, shown);
  show(length_name(word_is_digits, length), 1.0, shown);

  bool punctuated = false;  // .+[^.\w] matches from the start: the dot stands for all but newlines
  for (int32_t at = token.start + 1; at < token.end && !punctuated && text.points[at - 1] != '\n'; ++at)
    punctuated = !text.is_word(at) && text.points[at] != '.';
  if (punctuated) {
    last_.clear();
    append_utf8(text.points[token.end - 1], last_);
    show(find("endsinpunc", last_), 1.0, shown);
  }
  if (words_.directions.find(word_) >= 0) show(directional_, 1.0, shown);
  if (words_.street_names.find(word_) >= 0) show(street_name_, 1.0, shown);
  if (vowels) show(has_vowels_, 1.0, shown);
  return true;
}

}  // namespace lawful
