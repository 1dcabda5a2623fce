#include "core/rules/binding.hpp"

#include <utility>

namespace lawful {

uint16_t* Binding::add_with_kinds(std::shared_ptr<const Part> part) {
  parts.push_back(std::move(part));
  starts_.push_back(static_cast<int64_t>(kinds_.size()));
  kinds_.resize(kinds_.size() + length);
  return kinds_.data() + starts_.back();
}

void Binding::add(const std::vector<TokenTable::Column>& columns, const TokenTable::Row* const* rows) {
  constexpr int64_t kSilent = -1;
  columns_.assign(columns.size(), kSilent);
  auto let_in = [&](std::size_t column) {
    uint16_t* kinds = add_with_kinds(columns[column].part);
    columns_[column] = starts_.back();
    // Such a part reads kinds one position late, so its row is written one cell further on.
    if (columns[column].previous && length) {
      kinds[0] = 1;
      ++columns_[column];
    }
  };
  std::size_t speaking = 0;  // columns that a token or their own nature brings in
  for (int t = 0; t < length; ++t)
    for (const TokenTable::Cell& cell : *rows[t]) speaking += std::exchange(columns_[cell.column], 0) == kSilent;
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (!columns[c].idle) speaking += std::exchange(columns_[c], 0) == kSilent;
  if (!speaking) return;
  reserve(parts.size() + speaking);
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns_[c] != kSilent) let_in(c);
  for (int t = 0; t < length; ++t)
    for (const TokenTable::Cell& cell : *rows[t])
      if (t + 1 < length || !columns[cell.column].previous) kinds_[columns_[cell.column] + t] = cell.kind;
}

std::size_t Binding::add_spans(const std::shared_ptr<const Part>& part, const Span* spans, std::size_t count) {
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
}

std::shared_ptr<const Binding> Binding::read_through(const Reading& reading) const {
  auto copy = std::make_shared<Binding>(*this);
  for (auto& part : copy->parts) part = part->read_through(reading);
  return copy;
}

}  // namespace lawful
