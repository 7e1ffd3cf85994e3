"""A whole evening in a new campaign: live with five people, and by post with two.

Nobody is asked anything twice while nothing has changed, and nobody is asked what is another's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from playwright.sync_api import Locator, expect

from browser.answering import give, missing, put, put_something, row
from browser.asked import Asked
from browser.people import PHONE, Choose, People, Person, as_usual
from browser.server import Campaign
from browser.test_new_character import Maker
from browser.test_taps import COUNT, LARGE, is_rolled, needed, roll, tap_ability, taps, with_scripts


@contextmanager
def counted(what: str, most: int, *people: Person) -> Iterator[None]:
    """Count the taps of all, and print them."""
    before = taps(*people)
    yield
    many = taps(*people) - before
    print(f"{what}: {many} taps")
    assert many <= most, f"{what}: {many} taps"


def is_asked_well(*people: Person) -> None:
    """Nothing twice, and to nobody what is another's; what was asked is printed."""
    seats = dict.fromkeys(person.name for person in people)
    asked = [Asked(seat, [each for each in people if each.name == seat]) for seat in seats]
    for each in asked:
        print(f"{each.seat} was asked {len(each.lines)} lines")
        print(*(f"  {line}" for line in each.lines), sep="\n")
    assert [each for one in asked for each in one.not_theirs] == []
    assert [f"{one.seat}: {each}" for one in asked for each in one.twice] == []
    assert all(one.lines for one in asked)


# --- Live ---------------------------------------------------------------------------------------

WREN = {"Will": "4", "Perception": "4", "Agility": "4", "Speed": "4", "Power": "3", "Forte": "4"}


def from_nothing(person: Person) -> None:
    """The short form: a name, a Belief, the stats, a line of skills; and Enter."""
    maker = Maker(person)
    maker.opens()
    maker.fills("Name", "Wren")
    maker.fills("Belief 1", "The duke will hear what his stewards do.")
    for stat, exponent in WREN.items():
        maker.fills(stat, exponent)
    maker.fills("Steel", "4")
    maker.adds("Add to Skills", "Persuasion 4, Oratory 3, Observation 3, Duke-wise 2")
    expect(maker.page.get_by_text("Ready")).to_be_visible()
    person.shot("new_character")
    maker.creates()
    expect(person.sheet.get_by_role("heading", level=2)).to_have_text("Wren")


def from_ready(person: Person, key: str, name: str) -> None:
    maker = Maker(person)
    maker.opens()
    maker.page.get_by_label("Start from").select_option(key)
    expect(maker.page.get_by_label("Name", exact=True)).not_to_have_value("")
    maker.fills("Name", name)
    person.shot(f"new_{name.lower()}")
    maker.creates()
    expect(maker.page).to_have_count(0)


def test_an_evening_of_five(people: People) -> None:
    campaign = people.server.create("burning_wheel", demo=False, title="The duke's stewards")
    for name in ("Anna", "Bert", "Cleo", "Dora"):
        campaign.seat(name)
    gus = people.sits(campaign, "gm", size=LARGE, script=COUNT)
    anna = people.sits(campaign, "anna", size=LARGE, script=COUNT)
    bert = people.sits(campaign, "bert", size=PHONE, touch=True, script=COUNT)
    cleo = people.sits(campaign, "cleo", scheme="dark", script=COUNT)
    dora = people.sits(campaign, "dora", script=COUNT)
    everyone = (gus, anna, bert, cleo, dora)
    gus.shot("empty_table")
    from_nothing(anna)
    from_ready(bert, "complicated_con_man", "Silas")
    from_ready(cleo, "experienced_soldier", "Hedda")
    from_ready(dora, "young_chronicler", "Orm")
    anna.shot("sheet")
    bert.shot("sheet_phone")
    cleo.shot("sheet_dark")
    adds_in_one_line(gus, "Steward, 4s, Oratory B4, steel 4")
    adds_in_one_line(gus, "Guard, 4s, Sword B4, steel 4, with sword")
    gus.gm_section("Awards").get_by_role("button", name="Give Wren 1 Persona").click()
    expect(anna.sheet).to_contain_text(re.compile(r"Persona\s*1"), use_inner_text=True)

    with counted("a plain test", 3, *everyone):
        tap_ability(bert, "Streetwise")
        expect(bert.play.locator(".tally summary").first).to_have_text("4D")
        bert.shot("plain_phone")
        roll(bert)
        expect(gus.shared_card).to_be_visible()
        gus.until_heard(lambda: needed(gus))
        is_rolled(*everyone)
    finishes(people, *everyone)
    bert.shot("plain_over_phone")

    with counted("a test of a stat", 3, *everyone):
        tap_ability(dora, "Perception")
        roll(dora)
        gus.until_heard(lambda: needed(gus))
        is_rolled(*everyone)
    finishes(people, *everyone)

    with counted("a test with help, a FoRK and persona", 9, *everyone):
        by_keyboard(anna.page.get_by_role("button", name="Test Persuasion").first)
        expect(anna.shared_card).to_be_visible()
        put(anna.shared_card, "ask_help", ["Silas"])
        put(anna.shared_card, "forks", ["Duke-wise"])
        by_keyboard(row(anna.shared_card, "boon").get_by_role("button", name="1", exact=True))
        anna.settle()
        expect(anna.play.locator(".tally summary").first).to_have_text("6D")
        anna.shot("helped")
        by_keyboard(anna.play.locator("ast-release .roll"))
        put(bert.shared_card, "help", "Falsehood")
        bert.settle()
        bert.shot("helper_phone")
        cleo.settle()
        cleo.shot("helped_dark")
        gus.settle()
        gus.shot("helped_gm")
        gus.until_heard(lambda: needed(gus))
        is_rolled(*everyone)
    finishes(people, *everyone)

    with counted("a versus test", 20, *everyone):
        versus(cleo)
        gus.drafts("ability", "Power")
        cleo.shot("versus_dark")
        gus.shot("versus_gm")
        finishes(people, *everyone)
    for seat in ("gm", "anna", "cleo"):  # what these two throw decides how long it lasts
        campaign.do({"do": "own_dice", "on": True}, seat)
    with counted("a Duel of Wits", 30, *everyone):
        campaign.do({"do": "begin", "procedure": "duel_of_wits", "arguments": DUEL}, "anna")
        people.play_until(lambda who: who.card.locator("ast-script").count(), *everyone)
        finishes(people, *everyone, choose=with_scripts(SCRIPTS, Wren=4))
    with counted("a bloody versus test", 12, *everyone):
        campaign.do({"do": "begin", "procedure": "bloody_versus", "arguments": BLOODY}, "cleo")
        finishes(people, *everyone, choose=with_scripts({}, Hedda=4))
    expect(cleo.page.get_by_role("region", name="Result").first).to_contain_text("wound")
    cleo.shot("bloody_dark")
    earns_artha(people, *everyone)
    ends(gus, *everyone)
    is_asked_well(*everyone)


SCRIPTS = {"anna": [["Point", "Point", "Point"]] * 3, "gm": [["Rebuttal", "Point", "Point"]] * 3}
DUEL = {
    "about": "whether the stewards may keep the tolls",
    "sides": [
        {
            "character": "wren_anna",
            "skill": "Persuasion",
            "case": "They rob the duke.",
            "wins": "the tolls are counted",
            "loses": "Wren keeps quiet",
        },
        {
            "character": "steward",
            "skill": "Oratory",
            "case": "They feed his soldiers.",
            "wins": "Wren keeps quiet",
            "loses": "the tolls are counted",
        },
    ],
}
BLOODY = {
    "attacker": {"character": "hedda_cleo", "weapon": "footman's axe"},
    "defender": {"character": "guard", "weapon": "sword"},
}


def by_keyboard(control: Locator) -> None:
    """Reach a control and press it without a pointer."""
    control.focus()
    control.press("Enter")


def finishes(people: People, *everyone: Person, choose: Choose = as_usual) -> list[str]:
    """The dice lie on the table; everybody answers until nothing is open any more."""
    for person in everyone:
        person.catches_up(*everyone)
    return people.play_out(*everyone, choose=choose)


def versus(cleo: Person) -> None:
    """Cleo says against whom and fills in her half; the GM fills in that of the guard."""
    form = cleo.compose("Versus test")
    cleo.shot("versus_against_dark")
    cleo.play.get_by_role("button", name="Against Guard").click()
    form.get_by_role("combobox", name="with").select_option(label="Brawling B4")
    cleo.shot("versus_filled_dark")
    cleo.begin()
    expect(cleo.shared_card).to_be_visible()


def earns_artha(people: People, *everyone: Person) -> None:
    """The artha of the evening: one card, on which the GM ticks what everybody has earned."""
    gus, anna, bert, cleo, dora = everyone
    section = gus.gm_section("Session and dice")
    section.get_by_role("button", name="Artha for the session").click()
    expect(gus.shared_card).to_be_visible()
    for name, award in (("Wren", "^Belief: The duke will hear"), ("Silas", "^Embodiment")):
        ticks = gus.shared_card.get_by_role("group", name=f"Artha ({name})")
        ticks.get_by_role("checkbox", name=re.compile(award)).check()
    put(dora.shared_card, "nominations", "Hedda for MVP")
    expect(gus.shared_card).to_contain_text("Hedda for MVP")
    gus.shot("artha")
    bert.settle()
    bert.shot("artha_phone")
    cleo.shot("artha_dark")
    finishes(people, *everyone)
    anna.hears(re.compile("Wren earns 1 fate"))
    cleo.hears(re.compile("Silas earns 1 persona"))


def ends(gus: Person, *everyone: Person) -> None:
    """The end of the session, with its pictures on every page."""
    gus.will_say(None)
    gus.gm_section("Session and dice").get_by_role("button", name="End session").click()
    gus.hears(re.compile("Session 1 (ends|is over)"))
    for person in everyone:
        ended = person.play.get_by_role("region", name="The end of session 1")
        expect(ended.get_by_role("img")).to_have_count(3)
        person.shot(f"ended_{person.name}")


def adds_in_one_line(gus: Person, line: str) -> None:
    panel = gus.gm_section("Add a character")
    panel.get_by_role("textbox", name="In one line").fill(line)
    panel.get_by_role("button", name="Add").click()
    name = line.partition(",")[0]
    expect(gus.page.locator("ast-people").get_by_text(name)).to_be_visible()


# --- By post --------------------------------------------------------------------------------------


BROKEN = """
() => [...document.querySelectorAll("ast-sheet .ability-name")]
  .filter((name) => name.checkVisibility() && !/[\\s-]/.test(name.innerText.trim()))
  .filter((name) => {
    const range = document.createRange();
    range.selectNodeContents(name);
    const tops = [...range.getClientRects()].map((box) => box.bottom);
    return Math.max(...tops) - Math.min(...tops) > 8;
  })
  .map((name) => name.innerText)
"""
"""The names of abilities, each a single word, that stand on more than one line."""


def visits(people: People, campaign: Campaign, seat: str) -> Person:
    """Somebody comes back alone, on a device that has never been here."""
    return people.sits(campaign, seat, script=COUNT)


def answers_all(person: Person) -> None:
    """Whatever is needed, line by line: one answer may bring the next; then ready."""
    card = person.is_asked()
    while lines := missing(card):
        person.until_heard(partial(put_something, lines[0][1]))
    if person.card.count():
        give(person.card, None)


def by_post(people: People, campaign: Campaign, most: int = 40) -> list[Person]:
    """The two take turns, each alone at the table, until nothing is open; all the visits."""
    came: list[Person] = []
    for at in range(most):
        person = visits(people, campaign, ("gm", "anna")[at % 2])
        came.append(person)
        person.settle()
        while person.card.count():
            person.until_heard(partial(answers_all, person))
        is_over = not person.play.locator("ast-procedure").count()
        person.shot(f"{at}_{person.name}")
        person.page.goto("about:blank")
        if is_over:
            return came
    raise AssertionError("it does not end")


def test_an_evening_by_post(people: People) -> None:
    campaign = people.server.create("burning_wheel", demo=False, title="Letters")
    campaign.seat("Anna")
    gus = people.sits(campaign, "gm")
    part = gus.gm_section("Campaign and files")
    part.get_by_label(re.compile("^Ask me first")).check()
    part.get_by_role("button", name="Save").click()
    adds_in_one_line(gus, "Steward, 4s, Oratory B4, Sword B3, steel 4, with sword")
    gus.page.goto("about:blank")
    anna = people.sits(campaign, "anna", script=COUNT)
    from_ready(anna, "courtier", "Isaak")
    expect(anna.sheet.get_by_role("button", name="Test Inconspicuous").first).to_be_visible()
    assert anna.page.evaluate(BROKEN) == [], "a word of the sheet is broken in two"
    for ability in ("Etiquette", "Oratory"):
        if ability != "Etiquette":
            anna = visits(people, campaign, "anna")
        tap_ability(anna, ability)
        anna.is_asked()
        anna.shot(ability)
        put(anna.shared_card, "forks", ["Noble-wise"])
        anna.until_heard(partial(roll, anna))
        anna.page.goto("about:blank")
        by_post(people, campaign)
    campaign.do({"do": "begin", "procedure": "bloody_versus", "arguments": POST_FIGHT}, "anna")
    by_post(people, campaign)
    is_asked_well(*people.all)


POST_FIGHT = {
    "attacker": {"character": "isaak_anna", "weapon": "poniard"},
    "defender": {"character": "steward", "weapon": "sword"},
}
