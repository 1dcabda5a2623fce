// What is kept from one sequence to the next changes nothing.
#include <algorithm>

#include "core/rules/fold.hpp"
#include "tests/check.hpp"
#include "tests/random_problems.hpp"

namespace lawful {
namespace {

bool same(const double* a, const double* b, std::size_t size) { return !a == !b && (!a || std::equal(a, a + size, b)); }

// Few matrices and local rules, in many combinations; those of one pool are gone when the next is made.
TEST(sheets_that_are_kept_are_those_that_would_be_made) {
  Random random(20);
  Folded kept;
  for (int pool = 0; pool < 12; ++pool) {
    const int labels = random.between(2, 9), length = random.between(2, 6);
    std::vector<std::shared_ptr<const Trellis>> trellises;
    std::vector<std::shared_ptr<const Part>> parts;
    for (int n = 0; n < 3; ++n) {
      TrellisOptions options = random_options(random);
      options.a_matrix_a_step = n == 2;
      trellises.push_back(random_trellis(random, length, labels, options));
      parts.push_back(make_part(random_machine(random, labels, 2, Memory::last_class), Mode::counted, 1.5));
    }
    for (int n = 0; n < 40; ++n) {
      auto own = std::make_shared<Binding>(length);
      for (const auto& part : parts) {
        if (random.chance(0.4)) continue;
        uint16_t* kinds = own->add_with_kinds(part);
        for (int t = 0; t < length; ++t) kinds[t] = static_cast<uint16_t>(random.below(2));
      }
      const auto problem = Problem::make(trellises[random.below(3)], PartSet::make({}), own);
      Folded fresh;
      kept.build(*problem);
      fresh.build(*problem);
      const std::size_t stride = fresh.stride, size = labels * stride;
      for (int t = 0; t < length; ++t) {
        CHECK(same(kept.emissions[t], fresh.emissions[t], stride));
        if (t == 0) continue;
        CHECK(same(kept.steps[t].forward, fresh.steps[t].forward, size));
        CHECK(same(kept.steps[t].backward, fresh.steps[t].backward, size));
        CHECK(same(kept.steps[t].diagonal, fresh.steps[t].diagonal, stride));
      }
    }
  }
}

}  // namespace
}  // namespace lawful
