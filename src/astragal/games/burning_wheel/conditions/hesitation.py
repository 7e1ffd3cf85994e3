"""Hesitation: what a failed Steel test leaves a character in, and how it passes.

The test itself is in ``steel/steel``. Here is the state it leaves
in the scene, heartbeat by heartbeat (steel.hesitation.heartbeat): the scripted conflicts count
a heartbeat as an action of Fight! or as a volley (steel.amb.heartbeats_in_scripts) and have
their own effects for each reaction.
"""

from __future__ import annotations

from functools import cache

import msgspec

from astragal.errors import NotAllowed, check_between
from astragal.games.game import SCENE, Arguments, Outcome, Procedure
from astragal.play import GM, Option, Play, Step, Text, ask, consent, note
from astragal.rules import catalogue

from ..sheet.catalogue_keys import key_of
from ..sheet.scene import BurningTable, Hesitation
from ..sheet.words import as_sentence, counted
from .wounds import AWAKE, Condition, check_condition, state_of

STAND, FALL, SWOON, RUN = (
    "stand_and_drool",
    "fall_prone_and_beg_for_mercy",
    "swoon",
    "run_screaming",
)

LONGEST = 1000
"""A larger number of heartbeats is a typing error."""


@cache
def reactions() -> tuple[Option, ...]:
    """The four reactions, of equal rank, whatever the cause.

    steel.fail.player_chooses_how, steel.amb.which_reaction_for_which_cause.
    """
    rows = catalogue().table("steel.table.reactions").records()
    return tuple(
        Option(
            key=key_of(row["reaction"]),
            label=str(row["reaction"]).capitalize(),
            rule="steel.fail.player_chooses_how",
            note=f"{row['effect']}; {row['length']}",
        )
        for row in rows
    )


def may_defend(reaction: str) -> bool:
    """Whether a reaction allows any defence: none does.

    steel.fail.stand_no_defence, steel.amb.defence_of_other_reactions.

    >>> [may_defend(option.key) for option in reactions()]
    [False, False, False, False]
    """
    rows = catalogue().table("steel.table.reactions").records()
    return any(row["may defend"] for row in rows if key_of(row["reaction"]) == reaction)


def may_shout(reaction: str) -> bool:
    """Whether a reaction allows shouting: only to beg or to scream.

    steel.fail.stand_no_defence, steel.amb.defence_of_other_reactions.
    """
    return reaction in (FALL, RUN)


# --- The state of a character --------------------------------------------------------------


def hesitation_of(table: BurningTable, character: str) -> Hesitation | None:
    """What is left of a failed Steel test, if anything."""
    return next((h for h in table.scene.hesitating if h.character == character), None)


def out_of_action(table: BurningTable, character: str) -> bool:
    """Whether the player has no control: heartbeats to come, or a swoon not yet ended."""
    left = hesitation_of(table, character)
    return left is not None and (left.heartbeats > 0 or left.reaction == SWOON)


def check_in_control(
    table: BurningTable,
    character: str,
    gear: tuple[str, ...] = (),
    *,
    awake_will_do: bool = False,
    fleeing: bool = False,
) -> None:
    """Refuse every action of a hesitating character, and the use of a dropped weapon.

    steel.test.fail, steel.amb.prone_afterwards. Also that of a character whom wounds have felled,
    though for some things being ``awake_will_do``. ``fleeing`` is all that one who runs screaming
    does, and nothing that anybody decides (steel.fail.run_screaming).
    """
    check_condition(table, character, AWAKE if awake_will_do else (Condition.FIT,))
    left = hesitation_of(table, character)
    if not (fleeing and left is not None and left.reaction == RUN):
        check_not_hesitating(table, character)
    if left is None:
        return
    if any(left.dropped and piece.casefold() == left.dropped.casefold() for piece in gear):
        name = table.character(character).name
        what = f"{name} has dropped {left.dropped}: get up and pick it up first"
        raise NotAllowed(what, "steel.fail.fall_prone_close_combat")


def check_not_hesitating(table: BurningTable, character: str) -> None:
    """Refuse what takes control of the character (steel.fail.player_chooses_how)."""
    left = hesitation_of(table, character)
    if left is None or not out_of_action(table, character):
        return
    hesitates = f"hesitates for {beats(left.heartbeats)}" if left.heartbeats else "swoons"
    what = f"{table.character(character).name} {hesitates} and cannot act"
    raise NotAllowed(what, "steel.fail.player_chooses_how")


def beats(count: int) -> str:
    """A number of heartbeats, in words.

    >>> beats(1), beats(4)
    ('1 heartbeat', '4 heartbeats')
    """
    return counted(count, "heartbeat")


def set_hesitation(
    table: BurningTable, character: str, after: Hesitation | None, *, because: str
) -> Step[BurningTable]:
    """Keep, change or end what is left of a failed test."""
    others = tuple(h for h in table.scene.hesitating if h.character != character)
    entries = others if after is None else (*others, after)
    return (yield from table.amend(SCENE, "hesitating", entries, because=because))


def overlapping(left: Hesitation | None, new: int, option: str) -> int:
    """The heartbeats after another failed test: the longer of the two, or both.

    steel.amb.tests_while_hesitating.
    """
    remaining = 0 if left is None else left.heartbeats
    return remaining + new if option == "added" else max(remaining, new)


# --- Heartbeats pass -----------------------------------------------------------------------


class Heartbeats(Arguments, frozen=True):
    """How many heartbeats (in Fight!, actions) have passed."""

    count: int = 1


class HesitationOutcome(Outcome, frozen=True):
    """Who has recovered, and who has not."""

    recovered: tuple[str, ...]
    still_hesitating: tuple[str, ...]


def heartbeats(arguments: Heartbeats, table: BurningTable) -> Play[HesitationOutcome]:
    """Time passes for all who hesitate (steel.hesitation.heartbeat).

    Running, too, goes on until the hesitation is used up (steel.amb.run_stops).
    """
    rule = "steel.hesitation.heartbeat"
    check_between("count", arguments.count, 1, LONGEST, rule, unit="heartbeats")
    recovered: tuple[str, ...] = ()
    was_out = [h.character for h in table.scene.hesitating if out_of_action(table, h.character)]
    for character in was_out:
        table = yield from _pass(table, character, arguments.count)
        if not out_of_action(table, character):
            recovered += (character,)
    still = tuple(character for character in was_out if character not in recovered)
    return HesitationOutcome(recovered, still)


def time_for_hesitation(table: BurningTable, seconds: int) -> Step[BurningTable]:
    """Game time has passed, a heartbeat to the second: who has hesitated long enough recovers.

    steel.hesitation.heartbeat, steel.amb.hesitation_beyond_conflict.
    """
    for left in table.scene.hesitating:
        if out_of_action(table, left.character):
            table = yield from _pass(table, left.character, seconds)
    return table


def _pass(table: BurningTable, character: str, count: int) -> Step[BurningTable]:
    left = hesitation_of(table, character)
    assert left is not None
    because = "steel.hesitation.heartbeat"
    if state_of(table, character) not in AWAKE:  # whom wounds have felled does not recover by it
        return (yield from end_hesitation(table, character, because=because))
    remaining = max(0, left.heartbeats - count)
    left = msgspec.structs.replace(left, heartbeats=remaining)
    if not remaining:
        if left.reaction == SWOON and not (yield from comes_round(table, character)):
            return (yield from set_hesitation(table, character, left, because=because))
        name = table.character(character).name
        yield from note(f"{name} recovers.", because)
        return (yield from end_hesitation(table, character, because=because))
    return (yield from set_hesitation(table, character, left, because=because))


def comes_round(table: BurningTable, character: str) -> Step[bool]:
    """After the least time the player says when and how, and nobody else can.

    steel.fail.swoon_length, steel.amb.swoon_roused_by_others.
    """
    sheet = table.character(character)
    how = yield from ask(
        sheet.seat(character),
        "come_round",
        f"How does {sheet.name} come to? (empty: stay in the swoon)",
        Text(default="slowly"),
        because="steel.fail.swoon_length",
    )
    if how:
        yield from note(as_sentence(f"{sheet.name} comes to: {how}"), "steel.fail.swoon_length")
    return bool(how)


def end_hesitation(table: BurningTable, character: str, *, because: str) -> Step[BurningTable]:
    """The heartbeats are over; a character who fell is still prone, the weapon on the ground.

    steel.amb.prone_afterwards.
    """
    left = hesitation_of(table, character)
    assert left is not None
    on_the_ground = None
    if left.prone or left.dropped or left.kneeling:
        on_the_ground = Hesitation(character, 0, "", "", left.prone, left.dropped, left.kneeling)
    return (yield from set_hesitation(table, character, on_the_ground, because=because))


# --- Getting up ----------------------------------------------------------------------------


class GetUp(Arguments, frozen=True):
    """Who gets up after falling prone, and picks up what was dropped."""

    character: str


class GetUpOutcome(Outcome, frozen=True):
    """What was picked up, if anything."""

    picked_up: str


def _down(character: str, table: BurningTable) -> Hesitation:
    """What is left of the hesitation of somebody who fell prone, or a refusal."""
    left = hesitation_of(table, character)
    if left is None:
        what = f"{table.character(character).name} has not fallen prone"
        raise NotAllowed(what, "steel.amb.prone_afterwards")
    return left


def get_up(arguments: GetUp, table: BurningTable) -> Play[GetUpOutcome]:
    """Get up, by the rules of the conflict under way (steel.amb.prone_afterwards)."""
    character = arguments.character
    name = table.character(character).name
    left = _down(character, table)
    picked_up = ""
    if left.dropped:
        within_reach = yield from consent(
            GM,
            "within_reach",
            f"Can {name} pick up {left.dropped}?",
            because="steel.amb.prone_afterwards",
        )
        picked_up = left.dropped if within_reach else ""
    after = None
    if left.dropped != picked_up:
        after = msgspec.structs.replace(left, prone=False, kneeling=False)
    because = "steel.amb.prone_afterwards"
    yield from set_hesitation(table, character, after, because=because)
    yield from note(f"{name} gets up.", because)
    return GetUpOutcome(picked_up)


# --- When a conflict ends ------------------------------------------------------------------


class ConflictOver(Arguments, frozen=True):
    """A conflict has ended; some characters may have left its range."""

    out_of_range: tuple[str, ...] = ()


def conflict_over(arguments: ConflictOver, table: BurningTable) -> Play[HesitationOutcome]:
    """Hesitation runs on in heartbeats after a conflict, or ends with it.

    steel.amb.hesitation_beyond_conflict. Getting out of range always ends it
    (steel.amb.run_stops).
    """
    for index, character in enumerate(arguments.out_of_range):
        table.character(character, f"out_of_range[{index}]")
    everyone = table.options["steel_hesitation_beyond_conflict"] == "ends_with_conflict"
    recovered: tuple[str, ...] = ()
    still: tuple[str, ...] = ()
    for left in table.scene.hesitating:
        if not out_of_action(table, left.character):
            continue
        if everyone or left.character in arguments.out_of_range:
            because = "steel.amb.hesitation_beyond_conflict"
            table = yield from end_hesitation(table, left.character, because=because)
            recovered += (left.character,)
        else:
            still += (left.character,)
    # Cover that shields were rolled for lasts as long as the melee does.
    because = "armor.amb.shield_missile_roll_frequency"
    yield from table.amend(SCENE, "covers", (), because=because)
    return HesitationOutcome(recovered, still)


PROCEDURES = (
    Procedure(
        "heartbeats", "Heartbeats pass", Heartbeats, heartbeats, gm_only=True, touches_all=True
    ),
    Procedure("get_up", "Get up", GetUp, get_up, check=_down),
    Procedure(
        "conflict_over",
        "End of a conflict",
        ConflictOver,
        conflict_over,
        gm_only=True,
        touches_all=True,
    ),
)
