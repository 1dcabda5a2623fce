// The judge of rules: walks a rule's counting machine over a finished labelling. Shares nothing with the search.
#pragma once

#include "core/rules/marked_tokens.hpp"
#include "core/rules/part.hpp"

namespace lawful {

// `kinds` may be null (every token is of kind 0).
inline int64_t count_violations(const Part& part, const uint16_t* kinds, const int32_t* labels, int length) {
  const int columns = part.labels;
  if (!part.count_alone.empty()) {
    const int32_t* alone = part.count_alone.data();
    int64_t total = part.count_final[0];
    if (kinds && !part.stirring)  // then only the other tokens matter, which are few
      for_each_marked(kinds, length, [&](int t) { total += alone[kinds[t] * columns + labels[t]]; });
    else
      for (int t = 0; t < length; ++t) total += alone[(kinds ? kinds[t] * columns : 0) + labels[t]];
    return total;
  }
  const uint16_t* table = part.table.data();
  const int32_t* next_row = part.count_row.data();
  const int32_t* violations = part.count_violations.data();
  int32_t row = 0;
  if (!part.count_after.empty()) {  // then, as long as nothing is counted, no step waits for the one before
    const int32_t* after = part.count_after.data();
    int32_t counted = 0;
    for (int t = 0; t < length; ++t) {
      const int c = table[(kinds ? kinds[t] * columns : 0) + labels[t]];
      counted |= violations[row + c];
      row = after[c];
    }
    if (!counted) return part.count_final[row / part.classes];
    row = 0;
  }
  int64_t total = 0;
  for (int t = 0; t < length; ++t) {
    const int32_t at = row + table[(kinds ? kinds[t] * columns : 0) + labels[t]];
    total += violations[at];
    row = next_row[at];
  }
  return total + part.count_final[row / part.classes];
}

// The same for several parts side by side: a walk waits for its own next state, and other walks fill that time.
class CountingWalks {
 public:
  // Begins a list of walks over these labels.
  CountingWalks(const int32_t* labels, int length) : labels_(labels), length_(length) {
    for (int t = 0; t < length; ++t) occurring_ |= uint64_t{1} << (labels[t] % 64);
  }
  ~CountingWalks() { finish(); }
  CountingWalks(const CountingWalks&) = delete;
  CountingWalks& operator=(const CountingWalks&) = delete;

  // `violations` is written when `finish` is called, or before.
  void count(const Part& part, const uint16_t* kinds, int64_t* violations) {
    if (!kinds && !(part.stirring & occurring_)) {  // most labels never occur, and so most rules about labels are obeyed
      *violations = part.count_final[0];
    } else if (!part.count_alone.empty() || !part.count_after.empty()) {
      *violations = count_violations(part, kinds, labels_, length_);
    } else {
      waiting_[count_++] = {&part, kinds, violations};
      if (count_ == kSide) finish();
    }
  }
  void finish() {
    if (count_ == kSide) walk<kSide>();
    else if (count_ == 3) walk<3>();
    else if (count_ == 2) walk<2>();
    else if (count_ == 1) walk<1>();
    count_ = 0;
  }

 private:
  static constexpr int kSide = 4;
  struct Walk {
    const Part* part;
    const uint16_t* kinds;
    int64_t* violations;
  };

  template <int N>
  void walk() const {
    const uint16_t *table[N], *kinds[N];
    const int32_t *next[N], *violations[N];
    int32_t row[N] = {};
    int64_t total[N] = {};
    for (int n = 0; n < N; ++n) {
      table[n] = waiting_[n].part->table.data();
      kinds[n] = waiting_[n].kinds;
      next[n] = waiting_[n].part->count_row.data();
      violations[n] = waiting_[n].part->count_violations.data();
    }
    const int columns = waiting_[0].part->labels;
    for (int t = 0; t < length_; ++t)
      for (int n = 0; n < N; ++n) {
        const int32_t at = row[n] + table[n][(kinds[n] ? kinds[n][t] * columns : 0) + labels_[t]];
        total[n] += violations[n][at];
        row[n] = next[n][at];
      }
    for (int n = 0; n < N; ++n)
      *waiting_[n].violations = total[n] + waiting_[n].part->count_final[row[n] / waiting_[n].part->classes];
  }

  const int32_t* labels_;
  const int length_;
  uint64_t occurring_ = 0;  // bits k % 64 of the labels
  Walk waiting_[kSide];
  int count_ = 0;
};

// What a part charges for a number of violations.
inline double charge(const Part& part, int64_t violations) {
  if (violations == 0) return 0;
  if (part.mode == Mode::hard) return -kForbidden;
  return part.price * (part.mode == Mode::once ? 1.0 : static_cast<double>(violations));
}

}  // namespace lawful
