#include "core/parserator/parsing.hpp"

#include <algorithm>
#include <limits>

#include "core/parserator/least_loss.hpp"
#include "core/support/parallel.hpp"

namespace lawful {
namespace {

constexpr int64_t kShare = 256;  // strings that a thread takes at a time

class Worker {
 public:
  Worker(const StringParser& parser, std::unique_ptr<TokenReader> reader)
      : parser_(parser), model_(*parser.model), reader_(std::move(reader)), fields_(parser.fields), least_(parser.fields) {}

  // False if the text is foreign.
  bool read(const RawText& raw) {
    return raw.length < std::numeric_limits<int32_t>::max() && text_.read(raw, *parser_.characters) && look();
  }

  void parse(const RawText& raw, Parsings& into, double limit) {
    if (!read(raw)) {
      into.verdicts.push_back(Verdict::foreign);
      into.offsets.push_back(static_cast<int64_t>(into.tokens.size()));
      return;
    }
    const std::size_t before = into.labels.size();
    into.tokens.insert(into.tokens.end(), tokens_.begin(), tokens_.end());
    into.labels.resize(into.tokens.size());
    into.offsets.push_back(static_cast<int64_t>(into.tokens.size()));
    if (tokens_.empty()) {
      into.verdicts.push_back(Verdict::obeys);
      return;
    }
    score();
    int32_t* labels = into.labels.data() + before;
    model_.tag(emissions_.data(), static_cast<int>(tokens_.size()), room_, labels);
    const Verdict verdict = !any_raises(labels) ? Verdict::obeys : costs_more_than(limit, labels) ? Verdict::far : Verdict::breaks;
    into.verdicts.push_back(verdict);
    if (verdict != Verdict::breaks) return;
    for (std::size_t t = 0; t < tokens_.size(); ++t) {
      const double* row = emissions_.data() + t * model_.stride();
      into.scores.insert(into.scores.end(), row, row + model_.labels());
    }
  }

 private:
  bool look() {
    reader_->cut(text_, tokens_);
    shown_.clear();
    offsets_.assign(1, 0);
    for (std::size_t t = 0; t < tokens_.size(); ++t) {
      if (!reader_->look(text_, tokens_, t, shown_)) return false;
      offsets_.push_back(shown_.size());
    }
    return true;
  }

  // In the order of the package's features: the token's own, those of the one before, of the one after, and the ends.
  void score() {
    const int stride = model_.stride();
    const std::size_t length = tokens_.size();
    emissions_.assign(length * stride, 0.0);
    auto mark = [](int32_t name, auto add) {
      if (name >= 0) add(Shown{name, 1.0});
    };
    for (std::size_t t = 0; t < length; ++t) {
      double* row = emissions_.data() + t * stride;
      auto own = [&](const Shown& shown) { model_.add_own(shown, row); };
      auto previous = [&](const Shown& shown) { model_.add_previous(shown, row); };
      auto next = [&](const Shown& shown) { model_.add_next(shown, row); };
      std::for_each(shown_.begin() + offsets_[t], shown_.begin() + offsets_[t + 1], own);
      if (t > 0) {
        std::for_each(shown_.begin() + offsets_[t - 1], shown_.begin() + offsets_[t], previous);
        if (t == 1) mark(reader_->first, previous);
      }
      if (t + 1 < length) {
        std::for_each(shown_.begin() + offsets_[t + 1], shown_.begin() + offsets_[t + 2], next);
        if (t + 2 == length) mark(reader_->last, next);
      }
      if (length == 1) {
        for (const int32_t name : reader_->single) mark(name, own);
      } else {
        if (t == 0) mark(reader_->first, own);
        if (t + 1 == length) mark(reader_->last, own);
      }
      std::fill(row + model_.labels(), row + stride, kForbidden);
    }
  }

  bool any_raises(const int32_t* labels) {
    fields_.start();
    for (std::size_t t = 0; t < tokens_.size(); ++t)
      if (fields_.read(labels[t]).raises) return true;
    return false;
  }

  bool costs_more_than(double limit, const int32_t* labels) {
    if (limit == std::numeric_limits<double>::infinity() || !least_.can_tell()) return false;
    const auto length = static_cast<int>(tokens_.size());
    model_.best_through(emissions_.data(), length, room_, through_);
    return least_.of(through_.data(), length, model_.stride(), labels) > limit;
  }

  const StringParser& parser_;
  const CrfsuiteModel& model_;
  std::unique_ptr<TokenReader> reader_;
  FieldReader fields_;
  LeastLoss least_;
  Text text_;
  std::vector<TokenSpan> tokens_;
  std::vector<Shown> shown_;
  std::vector<std::size_t> offsets_;  // of each token's features
  Doubles emissions_, through_;
  CrfsuiteModel::Room room_;
};

void append(const Parsings& from, Parsings& into) {
  const auto shift = static_cast<int64_t>(into.tokens.size());
  into.verdicts.insert(into.verdicts.end(), from.verdicts.begin(), from.verdicts.end());
  for (std::size_t i = 1; i < from.offsets.size(); ++i) into.offsets.push_back(from.offsets[i] + shift);
  into.tokens.insert(into.tokens.end(), from.tokens.begin(), from.tokens.end());
  into.labels.insert(into.labels.end(), from.labels.begin(), from.labels.end());
  into.scores.insert(into.scores.end(), from.scores.begin(), from.scores.end());
}

int64_t shares_of(const std::vector<RawText>& texts) { return (static_cast<int64_t>(texts.size()) + kShare - 1) / kShare; }

template <typename Work>  // work(worker, number of the text); one thread does a share of them, in order
void each_text(const StringParser& parser, const std::vector<RawText>& texts, const MakeReader& make_reader, int threads,
               const Work& work) {
  const auto count = static_cast<int64_t>(texts.size());
  std::vector<std::unique_ptr<Worker>> workers(std::clamp<int64_t>(threads, 1, std::max<int64_t>(1, shares_of(texts))));
  for (auto& worker : workers) worker = std::make_unique<Worker>(parser, make_reader());
  parallel_for(shares_of(texts), static_cast<int>(workers.size()), [&](int64_t share, int worker) {
    if (worker == 0) ask_for_interruption();  // the thread that the call was made in
    for (int64_t i = share * kShare; i < std::min(count, (share + 1) * kShare); ++i) work(*workers[worker], i);
  });
}

}  // namespace

void look_at_strings(const StringParser& parser, const std::vector<RawText>& texts, const MakeReader& make_reader, int threads) {
  each_text(parser, texts, make_reader, threads, [&](Worker& worker, int64_t i) { worker.read(texts[i]); });
}

Parsings parse_strings(const StringParser& parser, const std::vector<RawText>& texts, const MakeReader& make_reader, int threads,
                       double limit) {
  std::vector<Parsings> parts(shares_of(texts));
  each_text(parser, texts, make_reader, threads,
            [&](Worker& worker, int64_t i) { worker.parse(texts[i], parts[i / kShare], limit); });
  Parsings all;
  for (Parsings& part : parts) {
    append(part, all);
    part = {};
  }
  return all;
}

}  // namespace lawful
