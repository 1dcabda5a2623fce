#include "core/linear/feature_choice.hpp"

#include <algorithm>

#include "core/linear/path.hpp"

namespace lawful {
namespace {

struct Seen {
  int64_t code;  // what the attribute was seen with
  double value;
};

// The occurrences of a corpus, attribute by attribute, each with a code for the labels it was seen with.
struct Occurrences {
  std::vector<int64_t> first;
  std::vector<int32_t> codes;
  std::vector<double> values;

  template <typename Code>  // code(position, t): t counts from the start of the sequence; -1 leaves it out
  Occurrences(const Sequences& data, int64_t attributes, const Code& code) : first(attributes + 2, 0) {
    each(data, code, [&](int64_t i, int32_t) { ++first[data.attributes[i] + 2]; });
    for (int64_t a = 0; a < attributes; ++a) first[a + 2] += first[a + 1];
    codes.resize(first[attributes + 1]);
    if (data.values) values.resize(codes.size());
    each(data, code, [&](int64_t i, int32_t seen) {
      const int64_t at = first[data.attributes[i] + 1]++;
      codes[at] = seen;
      if (data.values) values[at] = data.values[i];
    });
  }

  template <typename Code, typename Visit>
  static void each(const Sequences& data, const Code& code, const Visit& visit) {
    for (int64_t s = 0; s < data.sequences; ++s)
      for (int64_t p = data.sequence_offsets[s]; p < data.sequence_offsets[s + 1]; ++p) {
        const int32_t seen = code(p, p - data.sequence_offsets[s]);
        if (seen < 0) continue;
        for (int64_t i = data.item_offsets[p]; i < data.item_offsets[p + 1]; ++i)
          if (data.attributes[i] >= 0) visit(i, seen);
      }
  }

  double value(int64_t i) const { return values.empty() ? 1.0 : values[i]; }
};

// Counts over a fixed set of outputs, cleared after use by what was touched.
struct Tally {
  std::vector<double> counts;
  std::vector<uint8_t> seen;
  std::vector<int32_t> touched;

  explicit Tally(int64_t size) : counts(size, 0), seen(size, 0) {}
  void add(int32_t code, double value) {
    if (!seen[code]) {
      seen[code] = 1;
      touched.push_back(code);
    }
    counts[code] += value;
  }
  template <typename Visit>  // in ascending order
  void drain(const Visit& visit) {
    std::sort(touched.begin(), touched.end());
    for (const int32_t code : touched) {
      visit(code, counts[code]);
      counts[code] = 0;
      seen[code] = 0;
    }
    touched.clear();
  }
};

struct Maker {
  const Outputs& outputs;
  const FeatureChoiceOptions& options;
  ChosenFeatures chosen;
  std::vector<double> edges, firsts, lasts, pairs;  // observed counts, joined at the end

  void states(const Sequences& data, int64_t attributes, const int32_t* labels) {
    const Occurrences occurrences(data, attributes, [&](int64_t p, int64_t) { return labels[p]; });
    const auto count = static_cast<int32_t>(outputs.count());
    Tally of_label(outputs.labels), of_output(count);
    for (int64_t a = 0; a < attributes; ++a) {
      const int scope = options.scopes ? options.scopes[a] : 3;
      auto in_scope = [&](int32_t output) { return scope & (output < options.label_outputs ? 1 : 2); };
      for (int64_t i = occurrences.first[a]; i < occurrences.first[a + 1]; ++i)
        of_label.add(occurrences.codes[i], occurrences.value(i));
      if (options.all_states && !of_label.touched.empty())
        for (int32_t output = 0; output < count; ++output)
          if (in_scope(output)) of_output.add(output, 0);
      of_label.drain([&](int32_t label, double seen) {
        for (const auto* o = outputs.of_label.begin(label); o != outputs.of_label.end(label); ++o)
          if (in_scope(*o)) of_output.add(*o, seen);
      });
      of_output.drain([&](int32_t output, double seen) {
        if (seen < options.min_count) return;
        chosen.layout.state.items.push_back(output);
        chosen.observed.push_back(seen);
      });
      chosen.layout.state.first.push_back(static_cast<int64_t>(chosen.layout.state.items.size()));
    }
  }

  // Adds to `tally` every pair of outputs of two labels.
  void add_pair(Tally& tally, int32_t from, int32_t to, double value) const {
    for (const auto* o = outputs.of_label.begin(from); o != outputs.of_label.end(from); ++o)
      for (const auto* p = outputs.of_label.begin(to); p != outputs.of_label.end(to); ++p)
        tally.add(*o * static_cast<int32_t>(outputs.count()) + *p, value);
  }

  void transitions(const Sequences& data, const int32_t* labels) {
    const int64_t count = outputs.count();
    std::vector<double> between(static_cast<std::size_t>(outputs.labels) * outputs.labels, 0);
    Tally tally(count * count), first(count), last(count);
    for (int64_t s = 0; s < data.sequences; ++s) {
      const int64_t begin = data.sequence_offsets[s], end = data.sequence_offsets[s + 1];
      if (begin == end) continue;
      for (int64_t p = begin + 1; p < end; ++p) ++between[static_cast<int64_t>(labels[p - 1]) * outputs.labels + labels[p]];
      auto boundary = [&](Tally& into, int32_t label) {
        for (const auto* o = outputs.of_label.begin(label); o != outputs.of_label.end(label); ++o) into.add(*o, 1);
      };
      if (options.first) boundary(first, labels[begin]);
      if (options.last) boundary(last, labels[end - 1]);
    }
    for (int32_t i = 0; i < outputs.labels; ++i)
      for (int32_t j = 0; j < outputs.labels; ++j) {
        const double seen = between[static_cast<int64_t>(i) * outputs.labels + j];
        if (seen > 0 || options.all_edges) add_pair(tally, i, j, seen);
      }
    tally.drain([&](int32_t code, double seen) {
      if (seen < options.min_count) return;
      chosen.layout.edge_source.push_back(code / static_cast<int32_t>(count));
      chosen.layout.edge_target.push_back(code % static_cast<int32_t>(count));
      edges.push_back(seen);
    });
    auto keep = [&](Tally& from, std::vector<int32_t>& into, std::vector<double>& counts) {
      from.drain([&](int32_t output, double seen) {
        if (seen >= options.min_count) {
          into.push_back(output);
          counts.push_back(seen);
        }
      });
    };
    keep(first, chosen.layout.first_output, firsts);
    keep(last, chosen.layout.last_output, lasts);
  }

  void pair_features(const Sequences& data, int64_t attributes, const int32_t* labels) {
    const int32_t count = outputs.count();
    const Occurrences occurrences(data, attributes,
                                  [&](int64_t p, int64_t t) { return t ? labels[p - 1] * outputs.labels + labels[p] : -1; });
    Tally tally(static_cast<int64_t>(count) * count);
    for (int64_t a = 0; a < attributes; ++a) {
      for (int64_t i = occurrences.first[a]; i < occurrences.first[a + 1]; ++i)
        add_pair(tally, occurrences.codes[i] / outputs.labels, occurrences.codes[i] % outputs.labels, occurrences.value(i));
      tally.drain([&](int32_t code, double seen) {
        if (seen < options.min_count) return;
        chosen.layout.pair_source.push_back(code / count);
        chosen.layout.pair_target.push_back(code % count);
        pairs.push_back(seen);
      });
      chosen.layout.pair_first.push_back(static_cast<int64_t>(chosen.layout.pair_source.size()));
    }
  }
};

}  // namespace

ChosenFeatures choose_features(const Outputs& outputs, const Sequences& data, int64_t attributes, const int32_t* labels,
                               const Sequences* pairs, int64_t pair_attributes, const FeatureChoiceOptions& options) {
  Maker maker{outputs, options, {}, {}, {}, {}, {}};
  maker.chosen.layout.outputs = outputs;
  maker.states(data, attributes, labels);
  maker.transitions(data, labels);
  if (pairs) maker.pair_features(*pairs, pair_attributes, labels);
  for (const auto* more : {&maker.edges, &maker.firsts, &maker.lasts, &maker.pairs})
    maker.chosen.observed.insert(maker.chosen.observed.end(), more->begin(), more->end());
  return std::move(maker.chosen);
}

std::vector<double> count_features(const LinearLayout& layout, const Sequences& data, const int32_t* labels,
                                   const Sequences* pairs) {
  const PathFeatures path(layout);
  std::vector<double> observed(layout.size(), 0);
  for (int64_t s = 0; s < data.sequences; ++s)
    path.visit(data, pairs, s, labels + data.sequence_offsets[s], [&](int64_t i, double value) { observed[i] += value; });
  return observed;
}

}  // namespace lawful
