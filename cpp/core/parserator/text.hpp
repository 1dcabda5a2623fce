// A string as the parsers of parserator look at it: code points, and what Unicode says of each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lawful {

// What the caller's Unicode says of the first characters. Of the others, and of those whose cases are odd (one letter that
// becomes two, or that only its surroundings decide), nothing is known here: texts that have one go back to the caller.
struct Characters {
  static constexpr uint8_t word = 1, space = 2, digit = 4, letter = 8, known = 16;
  std::vector<uint8_t> bits;    // by code point
  std::vector<uint32_t> lower;  // by code point
};

struct RawText {
  const void* characters;
  int64_t length;
  int width;  // bytes a character: 1, 2 or 4
};

struct Text {
  std::vector<uint32_t> points;
  std::vector<uint8_t> bits;

  // False if a character is not known.
  bool read(const RawText& raw, const Characters& characters);
  int64_t size() const { return static_cast<int64_t>(points.size()); }
  bool is_word(int64_t at) const { return at >= 0 && at < size() && (bits[at] & Characters::word); }
  // Between a character of a word and one that is not, as \b of regular expressions.
  bool is_boundary(int64_t at) const { return is_word(at - 1) != is_word(at); }
};

struct TokenSpan {
  int32_t start, end;
};

void append_utf8(uint32_t point, std::string& into);

inline bool is_one_of(uint32_t point, const char* characters) {
  if (point == 0 || point > 0x7f) return false;
  for (; *characters; ++characters)
    if (static_cast<uint32_t>(*characters) == point) return true;
  return false;
}

}  // namespace lawful
