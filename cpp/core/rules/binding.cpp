#include "core/rules/binding.hpp"

#include <algorithm>
#include <utility>

namespace lawful {

uint16_t* Binding::add_with_kinds(const Part* part) {
  parts.push_back(part);
  starts_.push_back(static_cast<int64_t>(kinds_.size()));
  kinds_.resize(kinds_.size() + length);
  return kinds_.data() + starts_.back();
}

void Binding::add(const std::vector<TokenTable::Column>& columns, const TokenTable::Row* const* rows) {
  constexpr int64_t kSilent = -1;
  struct Noted {  // a cell, where a token has it
    int32_t t;
    TokenTable::Cell cell;
  };
  struct Notes {
    std::vector<int64_t> starts;  // where the kinds of each column begin, or kSilent
    std::vector<Noted> first, others;
  };
  thread_local Notes memory;  // for the next sequence
  auto& [starts, noted, others] = memory;
  starts.assign(columns.size(), kSilent);
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
  auto let_in = [&](std::size_t column) {
    uint16_t* kinds = add_with_kinds(columns[column].part.get());
    starts[column] = starts_.back();
    // Such a part reads kinds one position late, so its row is written one cell further on.
    if (columns[column].previous && length) {
      kinds[0] = 1;
      ++starts[column];
    }
  };
  std::size_t speaking = 0;  // columns that a token or their own nature brings in
  each_cell([&](const Noted& here) { speaking += std::exchange(starts[here.cell.column], 0) == kSilent; });
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (!columns[c].idle) speaking += std::exchange(starts[c], 0) == kSilent;
  if (!speaking) return;
  reserve(parts.size() + speaking);
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (starts[c] != kSilent) let_in(c);
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
