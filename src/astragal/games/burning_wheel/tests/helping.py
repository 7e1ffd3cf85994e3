"""Help, Fields of Related Knowledge, Beginner's Luck, and what instructions are good for.

All of them add dice to a test, or change what is rolled; each says who may do it.
Studying instructions is in ``tests/instructions``.
"""

from __future__ import annotations

import difflib
from functools import cache

import msgspec

from astragal.errors import BadInput, NotAllowed
from astragal.play import (
    GM,
    Line,
    Option,
    PickSeveral,
    Seat,
    Step,
    Text,
    ask,
    choose,
    confirm_aside,
    consent,
)
from astragal.rules import Options, catalogue

from ..advancement.new_skills import learning_of
from ..conditions.hesitation import out_of_action
from ..conditions.wounds import Condition, is_usable, state_of
from ..sheet.editions import GOLD, edition
from ..sheet.parts import AbilityKind, SkillAbility
from ..sheet.scene import BurningTable, Instructions
from ..sheet.sheet import Rated, Sheet, about_stat, attribute_names, stat_names
from ..sheet.skill_roots import book_roots

# --- Help ----------------------------------------------------------------------------------


class Helper(msgspec.Struct, frozen=True):
    """A helper: with which ability, how, and with how many dice."""

    character: str
    helping: Rated
    how: str
    dice: int


ATTRIBUTES_HELPING = ("Circles", "Faith", "Steel")
"""What may help a test of the same, since its own chapter knows of help; Resources do as well
(tests.amb.attributes_helping)."""


def may_help(helping: Rated, tested: Rated, options: Options) -> str | None:
    """The rule that allows one ability to help a test of another, or None.

    A test by Beginner's Luck is a test of a stat here (tests.amb.help_and_beginners_luck).
    """
    if helping.exponent < 1:
        return None  # tests.amb.helper_wounded_or_zero
    if helping.kind in (AbilityKind.SKILL, AbilityKind.STAT) and tested.kind in (
        AbilityKind.SKILL,
        AbilityKind.STAT,
    ):
        matrix = catalogue().table("tests.table.help_matrix")
        if matrix.value(f"tested_{tested.kind.value}", helping_ability=helping.kind.value):
            return (
                "tests.help.skill_helps_skill_and_stat"
                if helping.kind is AbilityKind.SKILL
                else "tests.help.stat_helps_stat_only"
            )
        return None
    if AbilityKind.RESOURCES in (helping.kind, tested.kind):
        return "resources.help.as_skill" if helping.kind is tested.kind else None
    if helping.name.casefold() == tested.name.casefold() and tested.name in ATTRIBUTES_HELPING:
        # Circles may help Circles, expressly so in the later edition (gold.dice.help_circles,
        # gold.circles.help, gold.diff.help_circles); whether they suit is for the GM to say.
        circles = tested.kind is AbilityKind.CIRCLES and edition(options) is GOLD
        return "gold.dice.help_circles" if circles else "tests.amb.attributes_helping"
    if helping.kind is AbilityKind.SKILL and options["tests_skill_helps_attribute"] == "yes":
        return "tests.amb.attributes_helping"
    return None


def help_dice(helping: Rated) -> Line:
    """One die or two, by the written exponent of the helping ability.

    tests.help.dice_exponent_4_or_less, tests.help.dice_exponent_5_or_more.
    """
    table = catalogue().table("tests.table.help_dice")
    dice = table.in_band(helping.exponent, "helping_exponent").number("dice")
    rule = (
        "tests.help.dice_exponent_4_or_less" if dice == 1 else "tests.help.dice_exponent_5_or_more"
    )
    return Line(dice, f"help: {helping}", rule)


def gather_help(
    character: str, tested: Rated, asked: tuple[str, ...], table: BurningTable
) -> Step[tuple[Helper, ...]]:
    """Ask the others for help; only the primary rolls (tests.help.one_roller).

    Any number may help, each with one ability (tests.amb.helper_count). What is not handed over
    and accepted by the end of this does not count (tests.help.dice_handed_over).
    """
    check_helpers(character, asked, table)
    offered: tuple[Helper, ...] = ()
    for name in asked:
        offered += yield from _offer(name, tested, table)
    return (yield from _accepted(character, offered, table)) if offered else ()


def ask_for_help(
    character: str, against: tuple[str, ...], table: BurningTable
) -> Step[tuple[str, ...]]:
    """Whom the player asks, of those who are known to be there and able to help."""
    rule = "tests.help.must_be_accepted"
    others = tuple(
        Option(key, sheet.name, rule)
        for key, sheet in table.characters.items()
        if key not in (character, *against, *table.hidden) and _is_able(key, table)
    )
    if not others:
        return ()
    seat = table.character(character).seat(character)
    question = PickSeveral(options=others, default=())
    return (yield from ask(seat, "ask_help", "Ask for help", question, because=rule))


def _is_able(name: str, table: BurningTable) -> bool:
    """Whether somebody is in a state to help (steel.test.fail, injury.zero.stat_incapacitated)."""
    return not out_of_action(table, name) and state_of(table, name) is Condition.FIT


def check_helpers(character: str, asked: tuple[str, ...], table: BurningTable) -> None:
    """Refuse those who cannot be asked for help, whatever is tested."""
    for index, name in enumerate(asked):
        table.character(name, f"helpers[{index}]")
        if name == character:
            expected = "somebody else (your own other skills are FoRKs)"
            raise BadInput(f"helpers[{index}]", name, expected, "tests.help.one_roller")
        if name in asked[:index]:
            expected = "each helper once, with one ability"
            raise BadInput(f"helpers[{index}]", name, expected, "tests.amb.helper_count")


def _offer(name: str, tested: Rated, table: BurningTable) -> Step[tuple[Helper, ...]]:
    """What one character offers: a related ability (tests.help.related), and how it helps.

    tests.help.must_describe.
    """
    sheet = table.character(name, "helpers")
    if not _is_able(name, table):
        return ()
    options = [Option(key="none", label="Don't help", rule="tests.help.must_be_accepted")]
    for own in sheet.abilities():
        rule = may_help(own, tested, table.options)
        if rule is not None and is_usable(table, name, own):
            note = f"{help_dice(own).amount:+d}D"
            options.append(Option(key=own.name, label=str(own), rule=rule, note=note))
    chosen = yield from choose(
        sheet.seat(name),
        "help",
        f"Help from {sheet.name}",
        tuple(options),
        default="none",
        because="tests.help.related",
    )
    if chosen == "none":
        return ()
    how = yield from ask(
        sheet.seat(name),
        "help_how",
        f"How does {sheet.name} help?",
        Text(default=""),
        because="tests.help.must_describe",
    )
    helping = sheet.ability(chosen)
    return (Helper(name, helping, how, help_dice(helping).amount),)


def _accepted(
    character: str, offered: tuple[Helper, ...], table: BurningTable
) -> Step[tuple[Helper, ...]]:
    """The help that counts: accepted by the primary's player, and allowed by the GM.

    tests.help.must_be_accepted, tests.help.gm_arbiter.
    """
    who = tuple(
        Option(
            key=helper.character,
            label=": ".join(filter(None, (table.character(helper.character).name, helper.how))),
            rule="tests.help.must_be_accepted",
        )
        for helper in offered
    )
    accepted = yield from ask(
        table.character(character).seat(character),
        "accept_help",
        "Accept help from",
        PickSeveral(options=who, default=tuple(helper.character for helper in offered)),
        because="tests.help.must_be_accepted",
        kind="consent",
    )
    if not accepted:
        return ()
    allowed = yield from ask(
        GM,
        "allow_help",
        "Allow help from",
        PickSeveral(options=tuple(o for o in who if o.key in accepted), default=accepted),
        because="tests.help.gm_arbiter",
        kind="consent",
    )
    return tuple(helper for helper in offered if helper.character in allowed)


# --- Fields of Related Knowledge -----------------------------------------------------------


def fork_dice(skill: Rated) -> Line:
    """One die, or two from exponent 7 (tests.fork.one_die, tests.fork.two_dice_at_seven)."""
    return _fork_line(skill.name, skill.exponent)


@cache
def _fork_line(name: str, exponent: int) -> Line:
    table = catalogue().table("tests.table.fork_dice")
    dice = table.in_band(exponent, "forked_skill_exponent").number("dice")
    rule = "tests.fork.one_die" if dice == 1 else "tests.fork.two_dice_at_seven"
    return Line(dice, f"FoRK: {name}", rule)


def forks(
    character: str,
    tested: Rated,
    table: BurningTable,
    into_stat: str = "",
    *,
    folded: bool = False,
    newly: bool = False,
) -> Step[tuple[Line, ...]]:
    """FoRKs: the character's other skills that relate to the task (tests.fork.own_related_skills).

    Stats and attributes never FoRK (tests.fork.no_stats_or_attributes), and only a skill test
    takes FoRKs (tests.amb.fork_into_stat): none go into Circles, Resources or Steel
    (gold.circles.no_fork, gold.diff.fork_scope), unless a rule lets them ``into_stat``. The player
    proposes, the GM rules on each (tests.fork.situational); there is no limit but one use of
    each skill (tests.amb.fork_limits). Nobody has to take them: fewer dice make a harder test for
    the log (extended_example.advancement.fork_choice).
    """
    sheet = table.character(character)
    related = tuple(
        own
        for own in sheet.abilities()
        if own.kind is AbilityKind.SKILL
        and own.name != tested.name
        and own.exponent > 0
        and is_usable(table, character, own)
    )
    if not related or not (tested.kind is AbilityKind.SKILL or into_stat):
        return ()
    options = tuple(
        Option(
            key=own.name,
            label=str(own),
            rule=fork_dice(own).rule,
            note=f"{fork_dice(own).amount:+d}D",
        )
        for own in related
    )
    proposed = yield from ask(
        sheet.seat(character),
        "forks",
        f"{sheet.name}, {tested.name}: FoRKs" if folded else f"FoRKs ({tested.name})",
        PickSeveral(options=options, default=()),
        because=into_stat or "tests.fork.own_related_skills",
        kind="aside" if folded and not newly else "offered",
        standing=folded,
    )
    if not proposed:
        return ()
    allowed = yield from ask(
        GM,
        "allow_forks",
        "Allow FoRKs",
        PickSeveral(options=tuple(o for o in options if o.key in proposed), default=proposed),
        because="tests.fork.situational",
        kind="consent",
    )
    return tuple(fork_dice(sheet.ability(name)) for name in allowed)


# --- Beginner's Luck -----------------------------------------------------------------------


def check_may_be_tried(skill: str, sheet: Sheet, table: BurningTable) -> None:
    """Refuse what cannot be tried untrained: only skills have roots (tests.beginner.root_stat).

    A name that nobody at the table knows but that looks like one on the sheet is a typing error.
    """
    official = (*stat_names(), *attribute_names(), "Resources", "Circles")
    own = [rated.name for rated in sheet.abilities()]
    folded = {name.casefold(): name for name in own}
    near = difflib.get_close_matches(skill.casefold(), folded, n=3, cutoff=0.8)
    slip = bool(near) and not known_roots(skill, table)
    if not skill.strip() or slip or skill.casefold() in {name.casefold() for name in official}:
        likely = [folded[name] for name in near] or own
        expected = f"an ability of {sheet.name}: {', '.join(likely) or 'none'}"
        raise BadInput("ability", skill, expected, "tests.beginner.root_stat")
    if skill.casefold() == "sorcery":
        raise NotAllowed(
            f"{sheet.name} must be taught Sorcery before testing it",
            "sorcery.learn.skill_must_be_taught",
        )


def root_stat(
    seat: Seat, sheet: Sheet, skill: str, known_roots: tuple[str, ...]
) -> Step[tuple[Rated, tuple[str, ...]]]:
    """The stat that stands in for a skill the character does not have (tests.beginner.root_stat).

    Where a skill has several roots the player chooses (advancement.beginner.two_roots_choose,
    tests.amb.beginner_two_roots). If nobody at the table has the skill, the GM says what its
    roots are, unless what the book says will do. The result is the stat to roll and all the roots.
    """
    roots = known_roots
    if not roots:
        options = tuple(
            Option(key=name, label=name, rule="tests.beginner.root_stat", note=about_stat(name))
            for name in stat_names()
        )
        roots = yield from ask(
            GM,
            "roots",
            f"Beginner's Luck: root stats of {skill}?",
            PickSeveral(options=options, least=1, default=book_roots(skill) or None),
            because="tests.beginner.root_stat",
        )
    able = [sheet.ability(name, "stats") for name in roots]
    if len(able) == 1:
        return able[0], roots
    choice = yield from choose(
        seat,
        "root",
        f"Beginner's Luck: roll which root of {skill}?",
        {stat.name: str(stat) for stat in able},
        default=max(able, key=lambda stat: stat.exponent).name,
        because="tests.amb.beginner_two_roots",
    )
    return sheet.ability(choice), roots


def known_roots(skill: str, table: BurningTable) -> tuple[str, ...]:
    """The roots of a skill, from anybody at the table who knows it or is learning it.

    advancement.new_skill.root.
    """
    for sheet in table.characters.values():
        found = sheet.find(skill)
        if found is not None and isinstance(found.ability, SkillAbility) and found.ability.roots:
            return found.ability.roots
        _, learning = learning_of(sheet, skill)
        if learning is not None:
            return learning.roots
    return ()


def doubled(base: int, skill: str) -> Line:
    """The base obstacle once more; penalties are added after it, undoubled.

    tests.beginner.double_base_obstacle, tests.beginner.modifiers_after_doubling.
    """
    return Line(base, f"Beginner's Luck: no {skill}", "tests.beginner.double_base_obstacle")


# --- Instructions --------------------------------------------------------------------------


def complexity(obstacle: int) -> str:
    """How complex instructions of that obstacle are (tests.instructions.complexity_obstacle).

    >>> complexity(6)
    'arcane'
    """
    table = catalogue().table("tests.table.instructions")
    return str(table.band(obstacle, "obstacle", "kind_of_instructions"))


def following(
    titles: tuple[str, ...], character: str, on: Rated | None, table: BurningTable
) -> Step[tuple[tuple[Line, ...], tuple[Line, ...]]]:
    """What instructions that were read do to a test: a helping die, or an obstacle.

    tests.instructions.success, tests.instructions.failure. They are for a test of a skill (None
    stands for one that is tried untrained); the GM says whether they suit it. The result of the
    reading rides for every test they are used on; a misled reader does not know it, but the GM
    may lift the penalty of a text that is given up (tests.amb.instructions_duration).
    """
    dice: tuple[Line, ...] = ()
    obstacle: tuple[Line, ...] = ()
    for title in dict.fromkeys(titles):
        if on is not None and on.kind is not AbilityKind.SKILL:
            what = f"{title} cannot help a test of {on.name}: instructions are for skills"
            raise NotAllowed(what, "tests.instructions.success")
        if _read_by(title, character, table.scene.instructions).understood:
            suits = yield from consent(
                GM,
                "instructions_suit",
                f"Do these instructions apply (+1D)? {title}",
                because="tests.instructions.success",
            )
            if suits:
                dice += (Line(1, f"instructions: {title}", "tests.instructions.success"),)
            continue
        lifted = yield from confirm_aside(
            GM,
            "lift_instructions",
            f"{title} was misunderstood (+1 Ob). Lift the penalty?",
            because="tests.amb.instructions_duration",
        )
        if not lifted:
            obstacle += (Line(1, f"misled by {title}", "tests.instructions.failure"),)
    return dice, obstacle


def check_read(titles: tuple[str, ...], character: str, table: BurningTable) -> None:
    """Refuse instructions that the character has not read."""
    for title in titles:
        _read_by(title, character, table.scene.instructions)


def _read_by(title: str, character: str, known: tuple[Instructions, ...]) -> Instructions:
    for read in known:
        if read.title == title and read.reader == character:
            return read
    titles = ", ".join(read.title for read in known if read.reader == character)
    expected = f"instructions that {character} has read: {titles or 'none so far'}"
    raise BadInput("instructions", title, expected, "tests.instructions.read_test")
