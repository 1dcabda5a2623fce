#include "core/engine/batch.hpp"

#include <algorithm>

#include "core/engine/engine_pool.hpp"
#include "core/support/parallel.hpp"

namespace lawful {
namespace {

constexpr int64_t kShare = 16;  // sequences that a thread takes at a time

struct Log {  // the rounds of the sequences that one thread decoded
  std::vector<int64_t> sequences;
  std::vector<Round> rounds;
  std::vector<int32_t> entered;
};

void collect_rounds(Answers& result, const std::vector<Log>& logs) {
  const std::size_t n = result.answers.size();
  result.round_offsets.assign(n + 1, 0);
  for (std::size_t i = 0; i < n; ++i) result.round_offsets[i + 1] = result.round_offsets[i] + result.answers[i].rounds;
  result.rounds.resize(result.round_offsets[n]);
  for (const Log& log : logs) {
    const auto shift = static_cast<int32_t>(result.entered.size());
    result.entered.insert(result.entered.end(), log.entered.begin(), log.entered.end());
    auto from = log.rounds.begin();
    for (const int64_t sequence : log.sequences) {
      auto into = result.rounds.begin() + result.round_offsets[sequence];
      for (int r = 0; r < result.answers[sequence].rounds; ++r, ++from, ++into) {
        *into = *from;
        into->first_entered += shift;
      }
    }
  }
}

}  // namespace

Answers decode_all(const std::vector<const Problem*>& problems, const Limits& limits, int threads) {
  const auto n = static_cast<int64_t>(problems.size());
  Answers result;
  result.label_offsets.assign(n + 1, 0);
  result.violation_offsets.assign(n + 1, 0);
  for (int64_t i = 0; i < n; ++i) {
    result.label_offsets[i + 1] = result.label_offsets[i] + problems[i]->trellis->length;
    result.violation_offsets[i + 1] = result.violation_offsets[i] + static_cast<int64_t>(problems[i]->parts.size());
  }
  result.labels.resize(result.label_offsets[n]);
  result.violations.resize(result.violation_offsets[n]);
  result.answers.resize(n);

  threads = static_cast<int>(std::clamp<int64_t>(threads, 1, std::max<int64_t>(1, (n + kShare - 1) / kShare)));
  std::vector<Log> logs(threads);
  std::atomic<int64_t> next{0};
  on_threads(threads, [&](int worker, const std::atomic<bool>& abandoned) {
    Log& log = logs[worker];
    BorrowedEngine borrowed;
    (*borrowed).rounds.clear();
    (*borrowed).entered.clear();
    for (int64_t from; !abandoned && (from = next.fetch_add(kShare)) < n;) {
      for (int64_t i = from; i < std::min(n, from + kShare); ++i) {
        borrowed.tidy(static_cast<std::size_t>(limits.max_memory));
        Engine& engine = *borrowed;
        const std::size_t before = engine.entered.size();
        Budget budget(limits, threads, worker > 0 ? &abandoned : nullptr);
        result.answers[i] = engine.decode(*problems[i], limits, budget, result.labels.data() + result.label_offsets[i],
                                          result.violations.data() + result.violation_offsets[i]);
        if (result.answers[i].score > kForbidden) problems[i]->read_path(result.labels.data() + result.label_offsets[i]);
        for (std::size_t e = before; e < engine.entered.size(); ++e)
          engine.entered[e] = problems[i]->parts[engine.entered[e]].part->rule;
        log.sequences.push_back(i);
      }
    }
    log.rounds.swap((*borrowed).rounds);
    log.entered.swap((*borrowed).entered);
  });
  collect_rounds(result, logs);
  return result;
}

}  // namespace lawful
