#include "core/graph/nbest.hpp"

#include <algorithm>

#include "core/graph/sums.hpp"

namespace lawful {

BestSequences::BestSequences(GraphPointer graph, const Limits& limits)
    : graph_(std::move(graph)), budget_(limits), after_(sum_completions<MaxPlus>(*graph_, budget_)) {
  budget_.set_aside(graph_->bytes() + after_.size() * sizeof(double));
  if (graph_->empty()) return;
  if (!is_deterministic(*graph_)) subsets_.emplace(*graph_, budget_);
  prefixes_.push_back({0.0, -1, kEnd, 0, 0});
  offer(0, 0);
  budget_.stop_clock();
}

std::optional<BestSequences::Sequence> BestSequences::next() {
  if (heap_.empty()) return std::nullopt;
  budget_.go_on();
  Sequence sequence = follow();
  budget_.stop_clock();
  return sequence;
}

BestSequences::Sequence BestSequences::follow() {
  std::pop_heap(heap_.begin(), heap_.end(), Worse{this});
  auto [score, prefix, rank] = heap_.back();
  heap_.pop_back();
  // Follow the best option of each prefix to the end; whatever else could be done on the way becomes a candidate.
  while (true) {
    budget_.work(100);
    budget_.hold(prefixes_.capacity() * sizeof(Prefix) + heap_.capacity() * sizeof(Candidate) + option_bytes_ +
                 (subsets_ ? subsets_->bytes() : 0));
    offer(prefix, rank + 1);
    const Prefix here = prefixes_[prefix];
    const Option chosen = options(here.state)[rank];
    if (chosen.label == kEnd) {
      Sequence sequence{here.score + chosen.weight, std::vector<int32_t>(here.depth)};
      for (int32_t at = prefix; prefixes_[at].depth > 0; at = prefixes_[at].parent)
        sequence.labels[prefixes_[at].depth - 1] = prefixes_[at].label;
      return sequence;
    }
    prefixes_.push_back({here.score + chosen.weight, prefix, chosen.label, here.depth + 1, chosen.target});
    prefix = static_cast<int32_t>(prefixes_.size()) - 1;
    rank = 0;
  }
}

void BestSequences::offer(int32_t prefix, int32_t rank) {
  const std::vector<Option>& all = options(prefixes_[prefix].state);
  if (rank >= static_cast<int32_t>(all.size())) return;
  heap_.push_back({prefixes_[prefix].score + all[rank].best, prefix, rank});
  std::push_heap(heap_.begin(), heap_.end(), Worse{this});
}

const std::vector<BestSequences::Option>& BestSequences::options(int32_t state) {
  if (static_cast<std::size_t>(state) >= options_.size()) options_.resize(std::max<std::size_t>(state + 1, 2 * options_.size()));
  if (!options_[state]) {
    std::vector<Option> ranked = subsets_ ? subset_options(state) : direct_options(state);
    std::sort(ranked.begin(), ranked.end(),
              [](const Option& a, const Option& b) { return a.best != b.best ? a.best > b.best : a.label < b.label; });
    budget_.work(40 * static_cast<int64_t>(ranked.size()));
    ranked.shrink_to_fit();
    option_bytes_ += ranked.size() * sizeof(Option) + 64;
    options_[state] = std::make_unique<std::vector<Option>>(std::move(ranked));
  }
  return *options_[state];
}

std::vector<BestSequences::Option> BestSequences::direct_options(int32_t state) const {
  std::vector<Option> options;
  const double final = graph_->final[state];
  if (final > kForbidden) options.push_back({final, final, kEnd, 0});
  for (auto i = graph_->first[state]; i < graph_->first[state + 1]; ++i) {
    const Arc& arc = graph_->arcs[i];
    options.push_back({arc.weight + after_[arc.target], arc.weight, arc.label, arc.target});
  }
  return options;
}

std::vector<BestSequences::Option> BestSequences::subset_options(int32_t subset) {
  std::vector<Option> options;
  const double final = subsets_->final(subset);
  if (final > kForbidden) options.push_back({final, final, kEnd, 0});
  for (const auto& [label, weight, target] : subsets_->steps(subset))
    options.push_back({weight + completion(target), weight, label, target});
  return options;
}

double BestSequences::completion(int32_t subset) const {
  double best = kForbidden;
  for (const auto& [state, residual] : subsets_->members(subset)) best = std::max(best, residual + after_[state]);
  return best;
}

bool BestSequences::Worse::operator()(const Candidate& a, const Candidate& b) const {
  return a.score != b.score ? a.score < b.score : self->comes_before(b, a);
}

// Label order: prefixes are nodes of a trie, so the labels where two of them part decide.
bool BestSequences::comes_before(const Candidate& a, const Candidate& b) {
  int32_t node = a.prefix, other_node = b.prefix;
  int32_t label = options(prefixes_[node].state)[a.rank].label, other_label = options(prefixes_[other_node].state)[b.rank].label;
  auto climb = [&](int32_t& at, int32_t& from) {
    from = prefixes_[at].label;
    at = prefixes_[at].parent;
  };
  budget_.work(10 + std::abs(prefixes_[node].depth - prefixes_[other_node].depth));
  while (prefixes_[node].depth > prefixes_[other_node].depth) climb(node, label);
  while (prefixes_[other_node].depth > prefixes_[node].depth) climb(other_node, other_label);
  while (node != other_node) {
    climb(node, label);
    climb(other_node, other_label);
  }
  return label < other_label;
}

}  // namespace lawful
