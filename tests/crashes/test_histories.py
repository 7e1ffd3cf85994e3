"""What clients recorded is checked against the log: on planted faults, and in a short trial."""

from __future__ import annotations

from pathlib import Path

import pytest

from astragal.table.fairness import sealed
from astragal.table.log.events import LogEntry, MessageSent, head_of
from crashes.histories import History, Seen, Sent, faults
from crashes.test_kills import quickly_back  # noqa: F401
from crashes.troubles import SET_UPS, SetUp, played_through
from table.stores import postgres_server

AT = "2026-01-01T20:00:00.000+00:00"


def a_log(*marks: str) -> list[LogEntry]:
    log: list[LogEntry] = []
    for seq, mark in enumerate(marks, start=1):
        entry = LogEntry(seq, AT, "anna", MessageSent(f"words {seq}"), f"anna:{mark}")
        log.append(sealed(entry, head_of(log[-1]) if log else ""))
    return log


LOG = a_log("a", "b", "c")
HEADS = [head_of(entry) for entry in LOG]


def sent(mark: str, seq: int, began: float, ended: float) -> Sent:
    return Sent("anna", mark, began, ended, seq)


def seen(seq: int, at: float, began: float | None = None, head: str = "") -> Seen:
    return Seen("ben", at if began is None else began, at, seq, head or HEADS[seq - 1], bool(began))


WELL = History(
    [sent("a", 1, 0, 1), sent("b", 2, 0.5, 3), sent("c", 3, 3.5, 4)],
    [seen(1, 1.5), seen(2, 2), seen(2, 3.2, began=3.1), seen(3, 5)],
)


def test_what_one_log_explains_has_no_faults():
    assert faults(WELL, LOG) == []


@pytest.mark.parametrize(
    ("history", "log", "told"),
    [
        (WELL, LOG[:2], "c was acknowledged as entry 3, and is not there"),
        (WELL, [*LOG[:2], a_log("a", "b", "b")[2]], "anna:b is there twice"),
        (WELL, [LOG[0], LOG[2]], "the entries are not numbered one by one"),
        (History([sent("b", 1, 0, 1)]), LOG, "b was acknowledged as entry 1, and is not there"),
        (
            History([sent("b", 2, 0, 1), sent("a", 1, 2, 3)]),
            LOG,
            "a follows entry 0, though entry 2 was known before",
        ),
        (
            History([sent("b", 2, 2, 3)], [seen(3, 1)]),
            LOG,
            "b follows entry 1, though entry 3 was known before",
        ),
        (
            History([sent("b", 2, 0, 1)], [seen(1, 3, began=2)]),
            LOG,
            "a look of ben follows entry 1, though entry 2 was known before",
        ),
        (History([], [seen(2, 1), seen(1, 2)]), LOG, "ben saw entry 1 after entry 2"),
        (
            History([], [seen(2, 1, head="f" * 64)]),
            LOG,
            "ben was shown an entry 2 that is not in the log",
        ),
    ],
    ids=[
        *("lost", "twice", "left out", "another entry"),
        *("order of commands", "order of what was seen", "old answer", "back", "another log"),
    ],
)
def test_what_no_log_explains_is_found(history: History, log: list[LogEntry], told: str):
    assert told in faults(history, log)


def test_two_commands_at_the_same_time_may_come_in_any_order():
    assert faults(History([sent("b", 2, 0, 2), sent("a", 1, 1, 3)]), LOG) == []


@pytest.mark.usefixtures("quickly_back")
@pytest.mark.parametrize("set_up", SET_UPS, ids=lambda each: each.name)
def test_what_everybody_recorded_under_troubles_is_one_log(
    set_up: SetUp, new_url_of, tmp_path: Path
):
    postgres = postgres_server() if set_up.kind == "postgresql" else None
    url = new_url_of(set_up.kind)
    came_to = played_through(set_up, url, postgres, tmp_path, 4, 11, ("burning_wheel", "cores"))
    assert came_to.faults == []
    assert came_to.troubles.total() == 4
    assert came_to.seen > came_to.acknowledged > 40
