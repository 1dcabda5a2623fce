#include "core/engine/batch.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/engine/engine_pool.hpp"
#include "core/support/parallel.hpp"

namespace lawful {
namespace {

constexpr int64_t kLargestShare = 16;  // sequences that a thread takes at a time, while many are left
constexpr int64_t kShares = 8;         // that are still left for each thread then: the last ones are small, and all end together

// Hands out the sequences [0, count), from the first to the last.
class Shares {
 public:
  Shares(int64_t count, int threads) : count_(count), threads_(threads) {}
  // Whether there is one more; then it is [from, to).
  bool take(int64_t& from, int64_t& to) {
    from = next_;
    do {
      if (from >= count_) return false;
      to = from + std::clamp<int64_t>((count_ - from) / (kShares * threads_), 1, kLargestShare);
    } while (!next_.compare_exchange_weak(from, to));
    return true;
  }

 private:
  const int64_t count_;
  const int threads_;
  std::atomic<int64_t> next_{0};
};

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

// Decodes n sequences; `problem_at(i, worker)` gives what a worker is to decode next, or null for one that is not to be
// decoded, and `violations_at(i, worker)` where to write the violations of its parts.
template <typename ProblemAt, typename ViolationsAt>
void decode_each(Answers& result, const Limits& limits, int threads, const ProblemAt& problem_at,
                 const ViolationsAt& violations_at) {
  const auto n = static_cast<int64_t>(result.answers.size());
  std::vector<Log> logs(threads);
  Shares shares(n, threads);
  on_threads(threads, [&](int worker, const std::atomic<bool>& abandoned) {
    Log& log = logs[worker];
    BorrowedEngine borrowed;
    (*borrowed).rounds.clear();
    (*borrowed).entered.clear();
    for (int64_t from, to; !abandoned && shares.take(from, to);) {
      for (int64_t i = from; i < to; ++i) {
        const Problem* problem = problem_at(i, worker);
        if (!problem) continue;
        borrowed.tidy(static_cast<std::size_t>(limits.max_memory));
        Engine& engine = *borrowed;
        const std::size_t before = engine.entered.size();
        Budget budget(limits, threads, worker > 0 ? &abandoned : nullptr);
        int32_t* labels = result.labels.data() + result.label_offsets[i];
        result.answers[i] = engine.decode(*problem, limits, budget, labels, violations_at(i, worker));
        if (result.answers[i].score > kForbidden) problem->read_path(labels);
        for (std::size_t e = before; e < engine.entered.size(); ++e)
          engine.entered[e] = problem->parts[engine.entered[e]].part->rule;
        log.sequences.push_back(i);
      }
    }
    log.rounds.swap((*borrowed).rounds);
    log.entered.swap((*borrowed).entered);
  });
  collect_rounds(result, logs);
}

// No more than have enough to do to be worth the call: some fifty microseconds each.
int fewer_threads(int threads, int64_t sequences, int64_t tokens) {
  constexpr int64_t kTokens = 512;
  return static_cast<int>(std::clamp<int64_t>(std::min(sequences, tokens / kTokens), 1, threads));
}

struct Desk {  // where one worker makes its problems, one after the other in the same memory
  std::shared_ptr<Trellis> trellis = std::make_shared<Trellis>();
  std::shared_ptr<Binding> binding = std::make_shared<Binding>(0);
  Problem problem;
  std::vector<int64_t> violations;
};

}  // namespace

Answers decode_all(const std::vector<const Problem*>& problems, const Limits& limits, int threads) {
  const auto n = static_cast<int64_t>(problems.size());
  Answers result;
  result.label_offsets.assign(n + 1, 0);
  result.violation_offsets.assign(n + 1, 0);
  for (int64_t i = 0; i < n; ++i) {
    const Problem* problem = problems[i];
    result.label_offsets[i + 1] = result.label_offsets[i] + (problem ? problem->trellis->length : 0);
    result.violation_offsets[i + 1] = result.violation_offsets[i] + (problem ? static_cast<int64_t>(problem->parts.size()) : 0);
  }
  result.labels.resize(result.label_offsets[n]);
  result.violations.resize(result.violation_offsets[n]);
  result.answers.resize(n);
  decode_each(
      result, limits, fewer_threads(threads, n, result.label_offsets[n]),
      [&](int64_t i, int) {
        // Short sequences wait for memory as long as they compute, so what comes next is asked for.
        for (int64_t ahead = std::min<int64_t>(3, n - 1 - i); ahead > 0; --ahead)
          if (problems[i + ahead]) problems[i + ahead]->fetch(static_cast<int>(3 - ahead));
        return problems[i];
      },
      [&](int64_t i, int) { return result.violations.data() + result.violation_offsets[i]; });
  return result;
}

std::vector<std::shared_ptr<const Problem>> make_problems(const std::vector<std::shared_ptr<const Trellis>>& trellises,
                                                          const Binder& binder, const Examples& examples, int threads) {
  constexpr int64_t kShare = 64;
  const auto n = static_cast<int64_t>(trellises.size());
  std::vector<std::shared_ptr<const Problem>> problems(n);
  parallel_for((n + kShare - 1) / kShare, threads, [&](int64_t share, int) {
    for (int64_t i = share * kShare; i < std::min(n, (share + 1) * kShare); ++i) {
      auto binding = std::make_shared<Binding>(0);
      if (!binder.tie(examples, i, *binding)) continue;
      try {
        problems[i] = Problem::make(trellises[i], binder.common, std::move(binding));
      } catch (const std::overflow_error&) {
      }
    }
  });
  return problems;
}

Answers decode_flat(const FlatScores& scores, const Binder& binder, Examples& examples, const Limits& limits, int threads) {
  const int64_t n = examples.count();
  const auto labels = static_cast<std::size_t>(scores.labels);
  Answers result;
  result.label_offsets = examples.offsets;
  result.violation_offsets.assign(n + 1, 0);  // nobody asks
  result.labels.resize(result.label_offsets[n]);
  result.answers.resize(n);
  threads = fewer_threads(threads, n, examples.offsets[n]);
  std::vector<Desk> desks(threads);
  auto make = [&](int64_t i, Desk& desk) {
    const double* emissions = scores.emissions + examples.offsets[i] * labels;
    const int length = examples.length(i);
    if (!scores_are_legal(emissions, length * labels) || !binder.tie(examples, i, *desk.binding)) return false;
    try {
      desk.trellis->remake(emissions, length, scores.labels, scores.transitions, scores.start, scores.end, nullptr);
      desk.problem.remake(desk.trellis, binder.common, desk.binding);
    } catch (const std::overflow_error&) {
      return false;
    }
    return true;
  };
  decode_each(
      result, limits, threads,
      [&](int64_t i, int worker) -> const Problem* {
        Desk& desk = desks[worker];
        if (make(i, desk)) return &desk.problem;
        examples.apart[i] = 1;
        return nullptr;
      },
      [&](int64_t, int worker) {
        Desk& desk = desks[worker];
        desk.violations.resize(desk.problem.parts.size());
        return desk.violations.data();
      });
  return result;
}

}  // namespace lawful
