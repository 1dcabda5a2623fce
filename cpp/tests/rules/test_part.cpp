// What prepare() derives: locality and its folded scores, colours, and quick counting. Bundles of parts.
#include <algorithm>
#include <set>

#include "core/rules/count.hpp"
#include "core/rules/fold.hpp"
#include "core/rules/part_set.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

Mode random_mode(Random& random) { return static_cast<Mode>(random.below(3)); }

TEST(a_machine_that_remembers_the_last_class_is_local) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const Memory memory = random.chance(0.5) ? Memory::none : Memory::last_class;
    const auto machine = random_machine(random, 3, random.between(1, 3), memory);
    CHECK(make_part(machine, Mode::hard, 0)->local);
    CHECK(make_part(machine, Mode::counted, 1.5)->local);
  }
}

TEST(a_machine_that_counts_is_not_local) {
  Machine machine;  // at most one of label 1
  machine.labels = 2;
  machine.classes = 2;
  machine.states = 2;
  machine.table = {0, 1};
  machine.delta = {0, 1, 1, 1};
  machine.violations = {0, 0, 0, 1};
  machine.final = {0, 0};
  for (const Mode mode : {Mode::hard, Mode::once, Mode::counted}) CHECK(!make_part(machine, mode, 1.0)->local);
}

TEST(colours_name_states) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const int labels = random.between(1, 5), kinds = random.between(1, 3);
    const auto part = make_part(random_machine(random, labels, kinds, Memory::any), random_mode(random), 1.0);
    if (part->local) continue;
    for (int k = 0; k < labels; ++k) {
      std::set<int32_t> reachable;
      for (int s = 0; s < part->states; ++s)
        for (int u = 0; u < kinds; ++u)
          if (const int32_t next = part->delta[s * part->classes + part->class_at(u, k)]; next != kDead) reachable.insert(next);
      for (const int32_t s : reachable) CHECK_EQUAL(part->state_of[k * part->colours + part->colour[s]], s);
    }
  }
}

// The folded scores of a path are its raw score less what local parts charge.
TEST(folding_charges_what_local_parts_charge) {
  for (uint64_t seed = 0; seed < 600; ++seed) {
    Random random(seed);
    const int length = random.between(1, 6), labels = random.between(1, 4);
    std::vector<std::shared_ptr<const Part>> common, own;
    std::vector<uint16_t> kinds(length);
    for (int p = random.between(1, 3); p > 0; --p) {
      const Memory memory = random.chance(0.3) ? Memory::none : Memory::last_class;
      const Mode mode = random.chance(0.5) ? Mode::hard : Mode::counted;
      const bool looks = random.chance(0.5);
      auto part = make_part(random_machine(random, labels, looks ? 3 : 1, memory), mode, 4.0 + random.score(true));
      (looks ? own : common).push_back(std::move(part));
    }
    for (auto& kind : kinds) kind = static_cast<uint16_t>(random.below(3));
    const auto trellis = random_trellis(random, length, labels, random_options(random));
    auto bound = std::make_shared<Binding>(length);
    for (const auto& part : own) std::copy(kinds.begin(), kinds.end(), bound->add_with_kinds(part));
    const auto problem = Problem::make(trellis, PartSet::make(common), bound);
    CHECK(problem->searched.empty());
    Folded folded;
    folded.build(*problem);
    std::vector<int32_t> path(length);
    for (int tries = 0; tries < 20; ++tries) {
      for (auto& label : path) label = random.below(labels);
      double score = 0;
      for (int t = 0; t < length; ++t) {
        const Step& step = folded.steps[t];
        if (t > 0 && step.forward) score += step.forward[path[t - 1] * folded.stride + path[t]];
        else if (t > 0 && step.diagonal) score += path[t - 1] == path[t] ? step.diagonal[path[t]] : kForbidden;
        score += folded.emissions[t][path[t]];
      }
      CHECK(close(score, total_score(*problem, path.data())));
    }
  }
}

// By the tables as they were given, state by state.
int64_t count_slowly(const Part& part, const std::vector<int32_t>& path) {
  int64_t total = 0;
  int32_t state = 0;
  for (const int32_t label : path) {
    const int at = state * part.classes + part.class_at(0, label);
    total += part.count_violations[at];
    state = part.count_delta[at];
  }
  return total + part.count_final[state];
}

TEST(quick_counting_counts_the_same) {
  for (uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const int labels = random.between(1, 4);
    const auto part = make_part(random_machine(random, labels, 2, Memory::none), Mode::counted, 1.0);
    CHECK(!part->count_alone.empty());
    Part slow = *part;
    slow.count_alone.clear();
    std::vector<int32_t> path(6);
    std::vector<uint16_t> kinds(6);
    for (auto& label : path) label = random.below(labels);
    for (auto& kind : kinds) kind = static_cast<uint16_t>(random.below(2));
    CHECK_EQUAL(count_violations(*part, kinds.data(), path.data(), 6), count_violations(slow, kinds.data(), path.data(), 6));
    CHECK_EQUAL(count_violations(*part, nullptr, path.data(), 6), count_violations(slow, nullptr, path.data(), 6));
  }
}

TEST(walks_count_the_same_in_bundles_side_by_side_and_alone) {
  int obeyed = 0, broken = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const int labels = random.between(1, 4);
    std::vector<std::shared_ptr<const Part>> parts;
    for (int p = random.between(1, 5); p > 0; --p)
      parts.push_back(make_part(random_machine(random, labels, 1, Memory::any), random_mode(random), 1.0));
    const auto set = PartSet::make(parts);
    std::size_t covered = 0;
    for (const Bundle& bundle : set->bundles) covered += bundle.parts.size();
    CHECK_EQUAL(covered, set->searched.size());
    std::vector<int32_t> path(random.between(1, 5));
    const int length = static_cast<int>(path.size());
    for (int tries = 0; tries < 20; ++tries) {
      for (auto& label : path) label = random.below(labels);
      std::vector<int64_t> together(parts.size(), 0), side_by_side(parts.size(), -1);
      set->count(path.data(), length, [&](int32_t p, int64_t violations) { together[p] += violations; });
      {
        CountingWalks walks(path.data(), length);
        for (std::size_t p = 0; p < parts.size(); ++p) walks.count(*parts[p], nullptr, &side_by_side[p]);
      }
      for (std::size_t p = 0; p < parts.size(); ++p) {
        const int64_t count = count_slowly(*parts[p], path);
        CHECK_EQUAL(count_violations(*parts[p], nullptr, path.data(), length), count);
        CHECK_EQUAL(side_by_side[p], count);
        CHECK_EQUAL(together[p], parts[p]->local ? 0 : count);
        ++(count ? broken : obeyed);
      }
    }
  }
  CHECK(obeyed > 200 && broken > 200);
}

TEST(a_part_that_is_too_large_for_a_walk_stands_alone) {
  Machine machine;  // at least 3000 of label 1
  const int most = 3000;
  machine.labels = 2;
  machine.classes = 2;
  machine.states = most + 1;
  machine.table = {0, 1};
  for (int s = 0; s <= most; ++s) {
    machine.delta.insert(machine.delta.end(), {s, std::min(s + 1, most)});
    machine.violations.insert(machine.violations.end(), {0, 0});
    machine.final.push_back(most - s);
  }
  const auto set = PartSet::make({make_part(machine, Mode::counted, 1.0), make_part(machine, Mode::counted, 1.0)});
  CHECK(set->bundles.empty());
  CHECK_EQUAL(set->unbundled.size(), 2u);
}

}  // namespace
}  // namespace lawful
