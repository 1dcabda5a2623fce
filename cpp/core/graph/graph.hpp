// Weighted acceptors over labels: n-best lists, word lattices, trellises, and the products of all these with rules.
//
// The score of a label sequence is that of the best of the paths that spell it. Epsilon arcs spell nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/rules/part.hpp"
#include "core/scores/trellis.hpp"
#include "core/support/budget.hpp"

namespace lawful {

inline constexpr int32_t kEpsilon = -1;
inline constexpr int32_t kAmbiguous = -1;

struct Arc {
  int32_t target = 0;
  int32_t label = kEpsilon;
  double weight = 0;
};

// States and arcs as they come. The arcs of state s are arcs[first[s]] to arcs[first[s + 1] - 1].
struct Acceptor {
  int labels = 0;     // K
  int32_t start = 0;
  std::vector<int64_t> first;    // (states + 1)
  std::vector<Arc> arcs;         // by source; among ties the first arc wins
  std::vector<double> final;     // (states), kForbidden where a path may not end
  std::vector<int64_t> origin;   // (states): the caller's number of the state that it comes from

  int32_t states() const { return static_cast<int32_t>(final.size()); }
  std::size_t bytes() const;
};

// An acceptor in order. Immutable. Every state lies on a path from the start to an end (unless dead ends were kept);
// no states at all means that no path exists. State 0 is the start; the states of a strongly connected component
// stand together, and arcs between components lead forward, so that one sweep solves what is acyclic.
struct Graph : Acceptor {
  std::vector<int32_t> components;  // (components + 1): the first state of each
  std::vector<bool> cyclic;         // (components): whether it holds a cycle
  bool acyclic = true;
  std::vector<int32_t> position;    // (states): labels read so far, kAmbiguous if that depends on the path

  bool empty() const { return final.empty(); }
  int32_t length() const;    // labels of every path, kAmbiguous if they differ or there are none
  int32_t furthest() const;  // the last position that a path reaches, kAmbiguous if there is none
  std::size_t bytes() const;
};

using GraphPointer = std::shared_ptr<const Graph>;

enum class DeadEnds : bool { trim, keep };

// All that takes long here is thrown out at the limits of its budget (LimitReached), unless it gives a `Product`.

// Puts an acceptor in order, and drops what no path from the start can reach, or can end from.
GraphPointer put_in_order(Acceptor&& raw, Budget& budget, DeadEnds dead_ends = DeadEnds::trim);

// `final` has one weight and `origin` one number per state; arcs may come in any order. Arcs of weight -inf are left out.
GraphPointer graph_from_arcs(int labels, int32_t start, const std::vector<int32_t>& sources, std::vector<Arc> arcs,
                             std::vector<double> final, std::vector<int64_t> origin);

// A state for every position and label, as in footnote 1 of Tromble & Eisner (2006); start and end are worked in.
GraphPointer graph_from_trellis(const Trellis& trellis, DeadEnds dead_ends = DeadEnds::trim, const Limits& limits = {});

// --- Intersection with a rule ---

enum class Enter : uint8_t {
  priced,  // weights pay the rule's costs; a hard rule's violations are dropped
  obeyed,  // whatever violates the rule is dropped, soft or not
};

struct Product {
  GraphPointer graph;    // null if a limit was reached
  LimitHit limit = LimitHit::none;
  int64_t expanded = 0;  // states that were visited, dead ends included
};

// `kinds` may be null if the part has one kind. Throws std::invalid_argument if the part looks at tokens and some
// position is ambiguous, or lies beyond `length`.
Product intersect(const Graph& graph, const Part& part, const uint16_t* kinds, int64_t length, Enter enter, const Limits& limits,
                  DeadEnds dead_ends = DeadEnds::trim);

// --- Best paths ---

struct BestPath {
  double score = kForbidden;    // kForbidden if there is no path
  std::vector<int32_t> labels;
  std::vector<int64_t> cycle;   // origins of the states of a cycle that gains; then there is no best path
  double gain = 0;              // what it gains each time around
};

BestPath best_path(const Graph& graph, const Limits& limits = {});

// Drops every arc and end whose best path scores less than the threshold (footnote 4). Needs a best path.
GraphPointer prune(const Graph& graph, double threshold, const Limits& limits = {});

}  // namespace lawful
