#include "core/linear/layout.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace lawful {
namespace {

void require(bool condition, const char* message) {
  if (!condition) throw std::invalid_argument(message);
}

bool all_below(const std::vector<int32_t>& ids, int64_t limit) {
  return std::all_of(ids.begin(), ids.end(), [&](int32_t id) { return id >= 0 && id < limit; });
}

bool ascend(const std::vector<int64_t>& first, std::size_t end) {
  return !first.empty() && first.front() == 0 && first.back() == static_cast<int64_t>(end) &&
         std::is_sorted(first.begin(), first.end());
}

}  // namespace

Outputs::Outputs(int labels, Ragged members) : labels(labels), members(std::move(members)) {
  require(ascend(this->members.first, this->members.items.size()), "the members of the outputs are not in order");
  require(all_below(this->members.items, labels), "an output has a label that does not exist");
  std::vector<std::vector<int32_t>> of(labels);
  plain = count() == labels;
  for (int output = 0; output < count(); ++output) {
    const auto *begin = this->members.begin(output), *end = this->members.end(output);
    require(std::is_sorted(begin, end) && std::adjacent_find(begin, end) == end, "the labels of an output must ascend");
    plain = plain && end - begin == 1 && *begin == output;
    for (const auto* label = begin; label != end; ++label) of[*label].push_back(output);
  }
  for (const auto& outputs : of) {
    of_label.items.insert(of_label.items.end(), outputs.begin(), outputs.end());
    of_label.first.push_back(static_cast<int64_t>(of_label.items.size()));
  }
}

void Sequences::check(int64_t occurrences, int64_t positions, int64_t size) const {
  require(sequence_offsets[0] == 0 && sequence_offsets[sequences] == positions &&
              std::is_sorted(sequence_offsets, sequence_offsets + sequences + 1),
          "sequence_offsets must ascend from 0 to the number of positions");
  require(item_offsets[0] == 0 && item_offsets[positions] == occurrences &&
              std::is_sorted(item_offsets, item_offsets + positions + 1),
          "item_offsets must ascend from 0 to the number of attributes");
  for (int64_t i = 0; i < occurrences; ++i)
    if (attributes[i] < -1 || attributes[i] >= size)
      throw std::invalid_argument("attribute " + std::to_string(attributes[i]) + " does not exist");
}

void LinearLayout::check() const {
  const int64_t count = outputs.count();
  require(ascend(state.first, state.items.size()), "the state features are not in order");
  require(ascend(pair_first, pair_source.size()), "the pair features are not in order");
  require(edge_source.size() == edge_target.size() && pair_source.size() == pair_target.size(),
          "a feature of two outputs has only one");
  for (const auto* ids : {&state.items, &edge_source, &edge_target, &first_output, &last_output, &pair_source, &pair_target})
    require(all_below(*ids, count), "a feature has an output that does not exist");
}

void edge_scores(const LinearLayout& layout, const double* weights, double* edges, double* first, double* last, int stride) {
  const Ragged& members = layout.outputs.members;
  const double* weight = weights + layout.edges_at();
  for (std::size_t i = 0; i < layout.edge_source.size(); ++i)
    for (const auto* from = members.begin(layout.edge_source[i]); from != members.end(layout.edge_source[i]); ++from)
      for (const auto* to = members.begin(layout.edge_target[i]); to != members.end(layout.edge_target[i]); ++to)
        edges[static_cast<int64_t>(*from) * stride + *to] += weight[i];
  auto boundary = [&](const std::vector<int32_t>& of, const double* weight, double* into) {
    for (std::size_t i = 0; i < of.size(); ++i)
      for (const auto* label = members.begin(of[i]); label != members.end(of[i]); ++label) into[*label] += weight[i];
  };
  boundary(layout.first_output, weights + layout.first_at(), first);
  boundary(layout.last_output, weights + layout.last_at(), last);
}

}  // namespace lawful
