"""The ledger: what was acknowledged is there, what was changed is seen, what was erased is gone."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import textwrap
import threading
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import geco
import geco.demo
from geco.errors import LedgerError
from geco.report.chain import canonical


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "given.db"


def test_an_entry_comes_back_as_it_was_given(path: Path) -> None:
    record = {"status": "found", "x": {"income": 1900.5, "name": "Ångström"}}
    with geco.Ledger(path) as ledger:
        number = ledger.append(record, person="customer 17", until=date(2027, 1, 31), keep_until="2030-12-31")
        entry = ledger[number]

    assert entry.record == record
    assert (entry.number, entry.person, entry.until) == (1, "customer 17", date(2027, 1, 31))
    assert entry.keep_until == date(2030, 12, 31)


def test_an_explanation_can_be_given_as_it_is(path: Path) -> None:
    frame, model, database, program = geco.demo.load()
    explanation = geco.Explainer(model, database, program, target="good").explain(frame.drop(columns="risk").iloc[3])
    with geco.Ledger(path) as ledger:
        ledger.append(explanation)

        assert ledger[1].record == json.loads(explanation.to_json())


def test_a_ledger_is_read_by_one_who_opens_it_later(path: Path) -> None:
    with geco.Ledger(path) as ledger:
        ledger.append_many([{"n": 1}, {"n": 2}], ["a", "b"])
    with geco.Ledger(path) as again:
        assert [entry.record for entry in again] == [{"n": 1}, {"n": 2}]
        assert again.verify()


def test_promises_are_those_of_the_day_and_not_erased(path: Path) -> None:
    with geco.Ledger(path) as ledger:
        ledger.append({"n": 1}, until="2027-01-31")
        ledger.append({"n": 2}, until="2027-02-01")
        ledger.append({"n": 3}, person="c", until="2027-03-01")
        ledger.append({"n": 4})
        ledger.erase("c")

        assert [entry.number for entry in ledger.promises("2027-02-01")] == [2]


def test_erased_values_are_in_no_byte_of_the_file_and_the_chain_stays_whole(path: Path) -> None:
    with geco.Ledger(path) as ledger:
        ledger.append({"name": "Zebediah Quux"}, person="customer 17")
        ledger.append({"n": 2}, person="customer 18")
        head = ledger.head

        assert ledger.erase("customer 17") == 1
        assert ledger.verify(head)
        assert ledger[1].record is None and ledger[1].person is None
    left = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert b"Quux" not in left and b"customer 17" not in left and b"customer 18" in left


def test_values_past_their_date_expire(path: Path) -> None:
    with geco.Ledger(path) as ledger:
        ledger.append({"n": 1}, keep_until="2026-12-31")
        ledger.append({"n": 2}, keep_until="2027-01-01")

        assert ledger.expire("2027-01-01") == 1
        assert [entry.record for entry in ledger][:2] == [None, {"n": 2}]
        assert ledger.verify().erased == 1


def test_an_entry_cannot_be_changed_or_removed_by_sql(path: Path) -> None:
    with geco.Ledger(path) as ledger:
        ledger.append({"n": 1})
        for statement in (
            "UPDATE entries SET until = '2030-01-01'",
            "DELETE FROM entries",
            "UPDATE contents SET record = ''",
        ):
            with pytest.raises(Exception, match="append-only"):
                ledger._db.execute(statement)


@pytest.mark.parametrize(
    ("tampering", "said"),
    [
        ("UPDATE entries SET until = '2030-01-01' WHERE number = 2", "entry 2 was changed"),
        ("UPDATE contents SET record = '{\"n\": 9}' WHERE number = 2", "record of entry 2 was changed"),
        ("UPDATE contents SET person = 'b' WHERE number = 2", "record of entry 2 was changed"),
        ("DELETE FROM contents WHERE number = 2", "record of entry 2 is missing"),
        ("DELETE FROM entries WHERE number = 2", "entry 2 is missing"),
    ],
)
def test_tampering_is_seen_and_named(path: Path, tampering: str, said: str) -> None:
    with geco.Ledger(path) as ledger:
        ledger.append_many([{"n": n} for n in range(1, 4)], ["a", "a", "a"], until="2027-01-31")
        triggers = ledger._db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            ledger._db.execute(f"DROP TRIGGER {name}")
        ledger._db.execute(tampering)
        for _, sql in triggers:
            ledger._db.execute(sql)

        verified = ledger.verify()

    assert not verified and said in str(verified)


def test_a_cut_end_is_seen_by_whoever_noted_the_head(path: Path) -> None:
    with geco.Ledger(path) as ledger:
        ledger.append_many([{"n": 1}, {"n": 2}])
        head = ledger.head
        ledger._db.executescript(
            "DROP TRIGGER no_removal; DELETE FROM entries WHERE number = 2; DELETE FROM contents WHERE number = 2"
        )

        assert "entry 2 with the hash" in str(ledger.verify(head))


def test_every_damaged_byte_is_found_or_changes_nothing(path: Path, tmp_path: Path) -> None:
    with geco.Ledger(path) as ledger:
        ledger.append_many([{"n": n, "text": "x" * (n % 40)} for n in range(60)], [f"p{n}" for n in range(60)])
    whole, rng = path.read_bytes(), random.Random(7)
    with geco.Ledger(path) as ledger:
        before = [entry.to_dict() for entry in ledger]
    damaged = tmp_path / "damaged.db"
    found = 0
    for _ in range(60):
        at = rng.randrange(len(whole))
        damaged.write_bytes(whole[:at] + bytes([whole[at] ^ (1 << rng.randrange(8))]) + whole[at + 1 :])
        try:
            with geco.Ledger(damaged) as ledger:
                intact = bool(ledger.verify())
                assert not intact or [entry.to_dict() for entry in ledger] == before
        except LedgerError:
            intact = False
        found += not intact
        for left in tmp_path.glob("damaged.db*"):
            left.unlink()

    assert found > 20


def test_threads_and_processes_write_one_chain(path: Path) -> None:
    with geco.Ledger(path) as ledger:
        threads = [threading.Thread(target=lambda: [ledger.append({"n": 1}) for _ in range(10)]) for _ in range(3)]
        other = subprocess.Popen([sys.executable, "-c", WRITER, str(path), "10"], stdout=subprocess.PIPE)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        other.communicate(timeout=60)

        assert len(ledger) == 40 and ledger.verify()


def test_what_was_acknowledged_survives_a_kill(path: Path) -> None:
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path), "100000"], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    last = [int(writer.stdout.readline()) for _ in range(50)][-1]
    writer.send_signal(signal.SIGKILL)
    last = max([last, *(int(line) for line in writer.stdout.read().split(b"\n")[:-1] if line)])
    writer.wait()
    with geco.Ledger(path) as ledger:
        assert len(ledger) >= last
        assert ledger.verify()


WRITER = textwrap.dedent("""
    import sys, geco
    ledger = geco.Ledger(sys.argv[1])
    for n in range(int(sys.argv[2])):
        print(ledger.append({"n": n}, person=f"p{n}"), flush=True)
""")


def test_export_has_one_line_per_entry_and_never_overwrites(path: Path, tmp_path: Path) -> None:
    with geco.Ledger(path) as ledger:
        ledger.append({"n": 1}, person="a")
        out = tmp_path / "out.jsonl"

        assert ledger.export(out) == 1
        assert json.loads(out.read_text())["record"] == {"n": 1}
        with pytest.raises(LedgerError, match="cannot write"):
            ledger.export(out)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda ledger: ledger.append("found"), "takes an Explanation"),
        (lambda ledger: ledger.append({"n": float("nan")}), "cannot be written as JSON"),
        (lambda ledger: ledger.append({}, person=17), "person must be text"),
        (lambda ledger: ledger.erase("\ud800"), "half of a surrogate pair"),
        (lambda ledger: ledger.append({}, until="soon"), "until must be a day"),
        (lambda ledger: ledger.append_many([{}, {}], ["a"]), "one person per answer"),
        (lambda ledger: ledger[99], "has no entry 99"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_written(path: Path, call: object, said: str) -> None:
    with geco.Ledger(path) as ledger:
        with pytest.raises(LedgerError, match=said):
            call(ledger)  # type: ignore[operator]

        assert len(ledger) == 0


def test_a_value_that_is_not_unicode_comes_back_as_it_was(path: Path) -> None:
    with geco.Ledger(path) as ledger:
        number = ledger.append({"x": {"name": "\ud800"}})

        assert ledger[number].record == {"x": {"name": "\ud800"}}
        assert ledger.verify()


def test_a_file_that_is_not_a_ledger_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database at all, but longer than the header of one " * 20)
    with pytest.raises(LedgerError, match="cannot open the ledger"):
        geco.Ledger(text)
    with pytest.raises(LedgerError, match="cannot open the ledger"):
        geco.Ledger(tmp_path)
    assert os.listdir(tmp_path) == ["notes.txt"]


def test_damage_that_sqlite_has_no_words_for_is_one_clear_error(path: Path) -> None:
    with geco.Ledger(path):
        pass
    for left in path.parent.glob(f"{path.name}-*"):
        left.unlink()
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"INDEX persons ON contents", b"INDEX p\xcfrsons ON c\xcfntents", 1))

    with pytest.raises(LedgerError, match="cannot open the ledger"), geco.Ledger(path):
        pass


@given(st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text()))
def test_one_value_has_one_canonical_text(value: dict[str, object]) -> None:
    backwards = dict(reversed(value.items()))

    assert canonical(value) == canonical(backwards)
    assert json.loads(canonical(value)) == value


@pytest.mark.parametrize("record", [b"{ not it", b"\xb2 xx: 2}"])
def test_an_export_of_a_damaged_ledger_names_the_entry_and_leaves_no_file(
    path: Path, tmp_path: Path, record: bytes
) -> None:
    with geco.Ledger(path) as ledger:
        ledger.append({"x": 1})
        ledger.append({"x": 2})
    assert path.read_bytes().count(b'{"x": 2}') == 1
    path.write_bytes(path.read_bytes().replace(b'{"x": 2}', record))

    with geco.Ledger(path) as ledger, pytest.raises(LedgerError, match=r"entry 2 of .* is damaged|cannot read"):
        ledger.export(tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()
