// Bindings: the kinds of tokens from a table, and spans in layers.
#include <algorithm>
#include <set>

#include "core/rules/binding.hpp"
#include "core/rules/span_layers.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

TEST(a_table_gives_every_part_its_kinds) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    // More columns than a word has bits, too.
    const int columns = random.chance(0.1) ? random.between(60, 140) : random.between(1, 5);
    const int codes = random.between(1, 4), length = random.between(1, 8);
    TokenTable table;
    for (int c = 0; c < columns; ++c)
      table.columns.push_back(
          {make_part(random_machine(random, 2, 3, Memory::none), Mode::hard, 0, c), random.chance(0.5), random.chance(0.3)});
    std::vector<std::vector<uint16_t>> dense(codes, std::vector<uint16_t>(columns));
    for (auto& row : dense) {
      TokenTable::Row cells;
      for (int c = 0; c < columns; ++c) {
        row[c] = static_cast<uint16_t>(random.chance(0.7) ? 0 : random.below(3));
        if (row[c]) cells.push_back({c, row[c]});
      }
      table.rows.push_back(std::make_unique<const TokenTable::Row>(std::move(cells)));
    }
    std::vector<uint32_t> token_codes(length);
    for (auto& code : token_codes) code = static_cast<uint32_t>(random.below(codes));

    Binding binding(length);
    std::vector<const TokenTable::Row*> rows;
    for (const uint32_t code : token_codes) rows.push_back(table.rows[code].get());
    binding.add(table.columns, rows.data());
    std::size_t p = 0;
    for (int c = 0; c < columns; ++c) {
      std::vector<uint16_t> kinds;
      bool any = false;
      for (const uint32_t code : token_codes) {
        kinds.push_back(dense[code][c]);
        any |= kinds.back() > 0;
      }
      if (table.columns[c].idle && !any) continue;
      if (table.columns[c].previous) {
        kinds.insert(kinds.begin(), 1);
        kinds.pop_back();
      }
      CHECK(p < binding.parts.size() && binding.parts[p]->rule == c);
      CHECK(std::equal(kinds.begin(), kinds.end(), binding.kinds(p)));
      ++p;
    }
    CHECK_EQUAL(p, binding.parts.size());
  }
}

TEST(layers_hold_every_span_once_and_are_few) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const int length = random.between(2, 9);
    std::vector<Span> spans;
    for (int n = random.below(6); n > 0; --n) {
      const int start = random.below(length);
      spans.push_back({start, random.between(start + 1, length)});
    }
    std::sort(spans.begin(), spans.end());
    std::multiset<std::pair<int, int>> expected, laid;
    int deepest = 0;
    for (const auto& [start, end] : spans)
      if (end - start > 1) expected.insert({start, end});
    for (int t = 0; t < length; ++t) {
      int over = 0;
      for (const auto& [start, end] : expected) over += start <= t && t < end;
      deepest = std::max(deepest, over);
    }
    Binding binding(length);
    const auto part = make_part(random_machine(random, 2, 3, Memory::none), Mode::hard, 0, 0);
    const std::size_t layers = binding.add_spans(part.get(), spans.data(), spans.size());
    for (std::size_t layer = 0; layer < layers; ++layer) {
      const uint16_t* kinds = binding.kinds(layer);
      for (int t = 0; t < length; ++t) {
        CHECK(kinds[t] != inside || (t > 0 && kinds[t - 1] != outside));
        if (kinds[t] != first) continue;
        int end = t + 1;
        while (end < length && kinds[end] == inside) ++end;
        laid.insert({t, end});
      }
    }
    CHECK(laid == expected);
    CHECK_EQUAL(static_cast<int>(layers), deepest);
  }
}

}  // namespace
}  // namespace lawful
