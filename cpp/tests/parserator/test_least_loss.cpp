#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "core/parserator/crfsuite_model.hpp"
#include "core/parserator/least_loss.hpp"
#include "tests/check.hpp"

namespace {

using namespace lawful;

struct Problem {
  int labels, length;
  std::vector<double> transitions;
  Doubles emissions;  // (length, stride of the model)
  FieldNames names;
};

int below(std::mt19937& random, int n) { return static_cast<int>(random() % n); }

// Small whole numbers, so that sums are exact. Some labels share a field, on some levels only; one or two switch levels.
Problem random_problem(std::mt19937& random, int levels) {
  Problem made{2 + below(random, 4), 1 + below(random, 6), {}, {}, {}};
  for (int i = 0; i < made.labels * made.labels; ++i) made.transitions.push_back(below(random, 5) - 2);
  made.names.level.assign(made.labels, 0);
  for (int level = 1; level < levels; ++level) made.names.level[below(random, made.labels)] = static_cast<uint8_t>(level);
  for (int level = 0; level < levels; ++level)
    for (int label = 0; label < made.labels; ++label)
      made.names.fields.push_back(below(random, 3) ? label : below(random, made.labels + 1));
  made.names.interrupts.assign(made.labels + 1, 0);
  made.names.sign.assign(made.labels, 0);
  return made;
}

bool obeys(const FieldNames& names, const std::vector<int32_t>& labels) {
  FieldReader reader(names);
  reader.start();
  return std::none_of(labels.begin(), labels.end(), [&](int32_t label) { return reader.read(label).raises; });
}

TEST(no_labels_that_obey_cost_less_than_the_least_loss) {
  std::mt19937 random(11);
  int told = 0, exact = 0;
  for (int round = 0; round < 4000; ++round) {
    Problem problem = random_problem(random, 1 + round % 3);
    const int64_t starts[1] = {0};
    const CrfsuiteModel model({}, problem.labels, {problem.transitions.data(), starts, nullptr, nullptr});
    const int stride = model.stride(), length = problem.length;
    problem.emissions.assign(static_cast<std::size_t>(length) * stride, -std::numeric_limits<double>::infinity());
    for (int t = 0; t < length; ++t)
      for (int k = 0; k < problem.labels; ++k) problem.emissions[t * stride + k] = below(random, 13) - 6;

    const double none = -std::numeric_limits<double>::infinity();
    double best = none, best_that_obeys = none;
    std::vector<double> expected(static_cast<std::size_t>(length) * problem.labels, none);
    std::vector<int32_t> labels(length, 0), plain;
    for (;;) {
      double score = 0;
      for (int t = 0; t < length; ++t) {
        score += problem.emissions[t * stride + labels[t]];
        if (t) score += problem.transitions[labels[t - 1] * problem.labels + labels[t]];
      }
      if (score > best) {
        best = score;
        plain = labels;
      }
      for (int t = 0; t < length; ++t) {
        double& through = expected[t * problem.labels + labels[t]];
        through = std::max(through, score);
      }
      if (obeys(problem.names, labels)) best_that_obeys = std::max(best_that_obeys, score);
      int t = 0;
      while (t < length && ++labels[t] == problem.labels) labels[t++] = 0;
      if (t == length) break;
    }

    CrfsuiteModel::Room room;
    Doubles through;
    model.best_through(problem.emissions.data(), length, room, through);
    for (int t = 0; t < length; ++t)
      for (int k = 0; k < problem.labels; ++k) CHECK_EQUAL(through[t * stride + k], expected[t * problem.labels + k]);

    LeastLoss least(problem.names);
    CHECK(least.can_tell());
    const double loss = least.of(through.data(), length, stride, plain.data());
    CHECK(loss <= best - best_that_obeys);
    if (obeys(problem.names, plain)) CHECK_EQUAL(loss, 0.0);
    told += loss > 0;
    exact += loss > 0 && loss == best - best_that_obeys;
  }
  CHECK(told > 500 && exact > 100);  // it is worth something
}

TEST(what_interrupts_fields_is_left_alone) {
  FieldNames names{{0, 0}, {0, 1}, false, {0, 1}, {0, 0}};
  CHECK(!LeastLoss(names).can_tell());
  names.interrupts = {0, 0};
  CHECK(LeastLoss(names).can_tell());
  names.only_repeated = true;
  CHECK(!LeastLoss(names).can_tell());
}

}  // namespace
