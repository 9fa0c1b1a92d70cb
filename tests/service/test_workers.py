"""Workers die, hang and refuse to start; whoever asks gets the right answer or a clear 503."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest

import geco
from geco.report.ledger import Ledger
from geco.service.answering import answer
from geco.service.frames import packed
from geco.service.queue import Full, Line, Lost, Ticket
from geco.service.settings import Settings
from geco.service.source import Served as Loaded
from geco.service.source import Source
from geco.service.together import answer_together
from geco.service.told import Told
from geco.service.worker import Mailbox
from geco.service.workers import Pool, StartFailed, Worker
from tests.service.conftest import Running, Served
from tests.service.test_routes import without_clocks

X = dict[str, Any]


@pytest.fixture(scope="module")
def two(saved: Path) -> Iterator[Running]:
    """A service with two workers and a spare."""
    with Served(Source(str(saved)), Settings(workers=2)) as running:
        yield running


def workers() -> list[int]:
    """The processes of this one that are workers, oldest first."""
    own = os.getpid()
    listed = Path(f"/proc/{own}/task").glob("*/children")
    children = sorted({int(pid) for each in listed for pid in each.read_text().split()})
    return [pid for pid in children if b"geco.service.worker" in _command(pid)]


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc")
def test_a_worker_killed_under_load_loses_no_answer_and_gives_no_wrong_one(two: Running, xs: list[X]) -> None:
    before = set(workers())
    with two.client() as client:
        expected = [without_clocks(client.post("/v1/explain", json={"x": x, "k": 2}).json()) for x in xs[:20]]
        stop = threading.Event()
        answers: list[tuple[int, int, X]] = []

        def ask(number: int) -> None:
            while not stop.is_set():
                place = (number + len(answers)) % 20
                reply = client.post("/v1/explain", json={"x": xs[place], "k": 2})
                answers.append((place, reply.status_code, reply.json()))

        with ThreadPoolExecutor(4) as pool:
            asking = [pool.submit(ask, number) for number in range(4)]
            for pid in sorted(before)[:2]:
                time.sleep(0.3)
                os.kill(pid, signal.SIGKILL)
            time.sleep(1.5)
            stop.set()
            for each in asking:
                each.result()
        ready = client.get("/v2/health/ready").status_code

    right = [(place, without_clocks(said)) for place, status, said in answers if status == 200]
    assert len(right) > 20 and ready == 200
    assert all(said == expected[place] for place, said in right)
    assert {status for _, status, _ in answers} <= {200, 503}
    assert set(workers()) - before


def test_a_file_that_is_not_an_explainer_keeps_the_service_from_starting(tmp_path: Path) -> None:
    (tmp_path / "no.geco").write_text("nonsense")
    pool = Pool(Source(str(tmp_path / "no.geco")), 1, 0, 8, 1.0)

    with pytest.raises(StartFailed, match=r"no\.geco"):
        asyncio.run(pool.start())


def test_a_worker_that_hangs_is_replaced_and_the_request_told_so(saved: Path, x: X) -> None:
    async def hang() -> tuple[str, int]:
        pool = Pool(Source(str(saved)), 1, 0, 8, grace=0.2)
        await pool.start()
        try:
            [pid] = [pid for pid in workers() if pid not in others]
            os.kill(pid, signal.SIGSTOP)
            ticket = Ticket("explain", {"x": x}, 0.3)
            pool.put(ticket)
            with pytest.raises(Lost) as lost:
                await ticket.answer
            again = Ticket("explain", {"x": x}, 30)
            pool.put(again)
            return str(lost.value), (await again.answer).header["status"]
        finally:
            await pool.close()

    others = set(workers())
    said, status = asyncio.run(hang())

    assert "longer than its deadline" in said and status == 200


def test_a_request_for_a_worker_that_has_just_died_is_answered_by_the_next(saved: Path, x: X) -> None:
    async def ask_the_dead() -> tuple[int, int]:
        pool = Pool(Source(str(saved)), 1, 0, 8, grace=5.0)
        await pool.start()
        try:
            [pid] = [pid for pid in workers() if pid not in others]
            await asyncio.sleep(0)  # it has its place at the counter
            os.kill(pid, signal.SIGKILL)
            ticket = Ticket("explain", {"x": x}, 30)
            pool.put(ticket)
            return (await ticket.answer).header["status"], pool.restarts
        finally:
            await pool.close()

    others = set(workers())

    assert asyncio.run(ask_the_dead()) == (200, 1)


def test_a_worker_ends_with_its_front_process_whatever_it_is_at() -> None:
    busy = "import time; from geco.service.worker import end_with_front; end_with_front(0); print(1); time.sleep(600)"
    with subprocess.Popen([sys.executable, "-uc", busy], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(packed({"id": 1, "do": "explain"}))
        process.stdin.flush()
        process.stdout.readline()
        lived = process.poll() is None
        process.stdin.close()
        code = process.wait(60)

    assert lived and code == 0


def test_a_cancellation_is_seen_whenever_it_comes_and_for_its_own_message_alone() -> None:
    reading, writing = os.pipe()
    mailbox = Mailbox(reading)
    cancel = packed({"do": "cancel", "id": 1})
    os.write(writing, packed({"id": 1, "do": "explain"}) + cancel[:5])
    numbers = [mailbox.next().header["id"]]
    seen = [mailbox.cancelled(1)]
    os.write(writing, cancel[5:] + packed({"id": 2, "do": "explain"}))
    seen.append(mailbox.cancelled(1))
    numbers.append(mailbox.next().header["id"])
    seen.append(mailbox.cancelled(2))
    os.close(reading)
    os.close(writing)

    assert (numbers, seen) == ([1, 2], [False, True, False])


def test_a_line_takes_no_more_than_it_may_and_gives_out_in_order() -> None:
    async def stand_in_line() -> list[str]:
        line = Line(2)
        tickets = [Ticket(name, {}, 10) for name in "abc"]
        line.put(tickets[0])
        line.put(tickets[1])
        with pytest.raises(Full):
            line.put(tickets[2])
        line.put_back(tickets[2])
        late = Ticket("late", {}, -1)
        line.put_back(late)
        taken = []
        while tickets := line.take():
            taken.append(tickets[0].do)
        assert isinstance(late.answer.exception(), Lost)
        return taken

    assert asyncio.run(stand_in_line()) == ["c", "a", "b"]


def test_requests_that_ask_the_same_are_taken_together_and_those_that_failed_alone() -> None:
    async def stand_in_line() -> list[list[int]]:
        line = Line(10)
        for number, k in enumerate((1, 2, 1, 1, 2)):
            line.put(Ticket("explain", {"x": number, "k": k}, 10))
        failed = Ticket("explain", {"x": 5, "k": 1}, 10)
        assert failed.words and failed.tried(2) and failed.words is None
        line.put(failed)
        taken = []
        while tickets := line.take(2):
            taken.append([each.arguments["x"] for each in tickets])
        return taken

    assert asyncio.run(stand_in_line()) == [[0, 2], [1, 4], [3], [5]]


def test_a_worker_that_answered_several_waits_for_them_and_one_that_answered_one_does_not() -> None:
    class Asked:
        """A worker that is only asked."""

        def __init__(self) -> None:
            self.over = asyncio.get_running_loop().create_future()
            self.groups: list[int] = []

        def ask(self, tickets: list[Ticket], seconds: float) -> None:
            self.groups.append(len(tickets))

    async def come_back(answered: int) -> list[int]:
        pool, worker = Pool(Source("none"), 1, 0, 8, grace=1.0), Asked()
        pool._free(cast(Worker, worker), answered)
        for number in range(2):
            pool.put(Ticket("explain", {"x": number}, 10))
        while not worker.groups:
            await asyncio.sleep(0.001)
        return worker.groups

    assert [asyncio.run(come_back(2)), asyncio.run(come_back(1))] == [[2], [1]]


def test_answers_given_together_are_those_of_each_alone(saved: Path, loaded: geco.Explainer, xs: list[X]) -> None:
    wrong = {**xs[0], "age": "old"}
    replies = dict(answer_together(Loaded(loaded), [*xs[:8], wrong], {"k": 2, "deadline": 10.0}))
    alone = [
        json.loads(answer(Loaded(loaded), "explain", {"x": x, "k": 2, "deadline": 10.0}, Told()).body) for x in xs[:8]
    ]

    assert replies[8].header["problem"]["detail"] == "age = 'old': expected an integer"
    assert [without_clocks(json.loads(replies[n].body)) for n in range(8)] == list(map(without_clocks, alone))


def test_words_that_are_wrong_for_all_are_told_to_each(loaded: geco.Explainer, xs: list[X]) -> None:
    replies = dict(answer_together(Loaded(loaded), xs[:2], {"rules": "nonsense", "deadline": 10.0}))

    assert [replies[n].header["problem"]["type"] for n in range(2)] == ["urn:geco:problem:rules"] * 2


def test_too_many_at_once_get_429_and_are_told_when_to_come_again(saved: Path, xs: list[X]) -> None:
    with Served(Source(str(saved)), Settings(queue=1)) as running, running.client() as client:
        with ThreadPoolExecutor(12) as pool:
            asked = [pool.submit(client.post, "/v1/explain_many", json={"rows": xs[:20]}) for _ in range(12)]
            replies = [each.result() for each in asked]
        after = client.post("/v1/explain", json={"x": xs[0]}).status_code

    busy = [reply for reply in replies if reply.status_code == 429]
    assert {reply.status_code for reply in replies} == {200, 429} and after == 200
    assert all(int(reply.headers["retry-after"]) >= 1 for reply in busy)
    assert busy[0].json()["type"] == "urn:geco:problem:busy"


def test_a_service_that_is_told_to_stop_ends_what_is_under_way(saved: Path, xs: list[X]) -> None:
    with ThreadPoolExecutor(1) as pool, Served(Source(str(saved)), Settings()) as running, running.client() as client:
        asked = pool.submit(client.post, "/v1/explain_many", json={"rows": xs, "k": 3})
        time.sleep(0.1)
        running.server.should_exit = True
        status = asked.result().status_code

    assert status == 200


def test_every_answer_is_in_the_ledger_before_it_goes_out(saved: Path, xs: list[X], tmp_path: Path) -> None:
    file = tmp_path / "given.db"
    with Served(Source(str(saved)), Settings(ledger=str(file))) as running, running.client() as client:
        one = client.post("/v1/explain", json={"x": xs[3], "k": 1, "person": "customer 17"})
        many = client.post("/v1/explain_many", json={"rows": xs[:2], "k": 1})
        wrong = client.post("/v1/explain", json={"x": {"age": 3}})
    with Ledger(file) as ledger:
        entries = list(ledger)
        whole = ledger.verify()

    assert (one.headers["geco-ledger"], many.headers["geco-ledger"], wrong.status_code) == ("1", "2-3", 422)
    assert whole and [entry.person for entry in entries] == ["customer 17", None, None]
    assert entries[0].record == one.json()


def test_a_person_needs_a_ledger(two: Running, x: X) -> None:
    with two.client() as client:
        assert client.post("/v1/explain", json={"x": x, "person": "a"}).json()["type"] == "urn:geco:problem:ledger"
