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
  struct Row {  // most have no cell or one, so that the first can be read without asking
    int32_t count = 0;
    Cell first{0, 0};
    std::vector<Cell> others;
    void push_back(Cell cell) {
      if (count++) others.push_back(cell);
      else first = cell;
    }
  };
  TokenTable() = default;
  TokenTable(const TokenTable&) = delete;
  TokenTable& operator=(const TokenTable&) = delete;

  std::vector<Column> columns;
  std::vector<std::unique_ptr<const Row>> rows;  // by code; none moves when others are added
};

struct Binding {
  explicit Binding(int positions) : length(positions) {}

  int length;
  std::vector<const Part*> parts;

  // (T), or null: every token is of kind 0. Holds until a part is added.
  const uint16_t* kinds(std::size_t part) const { return starts_[part] < 0 ? nullptr : kinds_.data() + starts_[part]; }

  void reserve(std::size_t count) {
    parts.reserve(count);
    starts_.reserve(count);
    kinds_.reserve(count * length);
  }
  // What is added must outlive the binding, unless it is kept: most of it serves many sequences, and counting who uses it would
  // take longer than using it.
  void keep(std::shared_ptr<const void> owner) { kept_.push_back(std::move(owner)); }

  void add(const Part* part) {
    parts.push_back(part);
    starts_.push_back(-1);
  }
  uint16_t* add_with_kinds(const Part* part);  // all 0, to be written before the next one is added
  // The same for a part that is then kept.
  void add(std::shared_ptr<const Part> part) {
    add(part.get());
    keep(std::move(part));
  }
  uint16_t* add_with_kinds(std::shared_ptr<const Part> part) {
    uint16_t* kinds = add_with_kinds(part.get());
    keep(std::move(part));
    return kinds;
  }
  // The parts of a table that the tokens concern; `rows`: that of each token.
  void add(const std::vector<TokenTable::Column>& columns, const TokenTable::Row* const* rows);
  // One part for each layer of sorted spans; says how many.
  std::size_t add_spans(const Part* part, const Span* spans, std::size_t count);
  // For another sequence, in the same memory. Nothing is kept any more.
  void restart(int positions);

  // The same for a trellis whose columns are read as labels.
  std::shared_ptr<const Binding> read_through(const Reading& reading) const;

 private:
  std::vector<int64_t> starts_;  // into kinds_, or -1
  std::vector<uint16_t> kinds_;
  std::vector<std::shared_ptr<const void>> kept_;
};

}  // namespace lawful
