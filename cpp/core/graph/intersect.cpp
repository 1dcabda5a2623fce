#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/graph/graph.hpp"
#include "core/support/key_numbers.hpp"

namespace lawful {
namespace {

// The row of classes at a state; only parts that look at tokens need to know the position.
const uint16_t* classes_at(const Graph& graph, int32_t state, const Part& part, const uint16_t* kinds, int64_t length) {
  if (part.kinds == 1) return part.table.data();
  const int32_t position = graph.position[state];
  if (position == kAmbiguous)
    throw std::invalid_argument("state " + std::to_string(graph.origin[state]) + " is reached after different " +
                                "numbers of labels, so the rule cannot tell which token comes next");
  if (!kinds || position >= length)
    throw std::invalid_argument("a path reads more labels than the " + std::to_string(length) + " tokens");
  return part.table.data() + static_cast<std::size_t>(kinds[position]) * part.labels;
}

}  // namespace

Product intersect(const Graph& graph, const Part& part, const uint16_t* kinds, int64_t length, Enter enter, const Limits& limits,
                  DeadEnds dead_ends) {
  if (part.labels != graph.labels) throw std::invalid_argument("the rule and the lattice have different labels");
  if (enter == Enter::obeyed) return intersect(graph, part.made_fatal(), kinds, length, Enter::priced, limits, dead_ends);
  Budget budget(limits);
  budget.set_aside(graph.bytes());

  Acceptor raw;
  raw.labels = graph.labels;
  raw.first.push_back(0);
  Product product;
  if (graph.empty()) {
    product.graph = put_in_order(std::move(raw), budget);
    return product;
  }

  struct State {
    int32_t left, right;
  };
  std::vector<State> queue;
  KeyNumbers numbers;
  auto visit = [&](int32_t left, int32_t right) {
    const auto [number, fresh] = numbers.number(static_cast<uint64_t>(left) * part.states + right);
    if (fresh) queue.push_back({left, right});
    return number;
  };
  auto require_rest = [&](int64_t arcs) {
    if (static_cast<int64_t>(queue.size()) > limits.max_states) throw LimitReached(LimitHit::states);
    budget.work(10 + 15 * arcs);
    auto room = [](const auto& values) { return static_cast<int64_t>(values.capacity() - values.size()); };
    if (room(raw.arcs) >= arcs && room(queue) >= arcs && room(raw.first) > 0 && room(raw.final) > 0 && room(raw.origin) > 0 &&
        numbers.has_room(arcs))
      return;  // nothing grows
    auto others = [&] { return raw.bytes() + queue.capacity() * sizeof(State) + numbers.bytes_to_grow(arcs); };
    budget.hold(others());
    budget.make_room(raw.arcs, arcs, others() - raw.arcs.capacity() * sizeof(Arc));
    budget.make_room(queue, arcs, others() - queue.capacity() * sizeof(State));
    budget.make_room(raw.first, 1, others() - raw.first.capacity() * sizeof(int64_t));
    budget.make_room(raw.final, 1, others() - raw.final.capacity() * sizeof(double));
    budget.make_room(raw.origin, 1, others() - raw.origin.capacity() * sizeof(int64_t));
  };

  try {
    visit(0, 0);
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const auto [left, right] = queue[next];
      require_rest(graph.first[left + 1] - graph.first[left]);
      raw.final.push_back(graph.final[left] - part.final_cost[right]);
      raw.origin.push_back(graph.origin[left]);
      const uint16_t* classes = nullptr;
      const std::size_t row = static_cast<std::size_t>(right) * part.classes;
      for (int64_t i = graph.first[left]; i < graph.first[left + 1]; ++i) {
        Arc arc = graph.arcs[i];
        int32_t then = right;
        if (arc.label != kEpsilon) {
          if (!classes) classes = classes_at(graph, left, part, kinds, length);
          const std::size_t cell = row + classes[arc.label];
          then = part.delta[cell];
          arc.weight -= part.cost[cell];
          if (then == kDead || arc.weight == kForbidden) continue;
        }
        arc.target = visit(arc.target, then);
        raw.arcs.push_back(arc);
      }
      raw.first.push_back(static_cast<int64_t>(raw.arcs.size()));
    }
    product.expanded = static_cast<int64_t>(queue.size());
    std::vector<State>().swap(queue);
    numbers = KeyNumbers();
    product.graph = put_in_order(std::move(raw), budget, dead_ends);
    raw = Acceptor();
    give_back(budget.most());  // or what was freed here would stand beside the next product
  } catch (const LimitReached& reached) {
    product.limit = reached.limit;
    product.expanded = std::max(product.expanded, static_cast<int64_t>(queue.size()));
    raw = Acceptor();
    std::vector<State>().swap(queue);
    give_back(budget.most());
  }
  return product;
}

}  // namespace lawful
