#include "core/features_extract.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

namespace bylaw {
namespace {

constexpr int kMostParts = 16;
constexpr int64_t kShare = 4096;  // positions below which another thread is not worth starting
constexpr const char* kStart = "\\start";
constexpr const char* kEnd = "\\end";

// The ids of all values that the corpus has: by text, or for functions one after another.
struct Values {
  std::vector<std::vector<int32_t>> ids;  // by leaf
  std::vector<int32_t> yes, start, end;   // by leaf: what has no text
};

// `value_id(leaf, escaped text)` finds or makes a value's id. Each different text is looked at once.
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
    if (leaf.operation == Operation::given || leaf.operation == Operation::function) {
      const Corpus::Given& given = corpus.given[l];
      std::vector<int32_t> renamed;
      for (int32_t i = 0; i < given.strings.size(); ++i) renamed.push_back(value_id(number, given.strings[i]));
      for (const int32_t id : given.ids) ids.push_back(id < 0 ? -1 : renamed[id]);
    } else if (leaf.source >= 0) {
      const StringTable& texts = corpus.sources[leaf.source].strings;
      ids.reserve(texts.size());
      for (int32_t i = 0; i < texts.size(); ++i)
        ids.push_back(reader.read(leaf.operation, leaf.number, texts[i], scratch) ? value_id(number, scratch) : -1);
    }
  }
  return values;
}

// Goes over some sequences. `attribute(slot, values, n)` finds or makes an attribute's id, -1 for none, and may turn
// the sign of the weight.
template <typename Attribute>
class Walk {
 public:
  Walk(const FeatureProgram& program, const Corpus& corpus, const Values& values, Attribute attribute)
      : program_(program), corpus_(corpus), values_(values), attribute_(attribute), lanes_(program.lanes.size()) {}

  void run(int64_t from, int64_t to, Rows& rows) {
    for (int64_t n = from; n < to; ++n) {
      start_ = corpus_.sequence_offsets[n], length_ = corpus_.sequence_offsets[n + 1] - start_;
      fill_lanes();
      for (int64_t t = 0; t < length_; ++t) {
        for (std::size_t s = 0; s < program_.slots.size(); ++s) read_slot(static_cast<int>(s), t, rows);
        rows.end_position();
      }
      rows.end_sequence();
    }
  }

 private:
  void fill_lanes() {
    const int64_t reach = program_.reach;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      const FeatureLane lane = program_.lanes[i];
      const FeatureLeaf& leaf = program_.leaves[lane.leaf];
      std::vector<int32_t>& into = lanes_[i];
      into.resize(length_ + 2 * reach);
      std::fill_n(into.begin(), reach, lane.pad ? values_.start[lane.leaf] : -1);
      std::fill_n(into.begin() + reach + length_, reach, lane.pad ? values_.end[lane.leaf] : -1);
      int32_t* inside = into.data() + reach;
      if (leaf.source >= 0) {
        const int32_t* texts = corpus_.sources[leaf.source].ids.data() + start_;
        const int32_t* ids = values_.ids[lane.leaf].data();
        for (int64_t t = 0; t < length_; ++t) inside[t] = texts[t] < 0 ? -1 : ids[texts[t]];
      } else {
        std::fill_n(inside, length_, leaf.operation == Operation::bias ? values_.yes[lane.leaf] : -1);
        if (leaf.operation == Operation::first && length_ > 0) inside[0] = values_.yes[lane.leaf];
        if (leaf.operation == Operation::last && length_ > 0) inside[length_ - 1] = values_.yes[lane.leaf];
      }
    }
  }

  void read_slot(int s, int64_t t, Rows& rows) {
    const FeatureSlot& slot = program_.slots[s];
    if (slot.many) return read_product(s, slot, t, 0, 1.0, rows);
    const auto n = static_cast<int>(slot.parts.size());
    for (int i = 0; i < n; ++i) {
      const FeaturePart part = slot.parts[i];
      tuple_[i] = lanes_[part.lane][t + program_.reach + part.offset];
      if (tuple_[i] < 0) return;
    }
    keep(s, n, 1.0, rows);
  }

  // One attribute for each way to choose a value of each part.
  void read_product(int s, const FeatureSlot& slot, int64_t t, std::size_t i, double weight, Rows& rows) {
    if (i == slot.parts.size()) return keep(s, static_cast<int>(i), weight, rows);
    const FeaturePart part = slot.parts[i];
    const int leaf = program_.lanes[part.lane].leaf;
    const int64_t at = t + part.offset;
    if (program_.leaves[leaf].operation != Operation::function || at < 0 || at >= length_) {
      tuple_[i] = lanes_[part.lane][t + program_.reach + part.offset];
      if (tuple_[i] >= 0) read_product(s, slot, t, i + 1, weight, rows);
      return;
    }
    const Corpus::Given& given = corpus_.given[leaf];
    for (int64_t k = given.offsets[start_ + at]; k < given.offsets[start_ + at + 1]; ++k) {
      tuple_[i] = values_.ids[leaf][k];
      if (tuple_[i] >= 0) read_product(s, slot, t, i + 1, weight * given.weights[k], rows);
    }
  }

  void keep(int s, int n, double weight, Rows& rows) {
    const int32_t id = attribute_(s, tuple_, n, weight);
    if (id >= 0) rows.add(id, weight);
  }

  const FeatureProgram& program_;
  const Corpus& corpus_;
  const Values& values_;
  Attribute attribute_;
  std::vector<std::vector<int32_t>> lanes_;  // by lane: values of the sequence, with `reach` more at either end
  int64_t start_ = 0, length_ = 0;
  int32_t tuple_[kMostParts] = {};
};

void append(Rows& into, Rows&& from) {
  const auto positions = into.sequence_offsets.back();
  const auto occurrences = static_cast<int64_t>(into.attributes.size());
  for (std::size_t i = 1; i < from.sequence_offsets.size(); ++i) into.sequence_offsets.push_back(positions + from.sequence_offsets[i]);
  for (std::size_t i = 1; i < from.item_offsets.size(); ++i) into.item_offsets.push_back(occurrences + from.item_offsets[i]);
  if (from.weighted && !into.weighted) into.values.assign(into.attributes.size(), 1.0), into.weighted = true;
  if (into.weighted && !from.weighted) from.values.assign(from.attributes.size(), 1.0);
  into.attributes.insert(into.attributes.end(), from.attributes.begin(), from.attributes.end());
  into.values.insert(into.values.end(), from.values.begin(), from.values.end());
}

template <typename Attribute>
Rows walk(const FeatureProgram& program, const Corpus& corpus, const Values& values, Attribute attribute, int threads) {
  auto run = [&](int64_t from, int64_t to, Rows& rows) {
    const int64_t positions = corpus.sequence_offsets[to] - corpus.sequence_offsets[from];
    rows.item_offsets.reserve(positions + 1);
    rows.attributes.reserve(positions * program.slots.size());
    Walk<Attribute>(program, corpus, values, attribute).run(from, to, rows);
  };
  threads = static_cast<int>(std::clamp<int64_t>(threads, 1, 1 + corpus.positions() / kShare));
  std::vector<Rows> parts(threads);
  std::vector<int64_t> bounds{0};  // about as many positions for each thread
  for (int i = 1; i <= threads; ++i) {
    const auto wanted = std::lower_bound(corpus.sequence_offsets.begin(), corpus.sequence_offsets.end() - 1,
                                         corpus.positions() * i / threads);
    bounds.push_back(i == threads ? corpus.sequences() : wanted - corpus.sequence_offsets.begin());
  }
  std::exception_ptr failure;
  std::mutex failing;
  std::vector<std::thread> others;
  auto work = [&](int i) {
    try {
      run(bounds[i], bounds[i + 1], parts[i]);
    } catch (...) {
      const std::lock_guard lock(failing);
      failure = std::current_exception();
    }
  };
  for (int i = 1; i < threads; ++i) others.emplace_back(work, i);
  work(0);
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
  for (int i = 1; i < threads; ++i) append(parts[0], std::move(parts[i]));
  return std::move(parts[0]);
}

// FNV-1a, 64 bits, byte after byte; `finish` is the finalizer of MurmurHash3.
uint64_t hash_more(uint64_t state, std::string_view bytes) {
  for (const char byte : bytes) state = (state ^ static_cast<uint8_t>(byte)) * 0x100000001b3ull;
  return state;
}

uint64_t finish(uint64_t state) {
  state = (state ^ state >> 33) * 0xff51afd7ed558ccdull;
  state = (state ^ state >> 33) * 0xc4ceb9fe1a85ec53ull;
  return state ^ state >> 33;
}

}  // namespace

Rows fit_features(const FeatureProgram& program, const Corpus& corpus, FeatureTables& tables) {
  const Values values = read_values(program, corpus, [&](int leaf, std::string_view text) { return tables.add_value(leaf, text); });
  auto attribute = [&tables](int slot, const int32_t* tuple, int n, double) { return tables.add(slot, tuple, n); };
  return walk(program, corpus, values, attribute, 1);
}

Rows encode_features(const FeatureProgram& program, const Corpus& corpus, const FeatureTables& tables, int threads) {
  const Values values = read_values(program, corpus, [&](int leaf, std::string_view text) { return tables.find_value(leaf, text); });
  auto attribute = [&tables](int slot, const int32_t* tuple, int n, double) { return tables.find(slot, tuple, n); };
  return walk(program, corpus, values, attribute, threads);
}

Rows hash_features(const FeatureProgram& program, const Corpus& corpus, int bits, bool signs, int threads) {
  std::vector<StringTable> texts(program.leaves.size());
  const Values values = read_values(program, corpus, [&](int leaf, std::string_view text) { return texts[leaf].add(text); });
  std::vector<uint64_t> prefixes;
  for (const FeatureSlot& slot : program.slots) prefixes.push_back(hash_more(0xcbf29ce484222325ull, slot.prefix));
  auto attribute = [&](int s, const int32_t* tuple, int n, double& weight) {
    const FeatureSlot& slot = program.slots[s];
    uint64_t state = prefixes[s];
    for (int i = 0; i < n; ++i) {
      if (i > 0) state = hash_more(state, "|");
      state = hash_more(state, texts[program.lanes[slot.parts[i].lane].leaf][tuple[i]]);
    }
    state = finish(state);
    if (signs && state >> 63 != 0) weight = -weight;
    return static_cast<int32_t>(state & ((1ull << bits) - 1));
  };
  return walk(program, corpus, values, attribute, threads);
}

}  // namespace bylaw
