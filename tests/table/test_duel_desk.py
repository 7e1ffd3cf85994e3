"""The desk where duels are solved: nobody keeps others from it, or learns that they were there."""

from __future__ import annotations

import signal
import subprocess
import sys
from queue import Queue
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import pytest

from astragal.errors import Refusal
from astragal.table import duel_desk
from astragal.table.duel_desk import BUSY, FORGOTTEN, MOST_WAITING, DuelDesk

pytestmark = pytest.mark.slow

WITHIN = 60.0


class Solver:
    """Solves a duel when it is told to; a duel is its name here."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.began: Queue[str] = Queue()
        self.goes_on: Queue[float] = Queue()
        self.heard: Queue[float] = Queue()
        self.clock = 0.0
        monkeypatch.setattr(duel_desk, "solve_duel", self.solve)
        monkeypatch.setattr(duel_desk, "read_solution", lambda _path: None)
        monkeypatch.setattr(duel_desk, "monotonic", lambda: self.clock)
        self.desk = DuelDesk()

    def solve(self, name: str, *_: Any, progress: Any, **__: Any) -> str:
        self.began.put(name)
        while (now := self.goes_on.get(timeout=WITHIN)) < 1:
            progress("states")(now, 1)
            self.heard.put(now)
        return f"solved {name}"

    def ask(self, name: str, *, is_first: bool = False) -> Any:
        known: Any = SimpleNamespace(debate=name, table=None, bodies=(1, 1))
        return self.desk.find(name, known, 1000.0, is_first=is_first)

    def begun(self) -> str:
        return self.began.get(timeout=WITHIN)

    def comes_to(self, progress: float) -> None:
        self.goes_on.put(progress)
        assert self.heard.get(timeout=WITHIN) == progress


@pytest.fixture
def solver(monkeypatch: pytest.MonkeyPatch) -> Any:
    solver = Solver(monkeypatch)
    yield solver
    for _ in range(3 * MOST_WAITING):
        solver.goes_on.put(1)
    # Its thread would go on with what the next test puts in the place of the solver.
    ends = monotonic() + WITHIN
    while solver.desk._progress and monotonic() < ends:
        sleep(0.01)
    assert not solver.desk._progress


def test_only_a_few_duels_wait_to_be_solved(solver: Solver):
    """A player who begins and cancels duels does not keep all others waiting for hours."""
    assert solver.ask("duel 0") == 0.0
    assert solver.begun() == "duel 0"
    for number in range(1, MOST_WAITING + 1):
        assert solver.ask(f"duel {number}") == 0.0
    with pytest.raises(Refusal, match=BUSY):
        solver.ask("one more")
    assert solver.ask("duel 0") == 0.0, "whose duel waits may ask about it"
    assert solver.ask("the table's", is_first=True) == 0.0
    solver.goes_on.put(1)
    assert solver.begun() == "the table's", "what the game waits for comes first"
    solver.goes_on.put(1)
    assert solver.begun() == "duel 1"
    assert solver.ask("duel 0") == "solved duel 0"


def test_a_duel_about_which_nobody_asks_is_not_solved(solver: Solver):
    for number in range(MOST_WAITING + 1):
        solver.ask(f"duel {number}")
    assert solver.begun() == "duel 0"
    solver.clock = FORGOTTEN
    solver.ask("duel 5")
    solver.clock = FORGOTTEN + 1
    assert solver.ask("one more") == 0.0
    solver.goes_on.put(1)
    assert [solver.begun(), solver.goes_on.put(1), solver.begun()] == ["duel 5", None, "one more"]
    assert solver.ask("duel 1") == 0.0, "and can be asked for again"


def test_how_far_it_is_counts_from_the_first_question_of_each_seat(solver: Solver):
    assert solver.ask("a duel") == 0.0
    assert solver.begun() == "a duel"
    desk, annas, bens = solver.desk, ("a duel", "p1", "anna"), ("a duel", "p1", "ben")
    assert desk._since(annas, solver.ask("a duel")) == 0.0
    solver.comes_to(0.5)
    half = solver.ask("a duel")
    assert desk._since(annas, half) == half > 0.4
    assert desk._since(bens, half) == 0.0, "as if nobody had asked before"
    solver.comes_to(0.8)
    assert 0.0 < desk._since(bens, solver.ask("a duel")) < desk._since(annas, solver.ask("a duel"))
    assert desk._since(bens, 0.0) == 0.0, "begun once more"


HOST = """
import sys
from astragal.table.solving_process import SolvingProcess
if __name__ == "__main__":
    solving = SolvingProcess()
    solving.started()
    print(solving._process.pid, flush=True)
    sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
def test_it_ends_with_a_server_that_is_killed(tmp_path: Any):
    """Nothing solves on for a server that is gone, however it went."""
    (tmp_path / "host.py").write_text(HOST)
    server = subprocess.Popen(
        [sys.executable, str(tmp_path / "host.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    solving = int(server.stdout.readline())
    assert is_running(solving)
    server.send_signal(signal.SIGKILL)
    server.wait()
    ends = monotonic() + WITHIN
    while is_running(solving) and monotonic() < ends:
        sleep(0.05)
    assert not is_running(solving)


def is_running(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
