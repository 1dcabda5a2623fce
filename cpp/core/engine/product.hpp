// The product of a few parts, built only where a search goes.
//
// A state of the product together with the label just read is (label, row): a row is one combination of the
// parts' colours. The search keeps K scores for each row that is reached, so that a step is arithmetic on whole rows.
//
// A row is known by a packed key, to which every part adds its own share. What one part does in one state on one kind of
// token is a vector over the labels that come next, of shares and of costs; what a state of the product does is their sum.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/rules/problem.hpp"
#include "core/support/arena.hpp"
#include "core/support/budget.hpp"
#include "core/support/mixed_radix.hpp"

namespace lawful {

class LazyProduct {
 public:
  // Where reading one more label leads: to `row`, adding cost[k] for label k (kForbidden for labels that lead
  // elsewhere or nowhere); a null cost adds nothing and takes every label there.
  struct Exit {
    int32_t row;
    const double* cost;
    double most;  // of the costs: 0 or less
  };
  struct Exits {
    const Exit* first = nullptr;
    int32_t count = 0;
    bool priced = false;  // whether an exit costs something by every label
    const Exit* begin() const { return first; }
    const Exit* end() const { return first + count; }
  };
  struct Group {  // labels of a row that have the same exits
    const uint64_t* members;  // bits
    const double* mask;  // 0 for labels of the group, kForbidden for others; null: all labels
    Exits exits;
  };
  struct Groups {
    const Group* first = nullptr;
    int32_t count = 0;
    const Group* begin() const { return first; }
    const Group* end() const { return first + count; }
    const Group& operator[](int32_t g) const { return first[g]; }
  };
  struct Fan {  // everything that can happen to one row on one joint kind of token
    const int32_t* group_of;  // (K)
    Groups groups;
    Exits stay;  // exits for labels that repeat: cost[k] for k -> k
  };

  explicit LazyProduct(const std::vector<const Part*>& parts);

  int rows() const { return rows_.count(); }
  int joint_kind(const uint16_t* kinds);  // one kind per part
  int kind_zero() const { return 0; }     // all parts' tokens are of kind 0
  // Throws at the budget's limits; then nothing is known of the fan.
  const Fan& fan(int row, int joint_kind, Budget& budget) {
    const auto& rows = fans_[joint_kind];
    if (static_cast<std::size_t>(row) < rows.size() && rows[row]) return *rows[row];
    return new_fan(row, joint_kind, budget);
  }
  const Exits& start(int joint_kind, Budget& budget);
  const double* final_cost(int row);  // (stride), 0 or negative; null: nothing

  // A row for each colour of each part: value(part, state) for the states that the labels name with it; kForbidden where
  // there is none. So many numbers:
  std::size_t size_by_colour() const;
  template <typename Value>
  void value_by_colour(Value value, double* values) const {
    for (std::size_t p = 0; p < parts_.size(); ++p)
      for (int32_t colour = 0; colour < parts_[p]->colours; ++colour, values += stride_)
        for (int k = 0; k < stride_; ++k) {
          const int32_t state = k < labels_ ? state_of(p, colour, k) : kDead;
          values[k] = state == kDead ? kForbidden : value(p, state);
        }
  }
  // Fills out (stride) with their sum over the parts, for the states of (row, label).
  void sum_by_colour(int row, const double* values, double* out) const;

  std::size_t memory() const;

 private:
  struct Move {  // what one part does in one state on one kind of token
    const uint64_t* share;  // (stride): what it adds to the key of the row that a label leads to
    const double* cost;     // (stride): 0 or less; kForbidden where it dies
  };
  struct Readings {  // of a few states of the product: where each label leads, and at what cost
    std::vector<int32_t> targets;  // (states, K), kDead: nowhere
    std::vector<double> costs;     // (states, K)
  };

  void colours_of(int row, int32_t* colours) const;
  int32_t state_of(std::size_t part, int32_t colour, int label) const {
    return parts_[part]->state_of[static_cast<std::size_t>(label) * parts_[part]->colours + colour];
  }
  bool has_states(const int32_t* colours, int label) const;
  const Move& move_of(std::size_t part, int kind, int32_t state);
  // Reads every label on `joint_kind` from these states.
  void read(const int32_t* states, int joint_kind, int32_t* targets, double* costs);
  Exits exits_of(const int32_t* targets, const double* costs, Budget& budget);
  const Fan& new_fan(int row, int joint_kind, Budget& budget);
  Fan build_fan(int row, int joint_kind, Budget& budget);
  const double* interned(const double* row);

  std::vector<std::shared_ptr<const Part>> parts_;
  int labels_, stride_;
  Arena arena_;
  MixedRadix colours_, kinds_;                       // a digit for each part
  WideKeyNumbers rows_, joint_kinds_, interned_numbers_;
  std::vector<std::vector<Move>> moves_;             // [first move of a part + kind][state]; null shares: not known
  std::vector<std::size_t> first_moves_;             // (parts)
  std::vector<std::vector<const Fan*>> fans_;        // [joint kind][row]
  std::vector<const Exits*> starts_;                 // [joint kind]
  std::vector<const double*> interned_;              // rows of costs, each only once
  std::vector<const double*> finals_;                // [row], as far as known
  std::size_t fixed_bytes_ = 0, table_bytes_ = 0;    // of the parts; of moves_ and fans_
  // Workspaces.
  Doubles cost_;                                     // (stride)
  std::vector<uint64_t> key_;                        // (words, stride)
  std::vector<uint64_t> one_key_;
  std::vector<int32_t> row_colours_, states_, exit_rows_, exit_of_;
  Readings readings_;
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
