// The product of a few parts, built only where a search goes.
//
// A state of the product together with the label just read is (label, row): a row is one combination of the
// parts' colours. The search keeps K scores for each row that is reached, so that a step is arithmetic on whole rows.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/rules/problem.hpp"
#include "core/support/budget.hpp"

namespace lawful {

class LazyProduct {
 public:
  // Where reading one more label leads: to `row`, adding cost[k] for label k (kForbidden for labels that lead
  // elsewhere or nowhere); a null cost adds nothing and takes every label there.
  struct Exit {
    int32_t row;
    const double* cost;
  };
  struct Exits {
    const Exit* first = nullptr;
    int32_t count = 0;
    const Exit* begin() const { return first; }
    const Exit* end() const { return first + count; }
  };
  struct Group {  // labels of a row that have the same exits
    std::vector<uint64_t> members;  // bits
    const double* mask;  // 0 for labels of the group, kForbidden for others; null: all labels
    Exits exits;
  };
  struct Fan {  // everything that can happen to one row on one joint kind of token
    std::vector<int32_t> group_of;  // (K)
    std::vector<Group> groups;
    Exits stay;  // exits for labels that repeat: cost[k] for k -> k
  };

  explicit LazyProduct(const std::vector<const Part*>& parts);

  int rows() const { return static_cast<int>(row_colours_.size() / parts_.size()); }
  int joint_kind(const std::vector<uint16_t>& kinds);  // one kind per part
  int kind_zero() const { return 0; }                  // all parts' tokens are of kind 0
  // Throws at the budget's limits; then nothing is kept of the fan.
  const Fan& fan(int row, int joint_kind, Budget& budget);
  const Exits& start(int joint_kind, Budget& budget);
  const double* final_cost(int row);  // (stride), 0 or negative; null: nothing

  // Fills out[k] with the sum over parts of value(part, state), for the states of (row, label k).
  template <typename Value>
  void sum_over_states(int row, Value value, double* out) const {
    std::vector<int32_t> states(parts_.size());
    for (int k = 0; k < stride_; ++k) {
      out[k] = 0.0;
      if (k >= labels_ || !states_of(row, k, states)) continue;
      for (std::size_t p = 0; p < parts_.size(); ++p) out[k] += value(p, states[p]);
    }
  }

  std::size_t memory() const { return memory_; }

 private:
  using States = std::vector<int32_t>;

  int row_of(const States& states);
  bool states_of(int row, int label, States& states) const;
  // Reads `label` on `joint_kind` from `from` into `to`; kForbidden if a part dies.
  double read(const States& from, int joint_kind, int label, States& to) const;
  Exits exits_of(const std::vector<int32_t>& targets, const std::vector<double>& costs, Budget& budget);
  const double* interned(const std::vector<double>& row);

  std::vector<std::shared_ptr<const Part>> parts_;
  int labels_, stride_;
  std::vector<int32_t> row_colours_;  // (rows, parts)
  std::unordered_map<std::string, int32_t> row_index_;
  std::unordered_map<std::string, int32_t> kind_index_;
  std::vector<std::vector<uint16_t>> joint_kinds_;
  std::vector<std::vector<std::unique_ptr<Fan>>> fans_;  // [joint kind][row]
  std::vector<std::unique_ptr<Exits>> starts_;           // [joint kind]
  std::vector<std::unique_ptr<std::vector<Exit>>> exit_store_;
  std::unordered_map<std::string, std::unique_ptr<Doubles>> cost_store_;
  std::vector<const double*> finals_;  // [row]
  std::vector<bool> finals_known_;
  std::size_t memory_ = 0;
};

// Products that are kept, so that a corpus builds each one once.
class Products {
 public:
  // The product of these parts; valid until the next call.
  LazyProduct& of(const std::vector<const Part*>& parts);

  std::size_t bytes() const { return others_ + (latest_ ? latest_->memory() : 0); }
  // Without the product that was asked for last.
  std::size_t bytes_of_others() const { return others_; }

 private:
  std::unordered_map<std::string, std::unique_ptr<LazyProduct>> kept_;
  LazyProduct* latest_ = nullptr;  // the only one that grows
  std::size_t others_ = 0;         // bytes of all that are kept but this one
  std::string key_;
};

}  // namespace lawful
