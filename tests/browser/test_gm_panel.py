"""The GM panel: undo, secret rolls, rulings, pausing, ending the session."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from browser.people import People, Person
from browser.server import Campaign


def both(people: People) -> tuple[Campaign, Person, Person]:
    """A GM and a player, who plays Mara."""
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    return campaign, people.sits(campaign, "gm"), people.sits(campaign, "anna")


def has_badge(person: Person, character: str, name: str, value: str) -> None:
    """It stands beside a character among the people: `Fate 2`."""
    shown = person.page.locator("ast-people button.character", has_text=character)
    expect(shown).to_contain_text(re.compile(rf"{name}\s+{value}(?!\S)"), use_inner_text=True)


def test_undo_takes_it_back_for_all_and_the_log_says_so(people: People) -> None:
    _, gus, anna = both(people)
    awards = gus.gm_section("Awards")
    has_badge(anna, "Mara", "Fate", "2")
    awards.get_by_role("button", name="Give Mara 1 Fate").click()
    expect(anna.page.locator("ast-people").get_by_text(re.compile(r"Fate 3")).first).to_be_visible()
    anna.hears(re.compile("1 Fate for Mara(?!:)"))

    gus.will_say("It was Tam's idea")
    gus.gm_section("Undo").get_by_role("button", name=re.compile("^Undo: ")).first.click()
    for person in (gus, anna):
        expect(person.log.get_by_text("It was Tam's idea").first).to_be_visible()
        person.log.get_by_text("1 entry undone").click()
        expect(person.log.locator("s", has_text="Fate for Mara").first).to_be_visible()
    for person in (gus, anna):
        has_badge(person, "Mara", "Fate", "2")
    gus.shot("undone")


def test_undo_of_a_test_takes_its_marks_back(people: People) -> None:
    campaign, gus, anna = both(people)
    gus.suggestion("Tam finds the night watchman")
    people.play_out(gus)
    play = anna.log.locator("article.play")
    expect(play).to_have_count(1)
    gus.will_say("The watchman was asleep")
    undo = gus.gm_section("Undo")
    undo.get_by_role("button", name=re.compile("^Undo everything after: .*Mara")).first.click()
    for person in (gus, anna):
        expect(person.log.locator("article.play.undone")).to_have_count(1)
        expect(person.page.get_by_role("region", name="Result")).to_have_count(0)
    assert campaign.do({"do": "say", "text": "Once more, then."}) > 0


def test_secret_throw_is_nowhere_on_the_players_pages(people: People) -> None:
    _, gus, anna = both(people)
    dice = gus.gm_section("Roll dice")
    dice.get_by_role("textbox", name="Dice").fill("3d6+1")
    dice.get_by_role("textbox", name="For").fill("does the widow lie")
    expect(dice.get_by_role("checkbox", name="Secret")).to_be_checked()
    dice.get_by_role("button", name="Roll").click()
    expect(gus.log.get_by_text("does the widow lie").first).to_be_visible()
    gus.shot("secret")

    gus.say("Where were we?")
    anna.hears("Where were we?")
    for trace in ("widow", "3d6+1"):
        assert any(trace in frame for frame in gus.frames)
        assert not any(trace in frame for frame in anna.frames)
        assert trace not in anna.dom

    dice.get_by_role("textbox", name="Dice").fill("2d6")
    dice.get_by_role("textbox", name="For").fill("the weather")
    dice.get_by_role("checkbox", name="Secret").uncheck()
    dice.get_by_role("button", name="Roll").click()
    anna.hears(re.compile("the weather"))


def test_secret_procedure_and_hidden_characters_stay_with_the_gm(people: People) -> None:
    _, gus, anna = both(people)
    form = gus.compose("Steel test")
    form.get_by_role("combobox", name="Character").first.select_option(label="Harbourmaster Dunn")
    form.get_by_role("combobox", name="Cause").select_option("surprise")
    form.get_by_role("textbox", name="Brought on by").fill("the empty safe")
    gus.play.get_by_role("checkbox", name="Secret").check()
    gus.begin()
    people.play_out(gus)
    expect(gus.log.locator("article.play")).to_have_count(1)
    gus.say("A door creaks.")
    anna.hears("A door creaks.")
    assert anna.log.locator("article.play").count() == 0
    told = [frame for frame in anna.frames if "Dunn" in frame or "empty safe" in frame]
    assert told == []
    assert "Dunn" not in anna.dom


def test_secret_stays_ticked_until_the_gm_unticks_it(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus, anna = people.sits(campaign, "gm"), people.sits(campaign, "anna")
    dice = gus.gm_section("Roll dice")
    for what in ("first lie", "second lie"):
        dice.get_by_role("textbox", name="Dice").fill("2d6")
        dice.get_by_role("textbox", name="For").fill(what)
        dice.get_by_role("button", name="Roll").click()
        expect(gus.log.get_by_text(what).first).to_be_visible()
        expect(dice.get_by_role("checkbox", name="Secret")).to_be_checked()

    add = gus.gm_section("Add a character")
    add.get_by_role("checkbox", name="Hidden from players").check()
    for name in ("Wexley", "Yardley"):
        add.get_by_role("textbox", name="In one line").fill(f"{name}, 4s")
        add.get_by_role("button", name="Add").click()
        expect(gus.page.locator("ast-people").get_by_text(name)).to_be_visible()

    gus.compose()
    gus.play.get_by_role("checkbox", name="Secret").check()
    gus.play.get_by_role("button", name="Cancel", exact=True).click()
    for source in ("empty safe", "open window"):
        form = gus.compose("Steel test")
        form.get_by_role("combobox", name="Character").first.select_option(
            label="Harbourmaster Dunn"
        )
        form.get_by_role("combobox", name="Cause").select_option("surprise")
        form.get_by_role("textbox", name="Brought on by").fill(source)
        gus.begin()
        people.play_out(gus)
    gus.shot("secret")
    gus.panel("Sheet")
    gus.sheet.get_by_role("combobox", name="Character").select_option(label="Yardley")
    gus.sheet.get_by_role("button", name="Test Perception").click()
    expect(gus.play.locator("ast-procedure").get_by_text("secret", exact=True)).to_be_visible()

    gus.say("Where were we?")
    anna.hears("Where were we?")
    for trace in ("first lie", "second lie", "Wexley", "Yardley", "empty safe", "open window"):
        assert any(trace in frame for frame in gus.frames)
        assert not any(trace in frame for frame in anna.frames), trace


HELD = """
const listen = WebSocket.prototype.addEventListener;
const held = [];
window.letThrough = () => {
  window.isHeld = false;
  for (const hear of held.splice(0)) hear();
};
WebSocket.prototype.addEventListener = function (kind, hear, ...rest) {
  const isUpdate = (event) => String(event.data).includes('"type":"update"');
  const late = (event) =>
    window.isHeld && isUpdate(event) ? held.push(() => hear(event)) : hear(event);
  return listen.call(this, kind, kind === "message" ? late : hear, ...rest);
};
"""
"""On request, what is new at the table comes later than everything else."""


def test_link_is_shown_though_its_seat_comes_later(people: People) -> None:
    gus = people.sits(people.server.create("burning_wheel"), "gm", script=HELD)
    seats = gus.gm_section("Players and links")
    gus.page.evaluate("window.isHeld = true")
    seats.get_by_role("textbox", name="Name").fill("Anna")
    with gus.page.expect_response("**/links/anna") as made:
        seats.get_by_role("button", name="Invite", exact=True).click()
    made.value.finished()
    gus.page.evaluate("new Promise(requestAnimationFrame)")
    expect(seats.get_by_role("button", name="New link for Anna")).to_have_count(0)
    gus.page.evaluate("letThrough()")
    link = seats.get_by_role("textbox", name="Link for Anna")
    expect(link).to_have_value(re.compile("/join/"))


def test_ruling_has_a_reason_that_all_can_read(people: People) -> None:
    _, gus, anna = both(people)
    ruling = gus.gm_section("Ruling")
    ruling.get_by_role("combobox", name="Character").select_option(label="Mara")
    which = ruling.get_by_role("combobox", name="Value")
    fate = which.get_by_role("option", name=re.compile("Artha: Fate")).inner_text()
    which.select_option(label=fate)
    ruling.get_by_role("spinbutton").fill("5")
    ruling.get_by_role("textbox").last.fill("For the speech on the quay")
    ruling.locator("button.main").click()
    anna.hears(re.compile("For the speech on the quay"))
    expect(anna.page.locator("ast-people").get_by_text(re.compile("Fate 5")).first).to_be_visible()
    gus.shot("ruling")


def test_pause_holds_everybody_until_it_goes_on(people: People) -> None:
    _, gus, anna = both(people)
    pause = gus.gm_section("Pause")
    pause.get_by_role("textbox", name="Reason (optional)").fill("Pizza is here")
    pause.get_by_role("button", name="Pause", exact=True).click()
    for person in (gus, anna):
        banner = person.page.locator(".banner", has_text="The game is paused.")
        expect(banner).to_contain_text("Pizza is here")
    expect(anna.play.get_by_role("button", name="I want to…")).to_be_hidden()
    anna.shot("paused")
    gus.page.locator(".banner").get_by_role("button", name="Resume").click()
    expect(anna.page.locator(".banner")).to_have_count(0)
    expect(anna.play.get_by_role("button", name="I want to…")).to_be_visible()


def test_end_of_the_session_has_every_device_check_its_dice(people: People) -> None:
    campaign, gus, anna = both(people)
    session = gus.gm_section("Session and dice")
    expect(session).to_contain_text("One begins with the first test.")
    campaign.do({"do": "begin_session"})
    expect(session.get_by_text("Added to the dice: Anna.")).to_be_visible()
    gus.suggestion("Tam finds the night watchman")
    people.play_out(gus)
    promised = session.locator("details.hash", has_text="Fingerprint")
    promised.locator("summary").click()
    fingerprint = promised.locator("code.whole")
    expect(fingerprint).to_have_text(re.compile("^[0-9a-f]{64}$"))
    commitment = fingerprint.inner_text()

    gus.will_say(None)
    session.get_by_role("button", name="End session").click()
    notes = anna.panel("Notes")
    for panel in (notes, session):
        found = re.compile(r"^Checked by this device: \d+ rolls? match(es)?\.$")
        expect(panel.get_by_text(found)).to_be_visible()
    notes.get_by_text("Earlier sessions").click()
    anna.until(lambda: commitment in notes.inner_html(), "what was promised is not shown")
    anna.shot("checked")


def test_gm_deletes_a_note_that_somebody_shares(people: People) -> None:
    campaign, gus, anna = both(people)
    campaign.do({"do": "note", "id": "n1", "text": "Orrin pays badly", "shared": True}, "anna")
    notes = gus.panel("Notes")
    expect(notes.get_by_text("Orrin pays badly")).to_be_visible()
    gus.shot("note")
    gus.will_say(None)
    notes.get_by_role("button", name="Delete Anna's note").click()
    expect(notes.get_by_text("Orrin pays badly")).to_have_count(0)
    expect(anna.panel("Notes").get_by_role("textbox", name="My note")).to_have_count(0)
    assert anna.page.get_by_role("button", name=re.compile("Delete .*note$")).count() == 0


def test_real_dice_are_not_offered_where_all_dice_are_the_servers(people: People) -> None:
    campaign, _, anna = both(people)
    own = anna.play.get_by_role("checkbox", name="I'll roll my own dice")
    expect(own).to_be_visible()
    campaign.do({"do": "title", "title": "The Roll of Dues", "server_dice": True})
    expect(own).to_be_hidden()


def test_log_tells_changes_and_dice_in_words(people: People) -> None:
    _, gus, anna = both(people)
    gus.gm_section("Awards").get_by_role("button", name="Give Mara 1 Fate").click()
    anna.hears("Fate goes from 2 to 3")
    dice = gus.gm_section("Roll dice")
    dice.get_by_role("checkbox", name="Secret").uncheck()
    dice.get_by_role("textbox", name="Dice").fill("6B")
    dice.get_by_role("button", name="Roll").click()
    anna.hears(re.compile(r"rolls 6D\b"))
    expect(anna.log.get_by_text(re.compile(r"\b6B\b"))).to_have_count(0)
    gus.suggestion("Tam finds the night watchman")
    people.play_out(gus)
    play = gus.reads_details()
    expect(play.locator(".change").first).to_be_visible()
    gus.shot("log")
    said = play.inner_text()
    assert "→" not in said
    assert not re.search(r"\(\d+B\b|[a-z]+\.[a-z]+", said), said


def test_ruling_names_every_value_once(people: People) -> None:
    gus = people.sits(people.server.create("burning_wheel"), "gm")
    ruling = gus.gm_section("Ruling")
    values = ruling.get_by_label("Value").locator("option")
    expect(values.filter(has_text="Stats: Will")).to_have_count(1)
    assert not [each for each in values.all_inner_texts() if each.startswith("Most used")]
