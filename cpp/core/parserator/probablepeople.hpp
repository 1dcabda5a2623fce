// How the package probablepeople cuts names into tokens, and what it sees in each.
#pragma once

#include "core/parserator/token_reader.hpp"

namespace lawful {

struct ProbablepeopleWords {  // the package's own lists
  StringTable prepositions;
  StringTable first_names, gendered;  // in upper case; in lower case
  std::vector<double> first_name_ratios, gender_ratios;
};

// How words sound, as somebody else says: their primary and secondary codes.
struct Metaphones {
  StringTable words;
  std::vector<std::string> codes[2];  // by the number of the word
};

class ProbablepeopleReader final : public TokenReader {
 public:
  // Words that are not among the sounds are added to `unheard`, and their strings are refused.
  ProbablepeopleReader(const CrfsuiteModel& model, const Characters& characters, const ProbablepeopleWords& words,
                       const Metaphones& sounds, StringTable& unheard);
  void cut(const Text& text, std::vector<TokenSpan>& tokens) const override;
  bool look(const Text& text, const std::vector<TokenSpan>& tokens, std::size_t index, std::vector<Shown>& shown) override;

 private:
  void look_at_ends(std::vector<Shown>& shown);
  void look_inside(int length, std::vector<Shown>& shown);
  std::string_view part(std::size_t from, std::size_t to) const {
    return std::string_view(word_).substr(ends_[from], ends_[to] - ends_[from]);
  }

  const Characters& characters_;
  const ProbablepeopleWords& words_;
  const Metaphones& sounds_;
  StringTable& unheard_;
  std::string word_, upper_;
  std::vector<std::size_t> ends_;  // where the characters of the word start, and its end
  std::vector<int32_t> parts_;     // those shown of this word, each once
  bool comma_came_ = false, refused_ = false;
  struct Names {
    int32_t abbrev, comma, hyphenated, contracted, bracketed, fullbracketed, length, initial, has_vowels, just_letters, roman,
        ends_in_vowel, all_digits, some_digits, no_digits, more_vowels, in_names, prepositions, first_name, gender_ratio,
        possessive, seen_comma;
  } names_;
};

}  // namespace lawful
