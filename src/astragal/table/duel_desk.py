"""Where duels of open procedures are solved, and their scripts looked up; it needs NumPy and SciPy.

A desk solves one duel after the other in a thread and answers meanwhile. What it is asked about is
a procedure without the scripts of the exchange that begins; of the sheets it uses those alone that
the seat may read, and of the scene what that seat knows.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
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
from astragal.play import GM, Script, Session
from astragal.table.log.items import ToldItem
from astragal.table.log.state import OpenProcedure, TablePartner
from astragal.table.running.session import RunningProcedure, record_of
from astragal.table.solving_process import AdvisedScript, DuelToSolve, ScriptAdvice

KEPT = 8
"""How many solutions are kept in memory."""

GATHERING = 0.3
"""The part of the work before the first state is solved."""

TOO_LONG = "This duel takes too long to solve, so there is no advice this time."


class _Due(NamedTuple):
    """A script that is due: the duel as it stands, who has lost a volley, whose script it is."""

    duel: Duel
    owed: tuple[int, ...]
    side: int
    script: Script


class DuelDesk:
    """Solves duels in a thread, one at a time, and knows those that are solved."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._solved: OrderedDict[str, SolvedDuel] = OrderedDict()
        self._progress: dict[str, float] = {}
        self._failed: dict[str, str] = {}
        self._waiting: SimpleQueue[tuple[str, DuelAsKnown, float]] = SimpleQueue()
        self._thread: Thread | None = None
        self._chance = np.random.default_rng()

    def answer(
        self, asked: DuelToSolve, partner: TablePartner | None, seconds: float
    ) -> ScriptAdvice:
        """Advice, or a partner's script; or how far the duel is solved."""
        due = _due(asked)
        shown = _shown(asked, due)
        known = as_known(due.duel, due.side, _table(asked), shown)
        try:
            found = self.find(known, seconds)
        except Refusal:
            if partner is None:
                raise
            return ScriptAdvice(drawn=self._by_habit(due, partner))
        if isinstance(found, float):
            return ScriptAdvice(progress=found)
        if partner is not None:
            return ScriptAdvice(drawn=self._as_partner(found, due, partner))
        value, mix = best_mix(found, due.side, due.duel, due.owed)
        scripts = tuple(AdvisedScript(cards, share) for cards, share in mix)
        return ScriptAdvice(value=value, scripts=scripts, based_on=_words(due, shown))

    def find(self, known: DuelAsKnown, seconds: float) -> SolvedDuel | float:
        """The solution of a duel, or how far it is solved, from 0 to 1; a refusal if it failed."""
        key = fingerprint(known.debate, known.table, Payoff.WIN, known.bodies)
        if key in self._solved:
            self._solved.move_to_end(key)
            return self._solved[key]
        if key in self._failed:
            # Who asks once more begins once more: the machine may have been busy.
            raise Refusal(self._failed.pop(key))
        if key in self._progress:
            return self._progress[key]
        kept = read_solution(cache_folder() / f"duel-{key}.solution")
        if kept is not None:
            self._keep(key, kept)
            return kept
        self._progress[key] = 0.0
        self._waiting.put((key, known, seconds))
        if self._thread is None:
            self._thread = Thread(target=self._solve_all, daemon=True)
            self._thread.start()
        return 0.0

    def _keep(self, key: str, solved: SolvedDuel) -> None:
        self._solved[key] = solved
        while len(self._solved) > KEPT:
            self._solved.popitem(last=False)

    def _solve_all(self) -> None:
        while True:
            key, known, seconds = self._waiting.get()
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
                self._failed[key] = "This duel cannot be solved."
            del self._progress[key]

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


def _due(asked: DuelToSolve) -> _Due:
    """The duel as it stands, replayed from what it was given."""
    procedure = asked.procedure
    start = RunningProcedure(game_named(asked.game), procedure).start()
    session: Session[Any] = Session(start, _no_dice, record_of(procedure.given))
    found = duel_in(session.state)
    waiting = [(ask.seat, ask.prompt) for ask in session.waiting]
    if found is None or (asked.seat, asked.prompt) not in waiting:
        raise Refusal("There is advice for the script of a Duel of Wits alone.")
    duel, owed = found
    at = waiting.index((asked.seat, asked.prompt))
    sides = [side for side in (0, 1) if owed[side] < VOLLEYS]
    script = session.waiting[at].question
    assert isinstance(script, Script), "a script is asked for"
    return _Due(duel, owed, sides[at], script)


def _no_dice(_roll: Any) -> Any:
    raise Refusal("The log has no faces for this roll.")


def _table(asked: DuelToSolve) -> Any:
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


def _shown(asked: DuelToSolve, due: _Due) -> ShownExponents | None:
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
    return f"{based} Artha, help and FoRKs are left out."
