"""Take the README's pictures of the page from played scenes: `python docs/pictures/page.py`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tests"))

from browser.chromium import chromium  # noqa: E402
from browser.pages import Pages  # noqa: E402
from browser.people import PHONE, People, Person  # noqa: E402
from browser.server import Server  # noqa: E402
from browser.test_evening import test_an_evening_of_five  # noqa: E402

LARGEST = 240_000
LARGEST_KEPT = 120_000
QUIET = 500
"""Milliseconds after which nothing moves any more."""
LINES = {
    "obstacle": 3,
    "on_failure": "The porter sells the question to Captain Orrin",
}
FACES = [6, 5, 4, 2, 4, 1, 3, 5]
CARDS = {"anna": ["Point", "Feint", "Dismiss"], "bert": ["Incite", "Point", "Rebuttal"]}
MANEUVERS = {
    "anna": ["Perception Maintain", "Speed Close", "Speed Maintain"],
    "gm": ["Speed Close", "Speed Close", "Speed Maintain"],
}
SKIRMISH = {
    "about": "the king's deer",
    "start": "extreme/optimal",
    "sides": [
        {"shooters": [{"character": "forester_wyn"}], "cover": "reasonable"},
        {"shooters": [{"character": "poacher_sig"}]},
    ],
}
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
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Bert", "tam")
    campaign.do({"do": "own_dice", "on": True}, "anna")
    gus, anna, bert = (people.sits(campaign, seat) for seat in ("gm", "anna", "bert"))
    phone = people.sits(campaign, "anna", size=PHONE, touch=True)
    anna.suggestion("Mara looks for the smugglers' door")
    for key, value in LINES.items():
        gus.drafts(key, value)
    bert.drafts("help", "Observation")
    anna.page.locator("ast-odds .large").wait_for()
    anna.page.locator("[data-ask=boon] [data-way=up]").wait_for()  # the last of the choices
    save(anna, "table")
    while not anna.page.locator(".result-card").count():
        who = people.next_of(gus, anna, bert)
        who.answer(FACES if who.card.locator(".face-box").count() else None)
    phone.page.locator(".result-card").wait_for()
    save(phone, "phone")


def a_duel(people: People) -> None:
    """The first volley is turned over."""
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Bert", "harbourmaster_dunn")
    gus, anna, bert = (people.sits(campaign, seat) for seat in ("gm", "anna", "bert"))
    campaign.do({"do": "begin", "procedure": "duel_of_wits", "arguments": DUEL})
    while not anna.page.locator(".reveal").count():
        who = people.next_of(gus, anna, bert)
        who.answer(CARDS[who.name] if who.page.locator("ast-script").count() else None)
    save(bert, "duel")


def a_fight(people: People) -> None:
    """The first volley of the demo's fight is turned over."""
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus, anna = (people.sits(campaign, seat) for seat in ("gm", "anna"))
    gus.suggestion("Mara and Serjeant Hale meet Ketil the Loud")
    while not gus.page.locator(".reveal").count():
        people.next_of(gus, anna).answer()
    gus.page.locator(".fight-picture").first.scroll_into_view_if_needed()
    save(gus, "fight")


def a_skirmish(people: People) -> None:
    """Two archers, and the first volley between them."""
    campaign = people.server.create("burning_wheel", demo=False, title="At the ford")
    campaign.seat("Anna")
    for key, seat in (("forester_wyn", "anna"), ("poacher_sig", "gm")):
        campaign.do({"do": "join", "character": key, "ready": key})
        campaign.do({"do": "give", "character": key, "seat": seat})
    gus, anna = (people.sits(campaign, seat) for seat in ("gm", "anna"))
    campaign.do({"do": "begin", "procedure": "range_and_cover", "arguments": SKIRMISH})
    while not gus.page.locator(".reveal").count():
        who = people.next_of(gus, anna)
        who.answer(MANEUVERS[who.name] if who.page.locator("ast-script").count() else None)
    gus.page.locator(".roll-odds").wait_for()
    gus.page.locator(".fight-picture").first.scroll_into_view_if_needed()
    save(gus, "skirmish")


EVENING = (
    "new_character",
    "sheet_dark",
    "plain_phone",
    "helped",
    "helped_gm",
    "versus_filled_dark",
    "versus_gm",
    "bloody_dark",
    "artha",
    "artha_phone",
    "ended_anna",
    "ended_bert",
)
"""The pictures of an evening that are kept, in its order; docs/evening.md shows them."""


def an_evening(people: People) -> None:
    """An evening of five in a new campaign, which is one of the tests."""
    test_an_evening_of_five(people)


def keep(shots: Path) -> None:
    """Keep the pictures of the evening that docs/evening.md shows."""
    folder = HERE / "evening"
    folder.mkdir(exist_ok=True)
    for name in EVENING:
        path = folder / f"{name}.jpg"
        path.write_bytes((shots / path.name).read_bytes())
        size = path.stat().st_size
        assert size < LARGEST_KEPT, f"{path.name} has {size} bytes"
        print(f"drew {HERE.name}/{folder.name}/{path.name}, {size} bytes")


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
        server = Server(Path(folder))
        try:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            shots = Path(folder) / "evening"
            Person.suffix = "jpg"
            for scene in (a_test, a_duel, a_fight, a_skirmish, an_evening):
                people = People(Pages(browser), server, shots)
                scene(people)
                troubles = people.leave()
                assert not troubles, troubles
            keep(shots)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
