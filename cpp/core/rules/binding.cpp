#include "core/rules/binding.hpp"

#include <algorithm>

namespace lawful {

uint16_t* Binding::add_with_kinds(std::shared_ptr<const Part> part) {
  parts.push_back(std::move(part));
  starts_.push_back(static_cast<int64_t>(kinds_.size()));
  kinds_.resize(kinds_.size() + length);
  return kinds_.data() + starts_.back();
}

void Binding::add(const TokenTable& table, const std::vector<uint32_t>& codes) {
  std::vector<char> speaks(table.columns.size());
  for (std::size_t c = 0; c < speaks.size(); ++c) speaks[c] = !table.columns[c].idle;
  for (const uint32_t code : codes)
    for (const TokenTable::Cell& cell : table.rows[code]) speaks[cell.column] = 1;

  reserve(parts.size() + std::count(speaks.begin(), speaks.end(), 1));
  std::vector<int64_t> start(speaks.size(), -1);  // of each column's kinds
  for (std::size_t c = 0; c < speaks.size(); ++c) {
    if (!speaks[c]) continue;
    uint16_t* kinds = add_with_kinds(table.columns[c].part);
    start[c] = starts_.back();
    // Such a part reads kinds one position late, so its row is written one cell further on.
    if (table.columns[c].previous && length) {
      kinds[0] = 1;
      ++start[c];
    }
  }
  for (int t = 0; t < length; ++t)
    for (const TokenTable::Cell& cell : table.rows[codes[t]])
      if (t + 1 < length || !table.columns[cell.column].previous) kinds_[start[cell.column] + t] = cell.kind;
}

std::shared_ptr<const Binding> Binding::read_through(const Reading& reading) const {
  auto copy = std::make_shared<Binding>(*this);
  for (auto& part : copy->parts) part = part->read_through(reading);
  return copy;
}

}  // namespace lawful
