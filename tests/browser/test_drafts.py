"""What somebody has typed and not sent yet is still there: after a reload, and when others come."""

from __future__ import annotations

from playwright.sync_api import expect

from browser.people import People


def test_a_message_and_a_form_outlive_a_reload(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    anna = people.sits(campaign, "anna")
    message = anna.play.get_by_role("textbox", name="Message")
    form = anna.compose()
    form.get_by_label("I want to").fill("get past the watch")
    form.get_by_label("by", exact=False).first.fill("the roofs")
    message.fill("One moment")
    anna.page.reload()
    expect(message).to_have_value("One moment")
    form = anna.compose()
    expect(form.get_by_label("I want to")).to_have_value("get past the watch")
    # What was sent is not offered again.
    anna.play.get_by_role("button", name="Send", exact=True).click()
    anna.hears("One moment")
    form.get_by_label("with").first.select_option("Stealthy")
    anna.begin()
    expect(anna.shared_card).to_be_visible()
    anna.page.reload()
    expect(anna.shared_card).to_be_visible()
    expect(message).to_have_value("")
    expect(anna.compose().get_by_label("I want to")).to_have_value("")


def test_a_handout_is_still_there_when_somebody_joins(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus = people.sits(campaign, "gm")
    handouts = gus.gm_section("Handouts")
    handouts.get_by_label("Title").fill("A letter")
    handouts.get_by_label("Text").fill("To whoever finds this")
    handouts.get_by_role("checkbox", name="Anna").check()
    campaign.seat("Ben", "tam")
    expect(handouts.get_by_role("checkbox", name="Ben")).to_be_visible()
    expect(handouts.get_by_label("Title")).to_have_value("A letter")
    expect(handouts.get_by_label("Text")).to_have_value("To whoever finds this")
    expect(handouts.get_by_role("checkbox", name="Anna")).to_be_checked()
    expect(handouts.get_by_role("button", name="Show")).to_be_visible()


def test_a_handout_and_the_half_of_a_contest_outlive_a_reload(people: People) -> None:
    campaign = people.server.create("burning_wheel")
    campaign.seat("Anna", "mara")
    gus = people.sits(campaign, "gm")
    handouts = gus.gm_section("Handouts")
    handouts.get_by_label("Title").fill("A letter")
    handouts.get_by_label("Text").fill("To whoever finds this")
    handouts.get_by_role("checkbox", name="Anna").check()
    gus.compose("Versus test")
    gus.play.get_by_role("button", name="Against Mara").click()
    form = gus.play.locator("ast-form")
    form.get_by_role("textbox", name="I want to…").fill("keep her out")
    gus.page.reload()
    handouts = gus.gm_section("Handouts")
    expect(handouts.get_by_label("Title")).to_have_value("A letter")
    expect(handouts.get_by_label("Text")).to_have_value("To whoever finds this")
    expect(handouts.get_by_role("checkbox", name="Anna")).to_be_checked()
    handouts.get_by_role("button", name="Show").click()
    expect(handouts.get_by_label("Title")).to_have_value("")
    gus.compose("Versus test")
    expect(gus.play.get_by_text("Against Mara")).to_be_visible()
    expect(form.get_by_role("textbox", name="I want to…")).to_have_value("keep her out")
    form.get_by_role("combobox", name="with").select_option(index=1)
    gus.begin()
    expect(gus.shared_card).to_be_visible()
    gus.page.reload()
    expect(gus.shared_card).to_be_visible()
    expect(gus.gm_section("Handouts").get_by_label("Title")).to_have_value("")
    gus.compose("Versus test")
    expect(gus.play.get_by_role("group", name="Against whom?")).to_be_visible()


def test_the_story_is_saved_as_html_and_as_markdown(people: People) -> None:
    anna = people.sits(people.server.create("burning_wheel"), "gm")
    for name, begins in (("Save the story", "<!"), ("Save the story as Markdown", "---\n")):
        link = anna.log.get_by_role("link", name=name, exact=True)
        with anna.page.expect_download() as saved:
            link.click()
        assert saved.value.path().read_text(encoding="utf-8").startswith(begins)
