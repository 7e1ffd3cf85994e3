"""Where scripts of Fight! and Range and Cover are searched, for characters given to the table.

A desk searches for one script after the other in a thread and answers meanwhile. What it finds is
good play, never called the best; where it finds nothing in time, the table scripts by temperament.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from queue import Queue
from threading import Lock, Thread
from time import monotonic
from typing import NamedTuple

import msgspec

from astragal.dice import Secure
from astragal.errors import Refusal
from astragal.lab.fight_sparring import CANDIDATES, FIGHT, SAMPLES, SKIRMISH, Cards, ScriptSearch
from astragal.lab.sparring import MERCILESS
from astragal.table.log.state import TablePartner
from astragal.table.script_due import ScriptToWrite, replayed
from astragal.table.solving_process import ScriptAdvice

SEARCHED = {"fight": FIGHT, "range_and_cover": SKIRMISH}
"""The conflicts that are searched, by the names of their procedures."""

WAITS_WITHIN = 20.0
"""Seconds after which a script that still waits for its search is written without one."""

MOST_WAITING = 8
"""How many scripts may wait for their search; the next ones are written without one."""

ENOUGH = 4 * CANDIDATES
"""Plays without which a search has found nothing: every script was tried out four times."""

MOST_KEPT = 100
"""How many scripts are kept for those who have not asked again."""

BY_TEMPERAMENT: Cards = ()
"""What stands for a script that the table writes by temperament."""


class _Work(NamedTuple):
    key: bytes
    asked: ScriptToWrite
    dial: int
    seconds: float
    latest: float
    """When it is too late to begin."""


class SearchDesk:
    """Searches for scripts in a thread, one at a time."""

    def __init__(self, waits: float = WAITS_WITHIN, most: int = MOST_WAITING) -> None:
        """Let so many scripts wait for their search, each for so many seconds."""
        self._waits, self._most = waits, most
        self._waiting: Queue[_Work] = Queue()
        self._under_way: set[bytes] = set()
        self._found: OrderedDict[bytes, Cards] = OrderedDict()
        self._lock = Lock()
        self._thread: Thread | None = None

    def answer(self, asked: ScriptToWrite, partner: TablePartner, seconds: float) -> ScriptAdvice:
        """A partner's script, none if it is to be written by temperament, or that it takes time."""
        if partner.dial == 0:
            return ScriptAdvice(drawn=BY_TEMPERAMENT)
        key = msgspec.json.encode((asked, partner))
        with self._lock:
            if key in self._found:
                return ScriptAdvice(drawn=self._found.pop(key))
            if key in self._under_way:
                return ScriptAdvice(progress=0.0)
            if len(self._under_way) >= self._most:
                return ScriptAdvice(drawn=BY_TEMPERAMENT)
            self._under_way.add(key)
            latest = monotonic() + self._waits
            self._waiting.put(_Work(key, asked, partner.dial, seconds, latest))
        if self._thread is None:
            self._thread = Thread(target=self._search_all, daemon=True)
            self._thread.start()
        return ScriptAdvice(progress=0.0)

    def _search_all(self) -> None:
        while True:
            work = self._waiting.get()
            found = BY_TEMPERAMENT
            if monotonic() <= work.latest:
                try:
                    found = _drawn(work)
                except Exception:
                    # Whatever cannot be played out is scripted by temperament: the table plays on.
                    found = BY_TEMPERAMENT
            with self._lock:
                self._under_way.discard(work.key)
                self._found[work.key] = found
                while len(self._found) > MOST_KEPT:
                    self._found.popitem(last=False)
            self._waiting.task_done()


def _drawn(work: _Work) -> Cards:
    """The script that was found, as often as the dial says.

    It is searched for in either case, or else the time would tell which it was.
    """
    found = searched(work.asked, work.seconds)
    return found if Secure().dice(MERCILESS, 1)[0] <= work.dial else BY_TEMPERAMENT


def searched(asked: ScriptToWrite, seconds: float) -> Cards:
    """The best script that was found in time; none where the time was too short."""
    if not set(asked.procedure.sheets) <= set(asked.reads):
        raise Refusal("This needs a sheet that the seat cannot see.")
    session, at = replayed(asked)
    game = SEARCHED[asked.procedure.name]
    if at is None or game.begins(session.state) is None:
        raise Refusal("Scripts are searched for only at the start of an exchange.")
    search = ScriptSearch(game, SAMPLES, seconds)
    found = search.best(session.state, session.waiting[at], secrets.token_hex(16))
    return found.candidate if found.plays >= ENOUGH else BY_TEMPERAMENT
