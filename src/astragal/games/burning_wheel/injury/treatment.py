"""Treatment, and stopping the bleeding: what others can do for the wounded.

Both are tests of a medical skill against an obstacle by wound and skill. Treatment lets recovery
begin (``injury/recovery``); stopping the bleeding only gains time (injury.staunch.purpose).
"""

from __future__ import annotations

from astragal.errors import BadInput, NotAllowed
from astragal.games.game import Arguments, Procedure
from astragal.play import Line, Number, Play, Step, Tally, ask, note, tell, then
from astragal.rules import catalogue

from ..artha import on_a_roll as artha
from ..artha.aristeia import lightened
from ..conditions.wounds import Condition, condition, dies, find_wound, plain_name, set_wound
from ..sheet.catalogue_keys import key_of
from ..sheet.durations import say_duration
from ..sheet.facts import TestCame
from ..sheet.parts import AbilityKind, Wound, WoundLevel
from ..sheet.scene import BurningTable
from ..sheet.sheet import Rated, Sheet
from ..tests.attempts import Attempt, TestResult, full_obstacle, prepare, result_of, throw_attempt
from ..tests.circumstances import LONGEST_CUT, time_taken
from ..tests.conclusions import after_test
from ..tests.intent import CALLED_FOR, Agreement, Declaration
from ..tests.partial_records import complete
from ..tests.results import out_of_time
from .bleeding import may_bleed, most_staunchings
from .healing_tables import HOUR, die_comes_back, spoiled_midi
from .recovery import LESSER
from .will_to_live import will_when_tended

UNSKILLED = ("Perception", "Agility")
"""What a healer without any medical skill may test (injury.treatment.unskilled)."""


def medical_skills() -> tuple[str, ...]:
    """The skills that treat wounds and stop bleeding (injury.treatment.skills).

    injury.staunch.skills: the same seven.

    >>> len(medical_skills())
    7
    """
    names = catalogue().table("injury.table.treatment_time").column("skill")
    return tuple(str(name) for name in names if not _is_unskilled(str(name)))


def _is_unskilled(name: str) -> bool:
    return any(stat in name for stat in UNSKILLED)


def obstacle_for(what: str, level: WoundLevel, skill: str) -> int | None:
    """The obstacle of ``treatment`` or ``stop_bleeding``; None where it cannot be done.

    injury.treatment.obstacles, injury.staunch.obstacles. Skills share columns
    (injury.treatment.equivalents, injury.staunch.equivalents); the numbers for bare stats are
    doubled already (injury.amb.unskilled_treatment) and all stand as they are printed
    (injury.amb.herbalism_mortal_numbers).

    >>> obstacle_for("treatment", WoundLevel.MORTAL, "Khirurgy")
    7
    """
    table = catalogue().table(f"injury.table.{what}")
    column = "per_or_agi"
    if not _is_unskilled(skill):
        column = next(name for name in table.columns if key_of(skill) in name)
    found = table.value(column, wound=level.value)
    return found if isinstance(found, int) else None


def minutes_for(what: str, skill: str) -> int:
    """Minutes for each point of the obstacle (injury.treatment.time, injury.staunch.time).

    Skills that share a column share its time (injury.amb.treatment_minutes_scope).
    """
    for row in catalogue().table(f"injury.table.{what}_time").records():
        name = str(row["skill"])
        if skill == name or (_is_unskilled(skill) and _is_unskilled(name)):
            return row.number("minutes_each_obstacle_point")
    raise LookupError(f"injury.table.{what}_time has no row for {skill}")


# --- Healer and patient --------------------------------------------------------------------


class Care(Arguments, frozen=True):
    """Who treats which of the patient's wounds, counted from 1, with which skill (or stat)."""

    healer: str
    patient: str
    skill: str
    wound: int = 1
    helpers: tuple[str, ...] = ()
    gear: tuple[str, ...] = ()
    instructions: tuple[str, ...] = ()
    tools: str = ""


class CareOutcome(TestResult, frozen=True, kw_only=True):
    """How a healer's test came out: time taken, and dice for the patient's Health test."""

    level: str
    seconds: int = 0
    bonus: int = 0
    quickly: int = 0
    condition: str = Condition.FIT.value
    complication: str = ""


def _skill_of(care: Care, table: BurningTable) -> Rated:
    """A medical skill that the healer has; a bare stat only if there is none.

    injury.treatment.unskilled.
    """
    sheet = table.character(care.healer, "healer")
    known = [r for r in sheet.abilities() if r.name in medical_skills() and r.exponent]
    unskilled = [r for r in sheet.abilities() if r.name in UNSKILLED and r.exponent]
    may = known or unskilled
    for rated in may:
        if rated.name.casefold() == care.skill.strip().casefold():
            return rated
    names = ", ".join(r.name for r in may) or "none"
    rule = "injury.treatment.skills" if known else "injury.treatment.unskilled"
    expected = f"an ability that {sheet.name} can treat with: {names}"
    raise BadInput("skill", care.skill, expected, rule)


def _check(care: Care, table: BurningTable) -> Wound:
    patient = table.character(care.patient, "patient")
    if patient.dead:
        raise BadInput("patient", care.patient, f"a living character: {patient.name} is dead")
    if not patient.wounds:
        raise BadInput("patient", care.patient, f"somebody wounded: {patient.name} is not")
    return find_wound(patient, care.wound)


def _by(care: Care, skill: Rated, what: str) -> str:
    """A healer and skill, as they are remembered when they have failed."""
    return f"{what}: {care.healer}, {skill.name}"


def _check_not_failed(wound: Wound, by: str) -> None:
    if by in wound.failed:
        what = f"This did not help with the {plain_name(wound)}: use another healer or skill"
        raise NotAllowed(what, "injury.amb.retry_treatment")


def _prepare(
    care: Care, skill: Rated, base: Line, seconds: int, table: BurningTable
) -> Step[tuple[Attempt, Tally]]:
    patient = table.character(care.patient)
    task = f"treat {patient.name}'s {plain_name(patient.wounds[care.wound - 1])}"
    agreed = Agreement(care.healer, task, task, lightened(table, care.healer, skill))
    declaration = Declaration(
        character=care.healer,
        intent=task,
        task=task,
        ability=skill.name,
        helpers=care.helpers,
        gear=care.gear,
        instructions=care.instructions,
        tools=care.tools,
    )
    attempt = yield from prepare(declaration, agreed, seconds, CALLED_FOR, table)
    return attempt, full_obstacle(Tally((base,)), attempt)


def _verdict(
    attempt: Attempt, thrown: artha.ThrownDice, obstacle: Tally, table: BurningTable
) -> Step[tuple[TestResult, str, BurningTable]]:
    """Whether it worked; a careful test that fails has run out of time."""
    name = table.character(attempt.agreed.character).name
    passed = result_of(attempt, thrown, obstacle).passed
    complication = ""
    yield from tell(TestCame(name, thrown.successes, "Success." if passed else "Failed.", passed))
    if not passed and attempt.careful:
        complication, thrown = yield from out_of_time(attempt, thrown, table)
    table, earned = yield from after_test(attempt, thrown, obstacle.total, table, passed=passed)
    return result_of(attempt, thrown, obstacle, earned), complication, table


# --- Treatment -----------------------------------------------------------------------------


def treat(care: Care, table: BurningTable) -> Play[CareOutcome]:
    """Treat a wound, so that recovery may begin (injury.recovery.greater_need_treatment).

    The clock of a bleeding wound stops while a healer is at work (injury.amb.treatment_begun).
    """
    wound = _check(care, table)
    skill = _skill_of(care, table)
    if wound.tested or (wound.treated and (wound.bonus or not wound.course)):
        what = f"No further treatment is possible for the {plain_name(wound)}"
        spoiled = wound.level is WoundLevel.MIDI and not wound.treated
        rule = "injury.fail.treatment_midi" if spoiled else "injury.treatment.lesser_wounds"
        raise NotAllowed(what, rule)
    _check_not_failed(wound, _by(care, skill, "treatment"))
    points = obstacle_for("treatment", wound.level, skill.name)
    if points is None:
        what = f"{skill.name} cannot treat a {wound.level.value} wound"
        raise NotAllowed(what, "injury.treatment.field_dressing_limit")
    table = yield from will_when_tended(table, care.patient, care.wound - 1)
    if table.character(care.patient).dead:
        return CareOutcome(passed=False, level=wound.level.value, condition=Condition.DEAD.value)
    rule = (
        "injury.treatment.unskilled"
        if skill.kind is AbilityKind.STAT
        else "injury.treatment.obstacles"
    )
    base = Line(points, plain_name(wound), rule)
    seconds = minutes_for("treatment", skill.name) * points * 60
    attempt, obstacle = yield from _prepare(care, skill, base, seconds, table)
    thrown = yield from throw_attempt(attempt, obstacle, table)
    return then(treated, care, attempt, thrown, obstacle, seconds, table)


def treated(
    care: Care,
    attempt: Attempt,
    thrown: artha.ThrownDice,
    obstacle: Tally,
    seconds: int,
    table: BurningTable,
) -> Play[CareOutcome]:
    """What came of it: dice for the patient, or one of the ways in which it goes wrong."""
    wound = table.character(care.patient).wounds[care.wound - 1]
    result, complication, table = yield from _verdict(attempt, thrown, obstacle, table)
    bonus = quickly = 0
    if result.passed:
        bonus, quickly = yield from _share_out(attempt, result.margin)
    seconds = time_taken(seconds, careful=attempt.takes_longer, quickly=quickly)
    yield from note(f"It took {say_duration(seconds)}.", "injury.treatment.time")
    if result.passed:
        table = yield from _treated_well(care, attempt, wound, bonus, table)
    else:
        table = yield from _treated_badly(care, attempt, wound, seconds, table)
    return CareOutcome.of(
        result,
        level=wound.level.value,
        seconds=seconds,
        bonus=bonus,
        quickly=quickly,
        condition=condition(table.character(care.patient)).value,
        complication=complication,
    )


def _share_out(attempt: Attempt, extra: int) -> Step[tuple[int, int]]:
    """Extra successes are dice for the patient, or save a tenth of the time each.

    injury.treatment.extra_successes_dice, injury.treatment.extra_successes_time: the time of the
    treatment (injury.amb.sergeant_time). Each of them is a die, unlike in other linked tests
    (injury.treatment.special_link).
    """
    quickly = yield from _quickly(attempt, extra, "injury.treatment.extra_successes_time")
    return extra - quickly, quickly


def _quickly(attempt: Attempt, extra: int, because: str) -> Step[int]:
    """How many extra successes go into working quickly."""
    if extra <= 0:
        return 0
    return (
        yield from ask(
            attempt.seat,
            "quickly",
            f"Extra successes for speed (of {extra}; each saves a tenth of the time)",
            Number(least=0, most=min(extra, LONGEST_CUT), default=0),
            because=because,
        )
    )


def _treated_well(
    care: Care, attempt: Attempt, wound: Wound, bonus: int, table: BurningTable
) -> Step[BurningTable]:
    """The bleeding stops, and from Midi on the first die comes back.

    injury.recovery.midi_time, injury.amb.first_die_when. For lesser wounds it gives bonus dice
    (injury.treatment.lesser_wounds). In a stage after a Mortal Wound it is for such dice alone
    (injury.amb.mortal_stage_treatment): without any it is not tried again in the same way.
    """
    at = care.wound - 1
    because = "injury.treatment.extra_successes_dice"
    table = yield from set_wound(
        table, care.patient, at, because=because, treated=True, bonus=bonus, held=0
    )
    if wound.course and not bonus:
        tried = (*wound.failed, _by(care, attempt.agreed.tested, "treatment"))
        rule = "injury.amb.retry_treatment"
        table = yield from set_wound(table, care.patient, at, because=rule, failed=tried)
    if wound.level in LESSER or wound.level is WoundLevel.MORTAL or wound.course:
        return table
    return (yield from die_comes_back(table, care.patient, at))


def _treated_badly(
    care: Care, attempt: Attempt, wound: Wound, seconds: int, table: BurningTable
) -> Step[BurningTable]:
    """Failed treatment: it does not matter for a lesser wound, and costs dearly from Midi on.

    injury.fail.treatment_lesser: the patient tests Health without bonus dice and without an
    added obstacle (injury.treatment.special_link). From Midi on no recovery begins
    (injury.fail.treatment_greater_blocks): a Midi loses a die (injury.fail.treatment_midi), worse
    ones bleed on (injury.fail.treatment_severe_traumatic), a Mortal one kills
    (injury.fail.mortal_hard, injury.fail.mortal_soft).
    """
    at = care.wound - 1
    failed = (*wound.failed, _by(care, attempt.agreed.tested, "treatment"))
    because = "injury.amb.retry_treatment"
    table = yield from set_wound(table, care.patient, at, because=because, failed=failed)
    if wound.course or wound.level in LESSER:
        return table
    if wound.level is WoundLevel.MORTAL:
        variant = table.options["injury_mortal_variant"]
        rule = f"injury.fail.mortal_{variant}"
        return (yield from dies(table, care.patient, because=rule, how="the treatment failed"))
    now = table.scene.calendar.moment
    if wound.level is WoundLevel.MIDI:
        return (yield from spoiled_midi(table, care.patient, at, now))
    if not may_bleed(wound):
        return table  # a Midi that has bled as far as it can
    name = table.character(care.patient).name
    rule = "injury.fail.treatment_severe_traumatic"
    yield from note(f"{name} keeps bleeding and needs a better healer.", rule)
    return (yield from _hold(care, wound, now + seconds, table))


def _hold(care: Care, wound: Wound, until: int, table: BurningTable) -> Step[BurningTable]:
    """The clock stops while a healer is at work, and then runs on."""
    because = "injury.amb.treatment_begun"
    held = max(wound.held, until)
    return (yield from set_wound(table, care.patient, care.wound - 1, because=because, held=held))


# --- Stop the bleeding ---------------------------------------------------------------------


def stop_bleeding(care: Care, table: BurningTable) -> Play[CareOutcome]:
    """Stop the bleeding for some hours; no recovery begins (injury.staunch.purpose).

    Every listed ability can try, on every wound that bleeds (injury.staunch.all_can_try_any).
    """
    wound = _check(care, table)
    skill = _skill_of(care, table)
    table = yield from complete(table, (care.patient,), ("Health",))
    patient = table.character(care.patient)
    _check_may_staunch(patient, wound, table.scene.calendar.moment)
    _check_not_failed(wound, _by(care, skill, "staunching"))
    points = obstacle_for("stop_bleeding", wound.level, skill.name)
    assert points is not None, "any wound that bleeds can be staunched"
    table = yield from will_when_tended(table, care.patient, care.wound - 1)
    if table.character(care.patient).dead:
        return CareOutcome(passed=False, level=wound.level.value, condition=Condition.DEAD.value)
    base = Line(points, plain_name(wound), "injury.staunch.obstacles")
    seconds = minutes_for("stop_bleeding", skill.name) * points * 60
    attempt, obstacle = yield from _prepare(care, skill, base, seconds, table)
    thrown = yield from throw_attempt(attempt, obstacle, table)
    return then(staunched, care, attempt, thrown, obstacle, seconds, table)


def _check_may_staunch(patient: Sheet, wound: Wound, now: int) -> None:
    """It bleeds, it is not staunched already, and it has not been staunched too often.

    injury.staunch.renew, injury.staunch.limit: Health times for each wound
    (injury.amb.staunch_clock).
    """
    if not may_bleed(wound):
        what = f"There is no bleeding to stop from the {plain_name(wound)}"
        raise NotAllowed(what, "injury.bleed.superficial_light_none")
    if wound.staunched and wound.held > now:
        left = say_duration(wound.held - now)
        what = f"The bleeding is stopped for another {left}; try again after that"
        raise NotAllowed(what, "injury.staunch.renew")
    most = most_staunchings(patient)
    if wound.staunched >= most:
        what = f"The bleeding has been stopped {most} times already; treat the {plain_name(wound)}"
        raise NotAllowed(what, "injury.staunch.limit")


def staunched(
    care: Care,
    attempt: Attempt,
    thrown: artha.ThrownDice,
    obstacle: Tally,
    seconds: int,
    table: BurningTable,
) -> Play[CareOutcome]:
    """The bleeding stops for Health hours (injury.staunch.duration), or it goes on.

    Its clock starts afresh (injury.amb.staunch_clock), when the hours are over.
    """
    at = care.wound - 1
    patient = table.character(care.patient)
    wound = patient.wounds[at]
    result, complication, table = yield from _verdict(attempt, thrown, obstacle, table)
    quickly = yield from _quickly(attempt, result.margin, "injury.staunch.time")
    seconds = time_taken(seconds, careful=attempt.takes_longer, quickly=quickly)
    yield from note(f"It took {say_duration(seconds)}.", "injury.staunch.time")
    ready = table.scene.calendar.moment + seconds
    if result.passed:
        hours = patient.ability("Health").rating.exponent
        table = yield from set_wound(
            table,
            care.patient,
            at,
            because="injury.staunch.duration",
            staunched=wound.staunched + 1,
            held=ready + hours * HOUR,
            bled=0,
            failed=tuple(by for by in wound.failed if not by.startswith("staunching")),
        )
        lasts = say_duration(hours * HOUR)
        text = f"{patient.name}'s bleeding stops for {lasts}; the wound must still be treated."
        yield from note(text, "injury.staunch.treatment_still_needed")
    else:
        failed = (*wound.failed, _by(care, attempt.agreed.tested, "staunching"))
        table = yield from set_wound(
            table, care.patient, at, because="injury.staunch.renew", failed=failed
        )
        table = yield from _hold(care, wound, ready, table)
    return CareOutcome.of(
        result,
        level=wound.level.value,
        seconds=seconds,
        quickly=quickly,
        condition=condition(table.character(care.patient)).value,
        complication=complication,
    )


PROCEDURES = (
    Procedure("treat", "Treatment", Care, treat),
    Procedure("stop_bleeding", "Stop the bleeding", Care, stop_bleeding),
)
