// A part: one automaton of one rule, as the kernels use it. Immutable.
//
// At position t, label k is read as class table[kind[t]][k]. The same classes drive two machines: the search
// machine, in which the rule's price and counting mode are already worked in, and the counting machine, which is
// the rule as compiled, and judges every answer independently of the search.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/scores/reading.hpp"
#include "core/support/aligned.hpp"

namespace lawful {

inline constexpr int32_t kDead = -1;

enum class Mode : uint8_t { hard, once, counted };

struct Part : std::enable_shared_from_this<Part> {
  int rule = 0;    // the rule's index in the caller's list
  int labels = 0;  // K
  int kinds = 1;   // U, rows of `table`
  int classes = 0; // C
  std::vector<uint16_t> table;  // (U, K) classes

  // The search machine; state 0 is the start.
  int states = 0;                  // S
  std::vector<int32_t> delta;      // (S, C), kDead where a hard rule would be broken
  std::vector<double> cost;        // (S, C), >= 0
  std::vector<double> final_cost;  // (S), >= 0, +inf where a hard rule must not end

  // The counting machine; state 0 is the start.
  Mode mode = Mode::hard;
  double price = std::numeric_limits<double>::infinity();
  int count_states = 0;
  std::vector<int32_t> count_delta;       // (S', C)
  std::vector<int32_t> count_violations;  // (S', C)
  std::vector<int32_t> count_final;       // (S')
  std::vector<int32_t> count_alone;       // (U, K): violations by label, if the machine remembers nothing; else empty
  std::vector<int32_t> count_row;         // (S', C): where the next state's row begins in these tables: what a walk waits for
  std::vector<int32_t> count_after;       // (C): the same by the class read alone, if steps that count nothing need no more; else empty
  // Bits k % 64 of the labels k that, on tokens of kind 0, make the machine count or leave its start: none of the others do anything.
  uint64_t stirring = 0;

  uint64_t serial = 0;  // unique in this process: keys the cache of products

  // --- What prepare() derives ---

  // Local: what the machine remembers is at most the class just read, so that the rule folds into the scores.
  bool local = false;
  struct Effect {  // what a step from a token of one kind to a token of another adds to the score
    enum Type : uint8_t { nothing, per_target, stay, matrix } type = nothing;
    Doubles forward;   // per_target: (stride); matrix: (K, stride) by source
    Doubles backward;  // matrix: (K, stride) by target
    uint64_t serial = 0;  // matrix: unique in this process: keys the sums of matrices that are kept
  };
  Doubles first;                 // (U, stride): added at the first position
  Doubles last;                  // (U, stride): added at the last position
  bool touches_last = false;     // whether `last` is anything but zeros
  std::vector<bool> touches_first;  // (U)
  std::vector<Effect> effects;   // (U, U): [kind before][kind after]
  std::vector<Effect::Type> effect_types;  // (U, U): the same, close together: most steps are only seen to do nothing
  bool only_stays = false;  // whether no effect does more than forbid a change, and the pairs of kinds fit into 64 bits:
  uint64_t staying_pairs = 0;  // bit before * U + now

  // (U), of a part that is searched: whether a token of that kind does nothing, in any state and by any label.
  std::vector<uint8_t> sleeps;
  // (S), of such a part: bits k % 64 of labels k none of which does anything in that state, on a token of kind 0.
  std::vector<uint64_t> idle_labels;

  // Of a part that is paid once: the same rule for those who obey it, if that is local; else null.
  std::shared_ptr<const Part> obeyed;

  int64_t most_at_step = 0, most_at_end = 0;  // violations

  // Colours: two states that can follow the same label have different colours, so that (label, colour) names a
  // state, and a product needs a row of scores only for each combination of colours.
  int colours = 0;
  std::vector<int32_t> colour;    // (S)
  std::vector<int32_t> state_of;  // (K, colours): the state, or kDead if there is none

  // (S, S), or empty if not known: what [a][b] may still have to pay in state a more than in state b, whatever follows; 0 or
  // more, infinity where there is no such limit.
  std::vector<double> arrears;

  // No sequence of that many tokens violates it more often, or is charged more.
  int64_t most_violations(int64_t length) const { return length * most_at_step + most_at_end; }
  double most_charge(int64_t length) const {
    if (mode == Mode::hard) return 0;
    return mode == Mode::once ? price : price * static_cast<double>(most_violations(length));
  }

  void prepare();  // and gives it its serial
  Part made_fatal() const;  // every violation forbidden: the counting machine as a search machine; not prepared

  // The same rule for a trellis whose columns are read as labels; made once.
  std::shared_ptr<const Part> read_through(const Reading& reading) const;

  bool is_local() const { return local; }
  int stride() const { return padded(labels); }
  // Whether reading class c in state s does nothing.
  bool idle(int32_t s, int c) const {
    const int at = s * classes + c;
    return delta[at] == s && cost[at] == 0;
  }
  int class_at(int kind, int label) const { return table[static_cast<std::size_t>(kind) * labels + label]; }

 private:
  mutable ReadCopies<Part> read_;
};

// A part and the tokens that it reads.
struct BoundPart {
  const Part* part;
  const uint16_t* kinds;  // (T), or null: every token is of kind 0
  int kind(int t) const { return kinds ? kinds[t] : 0; }
  int class_at(int t, int label) const { return part->class_at(kind(t), label); }
};

}  // namespace lawful
