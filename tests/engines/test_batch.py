"""geco.batch: what is written, whatever the input, the format, the workers and the interruptions."""

from __future__ import annotations

import errno
import json
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import geco
from engines import small
from geco.engines import durable
from geco.errors import BatchError, DataError, SettingsError

FORMATS = ("parquet", "jsonl", "csv")


def run(out: Path, rows: Any = None, **more: Any) -> geco.Batch:
    """A batch in this process, in parts of five."""
    rows = small.table() if rows is None else rows
    settings: dict[str, Any] = {"key": "customer", "k": 2, "part_rows": 5, "workers": 1, **more}
    return geco.batch(small.explainer(), rows, out, **settings)


# what is in the files


def test_the_files_say_what_explain_says_row_by_row(tmp_path: Path) -> None:
    run(tmp_path / "out")
    rows = pq.read_table(tmp_path / "out" / "rows").to_pylist()
    answers = pq.read_table(tmp_path / "out" / "answers").to_pylist()
    singly = [small.explainer().explain(x, k=2) for x in small.features().to_dict("records")]
    expected = [
        (row, int(small.table()["customer"][row]), place, cf.distance, cf.outcome, cf.to_dict()["values"])
        for row, explanation in enumerate(singly)
        for place, cf in enumerate(explanation.counterfactuals, 1)
    ]
    written = [
        (a["row"], a["key"], a["place"], a["distance"], a["outcome"], {n: _json(v) for n, v in a["values"].items()})
        for a in answers
    ]

    assert [(r["row"], r["status"], r["reason"], r["outcome"]) for r in rows] == [
        (n, e.status, e.reason, e.outcome) for n, e in enumerate(singly)
    ]
    assert written == expected
    assert len({r["status"] for r in rows}) > 1


def _json(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else value


def test_the_three_formats_hold_the_same(tmp_path: Path) -> None:
    for name in FORMATS:
        run(tmp_path / name, format=name)
    arrow = pq.read_table(tmp_path / "parquet" / "answers").to_pylist()
    lines = [json.loads(line) for file in sorted((tmp_path / "jsonl" / "answers").iterdir()) for line in file.open()]
    table = pd.concat(
        pd.read_csv(file, float_precision="round_trip") for file in sorted((tmp_path / "csv" / "answers").iterdir())
    )

    assert [a["values"]["age"] for a in arrow] == [a["values"]["age"] for a in lines] == list(table["values.age"])
    assert [a["distance"] for a in arrow] == [a["distance"] for a in lines] == list(table["distance"])
    assert [[json.loads(c["after"]) for c in a["changes"]] for a in arrow] == [
        [c["after"] for c in a["changes"]] for a in lines
    ]
    assert [json.loads(changes) for changes in table["changes"]] == [a["changes"] for a in lines]


def test_the_manifest_says_what_was_made_of_what_and_knows_no_clock(tmp_path: Path) -> None:
    batch = run(tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())

    assert (tmp_path / "out" / "_SUCCESS").read_bytes() == b""
    assert {len(manifest[name]) for name in ("explainer", "model", "rules")} == {64}
    assert manifest["question"]["seed"] == 0
    assert [part["first"] for part in manifest["parts"]] == [0, 5, 10, 15, 20, 25]
    assert manifest["rows"] == batch.rows == small.ROWS == sum(batch.statuses.values())
    assert "second" not in json.dumps(manifest)
    assert not (tmp_path / "out" / "_parts.jsonl").exists()


def test_the_summary_counts_rows_and_what_the_nearest_answers_change(tmp_path: Path) -> None:
    batch = run(tmp_path / "out")
    first = [row for row in pq.read_table(tmp_path / "out" / "answers").to_pylist() if row["place"] == 1]
    share = round(100 * sum("income" in str(a["changes"]) for a in first) / len(first))

    assert str(batch).startswith(f"{small.ROWS} rows, {batch.answers} answers: ")
    assert f"income {share} %" in str(batch)


# inputs


def inputs(folder: Path) -> dict[str, dict[str, Any]]:
    """The same rows in every form."""
    frame = small.table()
    arrow = pa.Table.from_pandas(frame, preserve_index=False)
    pq.write_table(arrow, folder / "one.parquet", row_group_size=7)
    frame.to_csv(folder / "one.csv", index=False)
    frame.to_csv(folder / "one.csv.gz", index=False)
    (folder / "several").mkdir()
    pq.write_table(arrow.slice(0, 23), folder / "several" / "a.parquet")
    pq.write_table(arrow.slice(23), folder / "several" / "b.parquet")
    connection = duckdb.connect(str(folder / "d.duckdb"))
    connection.execute("CREATE TABLE applicants AS SELECT * FROM frame")
    connection.close()
    return {
        "parquet": {"rows": folder / "one.parquet"},
        "csv": {"rows": folder / "one.csv"},
        "gzip": {"rows": str(folder / "one.csv.gz")},
        "folder": {"rows": folder / "several"},
        "query": {"rows": "SELECT * FROM applicants ORDER BY customer", "connection": folder / "d.duckdb"},
        "reader": {"rows": arrow.to_reader(max_chunksize=9)},
        "pandas": {"rows": frame},
    }


@pytest.mark.parametrize("kind", ["parquet", "csv", "gzip", "folder", "query", "reader", "pandas"])
def test_every_form_of_input_gives_the_same_answers(kind: str, tmp_path: Path) -> None:
    run(tmp_path / "expected", format="jsonl")
    run(tmp_path / "out", format="jsonl", **inputs(tmp_path)[kind])

    def without_keys(folder: Path) -> list[dict[str, Any]]:
        lines = [json.loads(line) for file in sorted(folder.glob("*/part*")) for line in file.open()]
        assert {str(line.pop("key")) for line in lines} <= set(map(str, small.table()["customer"]))
        return lines

    assert without_keys(tmp_path / "out") == without_keys(tmp_path / "expected")


def test_a_query_on_sqlite_gives_rows_too(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "d.sqlite")
    small.table().assign(since=small.table()["since"].astype(str)).to_sql("applicants", connection, index=False)
    connection.close()
    batch = run(tmp_path / "out", rows="SELECT * FROM applicants", connection=tmp_path / "d.sqlite")

    assert batch.statuses == run(tmp_path / "expected").statuses


def test_folders_called_key_and_value_are_columns(tmp_path: Path) -> None:
    for housing, part in small.table().groupby("housing"):
        folder = tmp_path / "in" / f"housing={housing}"
        folder.mkdir(parents=True)
        part.drop(columns="housing").to_parquet(folder / "part.parquet", index=False)
    run(tmp_path / "out", rows=tmp_path / "in")
    rows = pq.read_table(tmp_path / "out" / "rows").to_pylist()

    assert sorted(row["x"]["housing"] for row in rows) == sorted(small.table()["housing"])


def test_a_csv_with_less_variety_than_d_is_read_as_d_needs_it(tmp_path: Path) -> None:
    frame = pd.DataFrame({"code": ["1", "2", "A"] * 9, "n": range(27)})
    explainer = geco.Explainer(lambda f: (f["n"] > 20) * 1.0, geco.Database.from_frame(frame))
    (tmp_path / "in.csv").write_text("n,code\n3,1\n4,2\n")
    batch = geco.batch(explainer, tmp_path / "in.csv", tmp_path / "out", workers=1)

    assert batch.statuses == {"found": 2}


def test_an_input_without_rows_is_a_batch_without_answers(tmp_path: Path) -> None:
    batch = run(tmp_path / "out", rows=small.table().head(0))

    assert (batch.rows, batch.answers) == (0, 0)
    assert pq.read_table(tmp_path / "out" / "answers").num_rows == 0


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"rows": small.table().rename(columns={"age": "Age"})}, "the frame has no column 'age'"),
        ({"key": "custmer"}, "no column 'custmer' for the key .did you mean 'customer'"),
        ({"rows": "nowhere.parquet"}, "there is no file 'nowhere.parquet'"),
        ({"rows": "SELECT 1", "connection": 5}, "expected a DuckDB connection"),
        ({"rows": 5}, "rows must be"),
    ],
)
def test_an_input_that_cannot_be_read_is_one_clear_error(more: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(geco.GecoError, match=message):
        run(tmp_path / "out", **more)


@pytest.mark.parametrize(
    "more",
    [
        *({"format": "xml"}, {"k": 0}, {"part_rows": 0}, {"part_rows": 10**30}, {"workers": 0}, {"workers": 10**30}),
        *({"engine": "abacus"}, {"key": 3}),
    ],
)
def test_a_wrong_setting_is_an_error_that_names_it(more: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=next(iter(more))):
        run(tmp_path / "out", **more)


# failed rows


def test_a_failed_row_is_a_row_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(small.table().to_csv(index=False).replace("own", "own", 1).replace("1007,", "x,"))
    lines = (tmp_path / "in.csv").read_text().splitlines()
    lines[5] = ",".join(["1028", "old", *lines[5].split(",")[2:]])
    (tmp_path / "in.csv").write_text("\n".join(lines))
    run(tmp_path / "out", rows=tmp_path / "in.csv")
    row = pq.read_table(tmp_path / "out" / "rows").to_pylist()[4]

    assert (row["status"], row["reason"]) == ("failed", "age = 'old': expected an integer")
    assert row["x"] is None


def test_a_value_no_column_can_hold_fails_its_row_alone(tmp_path: Path) -> None:
    rows = small.table().head(12).to_dict("records")
    rows[4]["age"] = 33.5
    run(tmp_path / "parquet", rows=rows)
    run(tmp_path / "jsonl", rows=rows, format="jsonl")
    written = pq.read_table(tmp_path / "parquet" / "rows").to_pylist()
    line = json.loads((tmp_path / "jsonl" / "rows" / "part-000000.jsonl").read_text().splitlines()[4])

    assert [row["row"] for row in written if row["status"] == "failed"] == [4]
    assert "JSON lines and CSV have room for any value" in written[4]["reason"]
    assert (line["status"] != "failed", line["x"]["age"]) == (True, 33.5)


@pytest.mark.parametrize("format", FORMATS)
def test_retry_failed_gives_the_bytes_of_a_batch_that_never_failed(format: str, tmp_path: Path) -> None:
    away = tmp_path / "away"
    explainer = geco.Explainer(
        small.Scoring(str(away)), geco.Database.from_frame(small.features()), geco.parse_plaf("FIXED since")
    )
    settings: dict[str, Any] = {"k": 2, "part_rows": 10, "workers": 1, "format": format}
    geco.batch(explainer, small.table(), tmp_path / "never", **settings)
    away.touch()
    broken = geco.batch(explainer, small.table(), tmp_path / "out", **settings)
    away.unlink()
    mended = geco.batch(explainer, small.table(), tmp_path / "out", **settings, retry_failed=True)

    assert broken.statuses["failed"] > 0
    assert "failed" not in mended.statuses
    assert small.files(tmp_path / "out") == small.files(tmp_path / "never")


# interruptions


@pytest.mark.parametrize("format", FORMATS)
def test_a_disk_that_is_full_at_any_write_is_a_clear_error_and_resume_gives_the_same_bytes(
    format: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(tmp_path / "whole", format=format)
    replace, left = os.replace, 0

    def full(source: Any, target: Any) -> None:
        nonlocal left
        if left == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        left -= 1
        replace(source, target)

    interrupted = 0
    for left in (0, 1, 2, 3, 6, 100):  # noqa: B007
        monkeypatch.setattr(durable.os, "replace", full)
        try:
            run(tmp_path / "out", format=format, resume=True)
        except BatchError as error:
            interrupted += 1
            assert "No space left on device" in str(error)
            assert not (tmp_path / "out" / "_SUCCESS").exists()
        monkeypatch.setattr(durable.os, "replace", replace)

    assert interrupted == 5
    assert small.files(tmp_path / "out") == small.files(tmp_path / "whole")


def test_a_line_of_the_journal_that_was_cut_short_does_not_count(tmp_path: Path) -> None:
    run(tmp_path / "whole")
    run(tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    parts = manifest.pop("parts")
    (tmp_path / "out" / "manifest.json").write_text(json.dumps({**manifest, "complete": False}))
    (tmp_path / "out" / "_SUCCESS").unlink()
    (tmp_path / "out" / "_parts.jsonl").write_text(json.dumps(parts[0]) + "\n" + json.dumps(parts[1])[:50])
    run(tmp_path / "out", resume=True)

    assert small.files(tmp_path / "out") == small.files(tmp_path / "whole")


def test_a_complete_batch_is_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = run(tmp_path / "out")
    monkeypatch.setattr("geco.engines.batch.run_local", None)

    assert run(tmp_path / "out", resume=True) == first


def test_a_folder_with_a_batch_or_anything_else_is_not_written_over(tmp_path: Path) -> None:
    run(tmp_path / "out")
    with pytest.raises(BatchError, match="holds a complete batch"):
        run(tmp_path / "out")
    (tmp_path / "out" / "_SUCCESS").unlink()
    with pytest.raises(BatchError, match="holds an unfinished batch; resume goes on with it"):
        run(tmp_path / "out")
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter1.tex").touch()
    with pytest.raises(BatchError, match=r"not empty \(chapter1.tex\) and holds no batch"):
        run(tmp_path / "thesis")


def test_two_runs_do_not_write_to_one_folder_at_a_time(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with durable.alone(tmp_path / "out"), pytest.raises(BatchError, match="another batch is writing"):
        run(tmp_path / "out")


def test_an_unwritable_folder_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BatchError, match=r"cannot write .*file.out: Not a directory"):
        run(tmp_path / "file" / "out")


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"k": 3}, r"question.k \(2 then, 3 now\)"),
        ({"seed": 1}, r"question.seed \(0 then, 1 now\)"),
        ({"part_rows": 20}, r"part_rows \(5 then, 20 now\)"),
        ({"format": "csv"}, r"format \(parquet then, csv now\)"),
        ({"key": None}, r"key \(customer then, none now\)"),
        ({"rows": small.table().iloc[::-1]}, "the input differs in rows 0 to 4"),
    ],
)
def test_resume_refuses_what_differs_and_names_it(more: dict[str, Any], named: str, tmp_path: Path) -> None:
    run(tmp_path / "out")
    (tmp_path / "out" / "_SUCCESS").unlink()

    with pytest.raises(BatchError, match=named):
        run(tmp_path / "out", **more, resume=True)


def test_resume_refuses_another_model_other_rules_and_another_file(tmp_path: Path) -> None:
    frame, database = small.table(), geco.Database.from_frame(small.features())
    frame.to_parquet(tmp_path / "in.parquet", index=False)
    settings: dict[str, Any] = {"k": 1, "part_rows": 30, "workers": 1, "resume": True}

    def refused(model: Any, rules: str) -> str:
        explainer = geco.Explainer(model, database, geco.parse_plaf(rules))
        try:
            geco.batch(explainer, tmp_path / "in.parquet", tmp_path / "out", **settings)
        except BatchError as error:
            return str(error)
        return ""

    assert refused(small.Scoring(), "FIXED since") == ""
    assert " model (" in refused(small.Scoring("other"), "FIXED since")
    assert " rules (" in refused(small.Scoring(), "FIXED age")
    frame.assign(age=frame["age"] + 1).to_parquet(tmp_path / "in.parquet", index=False)
    assert "input.files[0].sha256 (" in refused(small.Scoring(), "FIXED since")


# workers

DRIVER = """
    import sys
    import geco

    if __name__ == "__main__":
        saved, rows, out, workers = sys.argv[1:]
        geco.batch(saved, rows, out, k=2, part_rows=10, workers=int(workers), threads=1, resume=True, progress=False)
"""


def test_killed_at_any_moment_and_resumed_by_two_workers_it_is_the_batch_of_one(tmp_path: Path) -> None:
    small.compiled().save(tmp_path / "e.geco")
    frame = pd.concat([small.features()[["age", "income"]].fillna(0)] * 3)
    frame.to_csv(tmp_path / "in.csv", index=False)
    geco.batch(tmp_path / "e.geco", tmp_path / "in.csv", tmp_path / "one", k=2, part_rows=10, workers=1)
    (tmp_path / "driver.py").write_text(textwrap.dedent(DRIVER))
    command = [sys.executable, tmp_path / "driver.py", tmp_path / "e.geco", tmp_path / "in.csv", tmp_path / "out", "2"]
    killed = 0
    while not (tmp_path / "out" / "_SUCCESS").exists():
        running = subprocess.Popen(command)
        waited = len(list(tmp_path.glob("out/rows/part*"))) + 6
        while running.poll() is None and len(list(tmp_path.glob("out/rows/part*"))) < waited:
            time.sleep(0.005)
        if running.poll() is None:
            running.send_signal(signal.SIGKILL)
            killed += 1
        running.wait()

    assert killed > 0
    assert small.files(tmp_path / "out") == small.files(tmp_path / "one")


def test_a_part_that_three_workers_do_not_survive_ends_the_batch_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "deadly.py").write_text(
        "import os, signal\n"
        "class Deadly:\n"
        "    def __call__(self, frame):\n"
        "        if (frame['age'] == 20.5).any(): os.kill(os.getpid(), signal.SIGKILL)\n"
        "        return (frame['age'] > 50) * 1.0\n"
    )
    code = f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        import geco, pandas, deadly

        if __name__ == "__main__":
            frame = pandas.DataFrame({{"age": range(20, 60)}})
            explainer = geco.Explainer(deadly.Deadly(), geco.Database.from_frame(frame))
            rows = [*frame.to_dict("records"), {{"age": 20.5}}]
            geco.batch(explainer, rows, {str(tmp_path / "out")!r}, part_rows=30, workers=2)
    """
    (tmp_path / "script.py").write_text(textwrap.dedent(code))
    ended = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, text=True)

    assert "3 workers died over rows 30 to 40 (exit code -9); is the memory full?" in ended.stderr


def test_a_model_that_cannot_travel_says_so_unless_there_is_one_worker(tmp_path: Path) -> None:
    explainer = geco.Explainer(lambda f: (f["age"] > 50) * 1.0, geco.Database.from_frame(small.features()[["age"]]))
    with pytest.raises(BatchError, match=r"cannot be sent to other processes .* or say workers=1"):
        geco.batch(explainer, small.table(), tmp_path / "out", workers=2)

    assert geco.batch(explainer, small.table(), tmp_path / "one", workers=1).rows == small.ROWS


def test_a_process_that_may_start_no_others_is_told_to_say_workers_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(multiprocessing.current_process()._config, "daemon", True)  # type: ignore[attr-defined]
    with pytest.raises(SettingsError, match=r"may start no workers; say workers=1"):
        run(tmp_path / "out", workers=2)

    assert run(tmp_path / "one", workers=1).rows == small.ROWS


def test_what_is_not_an_explainer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"a geco.Explainer, a project or the path"):
        geco.batch(5, small.table(), tmp_path / "out")
    with pytest.raises(DataError, match="no column 'nothing'"):
        run(tmp_path / "out", key="nothing")


def test_seconds_for_proofs_are_refused(tmp_path: Path) -> None:
    given = small.explainer()
    asked = geco.Explainer(given.model.own, geco.Database.from_frame(small.features()), prove=2.0)

    with pytest.raises(SettingsError, match="a batch takes prove='quick' or False"):
        geco.batch(asked, small.features(), tmp_path / "out")
