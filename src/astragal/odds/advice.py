"""Advice: what to spend on a test, and when, from the *best* driver over the procedure itself.

The plan is told in the order in which it is carried out: what to do before the dice are thrown,
then, for everything that the dice may show, what to do about it. Each option has the chance to
succeed if all goes on as well as it can from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import msgspec

from astragal.errors import BadInput
from astragal.games.plain_test import Situation
from astragal.odds.chances import success
from astragal.odds.html import table
from astragal.odds.trial import GivenAnswers, Trial
from astragal.play import Advice, Ask, AskAll, Best, Frame, Roll, Seat, State
from astragal.play.machine import Machine

RARE = 0.0005
"""Rarer results are in the table but not in the plan."""


class OptionChance(msgspec.Struct, frozen=True):
    """One way to decide, and the chance to succeed with it."""

    words: str
    exact_chance: Fraction

    @property
    def chance(self) -> float:
        """The chance to succeed with it."""
        return float(self.exact_chance)


class Decision(msgspec.Struct, frozen=True):
    """Something to decide before the roll: every option, and the best."""

    prompt: str
    options: tuple[OptionChance, ...]
    best: str
    mine: bool = True
    spends: bool = True
    """Whether the best is anything but the default."""


class Response(msgspec.Struct, frozen=True):
    """What to do about one thing that the dice may show."""

    situation: Situation
    likely: float
    """How likely it comes to that, if the plan is followed so far."""
    options: tuple[OptionChance, ...]
    best: str
    spends: bool


class Gain(msgspec.Struct, frozen=True):
    """What one more point of something is worth: alone, and on top of all the rest."""

    kind: str
    point: int
    alone: float
    beside_the_rest: float


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What to spend, and when."""

    title: str
    exact_chance: Fraction
    exact_unspent: Fraction
    before: tuple[Decision, ...]
    after: tuple[Response, ...]
    gains: tuple[Gain, ...]
    points: dict[str, int]

    @property
    def chance(self) -> float:
        """The chance to succeed if the plan is followed."""
        return float(self.exact_chance)

    @property
    def unspent(self) -> float:
        """The chance to succeed if nothing is spent."""
        return float(self.exact_unspent)

    @property
    def words(self) -> str:
        """The whole plan in a sentence."""
        first = [d.best for d in self.before if d.mine and d.spends]
        parts = [f"{' and '.join(first)} before the roll"] if first else []
        parts += [f"if {when}: {what}" for when, what in _rules(self.after)]
        if parts:
            return "; ".join(parts)
        if self.exact_chance > self.exact_unspent:
            return "spend nothing at first, and decide again after each reroll"
        return "spend nothing: it would not help"

    def _repr_html_(self) -> str:
        """How a notebook shows it."""
        head = (
            f"<p><strong>{self.title}</strong>: {self.chance:.1%} with the plan ({self.words})</p>"
        )
        gains = [
            (gain.kind, str(gain.point), f"{gain.alone:+.1%}", f"{gain.beside_the_rest:+.1%}")
            for gain in self.gains
        ]
        after = [
            (one.situation.words, f"{one.likely:.1%}", one.best, f"{max(_chances(one)):.1%}")
            for one in self.after
        ]
        return (
            head
            + table(("if the roll is", "how likely", "then", "chance"), after)
            + table(("point", "no.", "alone", "with the rest"), gains)
        )

    def as_data(self) -> dict[str, Any]:
        """Plain data for JSON."""

        def options(of: Decision | Response) -> list[dict[str, Any]]:
            return [{"option": o.words, "chance": o.chance} for o in of.options]

        return {
            "title": self.title,
            "chance": self.chance,
            "exact": str(self.exact_chance),
            "nothing_spent": self.unspent,
            "plan": self.words,
            "before": [
                {"best": d.best, "mine": d.mine, "options": options(d)} for d in self.before
            ],
            "after": [
                {
                    "situation": r.situation.words,
                    "likely": r.likely,
                    "best": r.best,
                    "options": options(r),
                }
                for r in self.after
            ],
            "gains": [msgspec.to_builtins(gain) for gain in self.gains],
        }


def advise(
    trial: Trial, *, rival_plays: bool = False, progress: Callable[[str], None] | None = None
) -> Plan:
    """What to spend on a test, and when; in a contest against a rival who plays well, or simply.

    A rival who does not play spends nothing.

    >>> from astragal.odds import plain
    >>> plan = advise(plain("burning_wheel", dice=3, ob=2, fate=1, persona=1))
    >>> plan.words
    '1 persona before the roll; if 1 short with a six: 1 fate (Luck)'
    >>> round(plan.unspent, 3), round(plan.chance, 3)
    (0.5, 0.729)
    """
    if rival_plays and trial.rival is None:
        raise BadInput("rival", None, "a test with another side")
    if trial.rival == trial.seat:
        raise BadInput("versus", trial.seat, "two sides played by different people")
    heard = progress or (lambda _: None)
    heard("the plan")
    walk = _Walk(trial, rival_plays)
    before, after = walk.plan()
    chance, unspent = walk.worth, _unspent(trial, rival_plays)
    gains = tuple(_gains(trial, rival_plays, heard))
    return Plan(
        title=trial.title,
        exact_chance=chance,
        exact_unspent=unspent,
        before=before,
        after=after,
        gains=gains,
        points=dict(trial.points),
    )


class _Walk:
    """The best play of one test, step by step."""

    def __init__(self, trial: Trial, rival_plays: bool) -> None:
        self.trial = trial
        self.goals: dict[Seat, Callable[[Any], int]] = {
            trial.seat: lambda result: int(trial.is_good(result))
        }
        if rival_plays and trial.rival is not None:
            self.goals[trial.rival] = lambda result: int(not trial.is_good(result))
        self.policy: GivenAnswers = trial.policy()
        self.best = Best(self.goals, self.policy, about=trial.about, until=trial.until)
        self._known_steps: dict[State, tuple[str, ...]] = {}

    @property
    def worth(self) -> Fraction:
        """The chance to succeed with the best play."""
        return self.best.worth(self.trial.start)[self.trial.seat]

    def plan(self) -> tuple[tuple[Decision, ...], tuple[Response, ...]]:
        """What to decide before the dice, and after them for every result."""
        machine: Machine[Any] = Machine.begin(self.trial.start)
        before = []
        while machine.effect is not None and not isinstance(machine.effect, Roll):
            ask, advice = machine.effect, None
            if isinstance(ask, Ask) and self._is_weighed(ask):
                advice = self.best.advise(machine.state)
                before.append(self._decision(ask, advice))
            machine.answer(self._answer(ask, advice))
        self.policy.check_all_used()
        return tuple(before), tuple(self._responses(machine.state) if machine.effect else ())

    def _is_weighed(self, ask: Ask) -> bool:
        about = self.trial.about
        return ask.seat in self.goals and (about is None or ask.key in about)

    def _answer(self, effect: Any, advice: Advice | None) -> Any:
        if advice is not None:
            return advice.best
        if isinstance(effect, Ask):
            return self.policy(effect)
        if isinstance(effect, AskAll):
            return tuple(self.policy(ask) for ask in effect.asks)
        return None

    def _options(self, ask: Ask, advice: Advice) -> tuple[OptionChance, ...]:
        mine = ask.seat == self.trial.seat
        return tuple(
            OptionChance(self.trial.words_for(ask, answer), worth if mine else 1 - worth)
            for answer, worth in advice.choices
        )

    def _decision(self, ask: Ask, advice: Advice) -> Decision:
        words = self.trial.words_for(ask, advice.best)
        mine = ask.seat == self.trial.seat
        spends = advice.best != ask.question.default
        return Decision(ask.prompt, self._options(ask, advice), words, mine, spends)

    def _responses(self, state: State) -> list[Response]:
        """One response for each situation; what looks the same is told as it is on average."""
        found: dict[tuple[Situation, tuple[str, ...]], _Pile] = {}
        for likely, ask, at in self._first_decisions(state, Fraction(1)):
            advice = self.best.advise(at)
            steps = self._steps(at)
            pile = found.setdefault((self.trial.situation(at, ask), steps), _Pile())
            pile.add(likely, self._options(ask, advice), self.trial.words_for(ask, advice.best))
        return [
            Response(
                situation,
                float(pile.likely),
                pile.options,
                ", then ".join(steps) or pile.best,
                bool(steps),
            )
            for (situation, steps), pile in sorted(found.items(), key=lambda entry: entry[0])
        ]

    def _steps(self, at: State) -> tuple[str, ...]:
        """What is spent from here on if all goes as well as it can but never well enough."""
        if at not in self._known_steps:
            self._known_steps[at] = tuple(dict.fromkeys(self._follow(at)))
        return self._known_steps[at]

    def _follow(self, at: State) -> Iterator[str]:
        machine: Machine[Any] = Machine(at)
        spent = False
        while (effect := machine.effect) is not None and not _tells(effect, self.trial):
            if isinstance(effect, Roll):
                # Against a rival there is no end to what may come; the first steps must do.
                if spent and self.trial.rival is None:
                    for _, _, later in self._first_decisions(machine.state, Fraction(1)):
                        yield from self._steps(later)
                return
            advice = None
            if isinstance(effect, Ask) and self._is_weighed(effect):
                advice = self.best.advise(machine.state)
                if effect.seat == self.trial.seat and advice.best != effect.question.default:
                    spent = True
                    yield self.trial.words_for(effect, advice.best)
            machine.answer(self._answer(effect, advice))

    def _first_decisions(
        self, state: State, likely: Fraction
    ) -> Iterator[tuple[Fraction, Ask, State]]:
        """Where the seat first has something to decide after the dice, for every result."""
        machine: Machine[Any] = Machine(state)
        while (effect := machine.effect) is not None:
            if isinstance(effect, Roll):
                outcomes = effect.outcomes(verdict_only=True)
                *outer, top = machine.state
                for value, weight in outcomes.weights.items():
                    after = (*outer, Frame(top.start, (*top.answers, value)))
                    share = likely * Fraction(weight, outcomes.total)
                    yield from self._first_decisions(after, share)
                return
            advice = None
            if isinstance(effect, Ask) and self._is_weighed(effect):
                if effect.seat == self.trial.seat:
                    yield likely, effect, machine.state
                    return
                advice = self.best.advise(machine.state)
            if _tells(effect, self.trial):
                return
            machine.answer(self._answer(effect, advice))


class _Pile:
    """Positions that look the same to the one deciding, put together by how likely they are."""

    def __init__(self) -> None:
        self.likely = Fraction(0)
        self.best = ""
        self._worths: dict[str, Fraction] = {}

    def add(self, likely: Fraction, options: tuple[OptionChance, ...], best: str) -> None:
        """One more position."""
        self.likely += likely
        self.best = self.best or best
        for option in options:
            before = self._worths.get(option.words, Fraction(0))
            self._worths[option.words] = before + likely * option.exact_chance

    @property
    def options(self) -> tuple[OptionChance, ...]:
        """Every option with its chance on average."""
        return tuple(
            OptionChance(words, worth / self.likely) for words, worth in self._worths.items()
        )


def _tells(effect: Any, trial: Trial) -> bool:
    return trial.until is not None and isinstance(getattr(effect, "fact", None), trial.until)


def _worth(trial: Trial, rival_plays: bool) -> Fraction:
    return _Walk(trial, rival_plays).worth


def _unspent(trial: Trial, rival_plays: bool) -> Fraction:
    """The chance if this seat takes every default, while the rival still plays."""
    walk = _Walk(trial, rival_plays)
    del walk.goals[trial.seat]
    if walk.goals:
        walk.best = Best(walk.goals, walk.policy, about=trial.about, until=trial.until)
        assert trial.rival is not None
        return 1 - walk.best.worth(trial.start)[trial.rival]
    return success(trial)


def _gains(trial: Trial, rival_plays: bool, heard: Callable[[str], None]) -> Iterator[Gain]:
    """What each point is worth: the first, the second, and so on, of each kind."""
    nothing = dict.fromkeys(trial.points, 0)
    known: dict[tuple[int, ...], Fraction] = {}

    def worth(**points: int) -> Fraction:
        key = tuple(points[kind] for kind in trial.points)
        if key not in known:
            heard(", ".join(f"{n} {kind}" for kind, n in points.items() if n) or "nothing spent")
            known[key] = _worth(trial.changed(**points), rival_plays)
        return known[key]

    for kind, held in trial.points.items():
        for point in range(1, held + 1):
            alone = worth(**{**nothing, kind: point}) - worth(**{**nothing, kind: point - 1})
            full = dict(trial.points)
            beside = worth(**{**full, kind: point}) - worth(**{**full, kind: point - 1})
            yield Gain(kind, point, float(alone), float(beside))


def _chances(of: Decision | Response) -> list[float]:
    return [option.chance for option in of.options]


def _rules(after: tuple[Response, ...]) -> list[tuple[str, str]]:
    """The responses that spend something, with situations that call for the same put together."""
    likely = [response for response in after if response.likely >= RARE] or after
    grouped: dict[str, list[Situation]] = {}
    for response in likely:
        if response.spends:
            grouped.setdefault(response.best, []).append(response.situation)
    everything = [response.situation for response in likely]
    rules = []
    for best, some in grouped.items():
        unclear = any(everything.count(situation) > 1 for situation in some)
        when = _together(some, everything) + (" (depending on the dice)" if unclear else "")
        rules.append((when, best))
    return rules


def _together(some: list[Situation], everything: list[Situation]) -> str:
    """Several of all situations in a few words."""
    missing = [situation for situation in everything if situation.short > 0]
    if set(some) == set(missing):
        return "the roll fails"
    runs: list[tuple[str, list[int]]] = []
    for short in sorted({situation.short for situation in some}):
        showing = _showing(
            {s.sixes for s in some if s.short == short},
            {s.sixes for s in everything if s.short == short},
        )
        if runs and runs[-1][0] == showing and runs[-1][1][-1] == short - 1 and short > 1:
            runs[-1][1].append(short)
        else:
            runs.append((showing, [short]))
    most = max(situation.short for situation in everything)
    return " or ".join(_span(shorts, most, some) + showing for showing, shorts in runs)


def _span(shorts: list[int], most: int, some: list[Situation]) -> str:
    first, last = shorts[0], shorts[-1]
    if first <= 0:
        return next(s.words.partition(",")[0] for s in some if s.short == first)
    if first == last:
        return f"{first} short"
    return f"{first} or more short" if last == most else f"{first} to {last} short"


def _showing(some: set[int], everything: set[int]) -> str:
    """Which sixes show, where that makes a difference."""
    if some == everything:
        return ""
    if some == {0}:
        return " without a six"
    if some == {sixes for sixes in everything if sixes >= min(some)}:
        return " with a six" if min(some) == 1 else f" with {min(some)} sixes or more"
    return f" with {' or '.join(map(str, sorted(some)))} sixes"
