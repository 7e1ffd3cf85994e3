"""Take the README's pictures of the page from played scenes: `python docs/pictures/page.py`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))

from browser.chromium import chromium  # noqa: E402
from browser.house import House  # noqa: E402
from browser.people import PHONE, People, Person  # noqa: E402

LARGEST = 200_000
QUIET = 500
"""Milliseconds after which nothing moves any more."""
LINES = {
    "Obstacle": 3,
    "What happens if the test fails": "The porter sells the question to Captain Orrin",
}
FACES = [6, 5, 4, 2, 4, 1, 3, 5]
CARDS = {"anna": ["Point", "Feint", "Dismiss"], "bert": ["Incite", "Point", "Rebuttal"]}
DUEL = {
    "about": "whether the roll of dues may be seen",
    "sides": [
        {
            "character": "mara",
            "skill": "Persuasion",
            "case": "The roll belongs to all who pay the dues.",
            "wins": "Dunn opens the roll to Mara, tonight",
            "loses": "Mara says who sent her",
        },
        {
            "character": "harbourmaster_dunn",
            "skill": "Oratory",
            "case": "For thirty years nobody has read it but the sworn.",
            "wins": "Mara says who sent her",
            "loses": "Dunn opens the roll to Mara, tonight",
        },
    ],
}


def a_test(people: People) -> None:
    """The table as Mara's player sees it before the dice, and on a phone after them."""
    gathering = people.house.found("burning_wheel")
    gathering.seat("Anna", "mara")
    gathering.seat("Bert", "tam")
    gathering.do({"do": "own_dice", "on": True}, "anna")
    gus, anna, bert = (people.sits(gathering, seat) for seat in ("gm", "anna", "bert"))
    phone = people.sits(gathering, "anna", size=PHONE, touch=True)
    anna.suggestion("Mara looks for the smugglers' door")
    taken = False
    while not anna.page.locator(".result-card").count():
        who = people.next_of(gus, anna, bert)
        asked = who.is_asked().inner_text()
        if who is anna and "persona" in asked and not taken:
            who.page.locator("ast-odds .large").wait_for()
            save(who, "table")
            taken = True
        who.answer(choice(who, asked))
    phone.page.locator(".result-card").wait_for()
    save(phone, "phone")


def choice(who: Person, asked: str) -> object:
    """What makes a good picture."""
    if who.name == "gm" and "Obstacle" in asked:
        return LINES
    if who.name == "bert" and "Help with" in asked:
        return "Observation"
    return FACES if "The faces" in asked or "to go" in asked else None


def a_duel(people: People) -> None:
    """The first volley is turned over."""
    gathering = people.house.found("burning_wheel")
    gathering.seat("Anna", "mara")
    gathering.seat("Bert", "harbourmaster_dunn")
    gus, anna, bert = (people.sits(gathering, seat) for seat in ("gm", "anna", "bert"))
    gathering.do({"do": "begin", "procedure": "duel_of_wits", "arguments": DUEL})
    while not anna.page.locator(".reveal").count():
        who = people.next_of(gus, anna, bert)
        who.answer(CARDS[who.name] if who.page.locator("ast-script").count() else None)
    save(bert, "duel")


def save(person: Person, name: str) -> None:
    """Write a picture, and see that it is small."""
    path = HERE / f"{name}.png"
    person.page.mouse.move(0, 0)
    person.page.wait_for_timeout(QUIET)
    person.page.screenshot(path=path)
    size = path.stat().st_size
    assert size < LARGEST, f"{path.name} has {size} bytes"
    print(f"drew {HERE.name}/{path.name}, {size} bytes")


def main() -> None:
    """All of them."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder))
        try:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            for scene in (a_test, a_duel):
                people = People(browser, house, Path(folder))
                scene(people)
                troubles = people.leave()
                assert not troubles, troubles
        finally:
            house.stop()


if __name__ == "__main__":
    main()
