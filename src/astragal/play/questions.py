"""What may be asked of a seat: a small closed set of kinds, each plain data.

A question says what answers it takes and can check one; it draws nothing and
knows no game. The page, the terminal and the Python client render each kind
once, for every game. Answers are plain values that fit in a file: a key, keys,
a number, a text, yes or no.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, permutations, product
from typing import Generic, TypeVar, cast

import msgspec

from astragal.errors import BadInput
from astragal.play.card_rules import CardLimit, CardRule, OpenedVolley

A = TypeVar("A", bound=Hashable)

Answer = Hashable
"""Any answer, once checked: str, int, bool, or a tuple of these."""


class Option(msgspec.Struct, frozen=True):
    """One thing that may be chosen, with the rule that allows it."""

    key: str
    label: str
    rule: str = ""
    cost: str = ""
    note: str = ""


class Question(msgspec.Struct, Generic[A], frozen=True, kw_only=True, tag_field="kind"):
    """What all kinds share: a default for a seat that does not answer, or none."""

    default: A | None = None

    def check(self, answer: object, place: str = "answer") -> A:
        """The answer in its normal form, or a :class:`BadInput` that says what was expected."""
        raise NotImplementedError

    def allowed(self) -> str:
        """Which answers it takes, in a few words."""
        raise NotImplementedError

    def every_answer(self, limit: int = 256) -> tuple[A, ...]:
        """All answers there are, the default first; none if there are more than the limit."""
        found: dict[A, None] = {} if self.default is None else {self.default: None}
        for answer in self._answers():
            found[answer] = None
            if len(found) > limit:
                return ()
        return tuple(found)

    def _answers(self) -> Iterator[A]:
        """Every answer, in the order in which the question lists them."""
        raise NotImplementedError


class YesNo(Question[bool], frozen=True, kw_only=True, tag="yes_no"):
    """Yes or no."""

    def check(self, answer: object, place: str = "answer") -> bool:
        """Only a real yes or no will do."""
        if isinstance(answer, bool):
            return answer
        raise BadInput(place, answer, self.allowed())

    def allowed(self) -> str:
        """Yes or no, also as it is written in a file."""
        return "yes or no (true or false)"

    def _answers(self) -> Iterator[bool]:
        yield from (False, True)


class PickOne(Question[str], frozen=True, kw_only=True, tag="pick_one"):
    """Exactly one of the options, by its key."""

    options: tuple[Option, ...]

    def check(self, answer: object, place: str = "answer") -> str:
        """The key of an option that was offered."""
        if isinstance(answer, str) and any(o.key == answer for o in self.options):
            return answer
        raise BadInput(place, answer, self.allowed())

    def allowed(self) -> str:
        """The keys to choose from."""
        return f"one of {_keys(self.options)}"

    def _answers(self) -> Iterator[str]:
        return (option.key for option in self.options)


class PickSeveral(Question[tuple[str, ...]], frozen=True, kw_only=True, tag="pick_several"):
    """Several of the options, each at most once; with ``write_in`` also others, in words."""

    options: tuple[Option, ...]
    least: int = 0
    most: int | None = None
    write_in: bool = False

    def check(self, answer: object, place: str = "answer") -> tuple[str, ...]:
        """The chosen keys in the order given."""
        if isinstance(answer, str) or not isinstance(answer, Sequence):
            raise BadInput(place, answer, self.allowed())
        offered = {option.key for option in self.options}
        for key in answer:
            if not isinstance(key, str) or not (key in offered or (self.write_in and key.strip())):
                raise BadInput(place, key, f"one of {_keys(self.options)}")
        if len(set(answer)) != len(answer):
            raise BadInput(place, answer, "each choice at most once")
        most = len(answer) if self.most is None else self.most
        if not self.least <= len(answer) <= most:
            raise BadInput(place, answer, f"{_range(self.least, self.most)} choices")
        return tuple(answer)

    def allowed(self) -> str:
        """The keys to choose from, and how many of them where that is limited."""
        several = f"a list from {_keys(self.options)}"
        if self.write_in:
            several = f"{several}, or in your own words" if self.options else "a list of words"
        limited = self.least or self.most is not None
        return f"{several}; {_range(self.least, self.most)} choices" if limited else several

    def _answers(self) -> Iterator[tuple[str, ...]]:
        keys = [option.key for option in self.options]
        most = len(keys) if self.most is None else min(self.most, len(keys))
        for size in range(self.least, most + 1):
            yield from combinations(keys, size)


class Number(Question[int], frozen=True, kw_only=True, tag="number"):
    """A whole number in a range; some numbers may have names."""

    least: int
    most: int
    names: tuple[tuple[int, str], ...] = ()

    def check(self, answer: object, place: str = "answer") -> int:
        """A whole number within the range."""
        whole = isinstance(answer, int) and not isinstance(answer, bool)
        if whole and self.least <= cast(int, answer) <= self.most:
            return cast(int, answer)
        raise BadInput(place, answer, self.allowed())

    def allowed(self) -> str:
        """The range."""
        return f"a whole number, {_range(self.least, self.most)}"

    def _answers(self) -> Iterator[int]:
        yield from range(self.least, self.most + 1)


class Split(Question[tuple[int, ...]], frozen=True, kw_only=True, tag="split"):
    """Things to be divided among pools, in the order of the pools; by default all of them."""

    amount: int
    pools: tuple[Option, ...]
    least: int = 0
    all_of_it: bool = True

    def check(self, answer: object, place: str = "answer") -> tuple[int, ...]:
        """One number for each pool, in their order or by their names, adding up as they must."""
        names = ", ".join(pool.key for pool in self.pools)
        if isinstance(answer, Mapping) and not set(answer) - {pool.key for pool in self.pools}:
            answer = [answer.get(pool.key, 0) for pool in self.pools]
        if (
            not isinstance(answer, Sequence)
            or len(answer) != len(self.pools)
            or any(isinstance(n, bool) or not isinstance(n, int) or n < self.least for n in answer)
        ):
            raise BadInput(place, answer, f"{len(self.pools)} numbers from {self.least} ({names})")
        if sum(answer) > self.amount or (self.all_of_it and sum(answer) != self.amount):
            how = "exactly" if self.all_of_it else "at most"
            raise BadInput(place, answer, f"{how} {self.amount} in total ({names})")
        return tuple(answer)

    def allowed(self) -> str:
        """How many numbers, for which pools, and what they add up to."""
        names = ", ".join(pool.key for pool in self.pools)
        how = "exactly" if self.all_of_it else "at most"
        return f"{len(self.pools)} numbers ({names}), {how} {self.amount} in total"

    def _answers(self) -> Iterator[tuple[int, ...]]:
        parts = range(self.least, self.amount + 1)
        for split in product(parts, repeat=len(self.pools)):
            if sum(split) == self.amount or (not self.all_of_it and sum(split) < self.amount):
                yield split


MOST_ACCEPTED = 1024
"""How many scripts a question remembers as allowed."""


class Script(Question[tuple[str, ...]], frozen=True, kw_only=True, tag="script", dict=True):
    """A sequence of cards, one for each slot; a card may be used again unless ``once``.

    Where there are ``openers``, exactly one of them begins each volley, and ``spreads`` say how
    many cards may follow it in each; ``rules`` limit what may stand where. ``barred`` are cards
    and openers that are out of the question here, each with the reason as its note. The answer is
    flat: opener, cards, opener, cards.
    """

    cards: tuple[Option, ...]
    slots: int
    once: bool = False
    names: tuple[str, ...] = ()
    """What each slot is called, for the page that draws them."""
    openers: tuple[Option, ...] = ()
    spreads: tuple[tuple[int, ...], ...] = ()
    rules: tuple[CardRule, ...] = ()
    barred: tuple[Option, ...] = ()
    situation: tuple[str, ...] = ()
    """Codes of the game for what a policy may go by; people read the same in the notes."""

    def check(self, answer: object, place: str = "answer") -> tuple[str, ...]:
        """One offered card for each slot, as the rules allow it."""
        if isinstance(answer, str) or not isinstance(answer, Sequence):
            raise BadInput(place, answer, self.allowed())
        if self._is_accepted(answer):
            return cast(tuple[str, ...], answer)
        offered, barred = self._offered, self._barred
        for card in answer:
            if isinstance(card, str) and card in barred and card not in offered:
                why = f"another card: {barred[card].note}"
                raise BadInput(place, card, why, barred[card].rule)
            if not isinstance(card, str) or card not in offered:
                raise BadInput(place, card, f"one of {_keys((*self.openers, *self.cards))}")
        if len(answer) != self.slots:
            raise BadInput(place, answer, f"exactly {self.slots} cards")
        if self.once and len(set(answer)) != len(answer):
            raise BadInput(place, answer, "each card at most once")
        cards = tuple(answer)
        if (self.openers or self.rules) and cards not in self._accepted:
            volleys = self._volleys_of(cards, place)
            self._check_rules(volleys, place)
            if len(self._accepted) >= MOST_ACCEPTED:
                self._accepted.clear()
            self._accepted[cards] = volleys
        return cards

    @cached_property
    def _accepted(self) -> dict[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Scripts that were found to be allowed, in volleys: a simulation writes some often."""
        return {}

    def _is_accepted(self, answer: Sequence[object]) -> bool:
        """Whether it is a script that was found to be allowed before."""
        try:
            return answer in self._accepted
        except TypeError:  # what cannot be looked up is no script
            return False

    @cached_property
    def _offered(self) -> frozenset[str]:
        return self._opening | {card.key for card in self.cards}

    @cached_property
    def _opening(self) -> frozenset[str]:
        return frozenset(opener.key for opener in self.openers)

    @cached_property
    def _barred(self) -> dict[str, Option]:
        return {card.key: card for card in self.barred}

    def volleys(self, answer: Sequence[str]) -> tuple[tuple[str, ...], ...]:
        """The cards of each volley, its opener first, of an answer that has been checked."""
        known = self._accepted.get(tuple(answer))
        return self._volleys_of(answer, "answer") if known is None else known

    def _volleys_of(self, answer: Sequence[str], place: str) -> tuple[tuple[str, ...], ...]:
        if not self.openers:
            return (tuple(answer),)
        opening = self._opening
        starts = [at for at, card in enumerate(answer) if card in opening]
        if not starts or starts[0]:
            raise BadInput(place, answer[:1], f"one of {_keys(self.openers)} before each volley")
        ends = (*starts[1:], len(answer))
        volleys = tuple(tuple(answer[a:b]) for a, b in zip(starts, ends, strict=True))
        if tuple([len(volley) - 1 for volley in volleys]) not in self.spreads:
            found = "/".join(str(len(volley) - 1) for volley in volleys)
            raise BadInput(place, found, f"actions in each volley as {self._spreads()}")
        return volleys

    @cached_property
    def _rules_for(self) -> dict[str, list[CardRule]]:
        """The rules about each card, in their order."""
        found: dict[str, list[CardRule]] = {}
        for rule in self.rules:
            for card in dict.fromkeys(rule.cards):
                found.setdefault(card, []).append(rule)
        return found

    @cached_property
    def _required(self) -> list[CardRule]:
        """The rules about the whole script."""
        return [rule for rule in self.rules if rule.limit is CardLimit.REQUIRED]

    def _check_rules(self, volleys: tuple[tuple[str, ...], ...], place: str) -> None:
        before: list[str] = []
        opened = self._opened(volleys)
        for at, (opener, cards) in enumerate(opened, 1):
            earlier = opened[: at - 1]
            for slot, card in enumerate(cards):
                for rule in self._rules_for.get(card, ()):
                    if not rule.allows(opener, before, cards[:slot], card, earlier):
                        words = f"{rule.words} (volley {at}, action {slot + 1})"
                        raise BadInput(place, card, words, rule.rule)
                before.append(card)
        for rule in self._required:
            if not rule.is_met(before):
                raise BadInput(place, ", ".join(before), rule.words, rule.rule)

    def _opened(self, volleys: tuple[tuple[str, ...], ...]) -> tuple[OpenedVolley, ...]:
        if not self.openers:
            return tuple([("", volley) for volley in volleys])
        return tuple([(volley[0], volley[1:]) for volley in volleys])

    def _spreads(self) -> str:
        return " or ".join("/".join(map(str, spread)) for spread in self.spreads)

    def allowed(self) -> str:
        """How many cards, and which there are."""
        if not self.openers:
            return f"{self.slots} cards from {_keys(self.cards)}"
        return (
            f"for each volley one of {_keys(self.openers)}, then actions ({self._spreads()}) "
            f"from {_keys(self.cards)}"
        )

    def _answers(self) -> Iterator[tuple[str, ...]]:
        keys = [card.key for card in self.cards]
        if not self.openers:
            filled = product(keys, repeat=self.slots)
            cards = permutations(keys, self.slots) if self.once else filled
            yield from (answer for answer in cards if self._is_allowed(answer))
            return
        opening = [opener.key for opener in self.openers]
        for spread in self.spreads:
            places = [part for many in spread for part in (opening, *(keys,) * many)]
            yield from (answer for answer in product(*places) if self._is_allowed(answer))

    def _is_allowed(self, answer: tuple[str, ...]) -> bool:
        try:
            self.check(answer)
        except BadInput:
            return False
        return True


class Text(Question[str], frozen=True, kw_only=True, tag="text"):
    """A short text; empty only where nothing need be said."""

    required: bool = False
    longest: int = 500

    def check(self, answer: object, place: str = "answer") -> str:
        """The text without surrounding blanks."""
        if not isinstance(answer, str):
            raise BadInput(place, answer, "a text")
        text = answer.strip()
        if self.required and not text:
            raise BadInput(place, answer, "a few words")
        if len(text) > self.longest:
            raise BadInput(
                place,
                f"{text[:20]}... ({len(text)} characters)",
                f"at most {self.longest} characters",
            )
        return text

    def allowed(self) -> str:
        """Words, which may be none where nothing need be said."""
        return "a few words" if self.required else "a text"

    def _answers(self) -> Iterator[str]:
        """Words cannot be listed; saying nothing is the one answer that can."""
        if not self.required:
            yield ""


class Faces(Question[tuple[int, ...]], frozen=True, kw_only=True, tag="faces"):
    """The faces of real dice, typed in by the person who threw them."""

    count: int
    sides: int

    def check(self, answer: object, place: str = "answer") -> tuple[int, ...]:
        """As many faces as dice were thrown, each one that the die has."""
        if isinstance(answer, str) or not isinstance(answer, Sequence):
            raise BadInput(place, answer, self.allowed())
        for face in answer:
            if isinstance(face, bool) or not isinstance(face, int) or not 1 <= face <= self.sides:
                raise BadInput(place, face, f"a face of a d{self.sides}, 1 to {self.sides}")
        if len(answer) != self.count:
            raise BadInput(place, list(answer), f"{self.count} faces")
        return tuple(answer)

    def allowed(self) -> str:
        """How many faces, of which dice."""
        return f"{self.count} faces of a d{self.sides}"

    def _answers(self) -> Iterator[tuple[int, ...]]:
        yield from product(range(1, self.sides + 1), repeat=self.count)


AnyQuestion = YesNo | PickOne | PickSeveral | Number | Split | Script | Text | Faces
"""Every kind of question there is; encodes to JSON and back by its ``kind``."""


def _keys(options: tuple[Option, ...]) -> str:
    return ", ".join(option.key for option in options) or "(nothing on offer)"


def _range(least: int, most: int | None) -> str:
    return f"{least} or more" if most is None else f"{least} to {most}"
