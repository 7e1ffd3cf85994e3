"""Who can act: one gate before everything that a group can begin.

The dead, the dying, the comatose and the unconscious do nothing, the helpless can only watch and
think (injury.zero.physical, injury.zero.mental, injury.effect.mortal), and nobody has control of a
character who hesitates (steel.fail.player_chooses_how). What is not like that stands in one table
here, with its reason. Who falls in the middle of something is refused by the tests that follow
in it (``tests/intent``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from functools import wraps
from typing import Any

import msgspec

from astragal.errors import Refusal
from astragal.games.game import Procedure
from astragal.play import Play

from ..sheet.scene import BurningTable
from .hesitation import check_not_hesitating
from .set_aside import check_in_use, part_of
from .wounds import AWAKE, Condition, check_condition

ACTORS = frozenset(
    {
        "bidders",
        "borrower",
        "character",
        "healer",
        "helper",
        "instructor",
        "lender",
        "pursuer",
        "seller",
        "student",
    }
)
"""The arguments that name who does something; any others name whom or what it is done to.

Characters who are asked to help are not among them: they are simply not offered as help.
"""


class Needs(Enum):
    """The states in which a character can do something."""

    FIT = (Condition.FIT,)
    AWAKE = AWAKE
    FELLED = (*AWAKE, Condition.UNCONSCIOUS)
    LIFE = (*FELLED, Condition.DYING, Condition.COMATOSE)
    NOTHING = tuple(Condition)


class Acting(msgspec.Struct, frozen=True):
    """What a procedure needs of those who act in it, if that is less than usual, and why."""

    why: str
    needs: Needs = Needs.NOTHING
    though_hesitating: bool = True


AS_USUAL = Acting("", Needs.FIT, though_hesitating=False)

_WATCHING = Acting("the helpless can watch and think; the test asks about it", Needs.AWAKE, False)
_BY_WORD = Acting("others can do it at the character's word", Needs.AWAKE, False)
_UNWILLED = Acting("it happens to the character, willing or not", Needs.AWAKE)
_RISING = Acting("it is how the incapacitated get up again", Needs.FELLED, False)
_RECOVERY = Acting("it is about survival and healing", Needs.LIFE)
_LOOKED_UP = Acting("it only looks something up")
_TABLE = Acting("the people at the table decide it, not the character")
_GM_NOTES = Acting("the GM records what has happened")
_SUFFERED = Acting("it happens to the character")
_ROLLED = Acting("its dice were rolled earlier")
_BY_OTHERS = Acting("others can do it to a helpless character")

EXCEPTIONS: dict[str, Acting] = {
    # Less will do
    **dict.fromkeys(
        (
            "standard_test",
            "open_test",
            "graduated_test",
            "test",
            "linked_tests",
            "versus_test",
            "create",
            "read_instructions",
            "ask_for_test",
        ),
        _WATCHING,
    ),
    **dict.fromkeys(
        (
            "purchase",
            "haggle",
            "auction",
            "lend",
            "write_letter",
            "make_cash",
            "make_fund",
            "lifestyle_test",
            "maintenance",
            "consult",
            "cut_ties",
        ),
        _BY_WORD,
    ),
    "drop_spell": Acting("letting go of a spell takes no more than a thought", Needs.AWAKE, False),
    "steel_test": _UNWILLED,
    "instinct_triggers": Acting("its own rule says what hesitation does", Needs.AWAKE),
    "duel_of_wits": Acting("a character who hesitates loses the first volley", Needs.FIT),
    "fight": Acting("a character who hesitates loses the first actions", Needs.FIT),
    "range_and_cover": Acting("a character who hesitates loses the first volley", Needs.FIT),
    "chase": Acting("a character who runs screaming can be pursued", Needs.FIT),
    "run_on": Acting("a character who runs screaming can be pursued", Needs.FIT),
    "sprint": Acting("a character who runs screaming sprints", Needs.FIT),
    "shield_cover": Acting("a shield on the arm covers even those who do nothing", Needs.FIT),
    "grit_teeth": _RISING,
    "grit_your_teeth": _RISING,
    "enter_aristeia": Acting("a Divine Aura gets the incapacitated up again", Needs.FELLED),
    "recover": _RECOVERY,
    "cling_to_life": _RECOVERY,
    # Nobody acts
    **dict.fromkeys(
        (
            "armory",
            "grayscale",
            "harness",
            "hold_bomb",
            "look_up_black_metal",
            "look_up_die_of_fate",
            "look_up_emotions",
            "look_up_lifepaths",
            "look_up_magic",
            "look_up_mounts",
            "look_up_natural_magic",
            "look_up_prayers",
            "look_up_rogues",
            "look_up_shades",
            "look_up_sizes",
            "look_up_spells",
            "look_up_wages",
            "mark_hit",
            "position_bomb",
            "position_prayer",
            "position_spell",
            "prayer_after_positioning",
            "rehearse_maneuvers",
            "rehearse_volley",
            "shield_strike",
            "speed_dice",
            "spell_after_positioning",
            "spell_time",
            "strike_script",
        ),
        _LOOKED_UP,
    ),
    **dict.fromkeys(
        (
            "agree_on_concept",
            "announce_vote_rate",
            "award_artha",
            "begin_session",
            "change_bit",
            "die_of_fate",
            "end_scene",
            "fits_the_game",
            "pick_mechanics",
            "play_with_argh_my_arm",
            "play_with_complications",
            "ready_for_play",
            "reputation_vote",
            "review_tests",
            "scenario_votes",
            "session_artha",
            "set_limits",
            "settle_cycle",
            "settle_faith",
            "settle_home",
            "settle_lifestyle",
            "state_faith",
            "trait_vote",
            "warn_player",
            "withdraw_change",
        ),
        _TABLE,
    ),
    **dict.fromkeys(
        (
            "add_to_character",
            "begin_series",
            "change_of_heart",
            "conflict_over",
            "convert_artha",
            "correct_log",
            "crucial_opponent",
            "desecrate",
            "end_aristeia",
            "end_series",
            "enemy_escapes",
            "enter_holy_place",
            "give_up_chase",
            "grant_gear",
            "grant_title",
            "heartbeats",
            "let_time_pass",
            "lose_faith",
            "lose_title",
            "one_off_character",
            "receive_cash",
            "receive_fund",
            "release_change",
            "restore_faith",
            "settle_intent",
            "situational_steel",
            "start_artha",
            "strengthen_opponent",
            "weapon_complication",
        ),
        _GM_NOTES,
    ),
    **dict.fromkeys(
        (
            "armor_test",
            "disaster",
            "explode",
            "fatal_fall",
            "interrupt_spell",
            "keep_spells",
            "show_stigmata",
            "stay_in_saddle",
            "take_wound",
            "weird_event",
        ),
        _SUFFERED,
    ),
    **dict.fromkeys(("blow", "harder_later", "next_portion", "throw_against"), _ROLLED),
    **dict.fromkeys(("strip_armor", "take_off_armor"), _BY_OTHERS),
}
"""Every procedure that needs less of a character than to be fit and in control, and why."""


def gated(procedure: Procedure) -> Procedure:
    """A procedure that begins only if it is in use, and if those who act in it can."""
    acting, run = EXCEPTIONS.get(procedure.name, AS_USUAL), procedure.run
    part = part_of(procedure)

    @wraps(run)
    def begin(arguments: Any, table: BurningTable) -> Play[Any]:
        check_in_use(part, table)
        for character in actors(arguments):
            if character in table.characters:  # who is not there is refused by the procedure
                _check(character, acting, table)
        return (yield from run(arguments, table))

    gate = msgspec.structs.replace(procedure, run=begin)
    return msgspec.structs.replace(gate, check=_in_use(part, procedure)) if part else gate


def _in_use(part: str, procedure: Procedure) -> Callable[[str, BurningTable], object]:
    """The check of a procedure that belongs to a part of the rules."""

    def check(character: str, table: BurningTable) -> None:
        check_in_use(part, table)
        if procedure.check is not None:
            procedure.check(character, table)

    return check


def _check(character: str, acting: Acting, table: BurningTable) -> None:
    check_condition(table, character, acting.needs.value)
    if not acting.though_hesitating:
        check_not_hesitating(table, character)


def barred(character: str, table: BurningTable) -> tuple[str, tuple[str, ...]]:
    """Why a character cannot do what others can, and what is possible all the same."""
    try:
        _check(character, AS_USUAL, table)
    except Refusal as refusal:
        # Many exceptions are alike, and a page shows them whenever it is drawn.
        may = {acting: _may(character, acting, table) for acting in set(EXCEPTIONS.values())}
        still = tuple(name for name, acting in EXCEPTIONS.items() if may[acting])
        return str(refusal), still
    return "", ()


def _may(character: str, acting: Acting, table: BurningTable) -> bool:
    try:
        _check(character, acting, table)
    except Refusal:
        return False
    return True


def actors(arguments: object) -> Iterator[str]:
    """Who acts, by the names of the arguments, whatever parts those have."""
    if isinstance(arguments, tuple):
        for part in arguments:
            yield from actors(part)
    elif isinstance(arguments, msgspec.Struct):
        for field in arguments.__struct_fields__:
            value = getattr(arguments, field)
            if field in ACTORS and isinstance(value, str):
                yield value
            elif field in ACTORS and value and isinstance(value[0], str):
                yield from value
            else:
                yield from actors(value)
