#include "core/archive.hpp"

#include <cmath>

#include "bind/arrays.hpp"

namespace geco::bind {
namespace {

Matrix<Row> rows_of(const Archive& a, const Space& s, const std::vector<std::int64_t>& indices) {
  std::vector<Row> rows;
  for (std::int64_t i : indices) rows.insert(rows.end(), a.rows(i), a.rows(i) + s.groups.size());
  return to_numpy(std::move(rows), indices.size(), s.groups.size());
}

// What was inserted since the archive had `known` candidates.
Matrix<Row> rows_since(const Archive& a, const Space& s, std::size_t known) {
  return to_numpy(std::vector<Row>(a.rows(known), a.rows(a.size())), a.size() - known, s.groups.size());
}

template <class C>
Matrix<Row> claim(Archive& a, const Space& s, const C& candidates) {
  require(candidates.width() == s.groups.size(), "claim: candidates of another space");
  const std::size_t known = a.size();
  a.insert_all(candidates);
  return rows_since(a, s, known);
}

}  // namespace

void bind_archive(nb::module_& m) {
  m.def(
      "rank",
      [](Array1<double> distance, Array1<double> outcome, std::size_t q) {
        require(distance.shape(0) == outcome.shape(0), "rank: one outcome per distance");
        return to_numpy(rank(view(distance), view(outcome), q));
      },
      nb::arg("distance"), nb::arg("outcome"), nb::arg("q"), "The q best by score (Eq. 11), best first.");

  nb::class_<Archive>(m, "Archive")
      .def(nb::init<const Space&>(), nb::arg("space"), nb::keep_alive<1, 2>())
      .def("__len__", &Archive::size)
      .def("claim", &claim<Delta>, nb::arg("space"), nb::arg("candidates"),
           "Rows of the candidates never seen before, each once; they are seen from now on.")
      .def("claim", &claim<Listing>, nb::arg("space"), nb::arg("candidates"))
      .def(
          "claim",
          [](Archive& a, const Space& s, Array2<Row> rows) {
            require(rows.shape(1) == s.groups.size(), "claim: one column per group");
            const std::size_t known = a.size();
            for (std::size_t i = 0; i < rows.shape(0); ++i) a.insert(rows.data() + i * rows.shape(1));
            return rows_since(a, s, known);
          },
          nb::arg("space"), nb::arg("candidates"))
      .def(
          "score_latest",
          [](Archive& a, Array1<double> outcome, Array1<double> number) {
            require(outcome.shape(0) == number.shape(0) && outcome.shape(0) <= a.size(),
                    "score_latest: one outcome per candidate");
            const std::size_t first = a.size() - outcome.shape(0);
            std::vector<double> distances(outcome.shape(0));
            for (std::size_t i = 0; i < distances.size(); ++i) {
              if (!std::isnan(outcome.data()[i])) a.score(first + i, outcome.data()[i], number.data()[i]);
              distances[i] = a.distance(first + i);
            }
            return to_numpy(std::move(distances));
          },
          nb::arg("outcome"), nb::arg("number"), "Score the candidates claimed last, in order; their distances.")
      .def(
          "score",
          [](Archive& a, const Space& s, Array2<Row> rows, Array1<double> outcome, Array1<double> number) {
            require(rows.shape(1) == s.groups.size() && rows.shape(0) == outcome.shape(0) &&
                        rows.shape(0) == number.shape(0),
                    "score: one outcome per candidate");
            for (std::size_t i = 0; i < rows.shape(0); ++i)
              a.score(a.insert(rows.data() + i * rows.shape(1)).first, outcome.data()[i], number.data()[i]);
          },
          nb::arg("space"), nb::arg("rows"), nb::arg("outcome"), nb::arg("number"))
      .def(
          "look_up",
          [](const Archive& a, const Space& s, Array1<Row> rows) {
            require(rows.shape(0) == s.groups.size(), "look_up: one row per group");
            const std::int64_t i = a.find(rows.data());
            require(i >= 0, "look_up: never proposed");
            return std::make_tuple(a.distance(i), a.outcome(i), a.number(i));
          },
          nb::arg("space"), nb::arg("rows"), "Distance, outcome and the model's number.")
      .def(
          "highest",
          [](const Archive& a, const Space& s) -> std::optional<Vector<Row>> {
            const std::int64_t i = a.highest();
            if (i < 0) return std::nullopt;
            return to_numpy(std::vector<Row>(a.rows(i), a.rows(i) + s.groups.size()));
          },
          nb::arg("space"))
      .def(
          "nearest", [](const Archive& a, const Space& s, std::size_t n) { return rows_of(a, s, a.nearest(n)); },
          nb::arg("space"), nb::arg("n"), "Counterfactuals, nearest first.")
      .def(
          "fittest", [](const Archive& a, const Space& s, std::size_t q) { return rows_of(a, s, a.fittest(q)); },
          nb::arg("space"), nb::arg("q"), "The q best by score of everything scored.")
      .def(
          "best",
          [](Archive& a, const Space& s, std::size_t n, bool minimal) {
            return rows_of(a, s, a.best(minimal ? Kind::minimal : Kind::sets, n));
          },
          nb::arg("space"), nb::arg("n"), nb::arg("minimal"), "The answers: settled ways.")
      .def(
          "ways",
          [](Archive& a, const Space& s, std::size_t n, std::size_t enough, bool minimal, bool only_settled) {
            Ways w = a.ways({minimal ? Kind::minimal : Kind::sets, n, enough, n, only_settled});
            const std::size_t width = s.groups.size(), waiting = width ? w.pending.size() / width : 0;
            return std::make_tuple(rows_of(a, s, w.found), to_numpy(std::move(w.settled)),
                                   to_numpy(std::move(w.pending), waiting, width));
          },
          nb::arg("space"), nb::arg("n"), nb::arg("enough"), nb::arg("minimal"), nb::arg("only_settled") = false,
          "Different irreducible counterfactuals, which of them are settled, parts of them to be scored.");
}

}  // namespace geco::bind
