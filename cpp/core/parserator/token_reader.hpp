// What a package made with parserator sees in a string: its tokens, and the features of each.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/parserator/crfsuite_model.hpp"
#include "core/parserator/text.hpp"

namespace lawful {

// A workspace, one a thread. Strings are read exactly as the package reads them, or not at all.
class TokenReader {
 public:
  virtual ~TokenReader() = default;

  // The tokens, in order.
  virtual void cut(const Text& text, std::vector<TokenSpan>& tokens) const = 0;

  // Appends the features of tokens[index] in the package's order, of those that the model knows. Called for one token after
  // another. False if only the package itself can tell.
  virtual bool look(const Text& text, const std::vector<TokenSpan>& tokens, std::size_t index, std::vector<Shown>& shown) = 0;

  // What the first and the last token show at the end of all, if there are several tokens, and what a single one shows.
  int32_t first = -1, last = -1;
  std::vector<int32_t> single;

 protected:
  explicit TokenReader(const CrfsuiteModel& model) : model_(model) {}
  void show(int32_t name, double value, std::vector<Shown>& shown) const {
    if (name >= 0 && value != 0.0) shown.push_back({name, value});
  }
  // The name "key:value".
  int32_t find(std::string_view key, std::string_view value) {
    name_.assign(key);
    name_ += ':';
    name_ += value;
    return model_.find(name_);
  }

  const CrfsuiteModel& model_;
  std::string name_;
};

// The token without the \W before it, and without what is neither \w nor a full stop behind it.
TokenSpan without_edges(const Text& text, TokenSpan token);

}  // namespace lawful
