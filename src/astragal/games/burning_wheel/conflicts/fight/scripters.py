"""How to write a script without a person: by temperament, at random, or always the same.

A section of the chapter on Fight! (``conflicts/fight/fight``). A *scripter* sees its own question
and no more: nothing here knows what the others have scripted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from astragal.dice import Chance
from astragal.errors import BadInput
from astragal.play import Ask, CardLimit, PickOne, Script

from ...magic.faith.in_conflict import NO_PRAYER
from .card_runs import SHOOT, THROW, CardRun, runs_in
from .script import DOWN, OPENING
from .temperaments import TEMPERAMENTS, Temperament, Weights

T = TypeVar("T")

Scripter: TypeAlias = Callable[[Ask], tuple[str, ...]]
"""Writes a script for the question that asks for one."""

SET = "great_strike_set"
TRIES = 60
"""How often a scripter begins again when the rules do not allow what it wrote."""

CLOSE_IN = ("short", "shortest")
"""Lengths of those who want to be inside."""

URGENT = {"get_up": 2, "escape_lock": 1, "retrieve": 2, "reseat": 1}
"""What comes first for those who are down, held, disarmed or half out of the saddle, if the card is
there, and how many of it."""

FALLBACK = ("block", "avoid")
"""What is always allowed."""


def by_temperament(temperament: str, chance: Chance, place: str = "temperament") -> Scripter:
    """Scripts as somebody of that temperament would, at random within it."""
    if temperament not in TEMPERAMENTS:
        raise BadInput(place, temperament, f"one of {', '.join(TEMPERAMENTS)}")
    of = TEMPERAMENTS[temperament]
    return AtRandom(lambda question: _for_somebody(of, question), chance, of.prayers)


def _for_somebody(of: Temperament, question: Script) -> _Choices:
    distance, length, *codes = question.situation
    moves = of.moves[distance]
    cards = (of.opening if OPENING in codes else {}) or of.cards
    if length in CLOSE_IN:
        moves = {"maintain": 1} if distance == "inside" else of.moves["lunging"]
    elif distance == "inside":
        cards = (of.opening_inside if OPENING in codes else {}) or of.inside
    return _Choices(question, moves, {**cards, **of.orders}, of.runs)


def suggested(question: Script, chance: Chance) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """A script of each temperament for a question, if it is one of a fight."""
    if not question.openers or not question.situation or question.default is not None:
        return ()
    each = TEMPERAMENTS.items()
    return tuple((name, _for_somebody(of, question).written(chance)) for name, of in each)


MARTIAL = (
    "strike",
    "great_strike",
    "block_and_strike",
    "avoid",
    "block",
    "counterstrike",
    "feint",
    "beat_and_bind",
    "disarm",
    "push",
    "lock",
    "throw_opponent",
    "charge_tackle",
)


def at_random(chance: Chance) -> Scripter:
    """Any martial action and any positioning, all equally likely, as far as the rules allow."""
    moves = dict.fromkeys(("close", "maintain", "withdraw", "stay"), 1)
    cards = dict.fromkeys(MARTIAL, 1)
    return AtRandom(lambda question: _Choices(question, moves, cards), chance)


def by_heart(cards: tuple[str, ...], place: str = "script") -> Scripter:
    """Always the same script; when wounds leave fewer actions, as much of it as there is room for.

    The first time it has to be a script that the rules allow; later, when they do not, there is
    nothing but defence.
    """
    accepted = False

    def script(ask: Ask) -> tuple[str, ...]:
        nonlocal accepted
        question = _script(ask)
        if not accepted:
            accepted = bool(question.check(cards, place))
            return cards
        try:
            return question.check(_cut(question, cards))
        except BadInput:
            return _defended(question)

    return script


def _cut(question: Script, cards: tuple[str, ...]) -> tuple[str, ...]:
    """As much of a script as there are actions for, volley by volley."""
    if len(cards) == question.slots:
        return cards
    opening = {opener.key for opener in question.openers}
    volleys: list[list[str]] = []
    for card in cards:
        if card in opening or not volleys:
            volleys.append([card])
        else:
            volleys[-1].append(card)
    spread = question.spreads[0]
    return tuple(
        card
        for volley, many in zip(volleys, spread, strict=False)
        for card in (volley + [FALLBACK[0]] * many)[: many + 1]
    )


def _script(ask: Ask) -> Script:
    assert isinstance(ask.question, Script), f"{ask.key} asks for no script"
    return ask.question


MOST_QUESTIONS = 4096
"""For how many questions a scripter remembers what there is to choose from."""


class AtRandom:
    """Somebody who writes scripts at random, from what there is to choose from, and may pray."""

    def __init__(
        self,
        choices: Callable[[Script], _Choices],
        chance: Chance,
        prayers: Weights | None = None,
    ) -> None:
        self._prayers = prayers or {}
        self._choices = choices
        self._chance = chance
        self._known: dict[int, _Choices] = {}

    def __call__(self, ask: Ask) -> tuple[str, ...]:
        """A script for the question that asks for one."""
        question = _script(ask)
        known = self._known.get(id(question))  # a question is long, and often the same one
        if known is None or known.question is not question:
            if len(self._known) >= MOST_QUESTIONS:
                self._known.clear()
            known = self._known[id(question)] = self._choices(question)
        return known.written(self._chance)

    def prays(self, question: PickOne) -> str:
        """One of the prayers of a volley, or none."""
        there = {option.key for option in question.options}
        weights = {prayer: weight for prayer, weight in self._prayers.items() if prayer in there}
        return _pick(_faces(weights), self._chance) if weights else NO_PRAYER


class _Choices:
    """Scripts of these cards, in these proportions, that a question accepts."""

    def __init__(
        self, question: Script, moves: Weights, cards: Weights, runs: Weights | None = None
    ) -> None:
        there = {card.key for card in question.cards}
        opening = {opener.key for opener in question.openers}
        found = runs_in(question.situation)
        self.question = question
        urgent = {card for card in URGENT if card in there}
        if DOWN not in question.situation:  # it is there to be scripted for later
            urgent.discard("get_up")
        self._first = [card for card in URGENT if card in urgent for _ in range(URGENT[card])]
        self._first += [card for run in found if run.begun for card in run.cards]
        later = {run.cards[-1]: run for run in found if not run.begun}
        self._once = set(later)
        weights = {card: weight for card, weight in cards.items() if card in there}
        weights |= {card: (runs or {}).get(run.kind, 0) for card, run in later.items()}
        self._cards = _faces(weights)
        steps = {move: weight for move, weight in moves.items() if move in opening}
        self._steps = _faces(steps or {"maintain": 1})  # who is held cannot Withdraw
        self._limited = {
            card: _within(moves, tuple(each for each in these if each in opening))
            for card, these in _openers_needed(question, found).items()
        }
        self._only_first = {
            card for rule in question.rules if rule.limit is CardLimit.FIRST for card in rule.cards
        }
        self._not_twice = {
            card: rule.cards
            for rule in question.rules
            if rule.limit is CardLimit.NOT_TWICE
            for card in rule.cards
        }
        self._together = {card: run.cards for card, run in later.items()}
        for card, sets in _sets_needed(question).items():
            self._together[card] = (SET,) * sets + (card,)
        self._always_fits = any(
            each not in self._together and each not in self._not_twice for each in self._cards
        )

    def written(self, chance: Chance) -> tuple[str, ...]:
        """One of them."""
        for _ in range(TRIES):
            spread = _pick(self.question.spreads, chance)
            acts = self._acts(sum(spread), chance)
            answer: list[str] = []
            for many in spread:
                mine, acts = acts[:many], acts[many:]
                answer += [_pick(self._moves(mine), chance), *mine]
            try:
                return self.question.check(tuple(answer))
            except BadInput:
                continue
        return _defended(self.question)

    def _moves(self, cards: list[str]) -> tuple[str, ...]:
        """What a volley of these cards can be opened with."""
        for at, card in enumerate(cards):
            if card in self._limited and not (at and card in self._only_first):
                return self._limited[card]
        return self._steps

    def _acts(self, many: int, chance: Chance) -> list[str]:
        """The actions of an exchange in order; what belongs together comes together.

        What takes longer than an exchange is begun with it.
        """
        acts = list(self._first)
        while len(acts) < many:
            card = _pick(self._cards, chance) if self._cards else FALLBACK[0]
            cards = self._together.get(card, (card,))
            again = card in self._once and card in acts
            again = again or (bool(acts) and acts[-1] in self._not_twice.get(cards[0], ()))
            if not again and (len(acts) + len(cards) <= many or (card in self._once and not acts)):
                acts += cards
            elif not self._always_fits:
                acts.append(FALLBACK[0])
        return acts[:many]


def _openers_needed(question: Script, runs: tuple[CardRun, ...]) -> dict[str, tuple[str, ...]]:
    """Cards that go with some moves only: by the rules, or because who shoots stands still."""
    needed: dict[str, tuple[str, ...]] = {}
    for run in runs:
        if run.kind in (SHOOT, THROW):
            needed |= dict.fromkeys(run.cards, ("maintain",))
    for rule in question.rules:
        if rule.limit is CardLimit.OPENED_BY:
            needed |= dict.fromkeys(rule.cards, rule.others)
    return needed


def _within(moves: Weights, allowed: tuple[str, ...]) -> tuple[str, ...]:
    """The moves that are allowed, as often as they weigh; all alike where none of them weighs."""
    liked = {move: weight for move, weight in moves.items() if move in allowed}
    return _faces(liked) if len(liked) > 1 else tuple(liked) or allowed


def _sets_needed(question: Script) -> dict[str, int]:
    """The cards that need Sets directly before them, and how many."""
    needed: dict[str, int] = {}
    for rule in question.rules:
        if SET in rule.others:
            needed |= {card: max(rule.count, needed.get(card, 0)) for card in rule.cards}
    return needed


def _faces(weights: Weights) -> tuple[str, ...]:
    """Each card as often as it weighs, like the faces of a die."""
    return tuple(card for card, weight in weights.items() for _ in range(weight))


def _pick(faces: tuple[T, ...], chance: Chance) -> T:
    return faces[chance.dice(len(faces), 1)[0] - 1] if len(faces) > 1 else faces[0]


def _defended(question: Script) -> tuple[str, ...]:
    """A script of nothing but defences, which every fighter may write."""
    there = {card.key for card in question.cards}
    card = next(card for card in FALLBACK if card in there)
    move = (
        "maintain" if "maintain" in {o.key for o in question.openers} else question.openers[0].key
    )
    spread = question.spreads[0]
    return question.check(tuple(each for many in spread for each in (move, *(card,) * many)))
