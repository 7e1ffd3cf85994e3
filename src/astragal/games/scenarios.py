"""Scenarios: a piece of play written down, with what should come of it.

A scenario is data: sheets, steps (a procedure with its arguments, scripted answers and
scripted dice) and expectations. Worked examples, tests and stories to replay are all
scenarios. The format is described in ``docs/scenarios.md``. Reading files is left to the
caller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from astragal.dice import Chance, Pool, PoolWithOnes, Rolled
from astragal.errors import BadInput, Refusal
from astragal.games.game import Game, Table, game_named
from astragal.play import (
    Answer,
    Ask,
    Change,
    DecisionEvent,
    Roll,
    Scripted,
    Session,
    SessionEvent,
    Tell,
    rolled_from,
)
from astragal.rules import Entry, catalogue

ReadSheet = Callable[[str], Mapping[str, Any]]
"""Gives the raw sheet that a reference in a scenario names."""


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a step should come to; whatever is not mentioned is not looked at."""

    outcome: dict[str, Any] = {}
    changes: list[dict[str, Any]] = []
    no_other_changes: bool = False
    told: list[str] = []
    asked: list[str] = []
    not_asked: list[str] = []
    refused: str = ""


class StepScript(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One procedure, with everything that is written down about it."""

    procedure: str
    arguments: dict[str, Any] = {}
    answers: dict[str, Any] = {}
    rolls: list[Any] | None = None
    expect: Expected = Expected()
    rules: list[str] = []
    title: str = ""


class ScenarioFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario as it stands in its file."""

    game: str
    step: list[StepScript]
    title: str = ""
    example: str = ""
    rules: list[str] = []
    options: dict[str, str] = {}
    characters: dict[str, Any] = {}
    scene: dict[str, Any] = {}


class StepResult(msgspec.Struct, frozen=True):
    """What one step came to, and where that differs from what was expected."""

    script: StepScript
    events: tuple[SessionEvent, ...]
    outcome: Any
    refusal: Refusal | None
    differences: tuple[str, ...]

    @property
    def changes(self) -> tuple[Change, ...]:
        """What the step changed."""
        return tuple(event for event in self.events if isinstance(event, Change))


class Scenario(msgspec.Struct, frozen=True):
    """A scenario that has been read and checked, ready to be played."""

    file: ScenarioFile
    game: Game
    table: Table[Any, Any]

    def play(self, chance: Chance) -> Iterator[StepResult]:
        """Play the steps one after the other; each begins where the one before it ended."""
        table = self.table
        for index, script in enumerate(self.file.step):
            result = self._step(script, table, chance, f"step[{index}]")
            if result.refusal is None:
                table = table.changed(*result.changes)
            yield result

    def _step(
        self, script: StepScript, table: Table[Any, Any], chance: Chance, place: str
    ) -> StepResult:
        procedure = self.game.procedure(script.procedure, f"{place}.procedure")
        arguments = self.game.read(script.arguments, procedure.arguments, f"{place}.arguments")
        answers = Scripted(script.answers)
        dice = _Dice(script.rolls, chance, f"{place}.rolls")
        session: Session[Any] | None = None
        try:
            session = Session(procedure.start(arguments, table), dice)
            while session.waiting:
                ask = session.waiting[0]
                session.answer(ask.seat, _written(answers, ask))
            dice.finish()
        except Refusal as refusal:
            if refusal.rule is None or refusal.rule != script.expect.refused:
                raise _placed(refusal, place) from None
            events = tuple(session.events) if session is not None else ()
            # A step that is refused comes to nothing; what is expected besides must still hold.
            as_far = msgspec.structs.replace(script.expect, refused="")
            found = tuple(_differences(as_far, {}, events, self.game))
            return StepResult(script, events, None, refusal, found)
        if answers.unused:
            asked = {event.ask.key for event in session.events if isinstance(event, DecisionEvent)}
            expected = (
                f"a question that is asked here: {', '.join(sorted(asked)) or 'there are none'}"
            )
            raise BadInput(f"{place}.answers.{answers.unused[0]}", answers.unused[0], expected)
        events = tuple(session.events)
        outcome = session.result
        found = tuple(_differences(script.expect, self.game.write(outcome), events, self.game))
        return StepResult(script, events, outcome, None, found)


def parse_scenario(raw: object, read_sheet: ReadSheet, place: str = "scenario") -> Scenario:
    """Read a scenario from raw data (a TOML or JSON file's content) and check all it names."""
    if not isinstance(raw, Mapping):
        raise BadInput(place, raw, "a scenario, with a game and steps")
    game = game_named(raw.get("game"), f"{place}.game")
    file = game.read(raw, ScenarioFile, place)
    if not file.step:
        raise BadInput(f"{place}.step", file.step, "at least one [[step]]")
    characters = {}
    for name, sheet in file.characters.items():
        where = f"{place}.characters.{name}"
        source = _source(sheet, read_sheet, where) if isinstance(sheet, str) else sheet
        characters[name] = game.read_sheet(source, where)
    scene = game.read(file.scene, game.scene, f"{place}.scene")
    table = game.table(characters, scene, file.options)
    _check_ids(file, place)
    for index, script in enumerate(file.step):
        procedure = game.procedure(script.procedure, f"{place}.step[{index}].procedure")
        game.read(script.arguments, procedure.arguments, f"{place}.step[{index}].arguments")
    return Scenario(file, game, table)


def _check_ids(file: ScenarioFile, place: str) -> None:
    """Every rule and example that a scenario names is in the catalogue, or the place is refused."""
    book = catalogue()
    if file.example:
        _check_id(book.example, file.example, f"{place}.example")
    named = {f"{place}.rules": file.rules}
    for index, script in enumerate(file.step):
        named[f"{place}.step[{index}].rules"] = script.rules
        if script.expect.refused:
            where = f"{place}.step[{index}].expect.refused"
            _check_id(book.entry, script.expect.refused, where)
    for where, ids in named.items():
        for index, name in enumerate(ids):
            _check_id(book.entry, name, f"{where}[{index}]")


def _check_id(look_up: Callable[[str], Entry], name: str, place: str) -> None:
    try:
        look_up(name)
    except BadInput as bad:
        raise BadInput(place, name, bad.expected) from None


def _source(name: str, read_sheet: ReadSheet, place: str) -> Mapping[str, Any]:
    """The raw sheet that a reference names."""
    try:
        return read_sheet(name)
    except BadInput as bad:
        raise BadInput(f"{place} ({bad.place})", bad.value, bad.expected, bad.rule) from None


def _written(answers: Scripted, ask: Ask) -> Answer:
    """The answer that stands in the step, or a refusal that says where it stands or should."""
    try:
        return answers(ask)
    except BadInput as bad:
        raise BadInput(f"answers.{bad.place}", bad.value, bad.expected, bad.rule) from None


class _Dice:
    """The dice of a step: scripted faces or successes where there are any, else chance."""

    def __init__(self, rolls: list[Any] | None, chance: Chance, place: str) -> None:
        self._rolls = rolls
        self._chance = chance
        self._place = place
        self._thrown = 0

    def __call__(self, effect: Roll) -> Rolled[Any]:
        if self._rolls is None:
            return effect.expression.sample(self._chance)
        place = f"{self._place}[{self._thrown}]"
        if self._thrown >= len(self._rolls):
            raise BadInput(place, None, f"faces for {effect.label} ({effect.expression.notation})")
        entry = self._rolls[self._thrown]
        self._thrown += 1
        try:
            return rolled_from(effect, _faces(entry, effect, place))
        except BadInput as bad:
            raise BadInput(f"{place} ({effect.label})", bad.value, bad.expected) from None

    def finish(self) -> None:
        if self._rolls is not None and self._thrown < len(self._rolls):
            left = self._rolls[self._thrown]
            raise BadInput(
                f"{self._place}[{self._thrown}]", left, "no more entries: every roll has been made"
            )


def _faces(entry: Any, effect: Roll, place: str) -> list[int]:
    if isinstance(entry, Mapping) and set(entry) == {"successes"}:
        if not isinstance(effect.expression, Pool | PoolWithOnes):
            raise BadInput(place, entry, f"faces: {effect.expression.notation} counts no successes")
        successes = entry["successes"]
        if isinstance(successes, bool) or not isinstance(successes, int):
            raise BadInput(place, successes, "a whole number of successes")
        return list(effect.expression.faces_for(successes))
    if isinstance(entry, list) and all(isinstance(face, int) for face in entry):
        return entry
    raise BadInput(place, entry, "a list of faces, or {successes = n}")


def _placed(refusal: Refusal, place: str) -> Refusal:
    """The same refusal, saying in which step it happened."""
    if isinstance(refusal, BadInput) and not refusal.place.startswith(place):
        inner = f"{place}.{refusal.place}"
        return BadInput(inner, refusal.value, refusal.expected, refusal.rule)
    if isinstance(refusal, BadInput):
        return refusal
    return Refusal(f"{place}: {refusal}")


# --- Expectations --------------------------------------------------------------------------


def _differences(
    expected: Expected, outcome: Any, events: tuple[SessionEvent, ...], game: Game
) -> Iterator[str]:
    """Everything that is not as expected, field by field."""
    if expected.refused:
        yield f"refused: expected {expected.refused}, but it was allowed"
    yield from _compare(expected.outcome, outcome, "outcome")
    changes = [game.write(event) for event in events if isinstance(event, Change)]
    unseen = list(changes)
    for wanted in expected.changes:
        match = next((c for c in unseen if not list(_compare(wanted, c, ""))), None)
        if match is None:
            same = [c for c in changes if c["path"] == wanted.get("path")]
            got = f"it became {same[-1]['after']!r}" if same else "it did not change"
            yield f"changes: expected {_said(wanted)}, but {got}"
        else:
            unseen.remove(match)
    if expected.no_other_changes:
        for change in unseen:
            yield f"changes: did not expect {_said(change)}"
    sentences = [event.fact.sentence() for event in events if isinstance(event, Tell)]
    for text in expected.told:
        if not any(text in sentence for sentence in sentences):
            yield f"told: nothing said {text!r}"
    asked = {event.ask.key for event in events if isinstance(event, DecisionEvent)}
    for key in expected.asked:
        if key not in asked:
            yield f"asked: {key!r} was never asked"
    for key in expected.not_asked:
        if key in asked:
            yield f"not_asked: {key!r} was asked"


def _compare(expected: Any, found: Any, place: str) -> Iterator[str]:
    """Where the found value is not what was expected; a mapping need only be covered."""
    if isinstance(found, Mapping) and set(found) == {"lines"} and isinstance(expected, int):
        found = sum(line["amount"] for line in found["lines"])
    if isinstance(expected, Mapping) and isinstance(found, Mapping):
        for key, value in expected.items():
            if key not in found:
                yield f"{place}.{key}: expected {value!r}, but there is no such field"
            else:
                yield from _compare(value, found[key], f"{place}.{key}")
    elif isinstance(expected, list) and isinstance(found, list | tuple):
        if len(expected) != len(found):
            yield f"{place}: expected {len(expected)} entries, got {len(found)}: {list(found)!r}"
        for index, (one, other) in enumerate(zip(expected, found, strict=False)):
            yield from _compare(one, other, f"{place}[{index}]")
    elif expected != found and not (expected == "none" and found is None):
        yield f"{place}: expected {expected!r}, got {found!r}"


def _said(change: Mapping[str, Any]) -> str:
    where = f"{change.get('target', '')}.{change.get('path', '')}".strip(".")
    return f"{where} to become {change.get('after')!r}"
