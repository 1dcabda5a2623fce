#include "tests/random_problems.hpp"

#include <algorithm>
#include <cmath>

namespace lawful {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> random_scores(Random& random, std::size_t n, const TrellisOptions& options) {
  std::vector<double> scores(n);
  for (double& score : scores) score = random.chance(options.forbidden) ? kForbidden : random.score(options.whole);
  return scores;
}

}  // namespace

Machine random_machine(Random& random, int labels, int kinds, Memory memory) {
  Machine machine;
  machine.labels = labels;
  machine.kinds = kinds;
  machine.classes = random.between(1, 4);
  machine.states = memory == Memory::none ? 1 : random.between(2, 5);
  machine.table.resize(static_cast<std::size_t>(kinds) * labels);
  for (auto& c : machine.table) c = static_cast<uint16_t>(random.below(machine.classes));
  std::vector<int32_t> after(machine.classes);
  for (auto& state : after) state = random.below(machine.states);
  for (int s = 0; s < machine.states; ++s) {
    for (int c = 0; c < machine.classes; ++c) {
      machine.delta.push_back(memory == Memory::any ? random.below(machine.states) : after[c]);
      machine.violations.push_back(random.chance(0.2) ? random.between(1, 2) : 0);
    }
    machine.final.push_back(random.chance(0.3) ? random.between(1, 2) : 0);
  }
  return machine;
}

std::shared_ptr<const Part> make_part(const Machine& machine, Mode mode, double price, int rule) {
  auto part = std::make_shared<Part>();
  part->rule = rule;
  part->mode = mode;
  part->price = mode == Mode::hard ? kInfinity : price;
  part->labels = machine.labels;
  part->kinds = machine.kinds;
  part->classes = machine.classes;
  part->table = machine.table;
  part->count_states = machine.states;
  part->count_delta = machine.delta;
  part->count_violations = machine.violations;
  part->count_final = machine.final;
  const int paid = machine.states;  // where a rule that is paid once goes on
  part->states = machine.states + (mode == Mode::once ? 1 : 0);
  for (std::size_t i = 0; i < machine.delta.size(); ++i) {
    const int32_t broken = machine.violations[i];
    const bool stops = broken && mode != Mode::counted;
    part->delta.push_back(!stops ? machine.delta[i] : mode == Mode::hard ? kDead : paid);
    part->cost.push_back(mode == Mode::hard || !broken ? 0.0 : mode == Mode::once ? price : price * broken);
  }
  for (const int32_t broken : machine.final)
    part->final_cost.push_back(!broken ? 0.0 : mode == Mode::hard ? kInfinity : mode == Mode::once ? price : price * broken);
  if (mode == Mode::once) {
    part->delta.insert(part->delta.end(), machine.classes, paid);
    part->cost.insert(part->cost.end(), machine.classes, 0.0);
    part->final_cost.push_back(0.0);
  }
  part->prepare();
  return part;
}

TrellisOptions random_options(Random& random) {
  TrellisOptions options;
  options.transitions = random.chance(0.7);
  options.a_matrix_a_step = random.chance(0.4);
  options.boundaries = random.chance(0.5);
  options.mask = random.chance(0.2);
  options.whole = random.chance(0.3);
  options.forbidden = random.chance(0.5) ? 0.0 : 0.15;
  return options;
}

std::shared_ptr<const Trellis> random_trellis(Random& random, int length, int labels, const TrellisOptions& options) {
  const auto emissions = random_scores(random, static_cast<std::size_t>(length) * labels, options);
  std::shared_ptr<const Transitions> transitions;
  const int matrices = options.a_matrix_a_step ? length - 1 : 1;
  if (options.transitions && matrices > 0)
    transitions = Transitions::make(random_scores(random, static_cast<std::size_t>(matrices) * labels * labels, options).data(),
                                    matrices, labels);
  const auto start = random_scores(random, labels, options), end = random_scores(random, labels, options);
  std::vector<uint8_t> mask(static_cast<std::size_t>(length) * labels);
  for (auto& allowed : mask) allowed = random.chance(0.8);
  return Trellis::make(emissions.data(), length, labels, std::move(transitions), options.boundaries ? start.data() : nullptr,
                       options.boundaries ? end.data() : nullptr, options.mask ? mask.data() : nullptr);
}

std::shared_ptr<const Problem> random_problem(Random& random, int length, int labels, int parts) {
  std::vector<std::shared_ptr<const Part>> common;
  auto own = std::make_shared<Binding>(length);
  for (int p = 0; p < parts; ++p) {
    const auto mode = static_cast<Mode>(random.below(3));
    const auto memory = random.chance(0.3) ? Memory::last_class : random.chance(0.15) ? Memory::none : Memory::any;
    const double price = random.chance(0.3) ? random.between(0, 2) : 4.0 + random.score(false);
    const bool looks = random.chance(0.4);
    const int count = looks ? random.between(1, 3) : 1;
    auto part = make_part(random_machine(random, labels, count, memory), mode, price, p);
    if (!looks) {
      common.push_back(std::move(part));
      continue;
    }
    if (count == 1 && random.chance(0.5)) {
      own->add(std::move(part));
      continue;
    }
    uint16_t* kinds = own->add_with_kinds(std::move(part));
    for (int t = 0; t < length; ++t) kinds[t] = static_cast<uint16_t>(random.below(count));
  }
  return Problem::make(random_trellis(random, length, labels, random_options(random)), PartSet::make(std::move(common)), own);
}

std::shared_ptr<const Problem> counting_problem(Random& random, int length, int labels) {
  TrellisOptions options;
  options.transitions = random.chance(0.5);
  std::vector<std::shared_ptr<const Part>> parts;
  for (int label = 0; label < 3; ++label) {
    const int needed = random.chance(0.5) ? random.between(0, 2) : length / 4 + random.between(0, 2);
    Machine machine;  // exactly that many of the label
    machine.labels = labels;
    machine.classes = 2;
    machine.states = needed + 1;
    for (int k = 0; k < labels; ++k) machine.table.push_back(k == label);
    for (int s = 0; s <= needed; ++s) {
      machine.delta.insert(machine.delta.end(), {s, std::min(s + 1, needed)});
      machine.violations.insert(machine.violations.end(), {0, s == needed});
      machine.final.push_back(needed - s);
    }
    parts.push_back(make_part(machine, static_cast<Mode>(random.below(3)), 1.0 + random.below(8), label));
  }
  return Problem::make(random_trellis(random, length, labels, options), PartSet::make(std::move(parts)),
                       std::make_shared<Binding>(length));
}

}  // namespace lawful
