#include "core/learning/lbfgs.hpp"

#include <algorithm>
#include <cmath>

namespace lawful {
namespace {

constexpr double kEnough = 1e-4;    // Armijo: this share of the promised descent must come
constexpr double kFlatter = 0.9;    // Wolfe: the slope must become this much flatter
constexpr double kTinyCurvature = 1e-14;

double sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; }

// Where the cubic through two points with these values and slopes is least.
double cubic_minimum(double a, double fa, double da, double b, double fb, double db) {
  const double theta = 3 * (fa - fb) / (b - a) + da + db;
  const double root = theta * theta - da * db;
  if (!(root >= 0)) return (a + b) / 2;
  const double gamma = std::copysign(std::sqrt(root), b - a);
  return b - (b - a) * (db + gamma - theta) / (db - da + 2 * gamma);
}

}  // namespace

Lbfgs::Lbfgs(int64_t size, Function function, const Options& options)
    : size_(size), function_(std::move(function)), options_(options), blocked_(size, options.threads) {
  for (Doubles* vector : {&x_, &gradient_, &next_x_, &next_gradient_, &direction_}) vector->assign(size, 0.0);
  if (options.c1 > 0) descent_.assign(size, 0.0);
}

double Lbfgs::evaluate(const double* x, double* gradient) {
  const double value = function_(x, gradient), c2 = options_.c2;
  if (c2 == 0) return value;
  return value + c2 * blocked_.sum([&](int64_t begin, int64_t end) {
    double sum = 0;
    for (int64_t i = begin; i < end; ++i) {
      gradient[i] += 2 * c2 * x[i];
      sum += x[i] * x[i];
    }
    return sum;
  });
}

double Lbfgs::absolute_sum(const double* x) {
  return blocked_.sum([&](int64_t begin, int64_t end) {
    double sum = 0;
    for (int64_t i = begin; i < end; ++i) sum += std::abs(x[i]);
    return sum;
  });
}

Lbfgs::Report Lbfgs::start(const double* x) {
  std::copy(x, x + size_, x_.begin());
  pairs_.clear();
  value_ = evaluate(x_.data(), gradient_.data());
  if (options_.c1 > 0) value_ += options_.c1 * absolute_sum(x_.data());
  Report report;
  report.trials = 1;
  return finish(report);
}

Lbfgs::Report Lbfgs::step() {
  Report report;
  set_direction();
  report.step = pairs_.empty() ? 1 / std::max(1e-300, std::sqrt(blocked_.dot(direction_.data(), direction_.data()))) : 1.0;
  bool improved = slope_ < 0 && (options_.c1 > 0 ? search_orthant(report) : search(report));
  if (!improved && !pairs_.empty()) {  // the memory may be stale: try again, straight down
    pairs_.clear();
    set_direction();
    report.step = 1 / std::max(1e-300, std::sqrt(blocked_.dot(direction_.data(), direction_.data())));
    improved = slope_ < 0 && (options_.c1 > 0 ? search_orthant(report) : search(report));
  }
  report.improved = improved;
  if (improved) {
    remember();
    x_.swap(next_x_);
    gradient_.swap(next_gradient_);
    value_ = next_value_;
  }
  return finish(report);
}

Lbfgs::Report Lbfgs::finish(Report report) {
  set_descent();
  const double* down = options_.c1 > 0 ? descent_.data() : gradient_.data();
  report.objective = value_;
  report.gradient_norm = std::sqrt(blocked_.dot(down, down));
  report.weight_norm = std::sqrt(blocked_.dot(x_.data(), x_.data()));
  return report;
}

// The pseudo-gradient: where the absolute value has a kink, the slope of the steeper way down, if there is one.
void Lbfgs::set_descent() {
  const double c1 = options_.c1;
  if (c1 <= 0) return;
  blocked_.each([&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const double g = gradient_[i];
      if (x_[i] != 0) descent_[i] = g + c1 * sign(x_[i]);
      else descent_[i] = g < -c1 ? g + c1 : g > c1 ? g - c1 : 0.0;
    }
  });
}

void Lbfgs::set_direction() {
  const Doubles& down = options_.c1 > 0 ? descent_ : gradient_;
  double* q = direction_.data();
  blocked_.each([&](int64_t begin, int64_t end) { std::copy(down.begin() + begin, down.begin() + end, q + begin); });
  const std::size_t count = pairs_.size();
  auto age = [&](std::size_t i) -> Pair& { return pairs_[(newest_ + count - i) % count]; };  // 0: the newest
  if (count) {
    std::vector<double> alpha(count);
    double product = blocked_.dot(age(0).change.data(), q);
    for (std::size_t i = 0; i < count; ++i) {
      alpha[i] = product / age(i).product;
      product = blocked_.add_and_dot(-alpha[i], age(i).bend.data(), q, i + 1 < count ? age(i + 1).change.data() : nullptr);
    }
    const double scale = age(0).product / age(0).bend_square;
    const double* oldest = age(count - 1).bend.data();
    product = blocked_.sum([&](int64_t begin, int64_t end) {
      double sum = 0;
      for (int64_t i = begin; i < end; ++i) {
        q[i] *= scale;
        sum += q[i] * oldest[i];
      }
      return sum;
    });
    for (std::size_t i = count; i-- > 0;) {
      const double beta = product / age(i).product;
      product = blocked_.add_and_dot(alpha[i] - beta, age(i).change.data(), q, i ? age(i - 1).bend.data() : nullptr);
    }
  }
  slope_ = blocked_.sum([&](int64_t begin, int64_t end) {
    double sum = 0;
    for (int64_t i = begin; i < end; ++i) {
      q[i] = -q[i];
      if (options_.c1 > 0 && q[i] * down[i] >= 0) q[i] = 0;  // not the way that the pseudo-gradient points
      sum += q[i] * down[i];
    }
    return sum;
  });
}

void Lbfgs::move(double step) {
  blocked_.each([&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) next_x_[i] = x_[i] + step * direction_[i];
  });
}

// A step that descends enough (Armijo) and leaves a flatter slope (weak Wolfe), by bracketing and cubic interpolation.
bool Lbfgs::search(Report& report) {
  double low = 0, low_value = value_, low_slope = slope_;
  double high = 0, high_value = 0, high_slope = 0;
  bool bracketed = false;
  double step = report.step, kept_step = -1;
  for (int trial = 0; trial < options_.most_trials; ++trial) {
    move(step);
    ++report.trials;
    next_value_ = evaluate(next_x_.data(), next_gradient_.data());
    const double slope = blocked_.dot(direction_.data(), next_gradient_.data());
    kept_step = step;
    if (!(next_value_ <= value_ + kEnough * step * slope_)) {  // also if it is not a number
      high = step;
      high_value = next_value_;
      high_slope = slope;
      bracketed = true;
    } else if (slope < kFlatter * slope_) {
      low = step;
      low_value = next_value_;
      low_slope = slope;
    } else {
      report.step = step;
      return true;
    }
    if (!bracketed) {
      step *= 4;
      continue;
    }
    const double width = high - low;
    if (!(std::abs(width) > 1e-16 * std::max(std::abs(high), 1e-300))) break;
    const double best = std::isfinite(high_value) && std::isfinite(high_slope)
                            ? cubic_minimum(low, low_value, low_slope, high, high_value, high_slope)
                            : low + 0.1 * width;
    step = std::clamp(std::isfinite(best) ? best : low + width / 2, low + 0.1 * width, high - 0.1 * width);
  }
  if (low <= 0) return false;
  if (kept_step != low) {  // the best that was seen, though its slope is still steep
    move(low);
    ++report.trials;
    next_value_ = evaluate(next_x_.data(), next_gradient_.data());
  }
  report.step = low;
  return next_value_ < value_;
}

// Backtracking inside the orthant of the current point; what would cross a zero stays there.
bool Lbfgs::search_orthant(Report& report) {
  double step = report.step;
  for (int trial = 0; trial < options_.most_trials; ++trial, step *= 0.5) {
    const double promised = blocked_.sum([&](int64_t begin, int64_t end) {
      double sum = 0;
      for (int64_t i = begin; i < end; ++i) {
        const double side = x_[i] != 0 ? sign(x_[i]) : sign(-descent_[i]);
        const double moved = x_[i] + step * direction_[i];
        next_x_[i] = sign(moved) == side ? moved : 0.0;
        sum += descent_[i] * (next_x_[i] - x_[i]);
      }
      return sum;
    });
    ++report.trials;
    next_value_ = evaluate(next_x_.data(), next_gradient_.data()) + options_.c1 * absolute_sum(next_x_.data());
    if (next_value_ <= value_ + kEnough * promised && next_value_ < value_) {
      report.step = step;
      return true;
    }
  }
  return false;
}

void Lbfgs::remember() {
  const auto memory = static_cast<std::size_t>(options_.memory);
  if (!memory) return;
  const std::size_t slot = pairs_.size() < memory ? pairs_.size() : (newest_ + 1) % memory;
  if (slot == pairs_.size()) pairs_.push_back({Doubles(size_), Doubles(size_), 0, 0});
  Pair& pair = pairs_[slot];
  pair.product = blocked_.sum([&](int64_t begin, int64_t end) {
    double sum = 0;
    for (int64_t i = begin; i < end; ++i) {
      pair.change[i] = next_x_[i] - x_[i];
      pair.bend[i] = next_gradient_[i] - gradient_[i];
      sum += pair.change[i] * pair.bend[i];
    }
    return sum;
  });
  pair.bend_square = blocked_.dot(pair.bend.data(), pair.bend.data());
  if (pair.product > kTinyCurvature * pair.bend_square && pair.bend_square > 0) {
    newest_ = slot;
  } else if (pairs_.size() <= memory && slot + 1 == pairs_.size() && slot != newest_) {
    pairs_.pop_back();  // no curvature: nothing to learn from this step
  } else {
    pairs_.clear();
    newest_ = 0;
  }
}

}  // namespace lawful
