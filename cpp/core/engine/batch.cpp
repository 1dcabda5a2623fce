#include "core/engine/batch.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "core/engine/engine_pool.hpp"

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
  std::exception_ptr failure;
  std::mutex failing;
  auto work = [&](Log& log) {
    try {
      const BorrowedEngine borrowed;
      Engine& engine = *borrowed;
      engine.rounds.clear();
      engine.entered.clear();
      for (int64_t from; (from = next.fetch_add(kShare)) < n;) {
        for (int64_t i = from; i < std::min(n, from + kShare); ++i) {
          const std::size_t before = engine.entered.size();
          result.answers[i] = engine.decode(*problems[i], limits, result.labels.data() + result.label_offsets[i],
                                            result.violations.data() + result.violation_offsets[i]);
          for (std::size_t e = before; e < engine.entered.size(); ++e)
            engine.entered[e] = problems[i]->parts[engine.entered[e]].part->rule;
          log.sequences.push_back(i);
        }
      }
      log.rounds.swap(engine.rounds);
      log.entered.swap(engine.entered);
    } catch (...) {
      const std::lock_guard lock(failing);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work, std::ref(logs[i]));
  work(logs[0]);
  for (std::thread& other : others) other.join();
  if (failure) std::rethrow_exception(failure);
  collect_rounds(result, logs);
  return result;
}

}  // namespace lawful
