#include "core/engine/batch.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>

#include "core/engine/engine_pool.hpp"
#include "core/support/ask_for.hpp"
#include "core/support/parallel.hpp"

namespace lawful {
namespace {

constexpr int64_t kLargestShare = 16;  // sequences that a thread takes at a time, while many are left
constexpr int64_t kShares = 8;  // that are still left for each thread then: the last ones are small, and all end together

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

// Decodes the sequences whose labels `result` has room for; `problem_at(i, worker)` gives what a worker is to decode next, or null
// for one that is not to be decoded.
template <typename ProblemAt>
void decode_each(Answers& result, const Limits& limits, int threads, const ProblemAt& problem_at) {
  const auto n = static_cast<int64_t>(result.label_offsets.size()) - 1;
  result.labels.resize(result.label_offsets[n]);
  result.answers.resize(n);
  result.places.resize(n);
  result.logs.resize(threads);
  Shares shares(n, threads);
  on_threads(threads, [&](int worker, const std::atomic<bool>& abandoned) {
    BorrowedEngine borrowed;
    (*borrowed).rounds.clear();
    (*borrowed).entered.clear();
    std::vector<int64_t> violations;  // nobody asks for them
    bool searched = true;  // whether the engine may hold more than it did
    for (int64_t from, to; !abandoned && shares.take(from, to);) {
      for (int64_t i = from; i < to; ++i) {
        const Problem* problem = problem_at(i, worker);
        if (!problem) continue;
        if (searched || i == from) borrowed.tidy(static_cast<std::size_t>(limits.max_memory));
        Engine& engine = *borrowed;
        const std::size_t before = engine.entered.size();
        result.places[i] = {worker, static_cast<int64_t>(engine.rounds.size())};
        violations.resize(problem->parts.size());
        Budget budget(limits, threads, worker > 0 ? &abandoned : nullptr);
        int32_t* labels = result.labels.data() + result.label_offsets[i];
        const Engine::Answer answer = engine.decode(*problem, limits, budget, labels, violations.data());
        if (answer.score > kForbidden) problem->read_path(labels);
        for (std::size_t e = before; e < engine.entered.size(); ++e)
          engine.entered[e] = problem->parts[engine.entered[e]].part->rule;
        searched = answer.rounds != 1 || answer.limit != LimitHit::none;
        result.answers[i] = answer;
      }
    }
    result.logs[worker].rounds.swap((*borrowed).rounds);
    result.logs[worker].entered.swap((*borrowed).entered);
  });
}

// No more than have enough to do to be worth the call: some fifty microseconds each.
int fewer_threads(int threads, int64_t sequences, int64_t tokens) {
  constexpr int64_t kTokens = 512;
  return static_cast<int>(std::clamp<int64_t>(std::min(sequences, tokens / kTokens), 1, threads));
}

struct Desk {  // where one worker makes its problems, one after the other in the same memory
  std::shared_ptr<Trellis> own = std::make_shared<Trellis>();
  std::shared_ptr<const Trellis> trellis = own;
  std::shared_ptr<Binding> binding = std::make_shared<Binding>(0);
  std::shared_ptr<const Binding> tied = binding;
  Problem problem;
  NeededSoon next;  // the scores of the sequence after it
};

// Decodes the sequences of the examples; `lay(i, desk)` lays the scores of one on a desk.
template <typename Lay>
Answers decode_at_desks(const Binder& binder, Examples& examples, const Limits& limits, int threads, const Lay& lay) {
  Answers result;
  result.label_offsets = examples.offsets;
  threads = fewer_threads(threads, examples.count(), examples.offsets.back());
  std::vector<std::unique_ptr<Desk>> desks;  // each by itself, so that no two workers write to one cache line
  for (int worker = 0; worker < threads; ++worker) desks.push_back(std::make_unique<Desk>());
  auto made = [&](int64_t i, Desk& desk) {
    desk.next.ask_for_some();
    if (!binder.tie(examples, i, *desk.binding)) return false;
    desk.next.ask_for_some();
    try {
      lay(i, desk);
      desk.next.ask_for_some();
      desk.problem.remake(desk.trellis, binder.common, desk.tied);
    } catch (const std::invalid_argument&) {
      return false;
    } catch (const std::overflow_error&) {
      return false;
    }
    desk.next.ask_for_some();
    return true;
  };
  decode_each(result, limits, threads, [&](int64_t i, int worker) -> const Problem* {
    Desk& desk = *desks[worker];
    if (made(i, desk)) return &desk.problem;
    examples.apart[i] = 1;
    return nullptr;
  });
  return result;
}

}  // namespace

std::span<const Round> Answers::rounds(int64_t sequence) const {
  const Place& place = places[sequence];
  if (logs.empty()) return {};
  return std::span(logs[place.log].rounds).subspan(place.first_round, answers[sequence].rounds);
}

std::span<const int32_t> Answers::entered(int64_t sequence, const Round& round) const {
  return std::span(logs[places[sequence].log].entered).subspan(round.first_entered, round.entered);
}

void Problems::append(std::shared_ptr<const Problem> problem) {
  lengths.push_back(problem ? problem->trellis->length : 0);
  items.push_back(std::move(problem));
}

void Problems::put(std::size_t i, std::shared_ptr<const Problem> problem) {
  lengths[i] = problem ? problem->trellis->length : 0;
  items[i] = std::move(problem);
}

Answers decode_all(const Problems& problems, const Limits& limits, int threads) {
  const auto& items = problems.items;
  const auto n = static_cast<int64_t>(items.size());
  Answers result;
  result.label_offsets.assign(n + 1, 0);
  std::partial_sum(problems.lengths.begin(), problems.lengths.end(), result.label_offsets.begin() + 1, std::plus<int64_t>());
  decode_each(result, limits, fewer_threads(threads, n, result.label_offsets[n]), [&](int64_t i, int) {
    // Short sequences wait for memory as long as they compute, so what comes next is asked for.
    for (int64_t ahead = std::min<int64_t>(3, n - 1 - i); ahead > 0; --ahead)
      if (items[i + ahead]) items[i + ahead]->fetch(static_cast<int>(3 - ahead));
    return items[i].get();
  });
  return result;
}

void make_problems(const std::vector<std::shared_ptr<const Trellis>>& trellises, const std::shared_ptr<const Binder>& binder,
                   const Examples& examples, int threads, Problems& problems) {
  constexpr int64_t kShare = 64;
  const auto n = static_cast<int64_t>(trellises.size());
  const std::size_t before = problems.items.size();
  problems.items.resize(before + n);
  problems.lengths.resize(before + n, 0);
  parallel_for((n + kShare - 1) / kShare, threads, [&](int64_t share, int) {
    for (int64_t i = share * kShare; i < std::min(n, (share + 1) * kShare); ++i)
      if (auto problem = problem_of(trellises, binder, examples, i)) problems.put(before + i, std::move(problem));
  });
}

std::shared_ptr<const Problem> problem_of(const std::vector<std::shared_ptr<const Trellis>>& trellises,
                                          const std::shared_ptr<const Binder>& binder, const Examples& examples, int64_t n) {
  auto binding = Binder::tied(binder, examples, n);
  if (!binding) return nullptr;
  try {
    return Problem::make(trellises[n], binder->common, std::move(binding));
  } catch (const std::overflow_error&) {
    return nullptr;
  }
}

Answers decode_trellises(const std::vector<std::shared_ptr<const Trellis>>& trellises, const Binder& binder, Examples& examples,
                         const Limits& limits, int threads) {
  const auto n = static_cast<int64_t>(trellises.size());
  return decode_at_desks(binder, examples, limits, threads, [&](int64_t i, Desk& desk) {
    if (i + 2 < n) trellises[i + 2]->fetch(0);
    if (i + 1 < n) desk.next = {trellises[i + 1]->emissions.data(), trellises[i + 1]->emissions.size() * sizeof(double)};
    // The caller's, so that nobody needs to count who uses it.
    desk.trellis = std::shared_ptr<const Trellis>(std::shared_ptr<const Trellis>(), trellises[i].get());
  });
}

Answers decode_flat(const FlatScores& scores, const Binder& binder, Examples& examples, const Limits& limits, int threads) {
  const auto labels = static_cast<std::size_t>(scores.labels);
  return decode_at_desks(binder, examples, limits, threads, [&](int64_t i, Desk& desk) {
    const double* emissions = scores.emissions + examples.offsets[i] * labels;
    const int length = examples.length(i);
    if (i + 1 < examples.count()) desk.next = {emissions + length * labels, examples.length(i + 1) * labels * sizeof(double)};
    desk.own->remake(emissions, length, scores.labels, scores.transitions, scores.start, scores.end, nullptr);
  });
}

}  // namespace lawful
