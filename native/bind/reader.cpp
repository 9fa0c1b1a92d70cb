// Reader: the raw values of x ▶ plain ones and their numbers, as src/geco/data/instance.py has them. What is not
// common here is left to it, and with it every error.
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bind/arrays.hpp"

namespace geco::bind {
namespace {

enum class Type { integer, number, text, boolean, other };  // dates are others
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr double kWhole = 9007199254740992;  // so far every whole number has a double of its own

struct Field {
  nb::str name;
  Type type;
  bool code;       // a number that stands for a category: no other may stand beside it
  int bits;        // of a float
  nb::dict texts;  // their numbers
};

Type type_of(const std::string& type) {
  if (type == "integer") return Type::integer;
  if (type == "number") return Type::number;
  return type == "text" ? Type::text : type == "boolean" ? Type::boolean : Type::other;
}

// A plain value and its number; no value: it is left to Python.
struct Plain {
  nb::object value;
  double number = kMissing;
};

Plain whole(nb::handle value, const Field& field) {
  int beyond = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &beyond);
  if (beyond) return {};
  if (field.type == Type::integer) return {nb::borrow(value), static_cast<double>(number)};
  if (field.type != Type::number || field.bits != 64) return {};
  return {nb::float_(static_cast<double>(number)), static_cast<double>(number)};
}

Plain fraction(nb::handle value, const Field& field) {
  const double number = PyFloat_AS_DOUBLE(value.ptr());
  if (std::isnan(number)) return {nb::none()};
  if (std::isinf(number)) return {};
  if (field.type == Type::number) {
    const double narrow = field.bits == 32 ? static_cast<float>(number) : number;
    if (field.bits < 32 || std::isinf(narrow)) return {};
    return {narrow == number ? nb::borrow(value) : nb::object(nb::float_(narrow)), narrow};
  }
  if (field.type != Type::integer || field.bits != 64 || std::abs(number) > kWhole) return {};
  if (number == std::trunc(number)) return {nb::steal(PyLong_FromDouble(number)), number + 0.0};  // no -0
  return field.code ? Plain{} : Plain{nb::borrow(value), number};
}

Plain text(nb::handle value, const Field& field) {
  if (field.type != Type::text) return {};
  const nb::handle number = PyDict_GetItemWithError(field.texts.ptr(), value.ptr());
  return number.is_valid() ? Plain{nb::borrow(value), PyFloat_AsDouble(number.ptr())} : Plain{};
}

class Reader {
 public:
  using Classes = nb::typed<nb::tuple, nb::type_object, nb::ellipsis>;
  using Given = std::tuple<nb::str, std::string, bool, int, nb::typed<nb::dict, nb::str, nb::float_>>;

  Reader(const std::vector<Given>& fields, std::vector<std::size_t> places, const Classes& scalars)
      : places_(std::move(places)), scalars_(scalars) {
    require(places_.size() == fields.size(), "reader: a place for every feature");
    for (const auto& [name, type, code, bits, texts] : fields)
      fields_.push_back({name, type_of(type), code, bits, texts});
    for (std::size_t place : places_) require(place < fields_.size(), "reader: no such place");
  }

  // None if a feature has no value.
  std::optional<nb::tuple> read(const nb::dict& given) const {
    nb::dict values;
    std::vector<double> numbers(fields_.size(), kMissing);
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      const nb::handle name = fields_[i].name, value = PyDict_GetItemWithError(given.ptr(), name.ptr());
      if (!value.is_valid()) {
        PyErr_Clear();  // what a key of the user's raises, it raises again where it is asked in Python
        return std::nullopt;
      }
      const Plain read = plain(value, fields_[i]);
      if (!read.value.is_valid()) left.push_back(i);
      values[name] = read.value.is_valid() ? read.value : nb::none();
      numbers[places_[i]] = read.number;
    }
    return nb::make_tuple(values, nb::cast(numbers), nb::cast(left));
  }

 private:
  Plain plain(nb::handle value, const Field& field) const {
    if (value.is_none()) return {nb::none()};
    const nb::object unwrapped = unwrap(value);
    const PyTypeObject* type = Py_TYPE(unwrapped.ptr());
    if (type == &PyFloat_Type) return fraction(unwrapped, field);
    if (type == &PyLong_Type) return whole(unwrapped, field);
    if (type == &PyUnicode_Type) return text(unwrapped, field);
    if (type != &PyBool_Type || field.type != Type::boolean) return {};
    return {unwrapped, unwrapped.is(Py_True) ? 1.0 : 0.0};
  }

  // A scalar of NumPy as Python has it; the two most common without its method.
  nb::object unwrap(nb::handle value) const {
    const auto* type = reinterpret_cast<PyObject*>(Py_TYPE(value.ptr()));
    if (std::none_of(scalars_.begin(), scalars_.end(), [&](nb::handle scalar) { return scalar.ptr() == type; }))
      return nb::borrow(value);
    PyObject* plain = PyFloat_Check(value.ptr())  ? PyFloat_FromDouble(PyFloat_AS_DOUBLE(value.ptr()))
                      : scalars_[0].ptr() == type ? PyNumber_Index(value.ptr())
                                                  : PyObject_CallMethodNoArgs(value.ptr(), item_.ptr());
    if (!plain) nb::raise_python_error();
    return nb::steal(plain);
  }

  std::vector<Field> fields_;
  std::vector<std::size_t> places_;
  Classes scalars_;
  nb::str item_{"item"};
};

}  // namespace

void bind_reader(nb::module_& m) {
  nb::class_<Reader>(m, "Reader")
      .def(nb::init<const std::vector<Reader::Given>&, std::vector<std::size_t>, const Reader::Classes&>(),
           nb::arg("fields"), nb::arg("places"), nb::arg("scalars"),
           "Per feature its name, type, whether it is a code, its bits and the numbers of its texts; the places of "
           "their numbers; the classes of NumPy whose values are read as those of Python, int64 first.")
      .def(
          "read", &Reader::read, nb::arg("given"),
          nb::sig(
              "def read(self, given: dict[object, object]) -> tuple[dict[str, object], list[float], list[int]] | None"),
          "Plain values by name, their numbers, and the features that are left to be read; None if one has no value.");
}

}  // namespace geco::bind
