"""Air of Gates: an Elven song that asks a door or a gate what is beyond it."""

from __future__ import annotations

from functools import cache

from astragal.errors import NotAllowed
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import GM, Line, Play, Step, Text, ask, call, consent, note
from astragal.rules import Record, catalogue

from ...conditions.reflexes import actions_in_exchange
from ...sheet.catalogue_keys import check_key, key_of
from ...sheet.scene import BurningTable
from ...sheet.words import as_sentence
from ...tests.intent import Declaration
from ...tests.results import StandardOutcome
from .emotional_attributes import check_stock
from .natural_magic import natural_ability, performing_seconds, song_exchanges
from .set_obstacles import roll_against

SONG = "Air of Gates"


@cache
def gates() -> dict[str, Record]:
    """The kinds of gate, by key (faith.natural.air_of_gates.obstacle)."""
    rows = catalogue().table("faith.table.air_of_gates").records()
    return {key_of(row["gate"]): row for row in rows}


class AirOfGates(Arguments, frozen=True):
    """Who sings to which kind of gate, and who helps."""

    character: str
    gate: str
    helpers: tuple[str, ...] = ()


class GateAnswer(Outcome, frozen=True):
    """What the gate tells, and how long the song takes.

    ``exchanges`` is how long it lasts in a Fight!, while the singer acts.
    """

    passed: bool
    test: StandardOutcome
    answer: str
    more: str
    actions: int
    seconds: int
    exchanges: int


def _knows_song(character: str, table: BurningTable) -> None:
    """Refuse anybody but an Elf who knows the song (faith.natural.what)."""
    sheet, rule = table.character(character), "faith.natural.what"
    if sheet.find(SONG) is None:
        raise NotAllowed(f"{sheet.name} does not know {SONG}", rule)
    natural_ability(sheet, SONG)
    check_stock(sheet, "Elf", SONG, rule)


def air_of_gates(arguments: AirOfGates, table: BurningTable) -> Play[GateAnswer]:
    """An Elf sings to one gate within his Presence, and it tells what is beyond.

    faith.natural.air_of_gates.effect. The obstacle is that of the kind of gate
    (faith.natural.air_of_gates.obstacle), the time 25 actions for each point of it
    (faith.natural.air_of_gates.actions), fixed beforehand (faith.natural.cast_time); careful and
    quick work change it as the time of any skill (faith.natural.as_skill).
    """
    sheet = table.character(arguments.character)
    _knows_song(arguments.character, table)
    rule = "faith.natural.air_of_gates.obstacle"
    row = gates()[check_key(arguments.gate, gates(), "gate", rule)]
    name = row.text("gate")
    effect = "faith.natural.air_of_gates.effect"
    prompt = f"Is the gate within {sheet.name}'s Presence? ({name})"
    if not (yield from consent(GM, "in_presence", prompt, because=effect)):
        raise NotAllowed(f"The gate is not within {sheet.name}'s Presence", effect)
    actions = row.number("actions")
    seconds = performing_seconds(actions, sheet)
    said = Declaration(
        character=arguments.character,
        intent=f"know what is beyond the {name}",
        task="sings to it",
        ability=SONG,
        helpers=arguments.helpers,
    )
    base = Line(row.number("obstacle"), name, rule)
    test, table = yield from call(
        roll_against, said, base, "the gate stays silent", seconds, (), table
    )
    answer = more = ""
    if test.passed:
        answer = yield from _told("answer", "What lies beyond?", effect)
        more = yield from _fuller(test.margin, table)
    marker = sheet.find("Reflexes")
    each = actions_in_exchange(table, arguments.character).total if marker is not None else 0
    return GateAnswer(
        test.passed,
        test,
        answer,
        more,
        actions,
        test.seconds or seconds,
        song_exchanges(actions, each),
    )


def _told(key: str, prompt: str, rule: str) -> Step[str]:
    said: str = yield from ask(GM, key, prompt, Text(default=""), because=rule)
    if said:
        yield from note(as_sentence(said), rule)
    return said


def _fuller(extra: int, table: BurningTable) -> Step[str]:
    """Extra successes bring nothing, or a fuller answer (faith.amb.air_of_gates_extra)."""
    if extra < 1 or table.options["faith_air_of_gates_extra_successes"] == "nothing":
        return ""
    rule = "faith.amb.air_of_gates_extra"
    return (yield from _told("fuller_answer", f"A fuller answer ({extra} extra)", rule))


PROCEDURES = (
    Procedure("air_of_gates", "Air of Gates", AirOfGates, air_of_gates, check=_knows_song),
)
