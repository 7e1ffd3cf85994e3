"""Shown around once; keys instead of a mouse; a page that can be installed."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from browser.people import PHONE, WIDE, People, Person
from browser.test_accessibility import faults
from browser.test_taps import is_rolled

TOUR = "A look around"


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_shown_around_once_in_five_steps(people: People, size: tuple[int, int]) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    anna = people.sits(campaign, "anna", size=size, shown_around=False)
    tour = anna.page.get_by_role("region", name=TOUR)
    for number in range(1, 6):
        expect(tour).to_contain_text(f"{number} of 5")
        expect(anna.page.locator(".is-shown-around")).to_be_in_viewport()
        expect(tour).to_be_in_viewport(ratio=1)
        anna.shot(f"tour_{number}")
        assert faults(anna, "ast-tour") == []
        tour.get_by_role("button", name="Close" if number == 5 else "Next").click()
    expect(tour).to_be_hidden()
    expect(anna.page.locator(".is-shown-around")).to_have_count(0)
    expect(anna.page.locator("#panel-play" if size == PHONE else "#panel-sheet")).to_be_visible()
    anna.page.reload()
    expect(anna.play).to_be_visible()
    expect(tour).to_be_hidden()


def test_skipped_and_shown_again(people: People) -> None:
    gus = people.sits(people.server.create("cores"), "gm", shown_around=False)
    tour = gus.page.get_by_role("region", name=TOUR)
    tour.get_by_role("button", name="Skip").click()
    expect(tour).to_be_hidden()
    gus.page.get_by_role("button", name="Keys and help").click()
    gus.page.get_by_role("button", name="Show me around").click()
    for _ in range(4):
        tour.get_by_role("button", name="Next").click()
    expect(tour).to_contain_text("Your GM panel.")
    expect(gus.page.locator("#panel-gm")).to_be_visible()


def press(person: Person, *keys: str) -> None:
    for key in keys:
        person.page.keyboard.press(key)


def test_a_test_by_keys_alone(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus, anna = (people.sits(campaign, seat) for seat in ("gm", "anna"))
    anna.page.get_by_role("button", name="Test Streetwise").first.press("Enter")
    expect(anna.shared_card).to_be_visible()
    anna.play.locator("ast-release .roll").wait_for()
    press(anna, "r")
    expect(gus.play.locator(".ask-row.missing .rung").first).to_be_visible()
    gus.page.locator("body").focus()
    press(gus, "3")
    is_rolled(gus, anna)


def test_keys_are_listed_and_can_be_switched_off(people: People) -> None:
    gus = people.sits(people.server.create("burning_wheel"), "gm")
    listed = gus.page.get_by_role("dialog", name="Keys and help")
    search = gus.play.get_by_role("searchbox", name="Search tests and actions")
    press(gus, "?")
    expect(listed).to_be_visible()
    expect(listed.get_by_role("button", name="Close")).to_be_focused()
    gus.shot("keys")
    assert faults(gus, "dialog.keys") == []
    press(gus, "Escape")
    expect(listed).to_have_count(0)
    press(gus, "/")
    expect(search).to_be_focused()
    press(gus, "?", "r")
    expect(search).to_have_value("?r")  # what is typed is typed
    press(gus, "Escape")
    expect(search).to_be_hidden()
    press(gus, "?")
    listed.get_by_role("checkbox", name="Use these keys").uncheck()
    press(gus, "Escape", "/")
    expect(listed).to_have_count(0)
    expect(search).to_be_hidden()


def test_a_phone_lists_no_keys(people: People) -> None:
    gus = people.sits(people.server.create("burning_wheel"), "gm", size=PHONE, touch=True)
    gus.page.get_by_role("button", name="Keys and help").click()
    listed = gus.page.get_by_role("dialog", name="Keys and help")
    expect(listed.get_by_role("button", name="Show me around")).to_be_visible()
    expect(listed.get_by_text("Search tests and actions")).to_be_hidden()
    expect(listed.get_by_role("checkbox", name="Use these keys")).to_be_hidden()
    gus.shot("help")


def test_a_notification_while_the_page_is_hidden(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    told = """
    window.told = [];
    window.Notification = class extends EventTarget {
      static permission = "default";
      static async requestPermission() { this.permission = "granted"; }
      constructor(title, { body }) { super(); window.told.push(`${title} | ${body}`); }
      close() {}
    };
    Object.defineProperty(document, "hidden", { get: () => window.away === true });
    """
    gus = people.sits(campaign, "gm", script=told)
    anna = people.sits(campaign, "anna")
    press(gus, "?")
    gus.page.get_by_role("checkbox", name="Notify me when it is my turn").check()
    press(gus, "Escape")
    gus.page.evaluate("window.away = true")
    anna.page.get_by_role("button", name="Test Streetwise").first.click()
    gus.until(lambda: bool(gus.page.evaluate("window.told.length")), "was told nothing")
    (said, *_) = gus.page.evaluate("window.told")
    assert said == "Your turn: The Roll of Dues | Obstacle"


def test_the_page_can_be_installed(people: People) -> None:
    gus = people.sits(people.server.create("burning_wheel"), "gm")
    address = gus.page.locator("link[rel=manifest]").get_attribute("href")
    answer = gus.page.request.get(people.server.url + (address or ""))
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = json.loads(answer.body())
    assert {"name", "short_name", "start_url", "display", "icons"} <= manifest.keys()
    sizes = gus.page.evaluate(
        """(icons) => Promise.all(icons.map(async ({ src }) => {
          const image = new Image();
          image.src = src;
          await image.decode();
          return image.naturalWidth;
        }))""",
        [each for each in manifest["icons"] if each["type"] == "image/png"],
    )
    assert sizes == [192, 512, 512]
