// What a template may ask of one text: the same answers as src/lawful/models/features/templates/leaf.py.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lawful {

// clang-format off: one line per group
enum class Operation : uint8_t {
  word, folded, shape, short_shape, prefix, suffix, length,
  has_upper, has_lower, has_digit, has_hyphen, has_punctuation, starts_upper, starts_digit, all_caps, all_lower,
  initial_cap, inner_cap, is_initial, is_alphabetic, is_alphanumeric, is_digits, is_number, is_punctuation, is_roman,
  is_dna, is_rna,
  supplied,             // the caller brings its value, by text
  function,             // the caller brings its values, by position
  first, last, bias,    // of the position alone
};
// clang-format on

// What a character is, as bits. The caller knows Unicode; the core asks.
struct Character {
  static constexpr uint8_t upper = 1, lower = 2, digit = 4, letter = 8, alphanumeric = 16, space = 32;
};
using Classify = uint8_t (*)(uint32_t code_point);

class TextReader {
 public:
  explicit TextReader(Classify classify) : classify_(classify) {}
  // Puts the value of `text` (UTF-8) into `value`, escaped; false if it has none.
  bool read(Operation operation, int number, std::string_view text, std::string& value);

 private:
  bool answer(Operation kind, std::string_view text);
  void decode(std::string_view text);

  Classify classify_;
  std::vector<uint32_t> points_;
  std::vector<uint8_t> bits_;
  std::vector<std::size_t> starts_;  // of each code point, and the end
};

// A value as it stands in an attribute: a backslash before each backslash and each bar.
void append_escaped(std::string_view value, std::string& into);

}  // namespace lawful
