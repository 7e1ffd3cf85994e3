"""The same work on processes and on a Dask cluster: in order, with progress, and cancelled."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from operator import neg, truediv
from pathlib import Path

import pytest

from astragal.cli.lab import Share, draw_share
from astragal.errors import BadInput, Refusal
from astragal.lab.duel_draws import AnyScript
from astragal.lab.duel_game import Payoff, duel_game
from astragal.lab.duel_volleys import Volleys
from astragal.lab.workers import done_by_many, executor, in_order
from lab.duels import DEBATE, small_hall


class Lazily(Executor):
    """Does nothing until it is asked for the result, and remembers what was cancelled."""

    def __init__(self) -> None:
        self.futures: list[Future] = []

    def submit(self, work, /, *given):
        future = Future()
        self.futures.append(future)
        if len(self.futures) == 1:
            future.set_exception(ZeroDivisionError())
        return future


@pytest.mark.slow
def test_results_come_in_the_order_of_the_items_with_progress():
    heard: list[tuple[int, int]] = []
    with executor(2) as on:
        results = in_order(on, neg, range(5), lambda *far: heard.append(far))
    assert results == [0, -1, -2, -3, -4]
    assert heard == [(done, 5) for done in range(1, 6)]


def test_after_a_failure_nothing_more_is_begun():
    lazily = Lazily()
    with pytest.raises(ZeroDivisionError):
        in_order(lazily, truediv, range(4))
    assert [future.cancelled() for future in lazily.futures[1:]] == [True] * 3


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of two workers, each a process of its own, as on two machines."""
    from distributed import LocalCluster  # takes long to import

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as workers:
        yield workers.scheduler_address


@pytest.mark.slow
def test_duels_are_drawn_on_a_dask_cluster_as_they_are_here(cluster):
    game = duel_game(Volleys(DEBATE, small_hall()), Payoff.WIN, (3, 3)).at_usual()
    policies = AnyScript(7**3), AnyScript(7**3)
    work = [Share(game, 200, policies, (7, at)) for at in range(5)]
    heard: list[tuple[int, int]] = []
    there = done_by_many(draw_share, work, lambda *far: heard.append(far), dask=cluster)
    here = [draw_share(each) for each in work]
    assert [each.ends.tolist() for each in there] == [each.ends.tolist() for each in here]
    assert len({str(each.ends) for each in here}) > 1, "in whatever order they would be the same"
    assert heard == [(done, 5) for done in range(1, 6)]
    assert os.getpid() not in done_by_many(process_of, range(6), dask=cluster)


@pytest.mark.slow
def test_after_a_failure_a_dask_cluster_begins_nothing_more(cluster, tmp_path):
    """The first of them fails; the others wait until that has been told."""
    with pytest.raises(ZeroDivisionError):
        done_by_many(begins, [(tmp_path, number) for number in range(60)], dask=cluster)
    (tmp_path / "told").touch()
    assert done_by_many(neg, range(4), dask=cluster) == [0, -1, -2, -3], "it is free again"
    # Two may have been at work, and each may have had a few more with it.
    assert len(list(tmp_path.glob("begun-*"))) < 20


def begins(given: tuple[Path, int]) -> float:
    folder, number = given
    if not number:
        return 1 / number
    (folder / f"begun-{number}").touch()
    eventually((folder / "told").exists)
    return number


def process_of(_item: int) -> int:
    return os.getpid()


@pytest.mark.slow
def test_little_is_done_here_and_much_by_several_processes():
    me = os.getpid()
    heard: list[tuple[int, int]] = []
    assert done_by_many(process_of, [1], processes=2) == [me]
    assert done_by_many(process_of, range(3), processes=1) == [me] * 3
    assert done_by_many(process_of, range(3), processes=2, patience=600) == [me] * 3
    found = done_by_many(process_of, range(6), lambda *far: heard.append(far), processes=2)
    assert me not in found
    assert heard == [(done, 6) for done in range(1, 7)]
    assert done_by_many(neg, range(6), processes=2) == [0, -1, -2, -3, -4, -5]
    assert done_by_many(neg, [], processes=2) == []
    with pytest.raises(BadInput, match="--processes"):
        done_by_many(neg, [1], processes=-1)


@pytest.mark.slow
def test_an_interruption_ends_all_processes_with_one_line():
    """As a terminal does it: everybody in the group gets the signal."""
    command = [sys.executable, "-m", "astragal", "fight", "--auto", "9000", "--processes", "2"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=interruptible,
    ) as running:
        eventually(lambda: len(workers_of(running.pid)) == 2)
        os.killpg(running.pid, signal.SIGINT)
        out, err = running.communicate(timeout=120)
    assert (running.returncode, out, err) == (130, "", "astragal: Interrupted.\n")
    eventually(lambda: not in_session(running.pid))


def interruptible() -> None:
    """What a shell starts in the background ignores interrupts, and so does all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def workers_of(parent: int) -> list[int]:
    """The processes that it has started to work for it."""
    return [pid for pid, words in in_session(parent).items() if "spawn_main" in words]


def in_session(leader: int) -> dict[int, str]:
    """The command lines of all living processes of a session."""
    found = {}
    for folder in Path("/proc").iterdir():
        try:
            state, _, _, session = (folder / "stat").read_text().rpartition(")")[2].split()[:4]
            words = (folder / "cmdline").read_text()
        except (OSError, ValueError):
            continue
        if int(session) == leader and state != "Z":
            found[int(folder.name)] = words
    return found


def eventually(happens: Callable[[], bool]) -> None:
    until = time.monotonic() + 120
    while not happens():
        assert time.monotonic() < until, "it does not happen"
        time.sleep(0.05)


def test_what_is_no_cluster_or_number_is_refused(monkeypatch):
    with pytest.raises(BadInput, match="--processes"), executor(-1):
        pass
    monkeypatch.setattr("astragal.lab.workers.find_spec", lambda name: None)
    with pytest.raises(Refusal, match="distributed"), executor(dask="tcp://127.0.0.1:1"):
        pass
