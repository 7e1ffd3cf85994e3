"""Scenarios to watch: what happens in one, moment by moment, as the page shows it.

A scenario that comes with a game is played once. What it told, rolled and changed is divided into
moments: a test with its dice, the cards of a volley, or one thing that happens. Each has a plain
sentence and the rule behind it. Whoever watches sees both sides, but no script before its cards
are turned over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import msgspec

from astragal.dice import Recorded, Seeded
from astragal.games import game_named
from astragal.games.game import SCENE
from astragal.games.ready import ready_scenario
from astragal.games.scenarios import Scenario, StepResult
from astragal.play import (
    GM,
    Ask,
    Change,
    DecisionEvent,
    RollEvent,
    Script,
    Seat,
    SessionEvent,
    Tell,
)
from astragal.table.log.change_words import change_sentences
from astragal.table.log.items import RolledItem, ToldItem
from astragal.table.running.dice import NotingDice
from astragal.table.running.recording import DiceThrow, rolled, told, words_for

WatchedItem = ToldItem | RolledItem

ASIDES = ("decided", "changed")
"""Kinds of items that stand beside what happens."""


class WatchedMoment(msgspec.Struct, frozen=True):
    """One step forward: what happens in a sentence, the rule behind it, and what is drawn."""

    sentence: str
    rule: str
    items: tuple[WatchedItem, ...]


class WatchedScene(msgspec.Struct, frozen=True):
    """A step of the scenario, with its moments."""

    title: str
    moments: tuple[WatchedMoment, ...]


class WatchedScenario(msgspec.Struct, frozen=True):
    """A whole scenario."""

    game: str
    title: str
    scenes: tuple[WatchedScene, ...]


@cache
def watched(game: str, name: str) -> WatchedScenario:
    """A scenario that comes with a game, played to its end; it is the same for everybody."""
    scenario = ready_scenario(game_named(game), name)
    played = scenario.play(Seeded(name))
    scenes = tuple(_scene(scenario, result) for result in played)
    return WatchedScenario(game, scenario.file.title or name, scenes)


def _scene(scenario: Scenario, result: StepResult) -> WatchedScene:
    script = result.script
    title = script.title or scenario.game.procedure(script.procedure).title
    watching = _Watching(scenario, script.rules[0] if script.rules else "")
    moments = tuple(watching.moments(result.events))
    if result.refusal is not None:
        rule = result.refusal.rule or ""
        text = str(result.refusal).removesuffix(f" [{rule}]")
        said = ToldItem(f"{text}.", "refused", rule, role="outcome")
        moments += (WatchedMoment(said.sentence, rule, (said,)),)
    return WatchedScene(title, moments)


class _Watching:
    """Divides what happened in one step of a scenario into moments."""

    def __init__(self, scenario: Scenario, rule: str) -> None:
        self._scenario = scenario
        self._rule = rule
        self._items: list[WatchedItem] = []
        self._before: list[WatchedItem] = []
        """What leads to the next moment."""
        self._seen = ""
        """Where everybody was, in words."""

    def moments(self, events: Iterable[SessionEvent]) -> Iterator[WatchedMoment]:
        """All moments, in order."""
        for event in events:
            match event:
                case Change():
                    place = self._items or self._before
                    place += self._changed(event)
                case DecisionEvent(ask=ask, answer=answer):
                    yield from self._decided(ask, answer)
                case RollEvent():
                    if not _is_dice(self._items):
                        yield from self._close()
                    self._items.append(_rolled(event))
                case Tell(fact=fact, audience=audience):
                    yield from self._told(told(fact, audience), getattr(fact, "rules", ()))
        self._items, self._before = [*self._before, *self._items], []
        yield from self._close()

    def _told(self, item: ToldItem, rules: tuple[str, ...]) -> Iterator[WatchedMoment]:
        """Something told; what names no rule leads to what follows."""
        if not item.rule and rules:
            item = msgspec.structs.replace(item, rule=rules[0])
        if item.picture is not None:
            seen, self._seen = self._seen, item.sentence
            if seen == item.sentence:  # nobody has moved: it only shows what has just changed
                (self._items or self._before).append(item)
                return
        if not _goes_with(item, self._items):
            yield from self._close()
            if not item.rule and item.role in ("", "heading", "aside"):
                self._before.append(item)
                return
        self._items.append(item)

    def _decided(self, ask: Ask, answer: object) -> Iterator[WatchedMoment]:
        """A decision belongs to the dice it is about, or to what follows from it.

        Defaults are nothing to look at. Of a script only that it has been written is shown.
        """
        who = self._name(ask.seat)
        if isinstance(ask.question, Script):
            if ask.key != "script" and answer == ask.question.default:
                return
            wrote = "writes a script" if ask.key == "script" else "changes the script"
            item = ToldItem(f"{who} {wrote}, unseen.", "sealed", ask.because)
            if not (self._items and all(_is_sealed(each) for each in self._items)):
                yield from self._close()
            self._items.append(item)
            return
        if answer == ask.question.default or ask.standing:  # what stands shows in the dice
            return
        asked = ask.prompt.rstrip("?.:")
        asked = asked if asked.startswith(who) else f"{who}: {asked}"
        said = f"{asked}: {words_for(ask, answer)}."
        decided = ToldItem(said, "decided", ask.because)
        if _is_dice(self._items) and not _is_settled(self._items):
            self._items.append(decided)
        else:
            yield from self._close()
            self._before.append(decided)

    def _close(self) -> Iterator[WatchedMoment]:
        if self._items:
            items = (*self._before, *self._items)
            yield WatchedMoment(_sentence(items), self._rule_of(items), items)
            self._before, self._items = [], []

    def _rule_of(self, items: tuple[WatchedItem, ...]) -> str:
        """The rule behind a moment, or what the whole step is about."""
        return rule if (rule := _rule(items)) else self._rule

    def _changed(self, change: Change) -> Iterator[ToldItem]:
        """What a change says; those of the scene are bookkeeping."""
        if change.target == SCENE:
            return
        game = self._scenario.game
        before, after = game.write(change.before), game.write(change.after)
        for text in change_sentences(change.path, before, after, game.sheet_words):
            yield ToldItem(f"{self._name(change.target)}: {text}.", "changed", change.because)

    def _name(self, key: Seat) -> str:
        if key == GM:
            return "The GM"
        sheet = self._scenario.table.characters.get(key)
        return str(getattr(sheet, "name", key) or key)


# --- What belongs together -----------------------------------------------------------------


def _is_sealed(item: WatchedItem) -> bool:
    return isinstance(item, ToldItem) and item.kind == "sealed"


def _is_dice(items: list[WatchedItem]) -> bool:
    """Whether a moment is about dice: they are gathered, or lie on the table."""
    return any(isinstance(each, RolledItem) or each.role == "pool" for each in items)


def _is_settled(items: list[WatchedItem]) -> bool:
    """Whether the dice of a moment have their verdict."""
    return any(isinstance(each, ToldItem) and each.role == "outcome" for each in items)


def _goes_with(item: ToldItem, items: list[WatchedItem]) -> bool:
    """Whether something told belongs to the moment before it.

    Dice go together up to their verdict, and what cards do goes with the cards.
    """
    if item.role == "outcome":
        return bool(items)
    if item.role == "pool":
        return _is_dice(items) and not _is_settled(items)
    if item.role == "effect" and not item.meetings:
        return bool(items) and isinstance(items[-1], ToldItem) and bool(items[-1].cards)
    return False


def _sentence(items: tuple[WatchedItem, ...]) -> str:
    """What happens, in plain words: the verdict, the dice, or what was told first."""
    told = [each for each in items if isinstance(each, ToldItem)]
    outcomes = [each.sentence for each in told if each.role == "outcome"]
    rolls = [each for each in items if isinstance(each, RolledItem)]
    main = [each for each in told if each.kind not in ASIDES and each.role != "heading"] or told
    said = [each.sentence for each in (main if _is_sealed(main[0]) else main[:1])]
    if main[0].cards:
        said = [f"{main[0].headline}: the cards are turned over."]
    if outcomes or rolls:
        said = outcomes or [f"{each.label}: {each.comes_to}." for each in rolls]
    return " ".join(f"{each[:1].upper()}{each[1:]}" for each in said)


def _rule(items: tuple[WatchedItem, ...]) -> str:
    """The rule behind a moment: of what is told, of a line of the dice, or of a decision.

    Of the lines the last says most. The first is that of the ability, as in every test; where
    there is no other, the lines say nothing.
    """
    told = [each for each in items if isinstance(each, ToldItem)]
    lines = [line[2] for each in told for number in each.numbers for line in number.lines]
    rules = [each.rule for each in told if each.kind not in ASIDES]
    rules += [rule for rule in reversed(lines) if rule != lines[0]]
    rules += [each.rule for each in told if each.kind == "decided"]
    return next((rule for rule in rules if rule), "")


def _rolled(event: RollEvent) -> RolledItem:
    noting = NotingDice(Recorded(event.rolled.faces))
    event.roll.expression.sample(noting)
    throw = DiceThrow(0, tuple(noting.handfuls), typed=False)
    return rolled(event.roll, event.rolled.value, event.rolled.faces, throw)
