"""The page of a Burning Wheel sheet: marks, what is to go, the grayscale, secrets of the scene."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.advancement.requirements import requirement
from astragal.games.burning_wheel.pages.sheet_page import to_go
from astragal.games.burning_wheel.sheet.parts import AbilityLog
from astragal.games.burning_wheel.weapons.damage import cards_of
from astragal.games.page import Mark, Page, Row, Section


def page_of(sheet: dict[str, Any], scene: dict[str, Any] | None = None, **options: str) -> Page:
    read = GAME.read_sheet({"name": "Hild", **sheet}, "hild")
    there = GAME.read(scene or {}, GAME.scene, "scene")
    return GAME.page(read, "hild", GAME.table({"hild": read}, there, options))


def section(page: Page, title: str) -> Section:
    return next(each for each in page.sections if each.title == title)


def row(page: Page, title: str, label: str) -> Row:
    return next(each for each in section(page, title).rows if each.label == label)


def test_a_skill_shows_what_it_has_and_what_is_to_go():
    page = page_of({"skills": {"Sword": {"rating": "B3", "log": {"routine": 1, "difficult": 1}}}})
    sword = row(page, "Skills", "Sword")
    assert (sword.value, sword.path, sword.raw) == ("B3", "skills.Sword.rating", "B3")
    assert sword.note == "2 routine, and 1 difficult or 1 challenging to go"
    assert sword.marks == (
        Mark("routine", 1, 3),
        Mark("difficult", 1, 2),
        Mark("challenging", 0, 1),
    )


def test_a_stat_needs_no_routine_tests_and_perception_only_successes():
    page = page_of({"stats": {"Will": "B3", "Perception": "B3"}})
    assert row(page, "Stats", "Will").marks == (Mark("difficult", 0, 2), Mark("challenging", 0, 1))
    assert "only successes count" in row(page, "Stats", "Perception").note
    assert "only successes count" not in row(page, "Stats", "Will").note


def test_what_follows_its_stats_has_no_log_and_what_has_no_exponent_needs_any_test():
    page = page_of({"attributes": {"Reflexes": "B4", "Health": "B0"}, "stats": {"Will": "B4"}})
    assert row(page, "Attributes", "Reflexes").note == "follows its stats"
    assert row(page, "Attributes", "Reflexes").marks == ()
    assert row(page, "Attributes", "Health").note == "any one test to go"


@pytest.mark.parametrize(
    ("title", "example", "ties"),
    [("Beliefs", "I will ...", "texts"), ("Instincts", "Always ...", "")],
)
def test_a_belief_says_what_somebody_will_do_and_an_instinct_what_they_always_do(
    title: str, example: str, ties: str
):
    found = section(page_of({"beliefs": ["I will rule"], "instincts": ["Always armed"]}), title)
    assert (found.example, found.ties) == (example, ties)


def test_artha_toward_an_epiphany_is_shown_once_there_is_some():
    page = page_of({"skills": {"Sword": {"rating": "B10", "spent": {"fate": 7}}, "Bow": "B10"}})
    assert row(page, "Skills", "Sword").marks == (
        Mark("fate", 7, 20, aside=True),
        Mark("persona", 0, 10, aside=True),
        Mark("deeds", 0, 3, aside=True),
    )
    assert row(page, "Skills", "Bow").marks == ()


@given(
    st.sampled_from(["skill", "stat"]),
    st.integers(1, 9),
    st.builds(AbilityLog, *[st.integers(0, 9)] * 3),
)
def test_whoever_makes_the_tests_that_are_to_go_has_all_it_takes(
    advances: str, exponent: int, log: AbilityLog
):
    needed = requirement(advances, exponent)
    assert needed is not None
    words = to_go(needed, log)
    assert (words == "") == needed.is_met(log)
    counts = {each: getattr(log, each) for each in AbilityLog.__struct_fields__}
    said = words.removesuffix(" to go").replace(", and ", " and ").split(" or ")
    for part in said[0].split(" and ") if words else []:
        number, what = part.split()
        counts[what] += int(number)
    assert needed.is_met(AbilityLog(**counts))
    if len(said) == 2:  # the other way will do as well
        other = {each: getattr(log, each) for each in AbilityLog.__struct_fields__}
        routine = [part for part in said[0].split(" and ") if part.endswith("routine")]
        for part in [*routine, said[1]]:
            number, what = part.split()
            other[what] += int(number)
        assert needed.is_met(AbilityLog(**other))


def test_the_grayscale_has_its_tolerances_and_wounds_where_they_lie():
    page = page_of(
        {
            "tolerances": "B4",
            "wounds": [{"level": "Midi", "at": "B7"}, "Superficial"],
            "attributes": {"Reflexes": "B5"},
        }
    )
    track = section(page, "Grayscale")
    steps = {step.label: step for step in track.steps}
    assert list(steps) == [f"B{number}" for number in range(1, 17)]
    assert {label: step.names for label, step in steps.items() if step.names} == {
        "B3": ("Superficial",),
        "B5": ("Light",),
        "B7": ("Midi",),
        "B8": ("Severe",),
        "B9": ("Traumatic",),
        "B10": ("Mortal",),
    }
    assert [label for label, step in steps.items() if step.marked] == ["B7"]
    assert track.note == "-2D +1 Ob, fit, 3 actions"
    assert [each.value for each in track.rows] == ["-2D", "+1 Ob"]
    assert next(badge for badge in page.badges if badge.label == "Wounds").value == "-2D +1 Ob"


def test_badges_show_artha_and_hesitation():
    scene = {"hesitating": [{"character": "hild", "heartbeats": 3, "reaction": "swoon"}]}
    page = page_of({"artha": {"fate": 2, "persona": 1}}, scene)
    shown = {badge.label: badge.value for badge in page.badges}
    assert shown == {"Fate": "2", "Persona": "1", "Deeds": "0", "Hesitates": "3"}
    assert [badge.award for badge in page.badges] == [True, True, True, False]


def test_taxed_resources_and_steel_say_what_they_are_worth():
    page = page_of(
        {
            "resources": {"rating": "B4", "taxed": 1},
            "stats": {"Will": "B4"},
            "attributes": {"Steel": "B5"},
        }
    )
    assert row(page, "Attributes", "Resources").value == "B4 (1 taxed)"
    assert "hesitation 6" in row(page, "Attributes", "Steel").note


@pytest.mark.rules("resources.cash.bonus", "resources.tax.temporary")
def test_cash_and_tax_step_back_only_where_there_are_none():
    rich = page_of({"name": "Mara", "resources": {"rating": "B4", "cash": 2}})
    taxed = page_of({"name": "Mara", "resources": {"rating": "B4", "taxed": 1}})
    shown = [
        (row(page, "Wealth", "Cash dice").quiet, row(page, "Wealth", "Taxed dice").quiet)
        for page in (rich, taxed)
    ]
    assert shown == [(False, True), (True, False)]


def test_what_an_ability_looks_like_depends_on_what_else_is_on_the_sheet():
    steel = {"attributes": {"Steel": "B5"}}
    notes = [
        row(page_of(sheet), title, name).note
        for sheet, title, name in (
            ({**steel, "stats": {"Will": "B4"}}, "Attributes", "Steel"),
            ({**steel, "stats": {"Will": "B7"}}, "Attributes", "Steel"),
            (steel, "Attributes", "Steel"),
            ({"stats": {"Power": "B4"}, "caps": {"Power": 6}}, "Stats", "Power"),
            ({"stats": {"Power": "B4"}, "caps": {"Power": 5}}, "Stats", "Power"),
            ({"stats": {"Power": "B4"}}, "Stats", "Power"),
        )
    ]
    found = [
        [
            word
            for word in ("hesitation 6", "hesitation 3", "maximum 6", "maximum 5")
            if word in note
        ]
        for note in notes
    ]
    assert found == [["hesitation 6"], ["hesitation 3"], [], ["maximum 6"], ["maximum 5"], []]


def test_an_emotion_advances_by_the_edition_of_the_table():
    grieving = {"attributes": {"Grief": "B3"}}
    revised, gold, again = (
        row(page_of(grieving, edition=edition), "Attributes", "Grief").marks
        for edition in ("revised", "gold", "revised")
    )
    assert revised == again == ()
    assert gold == (Mark("routine", 0, 3), Mark("difficult", 0, 2), Mark("challenging", 0, 1))


def test_a_test_shows_on_the_ability_that_was_tested_and_on_no_other():
    def skills(routine: int) -> dict[str, Any]:
        return {"Mace": {"rating": "B3", "log": {"routine": routine}}, "Bow": "B3", "Sums": "B3"}

    before, after = (section(page_of({"skills": skills(n)}), "Skills").rows for n in (0, 1))
    assert [each.label for each in before] == [each.label for each in after]
    assert [a.label for a, b in zip(before, after, strict=True) if a != b] == ["Mace"]
    assert after[0].marks[0] == Mark("routine", 1, 3)


def test_forms_may_name_what_can_be_tested_with_its_rating_of_now():
    sheet = {
        "stats": {"Will": "B4"},
        "attributes": {"Reflexes": "B4", "Steel": "G5"},
        "skills": {"Mace": "B0", "Bow": "B3"},
        "resources": {"rating": "B4", "taxed": 4},
        "circles": "B2",
    }
    named = [option.label for option in page_of(sheet).choices["ability"]]
    assert named == ["Will B4", "Steel G5", "Bow B3", "Circles B2"]


@pytest.mark.parametrize("power", ["B4", "B7", "G5"])
@pytest.mark.parametrize("fists", ["", "G"])
def test_weapons_do_on_the_page_what_they_do_in_these_hands(power: str, fists: str):
    hands = {
        "stats": {"Power": power},
        "traits": [{"name": "Stony", "kind": "die", "fists": fists}],
        "weapons": ["sword", "bare fist", "hunting bow", "throwing knife"],
    }
    sheet = GAME.read_sheet({"name": "Hild", **hands}, "hild")
    table = GAME.table({"hild": sheet})
    shown = {each.label: each.note for each in section(page_of(hands), "Weapons").rows}
    assert shown == {
        carried.called: "; ".join(map(str, cards_of(sheet, carried, table.options)))
        for carried in sheet.weapons
    }


class Watched:
    """A scene that notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        self.asked.add(name)
        return getattr(GAME.scene(), name)


@pytest.mark.parametrize(("wounds", "looks"), [([], False), (["Light"], True)])
def test_only_wounds_make_a_page_look_at_the_calendar(wounds: list[str], looks: bool):
    sheet = GAME.read_sheet({"name": "Hild", "tolerances": "B4", "wounds": wounds}, "hild")
    scene = Watched()
    GAME.page(sheet, "hild", GAME.table({"hild": sheet}, scene))
    assert ("calendar" in scene.asked) == looks
    assert "hesitating" in scene.asked


@pytest.mark.parametrize("stats", [{}, {"Power": "B4"}])
def test_weapons_are_there_whether_or_not_the_sheet_has_power(stats: dict[str, str]):
    page = page_of({"stats": stats, "weapons": ["sword"], "armor": {"suit": "chainmail"}})
    weapon = row(page, "Weapons", "sword")
    assert bool(weapon.note) == bool(stats)
    assert row(page, "Armor", "Torso").value == "5D"
    assert row(page, "Armor", "Head").value == "4D"


SCENE = {
    "calendar": {"day": 30, "seconds": 5 * 3600 + 600, "began": [1, 15]},
    "rides": [
        {
            "character": "hild",
            "ability": "Sword",
            "intent": "win",
            "successes": 3,
            "passed": True,
        }
    ],
    "enemies": [{"character": "hild", "name": "Grim", "grudge": "an old debt"}],
    "searches": [{"seeker": "hild", "sought": "a fence", "obstacle": 3}],
    "warned": ["anna"],
    "closed_arguments": [{"character": "hild", "about": "the dues"}],
    "series": [{"title": "the siege", "characters": ["hild"]}],
    "sections": [{"name": "gate", "material": "oak", "scratches": 2}],
    "fates": [{"wish": "a ladder", "granted": True}],
    "chases": [
        {"runners": [], "pairs": [{"pursuer": "hild", "pursued": "x", "ahead": "x"}], "tests": 3}
    ],
}


def test_the_scene_is_readable_and_its_secrets_are_the_gms():
    sheet = GAME.read_sheet({"name": "Hild"}, "hild")
    table = GAME.table({"hild": sheet}, GAME.read(SCENE, GAME.scene, "scene"))
    sections = {each.title: each for each in GAME.scene_page(table)}
    when = {each.label: each.value for each in sections["Date and time"].rows}
    assert when == {"Date": "day 14 of month 2", "Time": "05:10"}
    assert sections["Date and time"].rows[0].note == "day 31 of the campaign"  # 30 have passed
    assert sections["Let it Ride"].rows[0].label == "Hild, Sword: win"
    secret = [title for title, each in sections.items() if each.secret]
    assert secret == ["Enemies", "Circles searches", "Warned"]
    for_all = str([each for each in sections.values() if not each.secret])
    for word in ("Grim", "an old debt", "a fence", "anna"):
        assert word not in for_all
    for word in (
        "the dues",
        "the siege",
        "gate",
        "a ladder",
        "Hild after x (x ahead), test 1 of 3",
    ):
        assert word in for_all
    assert GAME.secret_scene == {"enemies", "searches", "warned"}


@pytest.mark.rules("die_of_fate.roll.when")
def test_what_the_die_of_fate_has_settled_is_there_to_read():
    fates = [{"wish": "a ladder", "granted": True}, {"wish": "an open gate", "granted": False}]
    table = GAME.table({}, GAME.read({"fates": fates}, GAME.scene, "scene"))
    shown = {row.label: row.value for each in GAME.scene_page(table) for row in each.rows}
    assert (shown["a ladder"], shown["an open gate"]) == ("granted", "refused")


def test_practice_as_the_gm_has_it_is_in_the_scene():
    cycles = [{"ability": "Resources", "months": 2, "hours": [3, 4, 9]}]
    table = GAME.table({}, GAME.read({"practice_cycles": cycles}, GAME.scene, "scene"))
    shown = [row for each in GAME.scene_page(table) for row in each.rows]
    (row,) = (row for row in shown if row.label == "Practice of Resources")
    assert (row.value, row.note) == ("2 months", "hours a day: 3, 4, 9")


def test_lost_gear_is_in_the_scene_for_all_to_see():
    sheet = GAME.read_sheet({"name": "Hild"}, "hild")
    lost = {"lost": [{"gear": {"name": "Rope"}, "owner": "hild", "how": "left behind"}]}
    table = GAME.table({"hild": sheet}, GAME.read(lost, GAME.scene, "scene"))
    shown = [row for each in GAME.scene_page(table) if not each.secret for row in each.rows]
    (rope,) = (row for row in shown if row.label == "Lost: Rope")
    assert (rope.value, rope.note) == ("Hild's", "left behind")


def test_every_field_of_the_scene_is_shown_or_left_out_on_purpose():
    bookkeeping = {
        "cycle_began",
        "harrowed",
        "shaken",
        "shot_covers",
        "since_trait_vote",
        "tax_collectors",
        "trait_votes_every",
    }
    shown = {
        "aristeias",
        "argh_my_arm",
        "bombs",
        "calendar",
        "chases",
        "closed_arguments",
        "complications",
        "concept",
        "courses",
        "covers",
        "enemies",
        "fates",
        "hesitating",
        "holy_places",
        "instructions",
        "limits",
        "lost",
        "practice_cycles",
        "religions",
        "riders",
        "rides",
        "searches",
        "sections",
        "series",
        "session",
        "set_aside",
        "warned",
    }
    assert set(GAME.scene.__struct_fields__) == shown | bookkeeping
