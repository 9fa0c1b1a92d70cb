"""How PLAF text is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from geco.errors import PlafError, SettingsError
from geco.plaf.parser import parse_plaf, read_plaf
from geco.plaf.printer import KEYWORDS
from geco.plaf.syntax import (
    Arithmetic,
    Between,
    Comparison,
    FeatureList,
    Group,
    Member,
    Negate,
    Number,
    Order,
    Program,
    Ref,
    Text,
)

AGE = Ref("x_cf", "age")


def consequent(text: str) -> object:
    (rule,) = parse_plaf(f"PLAF {text}").rules
    return rule.consequent


def value(text: str) -> object:
    predicate = consequent(f"x_cf.age = {text}")
    assert isinstance(predicate, Comparison)
    return predicate.right


def test_an_empty_text_is_an_empty_program() -> None:
    assert parse_plaf(" \n # only a comment\n ;;") == Program(())


def test_statements_end_at_the_next_keyword() -> None:
    assert len(parse_plaf("GROUP a, b PLAF x_cf.a = 1 FIXED c PLAF x_cf.b > 2").statements) == 4


def test_statements_end_at_a_semicolon() -> None:
    assert len(parse_plaf("GROUP a, b; PLAF x_cf.a = 1;; FIXED c;").statements) == 3


def test_statements_may_span_lines() -> None:
    assert parse_plaf("PLAF IF\n x_cf\n.\na\n>\n1 THEN\n\nx_cf.b = 2") == parse_plaf(
        "PLAF IF x_cf.a > 1 THEN x_cf.b = 2"
    )


def test_comments_end_with_their_line() -> None:
    assert parse_plaf("GROUP a, # PLAF\n b # end") == parse_plaf("GROUP a, b")


def test_a_hash_inside_quotes_is_not_a_comment() -> None:
    assert consequent("x_cf.\"#\" = 'a # b'") == Comparison("=", Ref("x_cf", "#"), Text("a # b"))


def test_keywords_are_read_in_any_case() -> None:
    text = "PLAF IF X_CF.a IN (TRUE) AND x.a BETWEEN 1 AND 2 THEN CF.b = FALSE GROUP a, b ALLOW MISSING c"

    assert parse_plaf(text.lower()) == parse_plaf(text)


@pytest.mark.parametrize(
    ("written", "op"),
    [
        *(("=", "="), ("==", "="), ("!=", "!="), ("<>", "!="), ("≠", "!="), ("<=", "<=")),
        *(("≤", "<="), ("<", "<"), (">=", ">="), ("≥", ">="), (">", ">")),
    ],
)
def test_every_spelling_of_a_comparison_is_read(written: str, op: str) -> None:
    assert consequent(f"x_cf.age{written}3") == Comparison(op, AGE, Number(3))  # type: ignore[arg-type]


@pytest.mark.parametrize("word", ["and", "AND", "And", "&&"])
def test_every_spelling_of_and_is_read(word: str) -> None:
    (rule,) = parse_plaf(f"PLAF IF x.a = 1 {word} x.b = 2 THEN x_cf.c = 3").rules

    assert len(rule.antecedents) == 2


@pytest.mark.parametrize(
    ("text", "number"),
    [("3", 3), ("1e3", 1000.0), (".5", 0.5), ("2.", 2.0), ("1.5E-2", 0.015), ("-4", -4), ("− 4", -4)],
)
def test_numbers_are_read(text: str, number: float) -> None:
    assert value(text) == Number(number)


def test_whole_numbers_stay_whole() -> None:
    assert isinstance(value("12345678901234567890").value, int)  # type: ignore[attr-defined]


def test_true_and_false_are_one_and_zero() -> None:
    assert consequent("x_cf.age IN (true, FALSE)") == Member(AGE, (Number(1), Number(0)))


def test_a_doubled_quote_is_a_quote() -> None:
    assert consequent("""x_cf."say ""hi\""" = 'it''s'""") == Comparison("=", Ref("x_cf", 'say "hi"'), Text("it's"))


def test_quoted_names_stand_in_lists() -> None:
    assert parse_plaf('GROUP "hours-per-week", age').groups == (Group(("hours-per-week", "age")),)


def test_names_may_use_any_alphabet() -> None:
    assert consequent("x_cf.größe = x.年齢") == Comparison("=", Ref("x_cf", "größe"), Ref("x", "年齢"))


def test_x_and_cf_may_be_names_of_features() -> None:
    assert parse_plaf("GROUP x, cf PLAF x_cf.x = x.x_cf").groups == (Group(("x", "cf")),)


@pytest.mark.parametrize("word", KEYWORDS)
def test_after_a_dot_a_word_of_plaf_is_a_name(word: str) -> None:
    assert consequent(f"x_cf.{word} = x.{word.lower()}") == Comparison("=", Ref("x_cf", word), Ref("x", word.lower()))


def test_multiplication_binds_tighter_than_addition_and_a_sign_tighter_still() -> None:
    product = Arithmetic("*", Negate(Ref("x", "a")), Number(2))

    assert value("1 + -x.a * 2") == Arithmetic("+", Number(1), product)


def test_subtraction_goes_from_left_to_right() -> None:
    assert value("9 - 4 - 3") == Arithmetic("-", Arithmetic("-", Number(9), Number(4)), Number(3))


def test_the_and_of_between_does_not_end_the_condition() -> None:
    (rule,) = parse_plaf("PLAF IF x_cf.age BETWEEN 18 AND 30 and x.a = 1 THEN x_cf.b = 2").rules

    assert rule.antecedents[0] == Between(AGE, Number(18), Number(30))
    assert len(rule.antecedents) == 2


def test_the_statements_about_features_are_read() -> None:
    program = parse_plaf("FIXED a INCREASE b, c DECREASE d ALLOW MISSING e ORDER f: 'lo' < 'hi' ONEHOT g: h, i")

    assert program.statements == (
        FeatureList("FIXED", ("a",)),
        FeatureList("INCREASE", ("b", "c")),
        FeatureList("DECREASE", ("d",)),
        FeatureList("ALLOW MISSING", ("e",)),
        Order("f", ("lo", "hi")),
        Group(("h", "i"), onehot="g"),
    )


def test_every_node_knows_its_place() -> None:
    (rule,) = parse_plaf("GROUP a, b\n  PLAF x_cf.age >=\n x.age + 4", "my.plaf").rules
    span, right = rule.span, rule.consequent.right.span  # type: ignore[union-attr]

    assert (span.file, span.line, span.col, span.end_line, span.end_col) == ("my.plaf", 2, 3, 3, 11)
    assert (right.line, right.col, right.end_col) == (3, 2, 11)


def test_all_syntax_errors_are_reported_at_once() -> None:
    with pytest.raises(PlafError) as caught:
        parse_plaf("GRUP a, b\nPLAF x_cf.a = 1\nPLAF x_cf.a =< 2; FIXED\nPLAF x_cf.c = 'x")

    assert [d.span.line for d in caught.value.diagnostics] == [1, 3, 3, 4]


def test_the_parts_of_an_error_are_attributes() -> None:
    with pytest.raises(PlafError) as caught:
        parse_plaf("PLAF x_cf.a =< 2", "my.plaf")

    assert (caught.value.code, caught.value.span.file, caught.value.span.col) == ("comparison", "my.plaf", 13)


def test_a_file_may_begin_with_a_byte_order_mark_and_have_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "a.plaf"
    path.write_bytes("\ufeffGROUP a, b\r\nPLAF x_cf.ä = 'ö'\r\n".encode())

    assert read_plaf(path) == parse_plaf("GROUP a, b PLAF x_cf.ä = 'ö'")


def test_an_error_in_a_file_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.plaf"
    path.write_text("\r\nPLAF x_cf.a")
    with pytest.raises(PlafError) as caught:
        read_plaf(path)

    assert str(caught.value).startswith(f"{path}:2:6: x_cf.a alone says nothing")


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"GROUP \xff\xfe", "line 1 is not UTF-8 text"), (b"GROUP a\0b", "this is not a text file in UTF-8")],
)
def test_a_file_that_is_not_utf_8_text_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "a.plaf"
    path.write_bytes(data)
    with pytest.raises(PlafError) as caught:
        read_plaf(path)

    assert str(caught.value).splitlines()[0] == f"{path}: {message}"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlafError) as caught:
        read_plaf(tmp_path / "no.plaf")

    assert str(caught.value).splitlines()[0] == f"{tmp_path / 'no.plaf'}: no such file"


def test_a_directory_is_not_a_program(tmp_path: Path) -> None:
    with pytest.raises(PlafError, match="this is a directory"):
        read_plaf(tmp_path)


def test_a_path_is_not_a_text() -> None:
    with pytest.raises(SettingsError, match="read_plaf"):
        parse_plaf(Path("credit.plaf"))  # type: ignore[arg-type]


PIECES = [*KEYWORDS, "OR", "NOT", "x", "x_cf", ".", "age", '"c d"', "'t'", "3", "1e999", "=", "<", ">=", "+", "-", "*"]
PIECES += ["/", "(", ")", ",", ":", ";", "&&", "\n", "'", '"', "#", "[", "’", "\t", "€", "x.a", "x_cf.b", "x_cf.b = 3"]
BEGINNINGS = ["", "PLAF ", "PLAF IF x_cf.a > 1 ", "GROUP a ", "ORDER a: 'b' < 'c' ", "ONEHOT a: b ", "ALLOW MISSING a "]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(BEGINNINGS), st.lists(st.sampled_from(PIECES), max_size=8), st.sampled_from(["", " "]))
def test_any_heap_of_words_is_a_program_or_gets_helpful_diagnostics(start: str, pieces: list[str], gap: str) -> None:
    text = start + gap.join(pieces)
    try:
        program = parse_plaf(text)
    except PlafError as error:
        lines = text.split("\n")

        assert all(d.source_line == lines[d.span.line - 1] for d in error.diagnostics)
        assert all(d.help or d.code == "character" for d in error.diagnostics)
    else:
        assert parse_plaf(str(program)) == program


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_a_program_or_gets_one_error_of_ours(text: str) -> None:
    try:
        program = parse_plaf(text)
    except PlafError as error:
        assert str(error)
    else:
        assert parse_plaf(str(program)) == program
