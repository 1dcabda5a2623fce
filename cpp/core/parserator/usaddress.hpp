// How the package usaddress cuts addresses into tokens, and what it sees in each.
#pragma once

#include "core/parserator/token_reader.hpp"

namespace lawful {

struct UsaddressWords {  // the package's own lists
  StringTable directions, street_names;
};

class UsaddressReader final : public TokenReader {
 public:
  UsaddressReader(const CrfsuiteModel& model, const Characters& characters, const UsaddressWords& words);
  void cut(const Text& text, std::vector<TokenSpan>& tokens) const override;
  bool look(const Text& text, const std::vector<TokenSpan>& tokens, std::size_t index, std::vector<Shown>& shown) override;

 private:
  int32_t length_name(bool digits, std::size_t length);

  const Characters& characters_;
  const UsaddressWords& words_;
  std::string word_, last_;
  int32_t abbrev_, all_digits_, some_digits_, no_digits_, directional_, street_name_, has_vowels_;
  std::vector<int32_t> lengths_[2];  // of words, of digits
};

}  // namespace lawful
