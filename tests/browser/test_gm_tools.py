"""The X-card, the table as a player sees it, and saved tests."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from browser.people import PHONE, People
from browser.pictures import a_picture
from browser.test_accessibility import faults

LARGE = (1400, 900)


@pytest.mark.parametrize("size", [LARGE, PHONE], ids=["wide", "phone"])
def test_anybody_stops_the_game_without_saying_why(people: People, size: tuple[int, int]) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.seat("Walt", role="spectator")
    gus = people.sits(campaign, "gm")
    anna = people.sits(campaign, "anna", size=size)
    walt = people.sits(campaign, "walt")
    walt.page.get_by_role("button", name="X-card").click()
    asked = walt.page.get_by_role("dialog", name="X-card")
    expect(asked).to_contain_text("nobody is told who it was")
    walt.shot("asked")
    assert faults(walt, ".pop") == []
    asked.get_by_role("button", name="Raise the X-card").click()
    for person in (gus, anna, walt):
        banner = person.page.get_by_role("status").filter(has_text="The game is paused.")
        expect(banner).to_contain_text("Somebody raised the X-card.")
        told = person.log.locator(".entry.x_card")
        expect(told).to_contain_text("Somebody raised the X-card. The game is paused.")
        expect(told).not_to_contain_text("Walt")
    anna.shot(f"paused_{size[0]}")
    assert faults(anna) == []
    gus.page.get_by_role("button", name="Resume").click()
    expect(anna.page.get_by_text("The game is paused.", exact=True)).to_have_count(0)


@pytest.mark.parametrize("size", [LARGE, PHONE], ids=["wide", "phone"])
def test_the_gm_looks_as_a_player(people: People, size: tuple[int, int]) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara", "tam")
    campaign.do({"do": "note", "id": "n1", "text": "I do not trust Gus"}, "anna")
    campaign.do({"do": "note", "id": "n2", "text": "The GM plans a trap"})
    gus = people.sits(campaign, "gm", size=size)
    anna = people.sits(campaign, "anna")
    gus.gm_section("View as a player").get_by_role("link", name="View as Anna").click()
    banner = gus.page.locator(".banner.as-player")
    expect(banner).to_contain_text("Viewing as Anna.")
    expect(gus.page.get_by_role("tab", name="GM")).to_have_count(0)
    expect(gus.sheet.locator(".sheet-head h2")).to_have_text("Mara")
    for secret in ("Harbourmaster", "I do not trust Gus", "The GM plans a trap"):
        assert secret not in gus.dom, secret
    gus.shot(f"as_anna_{size[0]}")
    assert faults(gus) == []
    # It follows what happens, and changes nothing.
    anna.suggestion("Mara looks for the smugglers' door")
    expect(gus.play.locator("ast-procedure")).to_contain_text("Get into the customs house")
    expect(gus.play.locator("ast-card")).to_be_visible()
    expect(banner).to_be_in_viewport()
    # The odds are Anna's, with what each choice of hers would do to them.
    procedure = gus.play.locator("ast-procedure").get_attribute("data-key")
    obstacle = {"key": "obstacle", "prompt": "Obstacle", "answer": 3}
    campaign.do({"do": "draft", "procedure": procedure, "answers": [obstacle]})
    for person in (anna, gus):
        expect(person.play.locator("ast-odds .large b")).to_have_text("31%")
        expect(person.play.locator("[data-ask=boon] [data-way=up]")).to_contain_text("50%")
    gus.shot(f"as_anna_card_{size[0]}")
    gus.say("I am Anna")
    expect(
        gus.play.locator("ast-composer").filter(has_text="You are viewing the table as Anna.").first
    ).to_be_visible()
    expect(anna.log.get_by_text("I am Anna")).to_have_count(0)
    banner.get_by_role("link", name="Back to your seat").click()
    expect(gus.page.locator(".as-player")).to_have_count(0)
    gus.panel("GM")


def test_nothing_is_sent_and_nothing_of_the_gms_is_shown_while_viewing_as_a_player(
    people: People,
) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    campaign.do({"do": "begin_session"})
    campaign.do({"do": "end_session"})
    gus = people.sits(campaign, "gm", size=LARGE)
    sent: list[str] = []
    gus.page.on("request", lambda each: sent.append(each.url) if each.method != "GET" else None)
    gus.page.on("websocket", lambda line: line.on("framesent", lambda said: sent.append(str(said))))
    gus.gm_section("View as a player").get_by_role("link", name="View as Anna").click()
    expect(gus.page.locator(".banner.as-player")).to_be_visible()
    over = gus.play.get_by_role("region", name="The end of session 1")
    expect(over).to_contain_text("No dice were rolled in this session.")
    gus.panel("Review").get_by_role("button", name="Review").click()
    expect(gus.panel("Review")).to_contain_text("Nothing to review yet.")
    expect(gus.page.get_by_role("link", name="Save the story")).to_have_count(0)
    gus.panel("Sheet").get_by_role("button", name="Print and files").click()
    menu = gus.page.get_by_role("dialog", name="Print and files")
    expect(menu.get_by_role("link")).to_have_count(0)
    menu.get_by_label("Portrait").set_input_files(a_picture("mara.png", hue=1, height=480))
    expect(menu).to_contain_text("You are viewing the table as Anna.")
    gus.page.keyboard.press("Escape")
    gus.page.get_by_role("button", name="X-card").click()
    gus.page.get_by_role("button", name="Raise the X-card").click()
    refused = gus.page.get_by_role("alert").filter(has_text="You are viewing the table as Anna.")
    expect(refused.first).to_be_visible()
    assert [each for each in sent if "/api/" in each or '"command"' in each] == []


def test_a_test_is_saved_and_started_with_one_tap(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus = people.sits(campaign, "gm")
    anna = people.sits(campaign, "anna", size=LARGE)
    form = anna.compose()
    form.get_by_label("I want to…").fill("open the gate")
    form.get_by_label("by…").fill("naming the duke")
    form.get_by_role("combobox", name="with").select_option("Persuasion")
    anna.play.get_by_role("button", name="Save this test").click()
    asked = anna.page.get_by_role("dialog", name="Save this test")
    asked.get_by_role("textbox", name="Name").fill("Talk the gate open")
    anna.shot("name_1400")
    assert faults(anna, ".pop") == []
    asked.get_by_role("button", name="Save", exact=True).click()
    expect(asked).to_have_count(0)
    anna.play.get_by_role("button", name="Cancel").click()
    saved = anna.play.get_by_role("group", name="Saved tests")
    anna.shot("saved_1400")
    saved.get_by_role("button", name="Talk the gate open").click()
    expect(anna.play.locator("ast-procedure")).to_contain_text("Open the gate")
    gus.catches_up(anna)
    assert "Talk the gate open" not in gus.dom
    assert not any("Talk the gate open" in frame for frame in gus.frames)
    people.play_out()
    anna.page.reload()
    saved.get_by_role("button", name="Edit saved tests").click()
    anna.page.get_by_role("button", name="Remove Talk the gate open").click()
    expect(saved).to_be_hidden()


@pytest.mark.parametrize("game", ["cores", "signs", "percentile"])
def test_a_game_without_obstacles_has_none_to_prepare(people: People, game: str) -> None:
    gus = people.sits(people.server.create(game), "gm")
    panel = gus.panel("GM")
    expect(panel.get_by_role("heading", name="Handouts")).to_be_visible()
    expect(panel.get_by_role("heading", name="Obstacles")).to_have_count(0)


def test_an_obstacle_is_set_before_anybody_asks(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus = people.sits(campaign, "gm", size=LARGE)
    anna = people.sits(campaign, "anna", size=PHONE)
    part = gus.gm_section("Obstacles")
    part.get_by_label("For").fill("the smugglers' door")
    part.get_by_label("Obstacle", exact=True).fill("3")
    part.get_by_role("button", name="Save").click()
    expect(part.locator("li")).to_contain_text("the smugglers' door Ob 3")
    assert faults(gus, "#panel-gm") == []
    anna.suggestion("Mara looks for the smugglers' door")
    expect(gus.shared_card).to_be_visible()
    known = gus.shared_card.get_by_role("button", name="the smugglers' door: 3")
    gus.shot("card_1400")
    gus.until_heard(known.click)
    anna.catches_up(gus)
    expect(anna.shared_card).to_contain_text("3")
    assert not any("the smugglers' door: 3" in frame for frame in anna.frames)
    anna.shot("card_390")
    part.get_by_role("button", name="Remove the smugglers' door").click()
    expect(part.locator("li")).to_have_count(0)
