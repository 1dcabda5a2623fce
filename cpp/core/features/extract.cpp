#include "core/features/extract.hpp"

#include <algorithm>
#include <type_traits>

#include "core/support/parallel.hpp"

namespace lawful {
namespace {

constexpr int64_t kShare = 4096;  // positions below which another thread is not worth starting
constexpr const char* kStart = "\\start";
constexpr const char* kEnd = "\\end";

// The ids of all values that the corpus has: by text, or for functions one after another.
struct Values {
  std::vector<std::vector<int32_t>> ids;  // by leaf
  std::vector<int32_t> yes, start, end;   // by leaf: what has no text
};

// `value_id(leaf, escaped text)` finds or makes a value's id. Each different text is evaluated once.
template <typename ValueId>
Values read_values(const FeatureProgram& program, const Corpus& corpus, ValueId value_id) {
  Values values;
  TextReader reader(program.classify);
  std::string scratch;
  for (std::size_t l = 0; l < program.leaves.size(); ++l) {
    const FeatureLeaf& leaf = program.leaves[l];
    const int number = static_cast<int>(l);
    std::vector<int32_t>& ids = values.ids.emplace_back();
    values.yes.push_back(leaf.operation >= Operation::first ? value_id(number, "yes") : -1);
    values.start.push_back(value_id(number, kStart));
    values.end.push_back(value_id(number, kEnd));
    if (leaf.operation == Operation::supplied || leaf.operation == Operation::function) {
      const Corpus::LeafValues& supplied = corpus.leaf_values[l];
      std::vector<int32_t> renamed;
      for (int32_t i = 0; i < supplied.strings.size(); ++i) renamed.push_back(value_id(number, supplied.strings[i]));
      for (const int32_t id : supplied.ids) ids.push_back(id < 0 ? -1 : renamed[id]);
    } else if (leaf.source >= 0) {
      const StringTable& texts = corpus.sources[leaf.source].strings;
      ids.reserve(texts.size());
      for (int32_t i = 0; i < texts.size(); ++i)
        ids.push_back(reader.read(leaf.operation, leaf.number, texts[i], scratch) ? value_id(number, scratch) : -1);
    }
  }
  return values;
}

// Goes over some sequences. Tables that grow (`FeatureTables`) or stay (`const FeatureTables`).
template <typename Tables>
class Walk {
 public:
  Walk(const FeatureProgram& program, const Corpus& corpus, const Values& values, Tables& tables)
      : program_(program), corpus_(corpus), values_(values), tables_(tables), lanes_(program.lanes.size()) {
    for (std::size_t s = 0; s < program.slots.size(); ++s) {
      const FeatureSlot& slot = program.slots[s];
      const int lane = slot.lanes.back();
      reads_.push_back({lane, slot.column, slot.shift + program.reach, program.lanes[lane].many});
    }
  }

  void run(int64_t from, int64_t to, Rows& rows) {
    for (int64_t n = from; n < to; ++n) {
      start_ = corpus_.sequence_offsets[n];
      length_ = corpus_.sequence_offsets[n + 1] - start_;
      for (std::size_t i = 0; i < lanes_.size(); ++i) fill_lane(static_cast<int>(i));
      for (int64_t t = 0; t < length_; ++t) {
        for (std::size_t s = 0; s < reads_.size(); ++s) {
          const Read& read = reads_[s];
          if (read.many) {
            read_product(static_cast<int>(s), t, 0, -1, 1.0, rows);
          } else if (const int32_t id = lanes_[read.lane][t + read.shift]; id >= 0) {
            keep(static_cast<int>(s), id, 1.0, rows);
          }
        }
        rows.end_position();
      }
      rows.end_sequence();
    }
  }

 private:
  static constexpr bool kGrows = !std::is_const_v<Tables>;
  struct Read {  // what a slot reads at each position
    int lane, column, shift;
    bool many;
  };

  int32_t pair(int lane, int32_t left, int32_t right) {
    if constexpr (kGrows) return tables_.add_pair(lane, left, right);
    else return tables_.pairs(lane).find(left, right);
  }

  void keep(int s, int32_t id, double weight, Rows& rows) {
    const Read& read = reads_[s];
    int32_t attribute;
    if constexpr (kGrows) attribute = tables_.add(s, read.lane, read.column, id);
    else attribute = tables_.find(read.lane, read.column, id);
    if (attribute >= 0) rows.add(attribute, weight);
  }

  void fill_lane(int number) {
    const FeatureLane& lane = program_.lanes[number];
    std::vector<int32_t>& into = lanes_[number];
    into.resize(length_ + 2 * program_.reach);
    if (lane.leaf < 0) return lane.many ? void() : fill_pairs(number, lane, into);
    const FeatureLeaf& leaf = program_.leaves[lane.leaf];
    std::fill_n(into.begin(), program_.reach, lane.pad ? values_.start[lane.leaf] : -1);
    std::fill_n(into.begin() + program_.reach + length_, program_.reach, lane.pad ? values_.end[lane.leaf] : -1);
    int32_t* inside = into.data() + program_.reach;
    if (leaf.source >= 0) {
      const int32_t* texts = corpus_.sources[leaf.source].ids.data() + start_;
      const int32_t* ids = values_.ids[lane.leaf].data();
      for (int64_t t = 0; t < length_; ++t) {
        inside[t] = texts[t] < 0 ? -1 : ids[texts[t]];
        if (inside[t] >= 0 && lane.width > 0) tables_.prefetch(number, inside[t]);
      }
    } else {
      std::fill_n(inside, length_, leaf.operation == Operation::bias ? values_.yes[lane.leaf] : -1);
      if (leaf.operation == Operation::first && length_ > 0) inside[0] = values_.yes[lane.leaf];
      if (leaf.operation == Operation::last && length_ > 0) inside[length_ - 1] = values_.yes[lane.leaf];
    }
  }

  // A slot never reads a pair whose right half would lie outside the margins.
  void fill_pairs(int number, const FeatureLane& lane, std::vector<int32_t>& into) {
    const auto size = static_cast<int64_t>(into.size());
    const int64_t from = std::max<int64_t>(0, -lane.delta), to = size - std::max(0, lane.delta);
    std::fill(into.begin(), into.end(), -1);
    const int32_t* left = lanes_[lane.left].data();
    const int32_t* right = lanes_[lane.right].data() + lane.delta;
    for (int64_t i = from; i < to; ++i)
      if (left[i] >= 0 && right[i] >= 0) tables_.pairs(number).prefetch(left[i], right[i]);
    for (int64_t i = from; i < to; ++i) {
      if (left[i] < 0 || right[i] < 0) continue;
      into[i] = pair(number, left[i], right[i]);
      if (into[i] >= 0 && lane.width > 0) tables_.prefetch(number, into[i]);
    }
  }

  // With functions: one attribute for each way to choose a value of each term.
  void read_product(int s, int64_t t, std::size_t i, int32_t id, double weight, Rows& rows) {
    const FeatureSlot& slot = program_.slots[s];
    if (i == slot.terms.size()) return keep(s, id, weight, rows);
    const FeatureTerm& term = slot.terms[i];
    auto go_on = [&](int32_t value, double factor) {
      if (value < 0) return;
      const int32_t next = i == 0 ? value : pair(slot.lanes[i], id, value);
      if (next >= 0) read_product(s, t, i + 1, next, weight * factor, rows);
    };
    const int64_t at = t + term.offset;
    const bool inside = at >= 0 && at < length_;
    if (inside && program_.leaves[term.leaf].operation == Operation::function) {
      const Corpus::LeafValues& supplied = corpus_.leaf_values[term.leaf];
      for (int64_t k = supplied.offsets[start_ + at]; k < supplied.offsets[start_ + at + 1]; ++k)
        go_on(values_.ids[term.leaf][k], supplied.weights[k]);
    } else {
      const int lane = i == 0 ? slot.lanes[0] : program_.lanes[slot.lanes[i]].right;
      go_on(lanes_[lane][at + program_.reach], 1.0);
    }
  }

  const FeatureProgram& program_;
  const Corpus& corpus_;
  const Values& values_;
  Tables& tables_;
  std::vector<std::vector<int32_t>> lanes_;  // by lane: ids of the sequence, with `reach` more at either end
  std::vector<Read> reads_;                  // by slot
  int64_t start_ = 0, length_ = 0;
};

void append(Rows& into, Rows&& from) {
  const auto positions = into.sequence_offsets.back();
  const auto occurrences = static_cast<int64_t>(into.attributes.size());
  for (std::size_t i = 1; i < from.sequence_offsets.size(); ++i)
    into.sequence_offsets.push_back(positions + from.sequence_offsets[i]);
  for (std::size_t i = 1; i < from.item_offsets.size(); ++i) into.item_offsets.push_back(occurrences + from.item_offsets[i]);
  if (from.weighted && !into.weighted) {
    into.values.assign(into.attributes.size(), 1.0);
    into.weighted = true;
  }
  if (into.weighted && !from.weighted) from.values.assign(from.attributes.size(), 1.0);
  into.attributes.insert(into.attributes.end(), from.attributes.begin(), from.attributes.end());
  into.values.insert(into.values.end(), from.values.begin(), from.values.end());
}

template <typename Tables>
Rows walk(const FeatureProgram& program, const Corpus& corpus, const Values& values, Tables& tables, int threads) {
  auto run = [&](int64_t from, int64_t to, Rows& rows) {
    const int64_t positions = corpus.sequence_offsets[to] - corpus.sequence_offsets[from];
    rows.item_offsets.reserve(positions + 1);
    rows.attributes.reserve(positions * program.slots.size());
    Walk<Tables>(program, corpus, values, tables).run(from, to, rows);
  };
  threads = static_cast<int>(std::clamp<int64_t>(threads, 1, 1 + corpus.positions() / kShare));
  std::vector<Rows> shares(threads);
  std::vector<int64_t> bounds{0};  // about as many positions for each thread
  for (int i = 1; i <= threads; ++i) {
    const auto border =
        std::lower_bound(corpus.sequence_offsets.begin(), corpus.sequence_offsets.end() - 1, corpus.positions() * i / threads);
    bounds.push_back(i == threads ? corpus.sequences() : border - corpus.sequence_offsets.begin());
  }
  parallel_for(threads, threads, [&](int64_t i, int) { run(bounds[i], bounds[i + 1], shares[i]); });
  for (int i = 1; i < threads; ++i) append(shares[0], std::move(shares[i]));
  return std::move(shares[0]);
}

// FNV-1a, 64 bits, and the finalizer of MurmurHash3. As in src/lawful/models/features/reference.py; never to be changed.
uint64_t hash_of(std::string_view text) {
  uint64_t state = 0xcbf29ce484222325ull;
  for (const char byte : text) state = (state ^ static_cast<uint8_t>(byte)) * 0x100000001b3ull;
  state = (state ^ state >> 33) * 0xff51afd7ed558ccdull;
  state = (state ^ state >> 33) * 0xc4ceb9fe1a85ec53ull;
  return state ^ state >> 33;
}

}  // namespace

Rows fit_features(const FeatureProgram& program, const Corpus& corpus, FeatureTables& tables) {
  const Values values =
      read_values(program, corpus, [&](int leaf, std::string_view text) { return tables.add_value(leaf, text); });
  return walk(program, corpus, values, tables, 1);
}

Rows extract_features(const FeatureProgram& program, const Corpus& corpus, const FeatureTables& tables, int threads) {
  const Values values =
      read_values(program, corpus, [&](int leaf, std::string_view text) { return tables.find_value(leaf, text); });
  return walk(program, corpus, values, tables, threads);
}

Rows hash_features(const FeatureProgram& program, const Corpus& corpus, int bits, bool signs) {
  FeatureTables tables(program);
  Rows rows = fit_features(program, corpus, tables);
  std::vector<int32_t> ids(tables.size());
  std::vector<double> turned(tables.size());
  std::string text;
  for (int32_t i = 0; i < tables.size(); ++i) {  // each different attribute is hashed once
    text.clear();
    tables.append_string(program, i, text);
    const uint64_t hash = hash_of(text);
    ids[i] = static_cast<int32_t>(hash & ((1ull << bits) - 1));
    turned[i] = hash >> 63 != 0 ? -1.0 : 1.0;
  }
  if (signs && !rows.weighted) {
    rows.values.assign(rows.attributes.size(), 1.0);
    rows.weighted = true;
  }
  for (std::size_t i = 0; i < rows.attributes.size(); ++i) {
    if (signs) rows.values[i] *= turned[rows.attributes[i]];
    rows.attributes[i] = ids[rows.attributes[i]];
  }
  return rows;
}

StringTable attribute_strings(const FeatureProgram& program, const FeatureTables& tables, const std::vector<int32_t>& renamed) {
  StringTable strings;
  std::string text;
  for (int32_t i = 0; i < tables.size(); ++i) {
    if (!renamed.empty() && renamed[i] < 0) continue;
    text.clear();
    tables.append_string(program, i, text);
    strings.add(text);
  }
  return strings;
}

}  // namespace lawful
