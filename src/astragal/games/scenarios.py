"""Scenarios: a piece of play written down, with what should come of it.

A scenario is data: sheets, steps (a procedure with its arguments, scripted answers and
scripted dice) and expectations. Worked examples, tests and stories to replay are all
scenarios. The format is described in ``docs/scenarios.md``. Reading files is left to the
caller.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from astragal.dice import Chance
from astragal.errors import BadInput, Refusal
from astragal.games.game import Game, Table, game_named
from astragal.games.scenario_dice import ScriptedDice
from astragal.games.scenario_expectations import (
    Expected,
    ScriptFault,
    differences,
    is_expected,
)
from astragal.play import Answer, Ask, Change, Scripted, Session, SessionEvent, Unanswered
from astragal.rules import Entry, catalogue

ReadSheet = Callable[[str], Mapping[str, Any]]
"""Gives the raw sheet that a reference in a scenario names."""


class StepScript(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One procedure, with everything that is written down about it."""

    procedure: str
    arguments: dict[str, Any] = {}
    answers: dict[str, Any] = {}
    rolls: list[Any] | None = None
    expect: Expected = Expected()
    rules: list[str] = []
    examples: list[str] = []
    """The worked examples that this step replays, where a scenario strings several together."""
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
    """What one step came to, and where that differs from what was expected.

    A step that was refused, or could not be played to its end, comes to nothing: its events are
    what happened until then, and it has neither an outcome nor changes.
    """

    script: StepScript
    events: tuple[SessionEvent, ...]
    asked: tuple[Ask, ...]
    outcome: Any
    refusal: Refusal | None
    differences: tuple[str, ...]

    @property
    def changes(self) -> tuple[Change, ...]:
        """What the step changed."""
        return tuple(event for event in self.events if isinstance(event, Change))

    @property
    def is_refused_as_expected(self) -> bool:
        """Whether the rules refused the step as its script says they should."""
        return self.refusal is not None and is_expected(self.refusal, self.script.expect)


class Scenario(msgspec.Struct, frozen=True):
    """A scenario that has been read and checked, ready to be played."""

    file: ScenarioFile
    game: Game
    table: Table[Any, Any]

    def play(self, chance: Chance) -> Iterator[StepResult]:
        """Play the steps one after the other; each begins where the one before it ended.

        After a step that was refused, the next one begins where that step began.
        """
        table = self.table
        for script in self.file.step:
            result = self._step(script, table, chance)
            table = table.changed(*result.changes)
            yield result

    def _step(self, script: StepScript, table: Table[Any, Any], chance: Chance) -> StepResult:
        procedure = self.game.procedure(script.procedure)
        arguments = self.game.read(script.arguments, procedure.arguments, "arguments")
        answers, dice = Scripted(script.answers), ScriptedDice(script.rolls, chance)
        events: list[SessionEvent] = []
        asked: list[Ask] = []
        outcome: Any = None
        ended: Refusal | None = None
        try:
            session = Session(procedure.start(arguments, table), dice, witness=events.append)
            while session.waiting:
                asked.append(session.waiting[0])
                session.answer(asked[-1].seat, _written(answers, asked[-1]))
            outcome = session.result
        except Refusal as refusal:
            ended = refusal
            events = [event for event in events if not isinstance(event, Change)]
        found = list(_refusals(ended, script.expect, answers))
        if ended is None:
            found += _left_over(answers, asked, dice)
        if ended is None or not found:  # what follows from a refusal that was not expected is plain
            written = {} if ended is not None else self.game.write(outcome)
            found += differences(script.expect, written, events, asked, self.game)
        return StepResult(script, tuple(events), tuple(asked), outcome, ended, tuple(found))


def _refusals(ended: Refusal | None, expected: Expected, answers: Scripted) -> Iterator[str]:
    """Where a refusal, or that there was none, is not as expected."""
    if ended is None:
        if expected.refused:
            yield f"refused: expected {expected.refused}, but it was allowed"
    elif isinstance(ended, ScriptFault):
        yield str(ended)
    elif isinstance(ended, Unanswered):
        near = difflib.get_close_matches(ended.ask.key, answers.unused, n=1)
        hint = f"; {near[0]!r} is written, but not asked" if near else ""
        yield f"answers.{ended}{hint}"
    elif not is_expected(ended, expected):
        wanted = f"expected {expected.refused}, but: " if expected.refused else ""
        yield f"refused: {wanted}{ended}"


def _left_over(answers: Scripted, asked: list[Ask], dice: ScriptedDice) -> Iterator[str]:
    """Entries of a script that nothing called for."""
    if dice.left_over is not None:
        yield str(dice.left_over)
    keys = sorted({ask.key for ask in asked})
    narrowed = {f"{ask.seat}/{ask.key}" for ask in asked}
    for written in answers.unused:
        near = difflib.get_close_matches(written.partition("#")[0], [*keys, *narrowed], n=1)
        expected = f"one of the questions asked here: {', '.join(keys)}"
        if near:
            expected = f"a question asked here; nearest: {near[0]}"
        elif not keys:
            expected = "no answers: nothing is asked here"
        yield str(BadInput("answers", written, expected))


def parse_scenario(raw: object, read_sheet: ReadSheet, place: str = "scenario") -> Scenario:
    """Read a scenario from raw data (a TOML or JSON file's content) and check all it names."""
    if not isinstance(raw, Mapping):
        raise BadInput(place, raw, "a scenario, with a game and steps")
    game = game_named(raw.get("game"), f"{place}.game")
    try:
        file = game.read(raw, ScenarioFile, place)
    except BadInput as bad:
        raise BadInput(_counted(bad.place), bad.value, bad.expected, bad.rule) from None
    if not file.step:
        raise BadInput(f"{place}.step", file.step, "at least one [[step]]")
    characters = {}
    for name, sheet in file.characters.items():
        where = f"{place}.characters.{name}"
        source = _source(sheet, read_sheet, where) if isinstance(sheet, str) else sheet
        characters[name] = game.read_sheet(source, where)
    scene = game.read(file.scene, game.scene, f"{place}.scene")
    table = game.table(characters, scene, file.options)
    _check_ids(file, game, place)
    for number, script in enumerate(file.step, 1):
        where = f"{place}, step {number}"
        procedure = game.procedure(script.procedure, f"{where}, procedure")
        game.read(script.arguments, procedure.arguments, f"{where}, arguments")
    return Scenario(file, game, table)


def _counted(place: str) -> str:
    """A place in a file with its step counted from 1, as people and the story do."""
    return re.sub(
        r"\.step\[(\d+)\]\.?(.*)",
        lambda found: f", step {int(found[1]) + 1}" + (f", {found[2]}" if found[2] else ""),
        place,
    )


def _check_ids(file: ScenarioFile, game: Game, place: str) -> None:
    """Every rule and example that a scenario names is one of its game, or the place is refused."""
    book = catalogue()
    if file.example:
        _check_id(book.example, file.example, game, f"{place}.example")
    named = {f"{place}.rules": file.rules}
    for number, script in enumerate(file.step, 1):
        named[f"{place}, step {number}, rules"] = script.rules
        for index, name in enumerate(script.examples):
            where = f"{place}, step {number}, examples[{index}]"
            _check_id(book.example, name, game, where)
        if script.expect.refused:
            where = f"{place}, step {number}, expect.refused"
            _check_id(book.entry, script.expect.refused, game, where)
    for where, ids in named.items():
        for index, name in enumerate(ids):
            _check_id(book.entry, name, game, f"{where}[{index}]")


def _check_id(look_up: Callable[[str], Entry], name: str, game: Game, place: str) -> None:
    try:
        entry = look_up(name)
    except BadInput as bad:
        raise BadInput(place, name, bad.expected) from None
    if catalogue().chapter(entry.chapter).system != game.name:
        raise BadInput(place, name, f"an entry of {game.title}")


def _source(name: str, read_sheet: ReadSheet, place: str) -> Mapping[str, Any]:
    """The raw sheet that a reference names."""
    try:
        return read_sheet(name)
    except BadInput as bad:
        raise BadInput(f"{place} ({bad.place})", bad.value, bad.expected, bad.rule) from None


def _written(answers: Scripted, ask: Ask) -> Answer:
    """The answer that stands in the step, or a refusal that says where it stands."""
    try:
        return answers(ask)
    except Unanswered:
        raise
    except BadInput as bad:
        raise BadInput(f"answers.{bad.place}", bad.value, bad.expected, bad.rule) from None
