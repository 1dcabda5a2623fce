// What one sequence must obey besides the parts common to all: its own parts, and the kinds of its tokens for each.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/rules/part.hpp"
#include "core/rules/span_layers.hpp"

namespace lawful {

// The rules that look at single tokens, all at once: tokens that no rule tells apart share a code, and each code has a
// row that says what kind of token it is for every rule.
struct TokenTable {
  struct Column {
    std::shared_ptr<const Part> part;
    bool idle = false;      // where all tokens are of kind 0 nothing can break it, and it stays out
    bool previous = false;  // it reads at each position the kind of the token before, and kind 1 at the first
  };
  struct Cell {
    int32_t column;
    uint16_t kind;  // never 0: a row holds only the others
  };
  using Row = std::vector<Cell>;
  TokenTable() = default;
  TokenTable(const TokenTable&) = delete;
  TokenTable& operator=(const TokenTable&) = delete;

  std::vector<Column> columns;
  std::vector<std::unique_ptr<const Row>> rows;  // by code; none moves when others are added
};

struct Binding {
  explicit Binding(int positions) : length(positions) {}

  int length;
  std::vector<std::shared_ptr<const Part>> parts;

  // (T), or null: every token is of kind 0. Holds until a part is added.
  const uint16_t* kinds(std::size_t part) const { return starts_[part] < 0 ? nullptr : kinds_.data() + starts_[part]; }

  void reserve(std::size_t count) {
    parts.reserve(count);
    starts_.reserve(count);
    kinds_.reserve(count * length);
  }
  void add(std::shared_ptr<const Part> part) {
    parts.push_back(std::move(part));
    starts_.push_back(-1);
  }
  uint16_t* add_with_kinds(std::shared_ptr<const Part> part);  // all 0, to be written before the next one is added
  // The parts of a table that the tokens concern; `rows`: that of each token.
  void add(const std::vector<TokenTable::Column>& columns, const TokenTable::Row* const* rows);
  // One part for each layer of sorted spans; says how many.
  std::size_t add_spans(const std::shared_ptr<const Part>& part, const Span* spans, std::size_t count);
  // For another sequence, in the same memory.
  void restart(int positions);

  // The same for a trellis whose columns are read as labels.
  std::shared_ptr<const Binding> read_through(const Reading& reading) const;

 private:
  std::vector<int64_t> starts_;  // into kinds_, or -1
  std::vector<uint16_t> kinds_;
  std::vector<int64_t> columns_;  // where the kinds of each column of a table begin, or -1
};

}  // namespace lawful
