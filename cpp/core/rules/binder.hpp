// Ties the rules of a compiled rule set to one sequence after another, from what is known of many of them.
#pragma once

#include <memory>
#include <vector>

#include "core/rules/binding.hpp"
#include "core/rules/part_set.hpp"

namespace lawful {

// What the rules see of many sequences, end to end. Whoever fills it has checked everything: spans are sorted and inside their
// sequence, positions are inside it, kinds are known to their parts.
struct Examples {
  struct Column {  // for one source of a binder; a column of spans, positions or parts uses only what it needs
    std::vector<int64_t> starts;  // (N + 1): those of sequence n are [starts[n], starts[n + 1])
    std::vector<Span> spans;
    std::vector<int32_t> positions;
    std::vector<const Part*> parts;                  // (N); these keep them:
    std::vector<std::shared_ptr<const Part>> kept;
  };
  Examples(std::vector<int64_t> token_offsets, std::size_t sources)
      : offsets(std::move(token_offsets)), columns(sources), apart(offsets.size() - 1) {}

  int64_t count() const { return static_cast<int64_t>(apart.size()); }
  int length(int64_t n) const { return static_cast<int>(offsets[n + 1] - offsets[n]); }

  std::vector<int64_t> offsets;  // (N + 1), of tokens
  std::vector<Column> columns;
  std::vector<const TokenTable::Row*> rows;  // of each token; empty if no rule looks at single tokens
  std::vector<uint8_t> apart;                // (N): not to be tied here, since something about it is out of the ordinary
};

struct Binder {
  enum class Wants : uint8_t { spans, positions, part };
  struct Source {
    Wants wants;
    std::shared_ptr<const Part> part;  // null where each sequence brings its own
    bool once;                         // paid once, so that several layers of spans would have to be joined
  };
  std::shared_ptr<const PartSet> common;
  std::vector<Source> sources;               // in the order of the rules
  std::vector<TokenTable::Column> columns;   // of the rules that look at single tokens; they come after the others

  // False if the rules cannot be tied to sequence n here. What is tied must not outlive the binder and the examples.
  bool tie(const Examples& examples, int64_t n, Binding& binding) const;
  // The same for a binding that keeps what it needs of them; null if it cannot be made here.
  static std::shared_ptr<const Binding> tied(const std::shared_ptr<const Binder>& binder, const Examples& examples, int64_t n);
};

}  // namespace lawful
