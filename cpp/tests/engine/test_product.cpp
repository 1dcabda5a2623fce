// Products of parts against the parts themselves, one label after another.
#include "core/engine/product.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

// Where an exit list leads for a label, and at what cost; a row of -1 if nowhere.
std::pair<int32_t, double> follow(const LazyProduct::Exits& exits, int label) {
  std::pair<int32_t, double> found{-1, kForbidden};
  for (const LazyProduct::Exit& exit : exits) {
    const double cost = exit.cost ? exit.cost[label] : 0.0;
    if (cost == kForbidden) continue;
    CHECK_EQUAL(found.first, -1);  // a label has one exit
    found = {exit.row, cost};
  }
  return found;
}

// Walks `steps` random labels through the product and through each part, on random kinds of tokens.
void walk_beside_parts(Random& random, const std::vector<std::shared_ptr<const Part>>& parts, int steps) {
  std::vector<const Part*> pointers;
  for (const auto& part : parts) pointers.push_back(part.get());
  const int labels = parts.front()->labels;
  LazyProduct product(pointers);
  Budget budget{Limits{}};
  std::vector<uint16_t> kinds(parts.size());
  std::vector<int32_t> states(parts.size(), 0);
  int32_t row = -1, before = -1;
  for (int t = 0; t < steps; ++t) {
    for (std::size_t p = 0; p < parts.size(); ++p) kinds[p] = static_cast<uint16_t>(random.below(parts[p]->kinds));
    const int label = t > 0 && random.chance(0.3) ? before : random.below(labels);
    const int joint_kind = product.joint_kind(kinds.data());
    double cost = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const int at = states[p] * parts[p]->classes + parts[p]->class_at(kinds[p], label);
      states[p] = parts[p]->delta[at];
      if (states[p] == kDead) {
        cost = kForbidden;
        break;
      }
      cost -= parts[p]->cost[at];
    }
    std::pair<int32_t, double> reached;
    if (t == 0) {
      reached = follow(product.start(joint_kind, budget), label);
    } else {
      const LazyProduct::Fan& fan = product.fan(row, joint_kind, budget);
      reached = follow(fan.groups[fan.group_of[before]].exits, label);
      CHECK((fan.groups[fan.group_of[before]].members[before / 64] >> before % 64) & 1);
      if (label == before) CHECK(follow(fan.stay, label) == reached);
    }
    CHECK_EQUAL(reached.second, cost);
    if (cost == kForbidden) return;
    row = reached.first;
    before = label;
    Doubles values(product.size_by_colour()), sums(parts.front()->stride());
    product.value_by_colour([](std::size_t p, int32_t state) { return static_cast<double>((p + 1) * state); }, values.data());
    product.sum_by_colour(row, values.data(), sums.data());
    double sum = 0, final = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      sum += static_cast<double>((p + 1) * states[p]);
      final -= parts[p]->final_cost[states[p]];
    }
    CHECK_EQUAL(sums[label], sum);
    const double* final_cost = product.final_cost(row);
    CHECK_EQUAL(final_cost ? final_cost[label] : 0.0, final);
  }
  CHECK(product.memory() > 1000);
}

std::vector<std::shared_ptr<const Part>> random_parts(Random& random, int labels, int count, bool soft) {
  std::vector<std::shared_ptr<const Part>> parts;
  while (static_cast<int>(parts.size()) < count) {
    const auto mode = static_cast<Mode>(soft ? random.between(1, 2) : random.below(3));
    auto part = make_part(random_machine(random, labels, random.between(1, 3), Memory::any), mode, 1.5);
    if (!part->local) parts.push_back(std::move(part));
  }
  return parts;
}

TEST(a_product_does_what_its_parts_do) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    const int labels = seed % 10 ? random.between(1, 9) : random.between(60, 80);
    walk_beside_parts(random, random_parts(random, labels, random.between(1, 6), random.chance(0.7)), 40);
  }
}

TEST(a_product_may_have_more_rows_than_a_word_can_count) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    Random random(seed + 400);
    const auto parts = random_parts(random, 5, 90, true);
    double colours = 1;
    for (const auto& part : parts) colours *= part->colours;
    CHECK(colours > 1e20);
    walk_beside_parts(random, parts, 60);
  }
}

}  // namespace
}  // namespace lawful
