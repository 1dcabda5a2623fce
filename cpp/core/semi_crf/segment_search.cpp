#include "core/semi_crf/segment_search.hpp"

#include <algorithm>
#include <cmath>

#include "core/rules/count.hpp"
#include "core/support/key_numbers.hpp"

namespace lawful {
namespace {

constexpr int64_t kFirstTry = 4, kWider = 8;    // segments a token that are looked at first, and how many times as many then
constexpr double kAgreement = 1e-9;             // by which search and judge may differ, relative to what they add up
constexpr double kMostCharge = 1e302;           // sums of prices up to this are certain not to overflow

enum Tag : uint8_t { kFirst, kOnly, kInner, kLast };

// One search: the best segmentation under some of the parts. For each position it keeps a row of K scores for each combination of
// the parts' states: those of the best segments that end there in each label.
class Search {
 public:
  Search(const SegmentScores& scores, std::vector<BoundPart> parts)
      : scores_(scores), parts_(std::move(parts)), labels_(scores.frame().shape.labels()), length_(scores.length()) {
    double size = static_cast<double>(length_ + 1);
    for (const BoundPart& bound : parts_) {
      radix_.push_back(product_);
      product_ *= static_cast<uint64_t>(bound.part->states);
      size *= bound.part->states;
    }
    fits_ = size < 0x1p62;
  }

  bool fits() const { return fits_; }  // whether positions and states have numbers
  int64_t rows() const { return rows_; }
  int64_t arcs() const { return arcs_; }

  // The best path, if it scores at least `least`. False if there is none, or if it takes too many rows.
  bool run(double least, int64_t most_rows, std::vector<int32_t>& tags, double& score);

 private:
  struct Row {
    int32_t position;
    uint64_t states;
  };
  struct Read {  // the parts after some tokens
    uint64_t states;
    double paid;  // +inf if a hard rule is broken
  };

  Read read(const Read& before, int t, int32_t tag) const;
  int32_t row_of(int position, uint64_t states);
  void leave(int32_t row);
  bool finish(double least, std::vector<int32_t>& tags, double& score) const;
  std::size_t at(int32_t row, int label) const { return static_cast<std::size_t>(row) * labels_ + label; }

  const SegmentScores& scores_;
  std::vector<BoundPart> parts_;
  std::vector<uint64_t> radix_;
  uint64_t product_ = 1;
  int labels_, length_;
  bool fits_ = false;
  double least_ = kForbidden;
  int64_t rows_ = 0, arcs_ = 0;  // of all runs
  KeyNumbers numbers_;           // of rows, by position and states
  std::vector<Row> table_;
  std::vector<std::vector<int32_t>> of_position_;  // (T + 1): rows
  Doubles reach_;                                  // (rows, K)
  std::vector<int32_t> from_, before_;  // (rows, K): the row from which a segment came; the label before one that begins
};

Search::Read Search::read(const Read& before, int t, int32_t tag) const {
  Read after{0, before.paid};
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const Part& part = *parts_[i].part;
    const auto state = static_cast<std::size_t>(before.states / radix_[i] % part.states);
    const std::size_t cell = state * part.classes + part.class_at(parts_[i].kind(t), tag);
    if (part.delta[cell] == kDead) return {0, -kForbidden};
    after.states += static_cast<uint64_t>(part.delta[cell]) * radix_[i];
    after.paid += part.cost[cell];
  }
  return after;
}

int32_t Search::row_of(int position, uint64_t states) {
  const auto [number, fresh] = numbers_.number(static_cast<uint64_t>(position) * product_ + states);
  if (fresh) {
    table_.push_back({position, states});
    of_position_[position].push_back(number);
    reach_.resize(reach_.size() + labels_, kForbidden);
    from_.resize(reach_.size());
    before_.resize(reach_.size());
  }
  return number;
}

// Extends a row by all segments that can begin there.
void Search::leave(int32_t row) {
  const SegmentFrame& frame = scores_.frame();
  const auto [t, states] = table_[row];
  for (int k = 0; k < labels_; ++k) {
    double enter = t ? kForbidden : frame.first[k];
    for (int j = 0; t && j < labels_; ++j)
      if (const double value = reach_[at(row, j)] + frame.edges[j * labels_ + k]; value > enter) {
        enter = value;
        before_[at(row, k)] = j;
      }
    if (enter == kForbidden || !(enter + scores_.leave(t, k) >= least_)) continue;
    auto arrive = [&](int size, const Read& read) {
      const double score = enter + scores_.score_of(t, size, k) - read.paid;
      if (score == kForbidden || !(score + scores_.after(t + size, k) >= least_)) return;
      const int32_t target = row_of(t + size, read.states);
      ++arcs_;
      if (score > reach_[at(target, k)]) {
        reach_[at(target, k)] = score;
        from_[at(target, k)] = row;
      }
    };
    const int32_t* tags = frame.tags.data() + 4 * static_cast<std::ptrdiff_t>(k);
    const int most = std::min<int>(frame.shape.longest[k], length_ - t);
    arrive(1, read({states, 0.0}, t, tags[kOnly]));
    Read inside = most > 1 ? read({states, 0.0}, t, tags[kFirst]) : Read{0, -kForbidden};
    for (int size = 2; size <= most && inside.paid != -kForbidden; ++size) {
      if (enter + scores_.score_of(t, size, k) + scores_.after(t + size, k) - inside.paid >= least_)
        arrive(size, read(inside, t + size - 1, tags[kLast]));
      if (size < most) inside = read(inside, t + size - 1, tags[kInner]);
    }
  }
}

bool Search::run(double least, int64_t most_rows, std::vector<int32_t>& tags, double& score) {
  least_ = least;
  numbers_.clear();
  table_.clear();
  reach_.clear();
  of_position_.assign(length_ + 1, {});
  row_of(0, 0);
  for (int t = 0; t < length_; ++t) {
    if (rows_ + static_cast<int64_t>(table_.size()) > most_rows) break;
    for (const int32_t row : of_position_[t]) leave(row);
  }
  rows_ += static_cast<int64_t>(table_.size());
  return rows_ <= most_rows && finish(least, tags, score);
}

bool Search::finish(double least, std::vector<int32_t>& tags, double& score) const {
  const SegmentFrame& frame = scores_.frame();
  double best = kForbidden;
  int32_t row = 0, label = 0;
  for (const int32_t last : of_position_[length_]) {
    double paid = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i)
      paid += parts_[i].part->final_cost[table_[last].states / radix_[i] % parts_[i].part->states];
    for (int k = 0; k < labels_; ++k)
      if (const double total = reach_[at(last, k)] + frame.last[k] - paid; total > best) {
        best = total;
        row = last;
        label = k;
      }
  }
  if (best == kForbidden || best < least) return false;
  score = best;
  std::vector<std::pair<int, int>> segments;  // label and size, from last to first
  while (table_[row].position) {
    const int32_t from = from_[at(row, label)];
    segments.emplace_back(label, table_[row].position - table_[from].position);
    label = before_[at(from, label)];
    row = from;
  }
  tags.clear();
  for (auto segment = segments.rbegin(); segment != segments.rend(); ++segment)
    frame.write(segment->first, segment->second, tags);
  return true;
}

// The judge: what labels score, from the arrays and the counting machines.
bool agrees(const SegmentScores& scores, const std::vector<BoundPart>& parts, const std::vector<int32_t>& tags, double score) {
  double charged = 0;
  for (const auto& [part, kinds] : parts)
    charged += charge(*part, count_violations(*part, kinds, tags.data(), static_cast<int>(tags.size())));
  const auto [earned, size] = scores.score_of_path(tags);
  return std::abs(earned - charged - score) <= kAgreement * (size + charged);
}

}  // namespace

SegmentAnswer decode_segments(const SegmentProblem& problem, int64_t most_rows) {
  const SegmentScores& scores = *problem.scores;
  const int length = scores.length();
  SegmentAnswer answer;
  answer.score = scores.best();
  answer.tags = scores.best_tags();
  std::vector<BoundPart> parts, entered;
  for (const auto& part : problem.common->parts) parts.push_back({part.get(), nullptr});
  for (std::size_t i = 0; i < problem.own->parts.size(); ++i) parts.push_back({problem.own->parts[i], problem.own->kinds(i)});
  double charges = 0;
  for (const BoundPart& bound : parts) charges += bound.part->most_charge(length);
  if (answer.score == kForbidden || charges > kMostCharge) return answer;
  answer.rounds.push_back({{}, answer.score, length * scores.frame().shape.cells(), 0});
  for (std::vector<bool> inside(parts.size());;) {
    SegmentRound round;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (inside[i] || !count_violations(*parts[i].part, parts[i].kinds, answer.tags.data(), length)) continue;
      inside[i] = true;
      entered.push_back(parts[i]);
      round.rules.push_back(parts[i].part->rule);
    }
    if (round.rules.empty()) break;
    Search search(scores, entered);
    bool found = false;
    int64_t segments = kFirstTry * length;
    for (double least = scores.reached_by(segments); search.fits(); least = scores.reached_by(segments *= kWider)) {
      found = search.run(least - scores.rounding(), most_rows - answer.rows, answer.tags, answer.score);
      if (found || least == kForbidden || search.rows() + answer.rows > most_rows) break;
    }
    round.score = answer.score;
    round.states = search.rows() * scores.frame().shape.labels();
    round.arcs = search.arcs();
    answer.rows += search.rows();
    answer.rounds.push_back(std::move(round));
    if (!found) return answer;
  }
  answer.status = agrees(scores, parts, answer.tags, answer.score) ? SegmentAnswer::optimal : SegmentAnswer::disagreement;
  return answer;
}

}  // namespace lawful
