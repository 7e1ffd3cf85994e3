"""The character sheet as one page (tests.record.character_sheet).

Abilities with what they still lack for the next point, artha and what it was spent for, Beliefs
and Instincts; the body is drawn by ``pages/body``, people and
possessions by ``pages/holdings``, spells by ``pages/spells``, prayers by ``pages/prayers``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from astragal.games.page import Mark, Page, Pen, Row, Section, Tap, Ties, handy, present, who
from astragal.play import Option

from ..advancement.new_skills import aptitude
from ..advancement.requirements import Requirement, advances_as, earned_only_by_success, requirement
from ..beliefs.statements_of_faith import faith_of
from ..conditions.who_can_act import barred
from ..sheet.editions import Edition, artha_price, edition
from ..sheet.faiths import FAITH
from ..sheet.parts import AbilityKind, AbilityLog, Artha, Belief, Difficulty, Trait
from ..sheet.ratings import write_hook
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated, Sheet, about_stat
from ..sheet.words import counted
from ..steel.dice_and_hesitation import Cause, hesitation
from ..tests.intent import ability_options
from ..tests.possessions import possessions
from .body import body_badges, body_sections
from .holdings import belongings, people, wealth
from .prayers import prayer_badges, prayer_sections
from .spells import spell_badges, spell_sections

ARTHA = {"fate": "Fate", "persona": "Persona", "deeds": "Deeds"}
"""The three counts, as they are headed."""


USUAL_BODY = "Man"
"""A body that need not be mentioned."""

NEW_SKILLS = ("Sword", "Cooking", "New skill")
"""What a new skill may be called: the first that the sheet does not have."""


def page(sheet: Sheet, key: str, table: BurningTable) -> Page:
    """The whole sheet, as a player would print it (tests.record.character_sheet)."""
    pen = Pen(sheet, write_hook)
    learned, artha = _abilities(sheet, edition(table.options)), _artha(pen)

    def rows(*wanted: AbilityKind) -> tuple[Row, ...]:
        return tuple(each.row for each in learned if each.kind in wanted)

    skills = rows(AbilityKind.SKILL)
    stats, attributes = rows(AbilityKind.STAT), rows(AbilityKind.ATTRIBUTE)
    why_not, still = barred(key, table) if key in table.characters else ("", ())
    wealth_and_circles = rows(AbilityKind.RESOURCES, AbilityKind.CIRCLES)
    return Page(
        sheet.name,
        sheet.concept,
        badges=(
            *artha,
            *body_badges(sheet, key, table),
            *spell_badges(sheet),
            *prayer_badges(sheet),
        ),
        sections=present(
            who(pen),
            _bits("Beliefs", "beliefs", "beliefs.belief.count_three", pen),
            handy((*skills, *stats, *attributes, *wealth_and_circles)),
            _bits("Instincts", "instincts", "beliefs.instinct.count_three", pen),
            Section("Stats", "ratings", stats, rule="tests.stats.six"),
            Section(
                "Attributes",
                "ratings",
                (*attributes, *wealth_and_circles),
                rule="tests.attributes.derived",
            ),
            Section(
                "Skills",
                "ratings",
                skills,
                add="skills",
                example=[next(name for name in NEW_SKILLS if name not in sheet.skills), "B3"],
                rule="tests.skills.definition",
            ),
            *body_sections(pen, table),
            _traits(pen),
            Section("Artha", "counters", artha, shown="edit"),
            *belongings(pen, table.options),
            *people(pen),
            *wealth(pen),
            *spell_sections(pen),
            *prayer_sections(pen),
            *_learning(pen, table),
            _about(pen),
        ),
        barred=why_not,
        still=still,
        choices={"ability": tuple(o for each in learned for o in each.named), **_choices(sheet)},
    )


def _choices(sheet: Sheet) -> dict[str, tuple[Option, ...]]:
    """What forms may name from the sheet besides abilities."""
    wealth = sheet.resources
    standings = (*sheet.reputations, *sheet.affiliations)
    people = [each.name for each in sheet.relationships] + [each.name for each in sheet.contacts]
    named = {
        "gear": [gear.name for gear in sheet.gear],
        "tools": [gear.name for gear in sheet.gear if gear.tools],
        "thing": list(possessions(sheet)),
        "weapon": [weapon.called for weapon in sheet.weapons],
        "person": people,
        "contact": [contact.name for contact in sheet.contacts],
        "letter": list(wealth.letters) if wealth else [],
        "fund": [fund.name for fund in wealth.funds] if wealth else [],
        "affiliation": [standing.name for standing in sheet.affiliations],
        "standing": [standing.name for standing in standings],
        "spell": [spell.name for spell in sheet.spells],
        "sustained": [spell.name for spell in sheet.sustained],
    }
    return {
        what: tuple(Option(name, name) for name in dict.fromkeys(names))
        for what, names in named.items()
        if names
    }


# --- Who it is -----------------------------------------------------------------------------


def _about(pen: Pen) -> Section:
    sheet: Sheet = pen.sheet
    usual = sheet.body_type == USUAL_BODY
    rows = [pen.row("Body", "body_type", rule="movement.rate.multiplier_others", quiet=usual)]
    if sheet.age:
        rows.append(pen.number("Age", "age"))
    if sheet.identity:
        rows.append(pen.row("Goes by", "identity", rule="circles.reputation.new_identity"))
    if sheet.lifepaths:
        names = ", ".join(each.name for each in sheet.lifepaths)
        rows.append(Row("Lifepaths", names, rule="circles.scope.lifepaths"))
    return Section("About", "list", tuple(rows))


# --- Abilities -----------------------------------------------------------------------------


class _Learned(NamedTuple):
    """An ability on the page, and as a form may name it if it can be tested."""

    kind: AbilityKind
    row: Row
    named: tuple[Option, ...]


def _abilities(sheet: Sheet, played: Edition) -> list[_Learned]:
    found = []
    for rated in sheet.abilities():
        waits = _waits(sheet, played) if rated.name == "Steel" else ("", "")
        found.append(_learned(rated, played, sheet.caps.get(rated.name), waits))
    return found


def _waits(sheet: Sheet, played: Edition) -> tuple[str, str]:
    """How long a character would hesitate, briefly; and in pain where that is another number."""
    usual, in_pain = (hesitation(sheet, played, cause) for cause in (Cause.SURPRISE, Cause.PAIN))
    if usual is None or in_pain is None:
        return "", ""
    brief, said = f"hes. {usual.amount}", f"hesitation {usual.amount}"
    return brief, said if usual == in_pain else f"{said}, in pain {in_pain.amount}"


@lru_cache(maxsize=8192)
def _learned(rated: Rated, played: Edition, cap: int | None, waits: tuple[str, str]) -> _Learned:
    """An ability from all that it depends on, so that it can be remembered.

    A test marks one ability; all others on the sheet look as they did before.
    """
    alone = _alone(rated)
    row = _ability(Pen(alone, write_hook), rated, played, cap, waits)
    return _Learned(rated.kind, row, ability_options(alone))


def _alone(rated: Rated) -> Sheet:
    """A sheet with one ability and nothing else."""
    field, *name = _place(rated)
    held: Any = {rated.name: rated.ability} if name else rated.ability
    return Sheet("", **{field: held})


def _place(rated: Rated) -> tuple[str, ...]:
    """The place of an ability on a sheet, part by part, since its name may have a dot."""
    if rated.kind in (AbilityKind.RESOURCES, AbilityKind.CIRCLES):
        return (rated.kind.value,)
    return (f"{rated.kind.value}s", rated.name)


def _ability(
    pen: Pen, rated: Rated, played: Edition, cap: int | None, waits: tuple[str, str]
) -> Row:
    """An ability with its rating, the tests it has and needs, and notes."""
    advances = advances_as(rated, played)
    needed = requirement(advances, rated.rating.exponent)
    log, spent = rated.ability.log, rated.ability.spent
    taxed = rated.rating.exponent - rated.exponent
    besides = f"{taxed} taxed" if taxed else waits[0]
    return pen.row(
        rated.name,
        *_place(rated),
        "rating",
        value=f"{rated.rating} ({besides})" if besides else str(rated.rating),
        note="; ".join(filter(None, _notes(rated, advances, needed, cap, waits[1]))),
        rule=_rule(rated),
        marks=_log_marks(log, needed) + _epiphany_marks(spent),
        entry=2 if rated.kind is AbilityKind.SKILL else 0,
        tap=_tap(rated),
    )


def _tap(rated: Rated) -> Tap | None:
    """The test of an ability; what is only a measure has none."""
    match rated.kind:
        case AbilityKind.RESOURCES:
            return Tap("purchase")
        case AbilityKind.CIRCLES:
            return Tap("circles_test")
    if rated.name == "Steel":
        return Tap("steel_test", gm_only=True)
    if rated.name == FAITH:
        return Tap("pray")
    testable = any(option.key == rated.name for option in ability_options(_alone(rated)))
    return Tap("standard_test", {"ability": rated.name}) if testable else None


def _rule(rated: Rated) -> str:
    """The rule that says what an ability is."""
    match rated.kind:
        case AbilityKind.STAT:
            return f"tests.stats.{rated.name.casefold()}"
        case AbilityKind.ATTRIBUTE:
            known = ("health", "reflexes", "steel", "mortal_wound")
            name = rated.name.casefold().replace(" ", "_")
            return f"tests.attributes.{name if name in known else 'emotional'}"
        case AbilityKind.RESOURCES:
            return "resources.ability.every_character"
        case AbilityKind.CIRCLES:
            return "circles.ability.one_rating"
    return "tests.skills.definition"


def _notes(
    rated: Rated, advances: str, needed: Requirement | None, cap: int | None, waits: str
) -> tuple[str, ...]:
    found = [to_go(needed, rated.ability.log)] if needed is not None else []
    if advances.startswith("recalculated"):
        found.append("follows its stats")
    elif needed is None and not rated.rating.exponent and advances in ("skill", "stat"):
        found.append("any one test to go")
    if needed is not None and earned_only_by_success(rated):
        found.append("only successes count")
    if cap is not None:
        found.append(f"maximum {cap}")
    if rated.ability.bonus:
        found.append(f"+{rated.ability.bonus}D where a trait applies")
    found.append(waits)
    if rated.kind is AbilityKind.STAT:
        found.append(about_stat(rated.name))
    if rated.kind is AbilityKind.SKILL:
        roots = getattr(rated.ability, "roots", ())
        found.append(f"root {', '.join(roots)}" if roots else "")
    return tuple(found)


def to_go(needed: Requirement, log: AbilityLog) -> str:
    """What a log still lacks, as it is said; nothing if it is full.

    >>> to_go(Requirement(3, 2, 1, either=True), AbilityLog(routine=1))
    '2 routine, and 2 difficult or 1 challenging to go'
    >>> to_go(Requirement(3, 2, 1, either=False), AbilityLog(routine=1, challenging=4))
    '2 routine and 2 difficult to go'
    """
    if needed.is_met(log):
        return ""
    lacks = {
        each: max(0, getattr(needed, each.value) - getattr(log, each.value)) for each in Difficulty
    }
    routine, *harder = (f"{lacks[each]} {each.value}" if lacks[each] else "" for each in Difficulty)
    left = [] if needed.either and not all(harder) else [part for part in harder if part]
    joined = (" or " if needed.either else " and ").join(left)
    comma = ", and " if len(left) > 1 else " and "
    return f"{comma.join(filter(None, (routine, joined)))} to go"


def _log_marks(log: AbilityLog, needed: Requirement | None) -> tuple[Mark, ...]:
    """The tests of each class that count, and any that were logged besides."""
    marks = []
    for each in Difficulty:
        have = getattr(log, each.value)
        need = getattr(needed, each.value) if needed is not None else 0
        if have or need:
            marks.append(Mark(each.value, have, need))
    return tuple(marks)


def _epiphany_marks(spent: Artha) -> tuple[Mark, ...]:
    """Artha spent toward an epiphany, once there is any (artha.epiphany.cost)."""
    if spent == Artha():
        return ()
    whole = artha_price("Epiphany")
    return tuple(
        Mark(name, getattr(spent, name), getattr(whole, name), aside=True) for name in ARTHA
    )


# --- Beliefs, Instincts, traits and artha --------------------------------------------------


def _bits(title: str, group: str, rule: str, pen: Pen) -> Section:
    """Beliefs or Instincts, as texts, with the artha that was spent for their sake."""

    def row(at: int, bit: Belief) -> Row:
        spent = ", ".join(
            f"{getattr(bit.spent, name)} {name}" for name in ARTHA if getattr(bit.spent, name)
        )
        notes = [f"artha spent: {spent}" if spent else ""]
        notes.append(f"to be changed to: {bit.pending}" if bit.pending else "")
        stated = faith_of(pen.sheet, at + 1) if group == "beliefs" else ""
        notes.append(f"states {stated}" if stated else "")
        return pen.row(
            f"{title.removesuffix('s')} {at + 1}",
            group,
            at,
            "text",
            kind="long",
            note="; ".join(filter(None, notes)),
        )

    rows = tuple(row(at, bit) for at, bit in enumerate(getattr(pen.sheet, group)))
    example = "I will ..." if group == "beliefs" else "Always ..."
    ties: Ties = "texts" if group == "beliefs" else ""
    return Section(title, "texts", rows, add=group, example=example, rule=rule, ties=ties)


_TRAIT_RULES = {
    "character": "beliefs.trait.character.effect",
    "call_on": "beliefs.trait.call_on.condition",
    "die": "beliefs.trait.die.constant",
}


def _traits(pen: Pen) -> Section:
    rows = tuple(
        pen.row(
            trait.name,
            "traits",
            at,
            "name",
            value=trait.kind.value.replace("_", "-"),
            note=about_trait(trait),
            rule=_TRAIT_RULES[trait.kind.value],
        )
        for at, trait in enumerate(pen.sheet.traits)
    )
    rule = "beliefs.trait.must_be_bought_or_voted"
    return Section("Traits", "list", rows, add="traits", example="Stubborn", rule=rule)


def about_trait(trait: Trait) -> str:
    """What a trait does, in a few words.

    >>> from astragal.games.burning_wheel.sheet.parts import TraitKind
    >>> about_trait(Trait("Quick", TraitKind.DIE, dice={"Speed": 1}, hesitation=-1))
    '+1D Speed, hesitation -1'
    """
    words = [f"{dice:+d}D {ability}" for ability, dice in trait.dice.items()]
    words += [f"{points:+d} Ob {ability}" for ability, points in trait.obstacle.items()]
    words += [f"hesitation {trait.hesitation:+d}"] if trait.hesitation else []
    words += [f"{ability} open-ended" for ability in trait.open_ended]
    words += [f"for {', '.join(trait.abilities)}"] if trait.abilities else []
    words += [trait.situation] if trait.situation else []
    words += ["called on this session"] if trait.called_this_session else []
    return ", ".join(words)


def _artha(pen: Pen) -> tuple[Row, ...]:
    rule = "artha.types.three"
    return tuple(
        pen.number(label, "artha", name, rule=rule, award=True) for name, label in ARTHA.items()
    )


# --- Learning ------------------------------------------------------------------------------


def _learning(pen: Pen, table: BurningTable) -> tuple[Section, ...]:
    sheet: Sheet = pen.sheet
    rows = []
    for name, learning in sheet.learning.items():
        known = bool(learning.roots) and all(root in sheet.stats for root in learning.roots)
        need = aptitude(sheet, learning.roots, table.options).total if known else 0
        rows.append(
            pen.number(
                name,
                "learning",
                name,
                "tests",
                note=f"root {', '.join(learning.roots)}",
                rule="advancement.new_skill.opens_at_aptitude",
                marks=(Mark("tests", learning.tests, need),),
                entry=2,
            )
        )
    rows += pen.lines("training", rule="advancement.training.practice_or_instruction_only")
    practised = tuple(
        pen.number(
            f"{each.ability}, {each.difficulty.value}",
            "practice",
            at,
            "days",
            value=counted(each.days, "day"),
            rule="advancement.practice.partial_cycles",
        )
        for at, each in enumerate(sheet.practice)
    )
    return (
        Section("Learning and training", "list", tuple(rows)),
        Section("Practice", "list", practised),
    )
