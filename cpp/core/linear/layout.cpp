#include "core/linear/layout.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/support/aligned.hpp"

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

void LinearLayout::allow(std::vector<int32_t> sources, std::vector<int32_t> targets) {
  const int labels = outputs.labels, stride = padded(labels);
  require(sources.size() == targets.size() && !sources.empty(), "a step has a source and a target");
  require(all_below(sources, labels) && all_below(targets, labels), "a step has a label that does not exist");
  steps = {};
  // Labels from which no way leads on and on: of those that remain, each has a follower, so sequences of any length exist.
  std::vector<int> followers(labels, 0);
  for (const int32_t source : sources) ++followers[source];
  std::vector<int32_t> dead;
  for (int k = 0; k < labels; ++k)
    if (!followers[k]) dead.push_back(k);
  for (std::size_t n = 0; n < dead.size(); ++n)
    for (std::size_t s = 0; s < sources.size(); ++s)
      if (targets[s] == dead[n] && --followers[sources[s]] == 0) dead.push_back(sources[s]);
  require(static_cast<int>(dead.size()) < labels, "no label can follow another for long");

  std::vector<int32_t> edge_of(static_cast<std::size_t>(outputs.count()) * outputs.count(), -1);
  for (std::size_t i = 0; i < edge_source.size(); ++i)
    edge_of[static_cast<std::size_t>(edge_source[i]) * outputs.count() + edge_target[i]] = static_cast<int32_t>(i);
  Doubles forward(static_cast<std::size_t>(labels) * stride, 0.0), backward(forward.size(), 0.0);
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const int32_t i = sources[s], j = targets[s];
    require(s == 0 || sources[s - 1] < i || (sources[s - 1] == i && targets[s - 1] < j), "steps must ascend");
    forward[static_cast<int64_t>(i) * stride + j] = backward[static_cast<int64_t>(j) * stride + i] = 1;
    for (const auto* a = outputs.of_label.begin(i); a != outputs.of_label.end(i); ++a)
      for (const auto* b = outputs.of_label.begin(j); b != outputs.of_label.end(j); ++b) {
        const int32_t edge = edge_of[static_cast<std::size_t>(*a) * outputs.count() + *b];
        if (edge >= 0) steps.edges.items.push_back(edge);
      }
    steps.edges.first.push_back(static_cast<int64_t>(steps.edges.items.size()));
  }
  steps.source = std::move(sources);
  steps.target = std::move(targets);
  steps.by_source = BlockLists::of(forward.data(), labels, stride, 0.0);
  steps.by_target = BlockLists::of(backward.data(), labels, stride, 0.0);
}

void edge_scores(const LinearLayout& layout, const double* weights, double* edges, double* first, double* last, int stride) {
  const Ragged& members = layout.outputs.members;
  const LabelSteps& steps = layout.steps;
  const double* weight = weights + layout.edges_at();
  if (!steps.all()) {
    for (int i = 0; i < layout.outputs.labels; ++i) {
      double* row = edges + static_cast<int64_t>(i) * stride;
      std::fill(row, row + layout.outputs.labels, kForbidden);
    }
    for (int64_t s = 0; s < steps.size(); ++s) {
      double sum = 0;
      for (const auto* edge = steps.edges.begin(s); edge != steps.edges.end(s); ++edge) sum += weight[*edge];
      edges[static_cast<int64_t>(steps.source[s]) * stride + steps.target[s]] = sum;
    }
  }
  for (std::size_t i = 0; i < layout.edge_source.size() && steps.all(); ++i)
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
