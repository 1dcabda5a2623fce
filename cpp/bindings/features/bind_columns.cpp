// Columns of text as tuples of strings, equal strings shared: what Python would do in many passes over every string.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/bindings.hpp"
#include "bindings/features/python_strings.hpp"
#include "core/features/strings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

namespace lawful {
namespace {

constexpr int32_t most_strings = 1 << 18;

using Runs = nb::typed<nb::list, nb::typed<nb::tuple, nb::typed<nb::tuple, nb::str, nb::ellipsis>, nb::ellipsis>>;

using Sentences = nb::list;

class ColumnCutter {
 public:
  explicit ColumnCutter(char separator) : separator_(separator) {}

  // The sentences of CoNLL-U text: of each, the number of its first row among the lines, the lines that are no rows (comments,
  // multiword tokens, empty nodes), what the comments say, the numbers of rows that do not stand together, its rows, and some
  // of their columns. Nothing if there is anything out of the ordinary, which is then read line by line.
  std::optional<Sentences> cut_conllu(const nb::str& source, int width, const std::vector<int>& wanted, int64_t most_rows) {
    std::string scratch, gathered;
    const std::string_view text = utf8_of(source.ptr(), scratch);
    const char *at = text.data(), *const end = at + text.size();
    for (const int column : wanted)
      if (column < 0 || column >= width) throw nb::value_error("there is no such column");
    forget_some();
    Sentences sentences;
    std::vector<std::vector<std::string_view>> columns(wanted.size());
    for (int64_t line = 0; at < end; ++line) {
      if (*at == '\n') {
        ++at;
        continue;
      }
      nb::list between, numbers;
      nb::dict context;
      for (; at < end && *at == '#'; ++line) {
        const std::string_view comment = line_at(at, end);
        between.append(nb::make_tuple(0, to_python(comment)));
        read_comment(comment, context);
        at = std::min(end, comment.data() + comment.size() + 1);
      }
      const char* const first_row = at;
      const int64_t first = line;
      bool together = true;
      int64_t rows = 0;
      gathered.clear();
      for (auto& column : columns) column.clear();
      for (; at < end && *at != '\n'; ++line) {
        const std::string_view row = line_at(at, end);
        const Kind kind = kind_of(row);
        if (kind == Kind::odd) return {};
        at = std::min(end, row.data() + row.size() + 1);
        if (kind == Kind::no_word) {
          if (together) gathered.assign(first_row, row.data());
          if (together)
            for (int64_t before = first; before < line; ++before) numbers.append(before);
          together = false;
          between.append(nb::make_tuple(rows, to_python(row)));
          continue;
        }
        if (++rows > most_rows || !read_row(row, width, wanted, columns)) return {};
        if (together) continue;
        gathered.append(row).push_back('\n');
        numbers.append(line);
      }
      if (!rows) return {};
      std::string_view body = together ? std::string_view(first_row, at - first_row) : std::string_view(gathered);
      while (!body.empty() && body.back() == '\n') body.remove_suffix(1);
      nb::list cut;
      for (const auto& column : columns) cut.append(tuple_of_strings(column));
      sentences.append(nb::make_tuple(first, nb::tuple(between), context, together ? nb::object(nb::none()) : numbers, rows,
                                      to_python(body), cut));
      --line;  // the loop counts the blank line, or the end
    }
    return sentences;
  }

  // The columns of each run of rows. Nothing if a row does not have `width` fields, or if a field is empty that must not be.
  std::optional<Runs> cut(const nb::str& source, int width, const std::vector<int>& rows, const std::vector<bool>& filled) {
    std::string scratch;
    const std::string_view text = utf8_of(source.ptr(), scratch);
    const char *at = text.data(), *const end = at + text.size();
    Runs runs;
    if (width < 1 || filled.size() != static_cast<std::size_t>(width)) throw nb::value_error("one of `filled` a column");
    forget_some();
    for (const int count : rows) {
      while (at < end && *at == '\n') ++at;
      const nb::object run = nb::steal(PyTuple_New(width));
      for (int column = 0; column < width; ++column) {
        PyObject* values = PyTuple_New(count);
        if (!values) throw nb::python_error();
        PyTuple_SET_ITEM(run.ptr(), column, values);
      }
      for (int row = 0; row < count; ++row, ++at) {
        if (at > end) return {};
        for (int column = 0; column < width; ++column) {
          if (column) ++at;  // the separator
          const char* const start = at;
          while (at < end && *at != separator_ && *at != '\n') ++at;
          const bool last = at == end || *at == '\n';
          if (last != (column + 1 == width) || (at == start && filled[column])) return {};
          PyTuple_SET_ITEM(PyTuple_GET_ITEM(run.ptr(), column), row, shared({start, static_cast<std::size_t>(at - start)}));
        }
      }
      runs.append(run);
    }
    return runs;
  }

 private:
  enum class Kind : uint8_t { word, no_word, odd };

  static std::string_view line_at(const char* at, const char* end) {
    const void* stop = std::memchr(at, '\n', end - at);
    return {at, static_cast<std::size_t>((stop ? static_cast<const char*>(stop) : end) - at)};
  }

  // By its number: 7 is a word, 7-8 and 7.1 are none.
  static Kind kind_of(std::string_view row) {
    auto digits = [&](std::size_t from) {
      while (from < row.size() && row[from] >= '0' && row[from] <= '9') ++from;
      return from;
    };
    const std::size_t number = digits(0);
    if (!number || number == row.size()) return Kind::odd;
    if (row[number] == '\t') return Kind::word;
    const std::size_t second = digits(number + 1);
    const bool is_pair = (row[number] == '-' || row[number] == '.') && second > number + 1;
    return is_pair && second < row.size() && row[second] == '\t' ? Kind::no_word : Kind::odd;
  }

  // Whether a row has as many columns as it must, and none of the wanted ones is empty.
  bool read_row(std::string_view row, int width, const std::vector<int>& wanted,
                std::vector<std::vector<std::string_view>>& columns) {
    if (std::count(row.begin(), row.end(), separator_) != width - 1) return false;
    std::size_t from = 0;
    for (int column = 0, last = wanted.empty() ? -1 : *std::max_element(wanted.begin(), wanted.end()); column <= last; ++column) {
      const std::size_t stop = std::min(row.find(separator_, from), row.size());
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i] != column) continue;
        if (stop == from) return false;
        columns[i].push_back(row.substr(from, stop - from));
      }
      from = stop + 1;
    }
    return true;
  }

  // `# key = value`, without the white space around both; Python knows more kinds of that than ASCII has.
  static void read_comment(std::string_view comment, nb::dict& context) {
    comment.remove_prefix(std::min(comment.find_first_not_of("# "), comment.size()));
    const std::size_t sign = comment.find(" = ");
    if (sign == std::string_view::npos) return;
    auto stripped = [](std::string_view text) {
      auto is_odd = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
      if (!text.empty() && (is_odd(text.front()) || is_odd(text.back()))) return nb::object(to_python(text).attr("strip")());
      constexpr std::string_view spaces = " \t\x0b\x0c\x1c\x1d\x1e\x1f";
      const std::size_t first = std::min(text.find_first_not_of(spaces), text.size());
      return nb::object(to_python(text.substr(first, text.find_last_not_of(spaces) + 1 - first)));
    };
    context[stripped(comment.substr(0, sign))] = stripped(comment.substr(sign + 3));
  }

  nb::object tuple_of_strings(const std::vector<std::string_view>& strings) {
    const nb::object tuple = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(strings.size())));
    if (!tuple.is_valid()) throw nb::python_error();
    for (std::size_t i = 0; i < strings.size(); ++i)
      PyTuple_SET_ITEM(tuple.ptr(), static_cast<Py_ssize_t>(i), shared(strings[i]));
    return tuple;
  }

  void forget_some() {
    if (known_.size() <= most_strings) return;
    known_ = StringTable();
    short_.fill({});
    strings_.clear();
  }

  PyObject* shared(std::string_view text) {
    if (text.size() == 1 && static_cast<unsigned char>(text[0]) < 0x80) {  // "_" and digits: Python shares these itself
      PyObject* string = PyUnicode_FromOrdinal(text[0]);
      if (!string) throw nb::python_error();
      return string;
    }
    Short* place = nullptr;
    uint64_t letters = 0;
    if (!text.empty() && text.size() <= sizeof letters) {  // most tags and many words: one look is quicker than the table's
      std::memcpy(&letters, text.data(), text.size());
      place = &short_[(letters * 0x9e3779b97f4a7c15ull) >> 54];
      if (place->string && place->letters == letters && place->size == text.size()) return Py_NewRef(place->string);
    }
    const int32_t id = known_.add(text);
    if (id == static_cast<int32_t>(strings_.size())) {
      PyObject* string = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogatepass");
      if (!string) throw nb::python_error();
      strings_.push_back(nb::steal(string));
    }
    if (place) *place = {letters, text.size(), strings_[id].ptr()};
    return Py_NewRef(strings_[id].ptr());
  }

  struct Short {
    uint64_t letters = 0;
    std::size_t size = 0;
    PyObject* string = nullptr;  // one of those below
  };

  char separator_;
  StringTable known_;
  std::vector<nb::object> strings_;  // by their ids
  std::array<Short, 1024> short_{};  // the latest short ones
};

}  // namespace

void bind_columns(nb::module_& m) {
  nb::class_<ColumnCutter>(m, "ColumnCutter")
      .def(nb::init<char>(), nb::arg("separator"))
      .def("cut", &ColumnCutter::cut, nb::arg("text"), nb::arg("width"), nb::arg("rows"), nb::arg("filled"),
           "The columns of each run of rows, as tuples; None if a row does not have `width` fields, or if a field is empty that "
           "must not be.")
      .def("cut_conllu", &ColumnCutter::cut_conllu, nb::arg("text"), nb::arg("width"), nb::arg("wanted"), nb::arg("most_rows"),
           nb::sig("def cut_conllu(self, text: str, width: int, wanted: collections.abc.Sequence[int], most_rows: int) -> "
                   "list[tuple[int, tuple[tuple[int, str], ...], dict[str, str], list[int] | None, int, str, "
                   "list[tuple[str, ...]]]] | None"),
           "The sentences of CoNLL-U: of each, the line of its first row, counted from 0; lines that are no rows, with their "
           "positions; what comments say; the lines of its rows, if they do not stand together; how many rows it has; these; and "
           "some of their columns. None if there is anything out of the ordinary, such as a row of another width.");
}

}  // namespace lawful
