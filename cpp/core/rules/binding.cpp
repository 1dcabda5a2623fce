#include "core/rules/binding.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace lawful {

uint16_t* Binding::add_with_kinds(const Part* part) {
  parts.push_back(part);
  starts_.push_back(static_cast<int64_t>(kinds_.size()));
  kinds_.resize(kinds_.size() + length);
  return kinds_.data() + starts_.back();
}

void Binding::add(const std::vector<TokenTable::Column>& columns, const TokenTable::Row* const* rows) {
  struct Noted {  // a cell, where a token has it
    int32_t t;
    TokenTable::Cell cell;
  };
  struct Notes {
    std::vector<uint64_t> speaking;  // bits of the columns that a token or their own nature brings in
    std::vector<int64_t> starts;     // where the kinds of each of them begin
    std::vector<Noted> first, others;
  };
  thread_local Notes memory;  // for the next sequence
  auto& [speaking, starts, noted, others] = memory;
  speaking.assign((columns.size() + 63) / 64, 0);
  starts.resize(columns.size());
  if (noted.size() < static_cast<std::size_t>(length)) noted.resize(length);
  others.clear();
  std::size_t count = 0;
  for (int t = 0; t < length; ++t) {
    const TokenTable::Row& row = *rows[t];
    noted[count] = {t, row.first};
    count += row.count > 0;  // no branch: which tokens have a cell cannot be guessed
    if (row.count > 1) [[unlikely]]
      for (const TokenTable::Cell& cell : row.others) others.push_back({t, cell});
  }
  auto each_cell = [&](const auto& see) {
    std::for_each(noted.begin(), noted.begin() + static_cast<std::ptrdiff_t>(count), see);
    std::for_each(others.begin(), others.end(), see);
  };
  auto let_in = [&](std::size_t column, bool whether) { speaking[column / 64] |= uint64_t{whether} << column % 64; };
  each_cell([&](const Noted& here) { let_in(here.cell.column, true); });
  for (std::size_t c = 0; c < columns.size(); ++c) let_in(c, !columns[c].idle);
  const auto added = std::accumulate(speaking.begin(), speaking.end(), std::size_t{0},
                                     [](std::size_t sum, uint64_t bits) { return sum + std::popcount(bits); });
  if (!added) return;
  auto begin = static_cast<int64_t>(kinds_.size());
  kinds_.resize(kinds_.size() + added * length);
  for (std::size_t word = 0; word < speaking.size(); ++word)
    for (uint64_t bits = speaking[word]; bits; bits &= bits - 1, begin += length) {
      const std::size_t column = 64 * word + static_cast<std::size_t>(std::countr_zero(bits));
      parts.push_back(columns[column].part.get());
      starts_.push_back(begin);
      // Such a part reads kinds one position late, so its row is written one cell further on.
      const bool late = columns[column].previous;
      if (late && length) kinds_[begin] = 1;
      starts[column] = begin + late;
    }
  each_cell([&](const Noted& here) {
    const auto [column, kind] = here.cell;
    if (here.t + 1 < length || !columns[column].previous) kinds_[starts[column] + here.t] = kind;
  });
}

std::size_t Binding::add_spans(const Part* part, const Span* spans, std::size_t count) {
  const std::size_t before = parts.size();
  lay_spans(spans, count, [&](std::size_t layer) {
    if (before + layer == parts.size()) add_with_kinds(part);
    return kinds_.data() + starts_[before + layer];
  });
  return parts.size() - before;
}

void Binding::restart(int positions) {
  length = positions;
  parts.clear();
  starts_.clear();
  kinds_.clear();
  kept_.clear();
}

std::shared_ptr<const Binding> Binding::read_through(const Reading& reading) const {
  auto copy = std::make_shared<Binding>(*this);
  for (auto& part : copy->parts) {
    auto read = part->read_through(reading);
    part = read.get();
    copy->keep(std::move(read));
  }
  return copy;
}

}  // namespace lawful
