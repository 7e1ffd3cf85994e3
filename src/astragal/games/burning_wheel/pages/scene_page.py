"""The scene as a page for everybody, and what only the GM may know of it."""

from __future__ import annotations

from astragal.games.page import Row, Section, present

from ..conditions.set_aside import PARTS
from ..rogues.set_up import say_limits
from ..sheet.calendar import date_of
from ..sheet.scene import BurningTable, Pursuit, SearchRecord, SetUpLimits
from ..sheet.words import counted
from .prayers import faith_rows

SECRET = frozenset({"enemies", "searches", "warned"})
"""Fields of the scene that only the GM may see.

Enemies, and searches that somebody may detect (circles.naming.gm_names_enemies,
circles.detect.use); a warning to a player is between the two of them
(artha.withhold.warn_first).
"""


def scene_page(table: BurningTable) -> tuple[Section, ...]:
    """The date, what rides, who hesitates, what is under way; enemies and searches in secret."""
    return present(
        Section("The game", "list", _set_up(table)),
        _time(table),
        Section("Let it Ride", "list", _rides(table)),
        Section("Hesitating", "list", _shaken(table)),
        Section("In the saddle", "list", _riders(table)),
        Section("Under way", "list", _under_way(table)),
        Section("Settled", "list", _settled(table)),
        Section("Faiths and holy places", "list", faith_rows(table)),
        Section("Enemies", "list", _enemies(table), secret=True),
        Section("Circles searches", "list", _searches(table), secret=True),
        Section("Warned", "list", _warned(table), secret=True),
    )


LATEST_RIDES = 30
"""How many of the results that ride are shown."""


def _name(table: BurningTable, key: str) -> str:
    sheet = table.characters.get(key)
    return key if sheet is None else sheet.name


def _names(table: BurningTable, keys: tuple[str, ...]) -> str:
    return ", ".join(_name(table, key) for key in keys)


def _set_up(table: BurningTable) -> tuple[Row, ...]:
    """What the game is about, its limits, what is not in it, and practice as the GM has it."""
    scene = table.scene
    left_out = ", ".join(PARTS.get(each, each) for each in scene.set_aside)
    limits = "" if scene.limits == SetUpLimits() else say_limits(scene.limits)
    cycles = [
        Row(
            f"Practice of {each.ability}",
            counted(each.months, "month"),
            note="hours a day: " + ", ".join(map(str, each.hours)),
            rule="advancement.amb.practice_missing_abilities",
        )
        for each in scene.practice_cycles
    ]
    rows = (
        Row("Concept", scene.concept, rule="rogues.setup.concept"),
        Row("Players' characters", limits, rule="rogues.setup.lifepath_limits"),
        Row("Not in this game", left_out, rule="rogues.setup.pick_mechanics"),
        *cycles,
    )
    return tuple(row for row in rows if row.value)


def _time(table: BurningTable) -> Section:
    calendar = table.scene.calendar
    month, day = date_of(calendar.day, table)
    clock = f"{calendar.hour:02d}:{calendar.seconds % 3600 // 60:02d}"
    rows = [
        Row("Date", f"day {day} of month {month}", note=f"day {calendar.day + 1} of the campaign"),
        Row("Time", clock),
    ]
    if table.scene.session:
        rows.append(Row("Session", str(table.scene.session)))
    return Section("Date and time", "list", tuple(rows))


def _rides(table: BurningTable) -> tuple[Row, ...]:
    """The latest results that ride; a page with those of a whole campaign would help nobody."""
    earlier = len(table.scene.rides) - LATEST_RIDES
    rows = tuple(
        Row(
            f"{_name(table, ride.character)}, {ride.ability}"
            + (f": {ride.intent}" if ride.intent else ""),
            "passed" if ride.passed else "failed",
            note=counted(ride.successes, "success"),
            rule="tests.let_it_ride.one_roll",
        )
        for ride in table.scene.rides[-LATEST_RIDES:]
    )
    if earlier <= 0:
        return rows
    many = counted(earlier, "result")
    return (Row("Earlier", many, note="still standing", rule="tests.let_it_ride.one_roll"), *rows)


def _shaken(table: BurningTable) -> tuple[Row, ...]:
    rows = []
    for left in table.scene.hesitating:
        how = [left.reaction.replace("_", " ")]
        how.append(f"flees from {left.flees_from}" if left.flees_from else "")
        how.append("prone" if left.prone else "")
        how.append(f"has dropped {left.dropped}" if left.dropped else "")
        rows.append(
            Row(
                _name(table, left.character),
                counted(left.heartbeats, "heartbeat"),
                note=", ".join(filter(None, how)),
                rule="steel.hesitation.heartbeat",
            )
        )
    return tuple(rows)


def _riders(table: BurningTable) -> tuple[Row, ...]:
    """Who rides what, and how firmly."""
    return tuple(
        Row(
            _name(table, each.rider),
            f"on {_name(table, each.mount)}",
            note="half out of the saddle" if each.half_out else "",
            rule="riding.lance.unhorse_one_pace" if each.half_out else "riding.test.rider_training",
        )
        for each in table.scene.riders
    )


def _under_way(table: BurningTable) -> tuple[Row, ...]:
    scene = table.scene
    rows = [Row("Chase", _chase(chase, table)) for chase in scene.chases]
    rows += [
        Row(
            f"Series: {series.title}",
            _names(table, series.characters),
            rule="advancement.series.one_test",
        )
        for series in scene.series
    ]
    rows += [
        Row(
            f"{_name(table, course.instructor)} teaches {_name(table, course.student)}",
            course.skill,
            note=f"since day {course.since + 1}",
            rule="advancement.instruction.time",
        )
        for course in scene.courses
    ]
    rows += [
        Row(
            f"{_name(table, each.character)}'s Aristeia",
            f"{each.form.replace('_', ' ')}: {each.ability}",
            note=each.goal,
            rule="artha.aristeia.choose_form",
        )
        for each in scene.aristeias
    ]
    rows += [
        Row(
            f"{_name(table, bomb.bomber)}'s lit bomb",
            f"goes off in {bomb.due}",
            note=f"near it: {_names(table, tuple(each.character for each in bomb.near))}"
            if bomb.near
            else "",
        )
        for bomb in scene.bombs
    ]
    rows += [
        Row(
            f"{_name(table, cover.character)} behind a shield",
            f"against {_name(table, cover.shooter)}",
            note="hiding" if cover.hiding else cover.area,
        )
        for cover in scene.covers
    ]
    return tuple(rows)


def _chase(chase: Pursuit, table: BurningTable) -> str:
    pairs = [
        f"{_name(table, pair.pursuer)} after {_name(table, pair.pursued)}"
        + (f" ({_name(table, pair.ahead)} ahead)" if pair.ahead else "")
        for pair in chase.pairs
    ]
    parts = f", test {chase.made + 1} of {chase.tests}" if chase.tests else ""
    return "; ".join(pairs) + parts


def _settled(table: BurningTable) -> tuple[Row, ...]:
    scene = table.scene
    rows = [
        Row(fate.wish, "granted" if fate.granted else "refused", rule="die_of_fate.roll.when")
        for fate in scene.fates
    ]
    rows += [
        Row(
            f"{_name(table, shut.character)} keeps silent",
            shut.about,
            rule="duel_of_wits.setup.walk_away_silence",
        )
        for shut in scene.closed_arguments
    ]
    rows += [
        Row(
            f"{_name(table, text.reader)} has read {text.title}",
            "understood" if text.understood else "not understood",
        )
        for text in scene.instructions
    ]
    rows += [
        Row(
            section.name,
            "destroyed" if section.destroyed else section.material,
            note=f"scratched {section.scratches}, breached {section.breaches}"
            if section.scratches or section.breaches
            else "",
            rule="materials.scope.sections",
        )
        for section in scene.sections
    ]
    rows += [
        Row(
            f"Lost: {thing.called}",
            f"{_name(table, thing.owner)}'s" if thing.owner else "",
            note=thing.how,
            rule="tests.gear.acquisition",
        )
        for thing in scene.lost
    ]
    if scene.complications:
        rows.append(Row("Complications", "in play"))
    if scene.argh_my_arm:
        rows.append(Row("Argh, My Arm!", "in play"))
    return tuple(rows)


# --- For the GM alone ----------------------------------------------------------------------


def _enemies(table: BurningTable) -> tuple[Row, ...]:
    return tuple(
        Row(
            enemy.name,
            f"against {_name(table, enemy.character)}",
            note=enemy.grudge,
            rule="circles.naming.gm_names_enemies",
        )
        for enemy in table.scene.enemies
    )


def _searches(table: BurningTable) -> tuple[Row, ...]:
    def note(search: SearchRecord) -> str:
        words = [f"about {_name(table, search.about)}" if search.about else ""]
        words.append("nobody found" if search.failed else "")
        words.append("compared with a detection test" if search.compared else "")
        return ", ".join(filter(None, words))

    return tuple(
        Row(
            f"{_name(table, search.seeker)} searched for {search.sought}",
            f"Ob {search.obstacle}",
            note=note(search),
        )
        for search in table.scene.searches
    )


def _warned(table: BurningTable) -> tuple[Row, ...]:
    return tuple(
        Row(seat, "warned", rule="artha.withhold.warn_first") for seat in table.scene.warned
    )
