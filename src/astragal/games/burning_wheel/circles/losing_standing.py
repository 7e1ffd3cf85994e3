"""Reputations and affiliations in play: lost, turned to infamy, given up, won back.

A section of the chapter on Circles; leaving them behind under a new name is in
``circles/identities``, new and greater reputations are in ``circles/reputation_vote``, buying into
affiliations in ``circles/affiliations``.
"""

from __future__ import annotations

import msgspec

from astragal.errors import BadInput, NotAllowed, check_between
from astragal.games.game import Arguments, Outcome, Procedure
from astragal.play import (
    GM,
    Option,
    PickSeveral,
    Play,
    Seat,
    Step,
    Text,
    ask,
    call,
    choose,
    confirm,
    consent,
    note,
)

from ..conditions.enmity import known_names, may_be_social
from ..sheet.editions import edition
from ..sheet.parts import SocialStanding
from ..sheet.scene import BurningTable
from ..sheet.sheet import Sheet
from ..tests.intent import Context, Declaration
from ..tests.results import StandardOutcome
from ..tests.tests import standard
from .contacts import make_enemy

# --- Standings on the sheet ---------------------------------------------------------------


def find_standing(sheet: Sheet, group: str, name: str, place: str, rule: str) -> int:
    """The position of a reputation or affiliation on the sheet."""
    standings: tuple[SocialStanding, ...] = getattr(sheet, group)
    for index, standing in enumerate(standings):
        if standing.name.casefold() == name.casefold():
            return index
    names = ", ".join(each.name for each in standings) or "none"
    raise BadInput(place, name, f"one of the {group} of {sheet.name}: {names}", rule)


def set_standing(
    table: BurningTable,
    character: str,
    group: str,
    index: int,
    after: SocialStanding,
    *,
    because: str,
) -> Step[BurningTable]:
    """Change a standing; a reputation without dice is struck from the sheet.

    circles.amb.reputation_minimum. An affiliation without dice is gone, too, but what was lost
    may be won back (circles.amb.affiliation_loss_basis).
    """
    standings: tuple[SocialStanding, ...] = getattr(table.character(character), group)
    struck = group == "reputations" and after.dice <= 0
    kept = standings[:index] + (() if struck else (after,)) + standings[index + 1 :]
    return (yield from table.amend(character, group, kept, because=because))


# --- Disaster ------------------------------------------------------------------------------


class Disaster(Arguments, frozen=True):
    """A search that used a reputation or affiliation has led to a disaster."""

    character: str
    standing: str
    what: str


class DisasterOutcome(Outcome, frozen=True):
    """What became of the standing."""

    lost: int
    dice: int
    infamous: str = ""
    infamous_dice: int = 0
    enemies: tuple[str, ...] = ()


def disaster(arguments: Disaster, table: BurningTable) -> Play[DisasterOutcome]:
    """A standing that was used to find somebody is at risk in what follows.

    The GM decides whether it loses a die (circles.affiliation.loss, circles.reputation.loss,
    circles.amb.reputation_loss_decider). Bankruptcy is a disaster, too: a failed test whose Tax
    leaves no Resources (circles.amb.bankrupt_resources).
    """
    character = arguments.character
    sheet = table.character(character)
    names = [each.name.casefold() for each in sheet.affiliations]
    group = "affiliations" if arguments.standing.casefold() in names else "reputations"
    rule = "circles.affiliation.loss" if group == "affiliations" else "circles.reputation.loss"
    index = find_standing(sheet, group, arguments.standing, "standing", rule)
    standing: SocialStanding = getattr(sheet, group)[index]
    if not standing.dice:
        raise BadInput("standing", standing.name, "a standing that still has dice", rule)
    if not any(
        made.seeker == character and standing.name in made.standings
        for made in table.scene.searches
    ):
        what = f"{sheet.name} has not used this in a Circles test: {standing.name}"
        raise NotAllowed(what, rule)
    prompt = f"Does {standing.name} lose a die? ({arguments.what})"
    loses = yield from consent(GM, "loses_die", prompt, because=rule)
    if not loses:
        return DisasterOutcome(0, standing.dice)
    if group == "reputations" and (yield from _escalates(arguments, sheet, standing, table)):
        return (yield from _infamy(arguments, index, table))
    after = msgspec.structs.replace(standing, dice=standing.dice - 1, lost=standing.lost + 1)
    yield from set_standing(table, character, group, index, after, because=rule)
    yield from note(f"{standing.name} drops to {after.dice}D: {arguments.what}", rule)
    return DisasterOutcome(1, after.dice)


# --- Infamy --------------------------------------------------------------------------------


def _escalates(
    arguments: Disaster, sheet: Sheet, standing: SocialStanding, table: BurningTable
) -> Step[bool]:
    """Rather than lose the die, the player may break a custom flagrantly.

    circles.reputation.infamy_choice. In the later edition it takes a failed Circles test and a
    story that justifies it (gold.circles.infamy, gold.diff.infamy_trigger).
    """
    rule = "circles.reputation.infamy_choice"
    if edition(table.options).infamy_by_story:
        rule = "gold.circles.infamy"
        if not any(
            made.failed and made.seeker == arguments.character and standing.name in made.standings
            for made in table.scene.searches
        ):
            return False
    lose = Option(key="lose_die", label="Lose the die", rule="circles.reputation.loss")
    infamy = Option(key="escalate", label="Escalate, and become infamous", rule=rule)
    chosen = yield from choose(
        sheet.seat(arguments.character),
        "infamy",
        f"Lose a die of {standing.name}, or escalate?",
        (lose, infamy),
        default="lose_die",
        because=rule,
    )
    if chosen == "lose_die" or not edition(table.options).infamy_by_story:
        return chosen == "escalate"
    justified: bool = yield from consent(
        GM,
        "story_justifies",
        f"Does the story justify an infamous reputation? ({arguments.what})",
        because=rule,
    )
    return justified


def _infamy(arguments: Disaster, index: int, table: BurningTable) -> Step[DisasterOutcome]:
    """The die goes from the old reputation into an infamous one, which the player words.

    circles.reputation.infamy_effect, circles.amb.infamy_keeps_die; again and again, if it comes
    to that (circles.reputation.infamy_grows).
    """
    character, rule = arguments.character, "circles.reputation.infamy_effect"
    sheet = table.character(character)
    seat, old = sheet.seat(character), sheet.reputations[index]
    by_story = edition(table.options).infamy_by_story
    deed = arguments.what
    if not by_story:
        deed = yield from ask(
            seat,
            "deed",
            "Which custom was flagrantly broken?",
            Text(required=True),
            because="circles.reputation.infamy_choice",
        )
    name, offends = yield from _reworded(sheet, seat, old)
    after = msgspec.structs.replace(old, dice=old.dice - 1)
    reputations = list(sheet.reputations)
    reputations[index] = after
    known = [each.name.casefold() for each in reputations]
    if name.casefold() in known:
        at = known.index(name.casefold())
        more = msgspec.structs.replace(reputations[at], dice=reputations[at].dice + 1)
        reputations[at] = more
    else:
        more = SocialStanding(name, 1, infamous=True, scope=offends, identity=sheet.identity)
        reputations.append(more)
    kept = tuple(each for each in reputations if each.dice > 0)
    table = yield from table.amend(character, "reputations", kept, because=rule)
    yield from note(f"{sheet.name} becomes infamous: {deed}. {more.name}, {more.dice}D.", rule)
    turned = () if by_story else (yield from _turned(character, deed, table))
    return DisasterOutcome(0, after.dice, more.name, more.dice, turned)


def _reworded(sheet: Sheet, seat: Seat, old: SocialStanding) -> Step[tuple[str, str]]:
    """The player rewords the reputation, and the GM says which circle that offends."""
    infamous = [r.name for r in sheet.reputations if r.infamous and r.name != old.name]
    name = yield from ask(
        seat,
        "infamous_for",
        "What is the character infamous for?",
        Text(required=True, longest=80, default=infamous[0] if infamous else None),
        because="circles.reputation.infamy_effect",
    )
    for standing in (*sheet.affiliations, *sheet.reputations):
        same = standing.name.casefold() == name.casefold()
        if same and not (standing.infamous and standing in sheet.reputations and standing != old):
            expected = "a new name, or that of another infamous reputation"
            raise BadInput("infamous_for", name, expected, "circles.reputation.infamy_effect")
    offends = yield from ask(
        GM,
        "offends",
        f"Which circle does this offend? ({name})",
        Text(default=old.scope),
        because="circles.infamy.penalty",
        kind="aside",
    )
    return name, offends


def _turned(character: str, deed: str, table: BurningTable) -> Step[tuple[str, ...]]:
    """The GM may turn relationships and named contacts into enemies.

    circles.reputation.infamy_enemies.
    """
    rule = "circles.reputation.infamy_enemies"
    names = known_names(table.character(character))
    if not names:
        return ()
    turned = yield from ask(
        GM,
        "turn_against",
        f"Who turns against {table.character(character).name}? ({deed})",
        PickSeveral(
            options=tuple(Option(key=name, label=name, rule=rule) for name in names), default=()
        ),
        because=rule,
    )
    for name in turned:
        table = yield from make_enemy(table, character, name, deed, because=rule)
    return turned


# --- Affiliations given up and won back ----------------------------------------------------


class CutTies(Arguments, frozen=True):
    """How many dice of an affiliation to give up."""

    character: str
    affiliation: str
    dice: int


class AffiliationOutcome(Outcome, frozen=True):
    """The dice that an affiliation has now, and the tests that won them back, if any."""

    dice: int
    regained: int = 0
    tests: tuple[StandardOutcome, ...] = ()


def cut_ties(arguments: CutTies, table: BurningTable) -> Play[AffiliationOutcome]:
    """At any time a player may break with a group, partly or completely.

    circles.affiliation.cut_ties.
    """
    rule = "circles.affiliation.cut_ties"
    sheet = table.character(arguments.character)
    index = find_standing(sheet, "affiliations", arguments.affiliation, "affiliation", rule)
    old = sheet.affiliations[index]
    check_between("dice", arguments.dice, 1, old.dice, rule)
    after = msgspec.structs.replace(
        old, dice=old.dice - arguments.dice, lost=old.lost + arguments.dice
    )
    yield from set_standing(table, arguments.character, "affiliations", index, after, because=rule)
    yield from note(f"{sheet.name} cuts ties with {old.name}: {after.dice}D left.", rule)
    return AffiliationOutcome(after.dice)


class Regain(Arguments, frozen=True):
    """Regain lost dice of an affiliation by making amends or rejoining.

    It takes a series of ``tests``; leave them out for a Duel of Wits.
    """

    character: str
    affiliation: str
    dice: int
    amends: str
    tests: tuple[Declaration, ...] = ()


def _has_lost_standing(character: str, table: BurningTable) -> None:
    sheet = table.character(character)
    if not any(each.lost for each in sheet.affiliations):
        what = f"{sheet.name} has lost no dice of an affiliation"
        raise NotAllowed(what, "circles.affiliation.regain")


def regain_affiliation(arguments: Regain, table: BurningTable) -> Play[AffiliationOutcome]:
    """Lost dice can be won back by making amends, or in a Duel of Wits.

    circles.affiliation.regain: up to all that were lost, without Resources
    (circles.amb.affiliation_regain_amount).
    """
    rule = "circles.affiliation.regain"
    character = arguments.character
    sheet = table.character(character)
    index = find_standing(sheet, "affiliations", arguments.affiliation, "affiliation", rule)
    old = sheet.affiliations[index]
    if not 1 <= arguments.dice <= old.lost:
        raise BadInput("dice", arguments.dice, f"1 to {old.lost}, the dice lost", rule)
    _check_social(arguments, table)
    prompt = f"Does this make amends, or count as rejoining? ({arguments.amends})"
    made_good = yield from consent(GM, "made_good", prompt, because=rule)
    if not made_good:
        return AffiliationOutcome(old.dice)
    won, tests, table = yield from _won_over(arguments, old, table)
    if not won:
        return AffiliationOutcome(old.dice, tests=tests)
    after = msgspec.structs.replace(
        old, dice=old.dice + arguments.dice, lost=old.lost - arguments.dice
    )
    yield from set_standing(table, character, "affiliations", index, after, because=rule)
    yield from note(f"{sheet.name} regains {old.name}: {after.dice}D.", rule)
    return AffiliationOutcome(after.dice, arguments.dice, tests)


def _check_social(arguments: Regain, table: BurningTable) -> None:
    """Only tests of social skills win people over, as far as the sheets say what a skill is."""
    for index, declaration in enumerate(arguments.tests):
        place = f"tests[{index}]"
        tested = table.character(declaration.character, f"{place}.character").find(
            declaration.ability
        )
        if tested is not None and not may_be_social(tested):
            expected = "a social skill"
            rule = "circles.affiliation.regain"
            raise BadInput(f"{place}.ability", declaration.ability, expected, rule)


def _won_over(
    arguments: Regain, old: SocialStanding, table: BurningTable
) -> Step[tuple[bool, tuple[StandardOutcome, ...], BurningTable]]:
    """Whether a Duel of Wits was won, or every test of a series passed; and those tests."""
    tests: tuple[StandardOutcome, ...] = ()
    for declaration in arguments.tests:
        outcome, table = yield from call(standard, declaration, Context(called_for=True), table)
        tests = (*tests, outcome)
    won = all(test.passed for test in tests)
    if not tests:
        rule = "circles.affiliation.regain"
        prompt = f"Did they win the Duel of Wits with {old.name}?"
        won = yield from confirm(GM, "duel_won", prompt, default=None, because=rule)
    return won, tests, table


PROCEDURES = (
    Procedure("disaster", "Disaster: a standing loses a die", Disaster, disaster, gm_only=True),
    Procedure("cut_ties", "Cut ties with an affiliation", CutTies, cut_ties),
    Procedure(
        "regain_affiliation",
        "Regain an affiliation",
        Regain,
        regain_affiliation,
        check=_has_lost_standing,
    ),
)
