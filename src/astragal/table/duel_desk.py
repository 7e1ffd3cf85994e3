"""Where duels of open procedures are solved, and their scripts looked up; it needs NumPy and SciPy.

A desk solves one duel after the other in a thread and answers meanwhile. What it is asked about is
a procedure without the scripts of the exchange that begins; of the sheets it uses those alone that
the seat may read, and of the scene what that seat knows.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from queue import PriorityQueue
from threading import Lock, Thread
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from astragal.errors import Refusal
from astragal.games import game_named
from astragal.games.burning_wheel.conflicts.duel_of_wits.state import Duel
from astragal.games.burning_wheel.conflicts.scripting import VOLLEYS
from astragal.lab import Progress
from astragal.lab.duel_advice import DuelAsKnown, ShownExponents, as_known, best_mix
from astragal.lab.duel_game import Payoff
from astragal.lab.solved_duel import (
    SolvedDuel,
    cache_folder,
    fingerprint,
    read_solution,
    solve_duel,
)
from astragal.lab.sparring import SparringScripts, SpeakerTemperament, duel_in, habit, state_of
from astragal.play import GM, Script, Seat
from astragal.table.log.items import ToldItem
from astragal.table.log.state import OpenProcedure, TablePartner
from astragal.table.script_due import ScriptToWrite, replayed
from astragal.table.solving_process import LEFT_OUT, UNSOLVED, AdvisedScript, ScriptAdvice

KEPT = 8
"""How many solutions are kept in memory."""

GATHERING = 0.3
"""The part of the work before the first state is solved."""

MOST_WAITING = 8
"""How many duels may wait to be solved; scripts of the table are written however many do."""

FORGOTTEN = 120.0
"""Seconds after which a duel that waits is not solved, if nobody has asked about it since."""

MOST_ASKED = 1000
"""Of how many questions it is remembered how far the duel had come."""

BUSY = "Too many duels are being solved. Try again in a few minutes."
TOO_LONG = "This duel takes too long to solve, so there is no advice this time."


class _Due(NamedTuple):
    """A script that is due: the duel as it stands, who has lost a volley, whose script it is."""

    duel: Duel
    owed: tuple[int, ...]
    side: int
    script: Script


class _Work(NamedTuple):
    """A duel to be solved; scripts of the table come first, then what was asked for earlier."""

    rank: int
    number: int
    key: str
    known: DuelAsKnown
    seconds: float


class DuelDesk:
    """Solves duels in a thread, one at a time, and knows those that are solved."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._solved: OrderedDict[str, SolvedDuel] = OrderedDict()
        self._progress: dict[str, float] = {}
        self._failed: dict[str, str] = {}
        self._asked: dict[str, float] = {}
        self._first_seen: OrderedDict[tuple[str, str, Seat], float] = OrderedDict()
        self._waiting: PriorityQueue[_Work] = PriorityQueue()
        self._numbers = count()
        self._current = ""
        self._lock = Lock()
        self._thread: Thread | None = None
        self._chance = np.random.default_rng()

    def answer(
        self, asked: ScriptToWrite, partner: TablePartner | None, seconds: float
    ) -> ScriptAdvice:
        """Advice, or a partner's script; or how far the duel is solved."""
        due = _due(asked)
        shown = _shown(asked, due)
        known = as_known(due.duel, due.side, _table(asked), shown)
        key = fingerprint(known.debate, known.table, Payoff.WIN, known.bodies)
        try:
            found = self.find(key, known, seconds, is_first=partner is not None)
        except Refusal:
            if partner is None:
                raise
            return ScriptAdvice(drawn=self._by_habit(due, partner))
        if isinstance(found, float):
            return ScriptAdvice(progress=self._since((key, asked.procedure.id, asked.seat), found))
        if partner is not None:
            return ScriptAdvice(drawn=self._as_partner(found, due, partner))
        value, mix = best_mix(found, due.side, due.duel, due.owed)
        scripts = tuple(AdvisedScript(cards, share) for cards, share in mix)
        return ScriptAdvice(value=value, scripts=scripts, based_on=_words(due, shown))

    def find(
        self, key: str, known: DuelAsKnown, seconds: float, *, is_first: bool = False
    ) -> SolvedDuel | float:
        """The solution of a duel, or how far it is solved, from 0 to 1; a refusal if it failed."""
        if key in self._solved:
            self._solved.move_to_end(key)
            return self._solved[key]
        if key in self._failed:
            # Who asks once more begins once more: the machine may have been busy.
            raise Refusal(self._failed.pop(key))
        with self._lock:
            if key in self._progress:
                self._asked[key] = monotonic()
                return self._progress[key]
        kept = read_solution(cache_folder() / f"duel-{key}.solution")
        if kept is not None:
            self._keep(key, kept)
            return kept
        with self._lock:
            self._forget_waiting()
            if not is_first and len(self._progress) > MOST_WAITING:
                raise Refusal(BUSY)
            self._progress[key], self._asked[key] = 0.0, monotonic()
            self._waiting.put(_Work(not is_first, next(self._numbers), key, known, seconds))
        if self._thread is None:
            self._thread = Thread(target=self._solve_all, daemon=True)
            self._thread.start()
        return 0.0

    def _forget_waiting(self) -> None:
        """Nothing is solved for those who have gone."""
        ends = monotonic() - FORGOTTEN
        for key in [each for each in self._progress if each != self._current]:
            if self._asked[key] < ends:
                del self._progress[key]
        self._asked = {key: self._asked[key] for key in self._progress}

    def _since(self, asker: tuple[str, str, Seat], progress: float) -> float:
        """How far a duel has come since somebody asked first: not whether others had before."""
        first = self._first_seen[asker] = min(progress, self._first_seen.get(asker, 1.0))
        while len(self._first_seen) > MOST_ASKED:
            self._first_seen.popitem(last=False)
        return (progress - first) / (1.0 - first)

    def _keep(self, key: str, solved: SolvedDuel) -> None:
        self._solved[key] = solved
        while len(self._solved) > KEPT:
            self._solved.popitem(last=False)

    def _solve_all(self) -> None:
        while True:
            _, _, key, known, seconds = self._waiting.get()
            with self._lock:
                self._forget_waiting()
                if key not in self._progress:
                    continue
                self._current = key
            try:
                heard = self._hears(key, monotonic() + seconds)
                found = solve_duel(
                    known.debate,
                    known.table,
                    Payoff.WIN,
                    known.bodies,
                    progress=heard,
                    cache=cache_folder(),
                )
                self._keep(key, found)
            except Refusal as refusal:
                self._failed[key] = str(refusal)
            except Exception:
                self._failed[key] = UNSOLVED
            with self._lock:
                del self._progress[key]
                self._current = ""

    def _hears(self, key: str, ends: float) -> Callable[[str], Progress]:
        """Note how far it has come, and break off what takes too long."""

        def part(what: str) -> Progress:
            begins, whole = (0.0, GATHERING) if what == "volleys" else (GATHERING, 1.0)

            def heard(done: int, total: int) -> None:
                if monotonic() > ends:
                    raise Refusal(TOO_LONG)
                now = begins + (whole - begins) * done / max(total, 1)
                self._progress[key] = min(0.99, max(self._progress[key], now))

            return heard

        return part

    # --- A partner ----------------------------------------------------------------------------

    def _as_partner(self, solved: SolvedDuel, due: _Due, partner: TablePartner) -> tuple[str, ...]:
        temperament = SpeakerTemperament(partner.temperament)
        scripts = SparringScripts(solved, due.side, partner.dial, temperament)
        place = state_of(solved, due.duel, due.owed)
        number = int(scripts.draw(np.array([place]), self._chance)[0])
        return solved.game.scripts(due.side)[number][-due.script.slots :]

    def _by_habit(self, due: _Due, partner: TablePartner) -> tuple[str, ...]:
        """Where there is no solution: by temperament alone."""
        every = {card for each in SpeakerTemperament for card in each.cards}
        cards = tuple(card.key for card in due.script.cards if card.key in every)
        weights = habit(cards, SpeakerTemperament(partner.temperament))
        drawn = self._chance.choice(len(cards), size=due.script.slots, p=weights)
        return tuple(cards[at] for at in drawn)


def _due(asked: ScriptToWrite) -> _Due:
    """The duel as it stands, replayed from what it was given."""
    session, at = replayed(asked)
    found = duel_in(session.state)
    if found is None or at is None:
        raise Refusal("There is advice only for the scripts of a Duel of Wits.")
    duel, owed = found
    sides = [side for side in (0, 1) if owed[side] < VOLLEYS]
    script = session.waiting[at].question
    assert isinstance(script, Script), "a script is asked for"
    return _Due(duel, owed, sides[at], script)


def _table(asked: ScriptToWrite) -> Any:
    """The sheets that a seat may read, as they were when the duel began, and the scene it knows."""
    game, procedure = game_named(asked.game), asked.procedure
    sheets = {
        key: game.read(procedure.sheets[key], game.sheet, key)
        for key in asked.reads
        if key in procedure.sheets
    }
    known = procedure.known_scene
    plain = procedure.scene if asked.seat == GM or known is None else known
    return game.table(sheets, game.read(plain, game.scene, "scene"), procedure.options)


def _shown(asked: ScriptToWrite, due: _Due) -> ShownExponents | None:
    """What has been shown of the other speaker, where the sheet may not be read."""
    rival = due.duel.debate.speakers[1 - due.side]
    if rival.character in asked.reads:
        return None
    found = {label: amount for amount, label in _body_lines(asked.procedure, 1 - due.side)}
    return ShownExponents(found.get("Will"), found.get(rival.skill))


def _body_lines(procedure: OpenProcedure, side: int) -> list[tuple[int, str]]:
    """What everybody was told of the parts of a Body of Argument."""
    told = [
        item
        for item in procedure.story
        if isinstance(item, ToldItem) and item.kind == "established" and not item.audience
    ]
    if len(told) != 2:
        return []
    return [
        (amount, label)
        for number in told[side].numbers
        for amount, label, rule in number.lines
        if rule.startswith("duel_of_wits.body.")
    ]


def _words(due: _Due, shown: ShownExponents | None) -> str:
    """What the advice is based on, as its reader is told."""
    duel, rival = due.duel, due.duel.name(1 - due.side)
    one, other = duel.bodies[due.side], duel.bodies[1 - due.side]
    if shown is None:
        based = f"Based on both sheets and the Bodies of Argument ({one} and {other})."
    else:
        known = [
            f"{name} {exponent}"
            for name, exponent in (
                ("Will", shown.will),
                (duel.debate.speakers[1 - due.side].skill, shown.skill),
            )
            if exponent is not None
        ]
        but = f", except for what was shown ({', '.join(known)})" if known else ""
        based = (
            f"You cannot see the sheet of {rival}. It is assumed to be like that of "
            f"{duel.name(due.side)}{but}. The Bodies of Argument are as shown ({one} and {other})."
        )
    return f"{based} {LEFT_OUT}"
