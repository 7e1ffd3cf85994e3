"""Before the first volley: the challenge, the cases, the bodies of argument, the terms.

A section of the chapter on the Duel of Wits (``conflicts/duel_of_wits/duel``), in
the order of its steps.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.games.about import listed
from astragal.games.game import SCENE
from astragal.play import GM, Option, Step, Text, ask, choose, consent, note

from ...sheet.scene import BurningTable, ClosedArgument
from ...sheet.sheet import Sheet
from ...tests.let_it_ride import check_no_ride, same_intent
from .actions import main_skills, trained, with_dice
from .state import AS_AGREED, DuelTerms, closed

ABILITY = "Duel of Wits"
"""The name under which a settled argument rides."""


class DuelSide(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side of a duel: its speaker, case, terms and helpers.

    What is left empty is asked for: the dueling ``skill``, the ``case``, and the terms (what the
    side gets if it ``wins`` and what it will do if it ``loses``). ``helpers`` are those who
    may speak up.
    """

    character: str
    skill: str = ""
    case: str = ""
    wins: str = ""
    loses: str = ""
    helpers: tuple[str, ...] = ()


# --- The challenge -------------------------------------------------------------------------

ACCEPT, WALK_AWAY, FIGHT = "accept", "walk_away", "fight"


def offer(about: str, names: tuple[str, str], table: BurningTable) -> Step[tuple[str, str]]:
    """The GM halts play; each player accepts, leaves the argument or turns to violence.

    duel_of_wits.setup.offer. Nobody can be made to enter a duel (duel_of_wits.setup.walk_away).
    The result is the first answer that is no acceptance, and who gave it.
    """
    rule = "duel_of_wits.setup.offer"
    yield from note(f"A challenge to a Duel of Wits: {closed(about)}", rule)
    options = (
        Option(key=ACCEPT, label="Accept", rule=rule),
        Option(key=WALK_AWAY, label="Walk away", rule="duel_of_wits.setup.walk_away"),
        Option(key=FIGHT, label="Fight", rule="duel_of_wits.link.follows_fight"),
    )
    for name in names:
        sheet = table.character(name)
        said = yield from choose(
            sheet.seat(name),
            "duel",
            f"{sheet.name}: accept the Duel of Wits?",
            options,
            default=ACCEPT,
            because=rule,
            kind="consent",
        )
        if said != ACCEPT:
            return said, name
    return ACCEPT, ""


def out_of_reach(names: tuple[str, str], table: BurningTable) -> Step[None]:
    """A fight may turn into a duel while nobody can strike (duel_of_wits.link.follows_fight)."""
    rule = "duel_of_wits.link.follows_fight"
    who = listed([table.character(name).name for name in names])
    apart = yield from consent(
        GM, "out_of_reach", f"Are {who} out of striking distance?", because=rule
    )
    if not apart:
        raise NotAllowed("A Duel of Wits cannot begin within striking distance", rule)


def fall_silent(table: BurningTable, character: str, about: str) -> Step[BurningTable]:
    """A side that refuses keeps its position, and must stop arguing it altogether.

    duel_of_wits.setup.walk_away, duel_of_wits.setup.walk_away_silence.
    """
    name = table.character(character).name
    rule = "duel_of_wits.setup.walk_away_silence"
    text = f"{name} walks away undefeated, and may not argue about this again: {closed(about)}"
    yield from note(text, rule)
    shut = (*table.scene.closed_arguments, ClosedArgument(character, about))
    return (yield from table.amend(SCENE, "closed_arguments", shut, because=rule))


def may_be_argued(about: str, names: tuple[str, str], table: BurningTable) -> Step[BurningTable]:
    """Refuse to reopen what was lost or refused, unless circumstances have really changed.

    duel_of_wits.purpose.let_it_ride, duel_of_wits.purpose.loser_may_try_again_later,
    duel_of_wits.setup.walk_away_silence.
    """
    for name in names:
        table = yield from check_no_ride(table, name, ABILITY, about)
        for shut in table.scene.closed_arguments:
            if shut.character != name or not same_intent(shut.about, about):
                continue
            rule = "duel_of_wits.setup.walk_away_silence"
            who = table.character(name).name
            reason = yield from ask(
                GM,
                "reopened",
                f"{who} walked away from this argument. What has changed? (Empty: nothing.)",
                Text(default=""),
                because=rule,
            )
            if not reason:
                what = f"{who} walked away from this argument and may not argue it again"
                raise NotAllowed(what, rule)
            left = tuple(each for each in table.scene.closed_arguments if each != shut)
            table = yield from table.amend(SCENE, "closed_arguments", left, because=rule)
    return table


# --- Cases ---------------------------------------------------------------------------------


def state_cases(sides: tuple[DuelSide, DuelSide], table: BurningTable) -> Step[None]:
    """Each side in turn states its case, in writing or at the table.

    duel_of_wits.setup.state_case.
    """
    rule = "duel_of_wits.setup.state_case"
    for side in sides:
        sheet = table.character(side.character)
        case = side.case.strip()
        if not case:
            prompt = f"{sheet.name}'s case"
            seat = sheet.seat(side.character)
            case = yield from ask(seat, "case", prompt, Text(default=""), because=rule)
        if case:
            yield from note(f"{sheet.name} states the case: {case}", rule)


def possible_skills(side: DuelSide, place: str, table: BurningTable) -> tuple[str, ...]:
    """The skills that a side may duel with, the best first; or a refusal where there is none.

    A skill that wounds have left no dice of comes last (tests.amb.zero_dice).
    """
    sheet = table.character(side.character)
    untrained = table.options["duel_of_wits_beginners_luck"] == "also_to_open"
    known = trained(sheet, main_skills())
    able = with_dice(table, side.character, known)
    known = (*able, *(name for name in known if name not in able))
    may = (*known, *(name for name in main_skills() if name not in known)) if untrained else known
    name = _main_skill(side.skill, sheet, f"{place}.skill") if side.skill else ""
    if (name and name not in may) or not may:
        what = f"{sheet.name} needs {name or 'a main dueling skill'} for a Duel of Wits"
        raise NotAllowed(f"{what} ({', '.join(main_skills())})", "duel_of_wits.skill.main_list")
    return tuple(each for each in may if name in ("", each))


def choose_skill(side: DuelSide, place: str, table: BurningTable) -> Step[str]:
    """The one skill that a side duels with (duel_of_wits.skill.chosen_at_body)."""
    sheet, may = table.character(side.character), possible_skills(side, place, table)
    name = ""
    if len(may) == 1:
        name = may[0]
    if not name:
        name = yield from choose(
            sheet.seat(side.character),
            "dueling_skill",
            f"{sheet.name}: dueling skill",
            {each: str(sheet.find(each) or each) for each in may},
            default=may[0],
            because="duel_of_wits.skill.chosen_at_body",
        )
    if name == "Haggling":
        suits = yield from consent(
            GM,
            "haggling_suits",
            "Does Haggling suit the matter? (A price, for instance.)",
            because="duel_of_wits.skill.main_list",
        )
        if not suits:
            what = f"{sheet.name} cannot duel with Haggling over this: choose another skill"
            raise NotAllowed(what, "duel_of_wits.skill.main_list")
    return name


def _main_skill(wanted: str, sheet: Sheet, place: str) -> str:
    for name in main_skills():
        if name.casefold() == wanted.strip().casefold():
            return name
    rated = sheet.find(wanted)
    found = wanted if rated is None else rated.name
    expected = f"a main dueling skill: {', '.join(main_skills())}"
    raise BadInput(place, found, expected, "duel_of_wits.skill.secondary_list")


# --- Terms ---------------------------------------------------------------------------------


def agree_terms(
    sides: tuple[DuelSide, DuelSide], table: BurningTable
) -> Step[tuple[DuelTerms, DuelTerms] | str]:
    """What each side gets and gives, accepted by both players before any script is written.

    duel_of_wits.terms.agree_before_start, duel_of_wits.terms.player_level_promise. Without
    agreement there is no duel, and one side walks away (duel_of_wits.amb.terms_after_bodies): the
    result is then that side's character.
    """
    rule = "duel_of_wits.terms.agree_before_start"
    accepts = (
        Option(key="accept", label="Accept", rule=rule),
        Option(key="restate", label="Restate the terms", rule=rule),
        Option(key=WALK_AWAY, label="Walk away", rule="duel_of_wits.setup.walk_away"),
    )
    is_first = True
    while True:
        terms = (
            (yield from _state_terms(sides[0], table, again=not is_first)),
            (yield from _state_terms(sides[1], table, again=not is_first)),
        )
        is_first = False
        said = "accept"
        for side in sides:
            sheet = table.character(side.character)
            said = yield from choose(
                sheet.seat(side.character),
                "accept_terms",
                f"{sheet.name}: accept these terms, and abide by them as a player?",
                accepts,
                default="accept",
                because="duel_of_wits.terms.player_level_promise",
                kind="consent",
            )
            if said == WALK_AWAY:
                return side.character
            if said != "accept":
                break
        if said == "accept":
            yield from note("Both players accept the terms.", rule)
            return terms


def _state_terms(side: DuelSide, table: BurningTable, *, again: bool) -> Step[DuelTerms]:
    """The terms of one side: as they were given, unless they are to be restated."""
    sheet = table.character(side.character)
    rule = "duel_of_wits.terms.agree_before_start"
    said = {}
    for key, given, prompt in (
        ("wins", side.wins.strip(), "on winning"),
        ("loses", side.loses.strip(), "on losing"),
    ):
        said[key] = given
        if again or not given:
            said[key] = yield from ask(
                sheet.seat(side.character),
                f"terms_{key}",
                f"{sheet.name}'s terms, {prompt}",
                Text(required=True, default=given or AS_AGREED),
                because=rule,
            )
    text = f"{sheet.name}'s terms: {closed(said['wins'])} On losing: {closed(said['loses'])}"
    yield from note(text, rule)
    return DuelTerms(said["wins"], said["loses"])
