#include <limits>
#include <memory>
#include <string>

#include "bindings/features/python_strings.hpp"
#include "bindings/linear/arrays.hpp"
#include "bindings/parserator/python_answers.hpp"
#include "core/parserator/parsing.hpp"
#include "core/parserator/probablepeople.hpp"
#include "core/parserator/usaddress.hpp"

#include <nanobind/stl/string.h>

namespace lawful {
namespace {

constexpr uint32_t kCharacters = 0x2200;  // Latin to general punctuation and letter-like symbols

bool has_ascii(PyObject* text) {
  for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text); ++i)
    if (PyUnicode_READ_CHAR(text, i) < 0x80) return true;
  return false;
}

// A character whose cases depend on its surroundings, or lead to several characters or into ASCII, is not `known`.
std::shared_ptr<const Characters> make_characters() {
  auto made = std::make_shared<Characters>();
  made->bits.resize(kCharacters);
  made->lower.resize(kCharacters);
  const auto lower_of = nb::str("").attr("__class__").attr("lower"), upper_of = nb::str("").attr("__class__").attr("upper");
  constexpr uint32_t kSigma = 0x3a3;  // its lower case depends on where it stands
  for (uint32_t c = 1; c < kCharacters; ++c) {  // 0 ends a name in CRFsuite
    const auto point = static_cast<Py_UCS4>(c);
    const nb::object text = checked(PyUnicode_FromOrdinal(static_cast<int>(c))), lower = lower_of(text);
    if (PyUnicode_GET_LENGTH(lower.ptr()) != 1 || c == kSigma) continue;
    made->lower[c] = PyUnicode_READ_CHAR(lower.ptr(), 0);
    if (made->lower[c] >= kCharacters) continue;
    if (c >= 0x80) {
      const nb::object upper = upper_of(text), upper_again = upper_of(lower);
      if (has_ascii(lower.ptr()) || has_ascii(upper.ptr()) || has_ascii(upper_again.ptr())) continue;
    }
    made->bits[c] = static_cast<uint8_t>(Characters::known | (Py_UNICODE_ISALNUM(point) || c == '_' ? Characters::word : 0) |
                                         (Py_UNICODE_ISSPACE(point) ? Characters::space : 0) |
                                         (Py_UNICODE_ISDIGIT(point) ? Characters::digit : 0) |
                                         (Py_UNICODE_ISALPHA(point) ? Characters::letter : 0));
  }
  return made;
}

StringTable table_of_strings(nb::handle strings) {
  StringTable table;
  std::string scratch;
  for (const nb::handle string : strings) {
    require(PyUnicode_Check(string.ptr()), "expected strings");
    table.add(utf8_of(string.ptr(), scratch));
  }
  return table;
}

void read_ratios(const nb::dict& ratios, StringTable& names, std::vector<double>& values) {
  std::string scratch;
  for (const auto [name, value] : ratios) {
    require(PyUnicode_Check(name.ptr()), "expected strings");
    names.add(utf8_of(name.ptr(), scratch));
    values.push_back(nb::cast<double>(value));
  }
}

using Bytes = In<uint8_t, nb::ndim<1>>;

class PythonParser {
 public:
  PythonParser(const nb::tuple& labels, const nb::tuple& attributes, const Matrix& transitions, const Offsets& row_starts,
               const Offsets& targets, const Vector& weights, const nb::tuple& field_names,
               const In<int32_t, nb::ndim<2>>& fields, const Bytes& levels, const Bytes& interrupts, const Bytes& signs,
               const nb::tuple& kinds, bool only_repeated)
      : labels_(labels), field_names_(field_names), kinds_(kinds) {
    const std::size_t k = labels.size();
    require(k > 0 && transitions.shape(0) == k && transitions.shape(1) == k, "transitions must be (K, K)");
    require(row_starts.size() == attributes.size() + 1 && targets.size() == weights.size(), "the features do not fit together");
    for (std::size_t a = 0; a < attributes.size(); ++a)
      require(row_starts.data()[a] >= 0 && row_starts.data()[a] <= row_starts.data()[a + 1], "row_starts must ascend from 0");
    require(row_starts.data()[attributes.size()] <= static_cast<int64_t>(targets.size()), "row_starts go beyond the features");
    for (std::size_t f = 0; f < targets.size(); ++f)
      require(targets.data()[f] >= 0 && targets.data()[f] < static_cast<int64_t>(k), "a feature has no label");
    require(fields.shape(1) == k && levels.size() == k && signs.size() == k, "levels, signs and fields must have K columns");
    require(interrupts.size() == field_names.size(), "expected one flag for each field");
    for (std::size_t i = 0; i < fields.size(); ++i)
      require(fields.data()[i] >= 0 && fields.data()[i] < static_cast<int64_t>(field_names.size()), "a field has no name");
    unsigned all_signs = 0;
    for (std::size_t label = 0; label < k; ++label) {
      require(levels.data()[label] < fields.shape(0), "a label switches to a level that is not there");
      all_signs |= signs.data()[label];
    }
    require(kinds.size() > all_signs, "expected a kind for every combination of signs");
    for (const nb::handle name : field_names) clashes_ = clashes_ || nb::cast<std::string>(name).ends_with(')');

    std::vector<std::string> kept;
    std::vector<std::string_view> names;
    std::string scratch;
    for (const nb::handle name : attributes) {
      require(PyUnicode_Check(name.ptr()), "expected strings");
      kept.emplace_back(utf8_of(name.ptr(), scratch));
    }
    names.assign(kept.begin(), kept.end());
    parser_.model = std::make_shared<const CrfsuiteModel>(
        names, static_cast<int>(k), CrfsuiteModel::Arrays{transitions.data(), row_starts.data(), targets.data(), weights.data()});
    static const std::shared_ptr<const Characters> characters = make_characters();
    parser_.characters = characters;
    parser_.fields = {copied(levels), copied(fields), only_repeated, copied(interrupts), copied(signs)};
  }
  virtual ~PythonParser() = default;

  // A list of answers, None where the rules are broken or the text is foreign; the numbers of the texts of both sorts; and of
  // the first sort: their texts, tokens and plain labels, and emissions (M, K), one after another. Where labels that obey cost
  // more than the limit, the plain ones are the answer, and what repeats a field is merged into it or kept apart.
  nb::tuple parse(const nb::list& texts, const nb::object& type, const nb::object& maker, int threads, double limit, bool merge) {
    if (clashes_ && !merge) limit = std::numeric_limits<double>::infinity();
    std::vector<nb::object> sources;
    std::vector<RawText> raw;
    for (const nb::handle text : texts) {
      require(PyUnicode_Check(text.ptr()), "expected strings");
      sources.push_back(source_of(text));
      PyObject* source = sources.back().ptr();
      raw.push_back({PyUnicode_DATA(source), PyUnicode_GET_LENGTH(source), static_cast<int>(PyUnicode_KIND(source))});
    }
    Parsings found = parse_raw(raw, threads, limit);
    return answers_of(texts, sources, found, type, maker, merge);
  }

 protected:
  virtual nb::object source_of(nb::handle text) { return nb::borrow(text); }
  virtual Parsings parse_raw(const std::vector<RawText>& raw, int threads, double limit) = 0;

  StringParser parser_;

 private:
  nb::tuple answers_of(const nb::list& texts, const std::vector<nb::object>& sources, Parsings& found, const nb::object& type,
                       const nb::object& maker, bool merge) {
    auto* python_type = reinterpret_cast<PyTypeObject*>(type.ptr());
    const nb::tuple nothing;
    const nb::object zero = checked(PyFloat_FromDouble(0.0));
    const char* kNames[] = {"text", "tokens", "labels", "plain_labels", "loss", "fell_back", "fields", "kind", "parser"};
    constexpr std::size_t kLoss = 4;
    std::vector<nb::object> names;
    for (const char* name : kNames) names.push_back(checked(PyUnicode_InternFromString(name)));
    FieldWriter writer(parser_.fields, field_names_);
    nb::object answers = checked(PyList_New(static_cast<Py_ssize_t>(sources.size())));
    nb::list breaking, foreign;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const int64_t from = found.offsets[i], count = found.offsets[i + 1] - from;
      const int32_t* numbers = found.labels.data() + from;
      nb::object answer = nb::none();
      if (found.verdicts[i] == Verdict::foreign) {
        foreign.append(nb::int_(i));
      } else {
        const nb::object tokens = tokens_of(sources[i].ptr(), found.tokens.data() + from, count);
        const nb::object labels = names_of(labels_, numbers, count);
        if (found.verdicts[i] == Verdict::breaks) {
          breaking.append(nb::make_tuple(nb::int_(i), tokens, labels));
        } else {
          answer = checked(python_type->tp_new(python_type, nothing.ptr(), nullptr));
          unsigned sign = 0;
          for (int64_t t = 0; t < count; ++t) sign |= parser_.fields.sign[numbers[t]];
          const bool far = found.verdicts[i] == Verdict::far;
          const nb::object fields = writer.write(tokens.ptr(), numbers, merge);
          PyObject* values[] = {PyList_GET_ITEM(texts.ptr(), static_cast<Py_ssize_t>(i)),
                                tokens.ptr(),
                                labels.ptr(),
                                labels.ptr(),
                                zero.ptr(),
                                far ? Py_True : Py_False,
                                fields.ptr(),
                                PyTuple_GET_ITEM(kinds_.ptr(), sign),
                                maker.ptr()};
          for (std::size_t n = 0; n < names.size(); ++n) {
            if (far && n == kLoss) continue;  // worked out when somebody asks for it
            if (PyObject_GenericSetAttr(answer.ptr(), names[n].ptr(), values[n]) != 0) throw nb::python_error();
          }
        }
      }
      PyList_SET_ITEM(answers.ptr(), static_cast<Py_ssize_t>(i), answer.release().ptr());
    }
    const auto labels = static_cast<std::size_t>(parser_.model->labels()), rows = found.scores.size() / labels;
    return nb::make_tuple(answers, breaking, foreign, table_of(std::move(found.scores), {rows, labels}));
  }

  nb::tuple labels_, field_names_, kinds_;
  bool clashes_ = false;  // a field may be called like the second run of another
};

class PythonUsaddress final : public PythonParser {
 public:
  template <typename... Arguments>
  PythonUsaddress(nb::object unescape, nb::handle directions, nb::handle street_names, const Arguments&... arguments)
      : PythonParser(arguments...), unescape_(std::move(unescape)) {
    words_.directions = table_of_strings(directions);
    words_.street_names = table_of_strings(street_names);
  }

 private:
  nb::object source_of(nb::handle text) override {
    const Py_ssize_t at = PyUnicode_FindChar(text.ptr(), '&', 0, PyUnicode_GET_LENGTH(text.ptr()), 1);
    return at < 0 ? nb::borrow(text) : unescape_(text);
  }
  Parsings parse_raw(const std::vector<RawText>& raw, int threads, double limit) override {
    const nb::gil_scoped_release released;
    return parse_strings(
        parser_, raw, [&] { return std::make_unique<UsaddressReader>(*parser_.model, *parser_.characters, words_); }, threads,
        limit);
  }

  nb::object unescape_;
  UsaddressWords words_;
};

class PythonProbablepeople final : public PythonParser {
 public:
  template <typename... Arguments>
  PythonProbablepeople(nb::object metaphones, nb::handle prepositions, const nb::dict& first_names, const nb::dict& genders,
                       const Arguments&... arguments)
      : PythonParser(arguments...), metaphones_(std::move(metaphones)) {
    words_.prepositions = table_of_strings(prepositions);
    read_ratios(first_names, words_.first_names, words_.first_name_ratios);
    read_ratios(genders, words_.gendered, words_.gender_ratios);
  }

 private:
  Parsings parse_raw(const std::vector<RawText>& raw, int threads, double limit) override {
    Metaphones sounds;
    std::vector<std::unique_ptr<StringTable>> unheard;  // one a reader
    const MakeReader make_reader = [&]() -> std::unique_ptr<TokenReader> {
      unheard.push_back(std::make_unique<StringTable>());
      return std::make_unique<ProbablepeopleReader>(*parser_.model, *parser_.characters, words_, sounds, *unheard.back());
    };
    {
      const nb::gil_scoped_release released;
      look_at_strings(parser_, raw, make_reader, threads);
    }
    const auto heard = std::move(unheard);
    unheard.clear();
    std::string scratch;
    for (const auto& words : heard)
      for (int32_t word = 0; word < words->size(); ++word) {
        if (sounds.words.find((*words)[word]) >= 0) continue;
        sounds.words.add((*words)[word]);
        const nb::object codes = metaphones_(to_python((*words)[word]));
        require(PyTuple_Check(codes.ptr()) && PyTuple_GET_SIZE(codes.ptr()) == 2, "expected two metaphones");
        for (int which = 0; which < 2; ++which) {
          PyObject* code = PyTuple_GET_ITEM(codes.ptr(), which);
          require(PyUnicode_Check(code), "a metaphone must be a string");
          sounds.codes[which].emplace_back(utf8_of(code, scratch));
        }
      }
    const nb::gil_scoped_release released;
    return parse_strings(parser_, raw, make_reader, threads, limit);
  }

  nb::object metaphones_;
  ProbablepeopleWords words_;
};

}  // namespace

void bind_string_parser(nb::module_& m) {
#define LAWFUL_INTEGERS "numpy.typing.NDArray[numpy.int64]"
#define LAWFUL_FLOATS "numpy.typing.NDArray[numpy.float64]"
#define LAWFUL_BYTES "numpy.typing.NDArray[numpy.uint8]"
#define LAWFUL_TEXTS "tuple[str, ...]"
#define LAWFUL_ARGUMENTS                                                                                                      \
  "labels: " LAWFUL_TEXTS ", attributes: " LAWFUL_TEXTS ", transitions: " LAWFUL_FLOATS ", row_starts: " LAWFUL_INTEGERS      \
  ", targets: " LAWFUL_INTEGERS ", weights: " LAWFUL_FLOATS ", field_names: " LAWFUL_TEXTS                                    \
  ", fields: numpy.typing.NDArray[numpy.int32], levels: " LAWFUL_BYTES ", interrupts: " LAWFUL_BYTES ", signs: " LAWFUL_BYTES \
  ", kinds: " LAWFUL_TEXTS ", only_repeated: bool) -> None"
  using Fields = In<int32_t, nb::ndim<2>>;
  nb::class_<PythonParser>(m, "StringParser", "Strings to tokens and labels, as a package made with parserator does it.")
      .def("parse", &PythonParser::parse, nb::arg("texts"), nb::arg("type"), nb::arg("parser"), nb::arg("threads"),
           nb::kw_only(), nb::arg("limit"), nb::arg("merge"),
           nb::sig("def parse(self, texts: list[str], type: type, parser: object, threads: int, *, limit: float, merge: bool) -> "
                   "tuple[list[object | None], list[tuple[int, " LAWFUL_TEXTS ", " LAWFUL_TEXTS "]], list[int], " LAWFUL_FLOATS
                   "]"),
           "The answers, None where there is none yet; (number, tokens, plain labels) of the strings whose labels break the "
           "rules, though it may cost no more than the limit to obey; "
           "the numbers of those that only the package itself can read; the emissions (M, K) of the former.");
  nb::class_<PythonUsaddress, PythonParser>(m, "UsaddressParser")
      .def(
          nb::init<nb::object, nb::handle, nb::handle, const nb::tuple&, const nb::tuple&, const Matrix&, const Offsets&,
                   const Offsets&, const Vector&, const nb::tuple&, const Fields&, const Bytes&, const Bytes&, const Bytes&,
                   const nb::tuple&, bool>(),
          nb::arg("unescape"), nb::arg("directions"), nb::arg("street_names"), nb::arg("labels"), nb::arg("attributes"),
          nb::arg("transitions"), nb::arg("row_starts"), nb::arg("targets"), nb::arg("weights"), nb::arg("field_names"),
          nb::arg("fields"), nb::arg("levels"), nb::arg("interrupts"), nb::arg("signs"), nb::arg("kinds"),
          nb::arg("only_repeated"),
          nb::sig("def __init__(self, unescape: collections.abc.Callable[[str], str], directions: collections.abc.Iterable[str], "
                  "street_names: collections.abc.Iterable[str], " LAWFUL_ARGUMENTS));
  nb::class_<PythonProbablepeople, PythonParser>(m, "ProbablepeopleParser")
      .def(nb::init<nb::object, nb::handle, const nb::dict&, const nb::dict&, const nb::tuple&, const nb::tuple&, const Matrix&,
                    const Offsets&, const Offsets&, const Vector&, const nb::tuple&, const Fields&, const Bytes&, const Bytes&,
                    const Bytes&, const nb::tuple&, bool>(),
           nb::arg("metaphones"), nb::arg("prepositions"), nb::arg("first_names"), nb::arg("genders"), nb::arg("labels"),
           nb::arg("attributes"), nb::arg("transitions"), nb::arg("row_starts"), nb::arg("targets"), nb::arg("weights"),
           nb::arg("field_names"), nb::arg("fields"), nb::arg("levels"), nb::arg("interrupts"), nb::arg("signs"),
           nb::arg("kinds"), nb::arg("only_repeated"),
           nb::sig("def __init__(self, metaphones: collections.abc.Callable[[str], tuple[str, str]], "
                   "prepositions: collections.abc.Iterable[str], first_names: dict[str, float], genders: dict[str, "
                   "float], " LAWFUL_ARGUMENTS));
#undef LAWFUL_INTEGERS
#undef LAWFUL_FLOATS
#undef LAWFUL_BYTES
#undef LAWFUL_TEXTS
#undef LAWFUL_ARGUMENTS
}

}  // namespace lawful
