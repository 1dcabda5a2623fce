#include "core/parserator/token_reader.hpp"

namespace lawful {

TokenSpan without_edges(const Text& text, TokenSpan token) {
  while (token.start < token.end && !text.is_word(token.start)) ++token.start;
  while (token.end > token.start && !text.is_word(token.end - 1) && text.points[token.end - 1] != '.') --token.end;
  return token;
}

}  // namespace lawful
