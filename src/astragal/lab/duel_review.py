"""A finished Duel of Wits reviewed: what its scripts and splits were worth when they were chosen.

A script is weighed against the solved mix of the other side, in the state in which it was written:
that is what could be known then. No script gains more against that mix than the state is worth, so
the difference is what was given away. A split of a Rebuttal is weighed, for every way to divide the
same dice, by what follows if the exchange goes on as it was scripted, against those scripts of the
other side's mix that have these cards. Where none has, the state after the volley counts.

Only cards that were shown at the table are looked at. A card that was dropped unseen counts as the
best that it could have been. *Luck* is what the dice added to what both scripts were worth
together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from astragal.errors import Refusal
from astragal.games.burning_wheel.conflicts.duel_of_wits.matrix import NOTHING
from astragal.games.burning_wheel.conflicts.duel_of_wits.state import Duel, DuelOutcome
from astragal.games.burning_wheel.conflicts.duel_of_wits.volley import make_ready
from astragal.games.burning_wheel.conflicts.scripting import VOLLEYS, play_volley
from astragal.lab.duel_game import Bodies
from astragal.lab.duel_volleys import Between, Outcome, Volleys
from astragal.lab.solved_duel import SolvedDuel, script_in_words
from astragal.lab.sparring import arguments_of, duel_in, place_of
from astragal.play import GM, AnswerRecord, Ask, RecordEntry, Script, Seat, Session, Split, Then
from astragal.play.live import ThrowRecord, rolled_from

ShownCards: TypeAlias = Sequence[tuple[tuple[str, str], ...]]
"""Of each volley that was shown, in order: the name and the card of each side, as told."""

FindSolution: TypeAlias = Callable[[Duel], SolvedDuel | None]
"""The solution of a duel that begins, or none where it takes too long."""

Volleys3: TypeAlias = tuple[tuple[str, ...], ...]
"""Of each volley the cards that it may have had."""

WeightedScripts: TypeAlias = Sequence[tuple[tuple[str, ...], float]]
"""Whole scripts, or what is left of them, and how likely each is."""


class JudgedChoice(NamedTuple):
    """A script or a split: what it was worth to its side, and what the best would have been."""

    seat: Seat
    key: str
    prompt: str
    answer: str
    chance: float
    best: str
    best_chance: float


class ReviewedDuel(NamedTuple):
    """The choices of a duel in their order, and how much the dice gave each seat."""

    choices: tuple[JudgedChoice, ...]
    luck: dict[Seat, float]


def review_duel(
    start: Then[Any],
    record: list[RecordEntry],
    shown: ShownCards,
    find: FindSolution,
    *,
    has_scripts: bool,
) -> ReviewedDuel | None:
    """Review a finished duel; nothing where no script was played or no solution is at hand.

    The record may be without the scripts (not ``has_scripts``): then what was shown stands for
    them.
    """
    review = _DuelReview(shown, find)
    last = None
    for session, answer in _replayed(start, record, shown, has_scripts):
        review.look(session, answer)
        last = session
    if last is None or not last.done or not review.is_solved:
        return None
    review.end(last.result)
    return ReviewedDuel(tuple(review.choices), review.lucks())


def _replayed(
    start: Then[Any], record: list[RecordEntry], shown: ShownCards, has_scripts: bool
) -> Iterator[tuple[Session[Any], Any]]:
    """The session before every answer, with the answer, and at its end."""
    throws = iter([each for each in record if isinstance(each, ThrowRecord)])
    answers = iter([each for each in record if isinstance(each, AnswerRecord)])

    def thrown(roll: Any) -> Any:
        faces = next(throws, None)
        if faces is None:
            raise Refusal("The log has no faces for this roll.")
        return rolled_from(roll, faces.faces)

    session = Session(start, thrown)
    exchanges = 0
    while session.waiting:
        scripts = [ask for ask in session.waiting if _is_script(ask)]
        if scripts and not has_scripts:
            yield session, None
            volleys = shown[exchanges * VOLLEYS : (exchanges + 1) * VOLLEYS]
            exchanges += 1
            for side, ask in enumerate(scripts):
                session.answer(ask.seat, _any_script(ask, [cards[side][1] for cards in volleys]))
            continue
        entry = next(answers, None)
        if entry is None:
            raise Refusal("An answer is missing from the log.")
        yield session, entry.answer
        session.answer(entry.seat, entry.answer)
    yield session, None


def _is_script(ask: Ask) -> bool:
    return ask.secret and isinstance(ask.question, Script)


def _any_script(ask: Ask, labels: list[str]) -> tuple[str, ...]:
    """A script with the cards that were shown, and any other where none was."""
    script = ask.question
    assert isinstance(script, Script)
    keys = {card.label: card.key for card in script.cards}
    anything = script.cards[0].key
    cards = [keys.get(label, anything) for label in labels]
    cards += [anything] * (VOLLEYS - len(cards))
    return tuple(cards[-script.slots :])


class _Written(NamedTuple):
    """An exchange of which the scripts are written: what they may have been, by all that was shown.

    ``played`` has the cards that each volley of each side may have had, ``mixes`` the whole scripts
    of the solution. Without them only what comes after the exchange is known.
    """

    worths: _Worths
    played: tuple[Volleys3, Volleys3] = ((), ())
    mixes: tuple[WeightedScripts, WeightedScripts] = ((), ())

    def rests(self, side: int, volley: int) -> Iterator[tuple[str, ...]]:
        """What a side may have scripted for the volleys after this one."""
        return product(*self.played[side][volley:])

    def rivals(self, side: int, volley: int) -> list[tuple[tuple[str, ...], float]]:
        """What the other side may still hold by its mix, which has the cards that it has shown."""
        shown = self.played[1 - side][:volley]
        held = [
            (script[volley:], weight)
            for script, weight in self.mixes[1 - side]
            if all(card in cards for card, cards in zip(script, shown, strict=False))
        ]
        total = sum(weight for _, weight in held)
        return [(rest, weight / total) for rest, weight in held]


class _DuelReview:
    """Looks at a duel from exchange to exchange."""

    def __init__(self, shown: ShownCards, find: FindSolution) -> None:
        self.choices: list[JudgedChoice] = []
        self._shown, self._find = shown, find
        self._solved: SolvedDuel | None = None
        self._volleys: Volleys | None = None
        self._seats: tuple[Seat, ...] = ()
        self._exchanges = 0
        self._written: _Written | None = None
        self._luck = 0.0
        self._stands: float | None = None
        """What both scripts of the exchange are worth together, to side A."""

    @property
    def is_solved(self) -> bool:
        """Whether a script was asked for, and there is a solution of the duel."""
        return self._solved is not None

    def look(self, session: Session[Any], answer: Any) -> None:
        """Judge what is asked now, if it is a script or a split."""
        if not session.waiting or session.sealed:
            return
        ask = session.waiting[0]
        found = duel_in(session.state)
        if _is_script(ask) and found is not None:
            self._written = None
            if not self._exchanges:
                self._begin(found[0])
            if self._solved is not None and len(session.waiting) == 2:
                self._scripts(self._solved, session.waiting, *found)
            self._exchanges += 1
        elif isinstance(ask.question, Split) and self._solved is not None:
            self._split(self._solved, session, ask, ask.question, answer)

    def _begin(self, duel: Duel) -> None:
        self._solved = self._find(duel)
        self._seats = duel.seat(0), duel.seat(1)
        self._volleys = Volleys(duel.debate, duel.table)

    def end(self, outcome: Any) -> None:
        """Count what the dice gave in the last exchange."""
        if self._stands is not None and isinstance(outcome, DuelOutcome):
            worth = {outcome.sides[0]: 1.0, outcome.sides[1]: 0.0}.get(outcome.winner or "", 0.5)
            self._luck += worth - self._stands

    def lucks(self) -> dict[Seat, float]:
        """What the dice gave each seat."""
        one, other = self._seats
        return {} if one == other else {one: self._luck, other: -self._luck}

    # --- Scripts ------------------------------------------------------------------------------

    def _scripts(
        self, solved: SolvedDuel, asks: tuple[Ask, ...], duel: Duel, owed: tuple[int, ...]
    ) -> None:
        bodies, position = place_of(solved, duel, owed)
        value = float(solved.values[(*bodies, position)])
        if self._stands is not None:
            self._luck += value - self._stands
        self._stands = None
        volleys = self._shown[self._exchanges * VOLLEYS : (self._exchanges + 1) * VOLLEYS]
        played = [_may_have_been(solved, side, asks[side], volleys) for side in (0, 1)]
        if not volleys or not all(played):
            return  # somebody gave up, or did something else than to speak
        worths = _Worths(solved)
        mixes = [_whole_mix(solved, side, bodies, position) for side in (0, 1)]
        self._written = _Written(worths, (played[0], played[1]), (mixes[0], mixes[1]))
        lost = solved.positions[position].owed
        chosen = []
        for side, ask in enumerate(asks):
            against = mixes[1 - side]
            found = {
                script: worths.of(bodies, position, side, script, against)
                for script in product(*played[side])
            }
            script = max(found, key=lambda each: found[each])
            chosen.append(script)
            mine = value if side == 0 else 1.0 - value
            best = solved.scripts(side, bodies, position)[0][0]
            worth = min(found[script], mine)
            if mine - worth < CONTENT:
                worth, best = mine, script[lost[side] :]
            if ask.seat != GM:
                self.choices.append(
                    JudgedChoice(
                        ask.seat,
                        ask.key,
                        ask.prompt,
                        _shown_words(volleys, side),
                        worth,
                        script_in_words(best),
                        mine,
                    )
                )
        self._stands = worths.of(bodies, position, 0, chosen[0], [(chosen[1], 1.0)])

    # --- Splits -------------------------------------------------------------------------------

    def _split(
        self, solved: SolvedDuel, session: Session[Any], ask: Ask, split: Split, answer: Any
    ) -> None:
        ready = arguments_of(session.state, make_ready)
        exchange = arguments_of(session.state, play_volley)
        if ready is None or exchange is None or self._volleys is None or ask.seat == GM:
            return
        duel, owed = exchange[2], exchange[6]
        if not isinstance(duel, Duel):
            return
        cards = ready[1]
        rebuts = [side for side in (0, 1) if cards[side] == "rebuttal"]
        side = next((at for at in rebuts if ask.prompt.startswith(f"{duel.name(at)},")), None)
        if side is None or any(card not in (*solved.game.cards[0], NOTHING) for card in cards):
            return
        bodies, _ = place_of(solved, duel, owed)
        between = Between(duel.carried, (int(bool(owed[0])), int(bool(owed[1]))))
        follow = {
            defence: self._volleys.divided(between, cards, side, defence, split.amount)
            for defence in range(split.least, split.amount - split.least + 1)
        }
        mine = split.check(answer, ask.key)[0]
        written = self._written or _Written(_Worths(solved))
        rivals = written.rivals(side, exchange[4])
        # A card that was never shown counts as the one that the split fits best.
        found = min(
            (
                {
                    defence: written.worths.after_volley(bodies, side, outcomes, rest, rivals)
                    for defence, outcomes in follow.items()
                }
                for rest in written.rests(side, exchange[4])
            ),
            key=lambda worths: max(worths.values()) - worths[mine],
        )
        best = max(found, key=lambda each: (round(found[each], 9), each == mine))
        self.choices.append(
            JudgedChoice(
                ask.seat,
                ask.key,
                ask.prompt,
                _split_words(mine, split.amount),
                found[mine],
                _split_words(best, split.amount),
                found[best],
            )
        )


CONTENT = 1e-9
"""Differences that come of rounding."""


def _split_words(defence: int, amount: int) -> str:
    return f"{defence}D defence, {amount - defence}D riposte"


def _shown_words(volleys: ShownCards, side: int) -> str:
    return ", ".join(cards[side][1] for cards in volleys)


def _may_have_been(solved: SolvedDuel, side: int, ask: Ask, volleys: ShownCards) -> Volleys3:
    """The cards that each volley of a script may have had; nothing if one is no verbal action."""
    script = ask.question
    assert isinstance(script, Script)
    keys = {card.label: card.key for card in script.cards}
    known = solved.game.cards[side]
    found: list[tuple[str, ...]] = []
    for at in range(VOLLEYS):
        key = keys.get(volleys[at][side][1]) if at < len(volleys) else None
        if key is None:
            # A lost volley at the beginning has no card: then it does not matter which.
            found.append(known[:1] if at < VOLLEYS - script.slots else known)
        elif key in known:
            found.append((key,))
        else:
            return ()
    return tuple(found)


def _whole(script: tuple[str, ...], solved: SolvedDuel, side: int) -> tuple[str, ...]:
    """A script of three cards; a volley that is lost has any."""
    return (solved.game.cards[side][0],) * (VOLLEYS - len(script)) + script


def _whole_mix(
    solved: SolvedDuel, side: int, bodies: Bodies, position: int
) -> list[tuple[tuple[str, ...], float]]:
    mix = solved.scripts(side, bodies, position)
    return [(_whole(script, solved, side), weight) for script, weight in mix]


class _Worths:
    """What scripts are worth against each other, from the links and values of a solution."""

    def __init__(self, solved: SolvedDuel) -> None:
        self._values, self._links = solved.values, solved.game.links
        self._positions = {between: at for at, between in enumerate(solved.positions)}
        self._many = len(solved.game.cards[1])
        self._width = len(solved.game.cards[0]) * self._many
        self._numbers = tuple({card: at for at, card in enumerate(c)} for c in solved.game.cards)
        self._known: dict[Any, float] = {}

    def of(
        self,
        bodies: Bodies,
        position: int,
        side: int,
        script: tuple[str, ...],
        against: WeightedScripts,
    ) -> float:
        """What a side's script is worth to it against a mix."""
        mine = tuple(self._numbers[side][card] for card in script)
        total = 0.0
        for rival, weight in against:
            other = tuple(self._numbers[1 - side][card] for card in rival)
            x, y = (mine, other) if side == 0 else (other, mine)
            total += weight * self._after(*bodies, position, x, y)
        return total if side == 0 else 1.0 - total

    def after_volley(
        self,
        bodies: Bodies,
        side: int,
        outcomes: Mapping[Outcome, float],
        rest: tuple[str, ...],
        rivals: WeightedScripts,
    ) -> float:
        """What a side has after a volley that may come to these outcomes, with its cards to come.

        ``rivals`` is what the other side may still hold; if it is not known, what comes after
        counts.
        """
        if not rivals:
            rest, rivals = (), [((), 1.0)]
        total = 0.0
        for (losses, between), chance in outcomes.items():
            left = max(bodies[0] - losses[0], 0), max(bodies[1] - losses[1], 0)
            position = self._position(between)
            total += chance * self.of(left, position, side, rest, rivals)
        return total

    def _position(self, between: Between) -> int:
        """The number of a position; without the dice that the tables do not know of."""
        known = self._positions
        return known.get(between, known.get(Between((), between.owed), 0))

    def _after(
        self, a: int, b: int, position: int, x: tuple[int, ...], y: tuple[int, ...]
    ) -> float:
        """What a state is worth to side A with these cards still to be shown."""
        if not x or not a or not b:
            return float(self._values[a, b, position])
        key = a, b, position, x, y
        if key not in self._known:
            links = self._links
            run = position * self._width + x[0] * self._many + y[0]
            worth = 0.0
            for at in range(links.starts[run], links.starts[run + 1]):
                left = max(a - int(links.loss_a[at]), 0), max(b - int(links.loss_b[at]), 0)
                after = self._after(*left, int(links.position[at]), x[1:], y[1:])
                worth += float(links.chance[at]) * after
            self._known[key] = worth
        return self._known[key]
