#include "core/features/text.hpp"

#include <algorithm>

namespace lawful {
namespace {

bool is_dash(uint32_t c) { return c == '-' || (c >= 0x2010 && c <= 0x2015) || c == 0x2212; }
bool is_mark(uint8_t bits) { return (bits & (Character::alphanumeric | Character::space)) == 0; }
bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

char shape(uint8_t bits) {
  if (bits & Character::upper) return 'A';
  if (bits & Character::lower) return 'a';
  if (bits & Character::digit) return '0';
  return bits & Character::alphanumeric ? 'x' : '-';
}

bool only(std::string_view text, std::string_view letters) {
  return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

// [+-]?[0-9]+([.,][0-9]+)*
bool is_number(std::string_view text) {
  std::size_t at = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  while (true) {
    const std::size_t start = at;
    while (at < text.size() && is_ascii_digit(text[at])) ++at;
    if (at == start) return false;
    if (at == text.size()) return true;
    if (text[at] != '.' && text[at] != ',') return false;
    ++at;
  }
}

// One decimal place of a Roman numeral: at most three ones, perhaps after a five; or four, or nine.
std::size_t roman_place(std::string_view text, char one, char five, char ten) {
  auto is = [&](std::size_t i, char c) { return i < text.size() && text[i] == c; };
  if (is(0, one) && (is(1, ten) || is(1, five))) return 2;
  std::size_t at = is(0, five) ? 1 : 0;
  const std::size_t most = at + 3;
  while (at < most && is(at, one)) ++at;
  return at;
}

bool is_roman(std::string_view text) {
  if (text.empty()) return false;
  std::size_t at = 0;
  while (at < 3 && at < text.size() && text[at] == 'M') ++at;
  at += roman_place(text.substr(at), 'C', 'D', 'M');
  at += roman_place(text.substr(at), 'X', 'L', 'C');
  at += roman_place(text.substr(at), 'I', 'V', 'X');
  return at == text.size();
}

}  // namespace

void append_escaped(std::string_view value, std::string& into) {
  for (const char c : value) {
    if (c == '\\' || c == '|') into += '\\';
    into += c;
  }
}

void TextReader::decode(std::string_view text) {
  points_.clear();
  bits_.clear();
  starts_.clear();
  for (std::size_t at = 0; at < text.size();) {
    starts_.push_back(at);
    const auto lead = static_cast<uint8_t>(text[at++]);
    uint32_t point = lead < 0x80 ? lead : lead < 0xe0 ? lead & 0x1f : lead < 0xf0 ? lead & 0x0f : lead & 0x07;
    for (; at < text.size() && (static_cast<uint8_t>(text[at]) & 0xc0) == 0x80; ++at)
      point = point << 6 | (static_cast<uint8_t>(text[at]) & 0x3f);
    points_.push_back(point);
    bits_.push_back(classify_(point));
  }
  starts_.push_back(text.size());
}

bool TextReader::answer(Operation kind, std::string_view text) {
  uint8_t any = 0, all = 0xff, any_later = 0;
  bool mark = false, only_marks = true, dash = false;
  for (std::size_t i = 0; i < bits_.size(); ++i) {
    any |= bits_[i];
    all &= bits_[i];
    if (i > 0) any_later |= bits_[i];
    if (is_mark(bits_[i])) mark = true;
    else only_marks = false;
    dash = dash || is_dash(points_[i]);
  }
  const bool some = !bits_.empty();
  const uint8_t first = some ? bits_[0] : 0;
  if (!some) all = 0;
  switch (kind) {
    case Operation::has_upper: return any & Character::upper;
    case Operation::has_lower: return any & Character::lower;
    case Operation::has_digit: return any & Character::digit;
    case Operation::has_hyphen: return dash;
    case Operation::has_punctuation: return mark;
    case Operation::starts_upper: return first & Character::upper;
    case Operation::starts_digit: return first & Character::digit;
    case Operation::all_caps: return (any & Character::upper) && !(any & Character::lower);
    case Operation::all_lower: return (any & Character::lower) && !(any & Character::upper);
    case Operation::initial_cap: return (first & Character::upper) && (any & Character::lower) && !(any_later & Character::upper);
    case Operation::inner_cap: return (any_later & Character::upper) && (any & Character::lower);
    case Operation::is_initial: return bits_.size() == 2 && (first & Character::upper) && points_[1] == '.';
    case Operation::is_alphabetic: return all & Character::letter;
    case Operation::is_alphanumeric: return all & Character::alphanumeric;
    case Operation::is_digits: return all & Character::digit;
    case Operation::is_number: return is_number(text);
    case Operation::is_punctuation: return some && only_marks;
    case Operation::is_roman: return is_roman(text);
    case Operation::is_dna: return only(text, "GCAT");
    default: return only(text, "GCAU");
  }
}

bool TextReader::read(Operation operation, int number, std::string_view text, std::string& value) {
  value.clear();
  if (operation == Operation::word) {
    append_escaped(text, value);
    return true;
  }
  decode(text);
  const std::size_t length = points_.size();
  const auto count = static_cast<std::size_t>(number);
  switch (operation) {
    case Operation::folded: {
      for (std::size_t i = 0; i < length; ++i) {
        if (bits_[i] & Character::digit) value += '0';
        else append_escaped(text.substr(starts_[i], starts_[i + 1] - starts_[i]), value);
      }
      return true;
    }
    case Operation::shape:
    case Operation::short_shape:
      for (const uint8_t bits : bits_) value += shape(bits);
      if (operation == Operation::short_shape) value.erase(std::unique(value.begin(), value.end()), value.end());
      return true;
    case Operation::prefix:
      if (length < count) return false;
      append_escaped(text.substr(0, starts_[count]), value);
      return true;
    case Operation::suffix:
      if (length < count) return false;
      append_escaped(text.substr(starts_[length - count]), value);
      return true;
    case Operation::length:
      value = count > 0 && length >= count ? std::to_string(number) + "+" : std::to_string(length);
      return true;
    default: {
      const bool yes = answer(operation, text);
      value = yes ? "yes" : "no";
      return yes || number != 0;
    }
  }
}

}  // namespace lawful
