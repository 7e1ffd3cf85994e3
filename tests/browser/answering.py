"""How a person answers what is asked: every kind of question, on its own or among others.

A question stands alone, with large buttons or one control; or a card has a line for each question
that comes before the dice, with what is usual filled in, and one button that releases them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from playwright.sync_api import Locator, expect

WORDS = "So be it"
NUMBER = 3


def starting(label: str) -> re.Pattern[str]:
    """The name of what begins with these words."""
    return re.compile(rf"^\W*{re.escape(label)}(?!\w)")


def give(card: Locator, choice: Any) -> None:
    """Put a choice into the card and send it; None is what is usual, or anything that will do."""
    if (
        card.evaluate("(card) => card.localName") == "ast-card"
        and not card.locator("button.option").count()
    ):
        _give_all(card, choice or {})
    elif card.locator("ast-volley-script").count():
        _volleys(card, choice)
    elif card.locator("ast-script").count():
        _script(card, choice)
    elif _faces_of(card).count():
        _faces(card, choice)
    elif card.locator("button.option").count():
        _press(card, choice)
    else:
        send = card.locator(".btn.main")
        if choice is not None:
            _put(card, choice)
        elif send.is_disabled():
            put_something(card)
        send.click()


def choose(box: Locator, label: str) -> None:
    """Choose what begins with these words."""
    box.select_option(label=box.get_by_role("option", name=starting(label)).first.inner_text())


def row(card: Locator, key: str) -> Locator:
    """The line of one question on a card, by the question's key."""
    return card.locator(f'[data-ask="{key}"]')


def missing(card: Locator) -> list[tuple[str, Locator]]:
    """The lines that the dice wait for, with their keys: found again when they are answered."""
    found: list[tuple[str, bool]] = card.locator(".ask-row").evaluate_all(
        "(rows) => rows.map((row) => [row.dataset.ask, row.classList.contains('missing')])"
    )
    keys = [key for key, _ in found]
    return [
        (key, card.locator(f'.ask-row[data-ask="{key}"]').nth(keys[:at].count(key)))
        for at, (key, is_missing) in enumerate(found)
        if is_missing
    ]


def release(card: Locator) -> Locator:
    """The button that releases the dice of a card, or says that one is done."""
    return card.locator("xpath=ancestor::ast-procedure").locator("ast-release .roll")


def put(card: Locator, key: str, choice: Any) -> None:
    """Put a choice into one line, wherever it is folded away."""
    asked = row(card, key)
    expect(asked).to_have_count(1)
    inside = card.page.locator(f'[data-ask="{key}"]')  # looked for from the fold inwards
    folded = card.page.locator("details:not([open])").filter(has=inside)
    while folded.count():
        folded.first.locator("summary").first.click()
    inner = asked.locator("details:not([open]) > summary")
    if inner.count():
        inner.click()
    _put(asked, choice)


def _give_all(card: Locator, choices: Mapping[str, Any]) -> None:
    for key, choice in choices.items():
        put(card, key, choice)
    for key, required in missing(card):
        if key not in choices:
            put_something(required)
    go = release(card)
    if go.is_visible():
        expect(go).to_be_enabled()
        go.click()


def _press(card: Locator, choice: Any) -> None:
    """One touch on a large button."""
    if choice is not None:
        label = {True: "Yes", False: "No"}.get(choice, choice)
        card.get_by_role("button", name=starting(label)).first.click()
        return
    usual = card.locator("button.option.is-default")
    (usual if usual.count() else card.locator("button.option")).first.click()


def _put(asked: Locator, choice: Any) -> None:
    """Put a choice into whatever control asks for it."""
    if isinstance(choice, bool):
        choice = "Yes" if choice else "No"
    if isinstance(choice, int):
        _number(asked, choice)
    elif asked.locator("button.consent").count():
        asked.locator("button.consent").click()
    elif not isinstance(choice, str):
        for label in choice:
            asked.get_by_role("checkbox", name=starting(label)).check()
    elif asked.get_by_role("radio").count():
        tap(asked.get_by_role("radio", name=starting(choice)))
    elif asked.get_by_role("combobox").count():
        choose(asked.get_by_role("combobox"), choice)
    else:
        asked.get_by_role("textbox").first.fill(choice)


def tap(box: Locator) -> None:
    """Choose what is not chosen; what that decides may take the question away at once."""
    if not box.is_checked():
        box.click()


def _number(asked: Locator, number: int) -> None:
    box = asked.get_by_role("spinbutton")
    if box.count():
        box.first.fill(str(number))
    else:
        asked.get_by_role("button", name=starting(str(number))).click()


def put_something(asked: Locator) -> None:
    """Something that will do where nothing is usual and nothing is said yet."""
    rungs = asked.locator("button.rung")
    if asked.get_by_role("radio").count():
        if not asked.locator("input:checked").count():
            tap(asked.get_by_role("radio").first)
    elif asked.get_by_role("combobox").count():
        asked.get_by_role("combobox").select_option(index=1)
    elif rungs.count():
        rungs.nth(min(NUMBER, rungs.count()) - 1).click()
    elif asked.get_by_role("spinbutton").count():
        for box in asked.get_by_role("spinbutton").all():
            least, most = int(box.get_attribute("min") or 0), int(box.get_attribute("max") or 9)
            box.fill(str(max(least, min(NUMBER, most))))
    elif asked.get_by_role("checkbox").count():
        tap(asked.get_by_role("checkbox").first)
    else:
        asked.get_by_role("textbox").first.fill(WORDS)


def _script(card: Locator, cards: Sequence[str] | None) -> None:
    hand = card.get_by_role("group", name="Your cards")
    slots = card.get_by_role("group", name="Your script").get_by_role("button").count()
    for at in range(slots):
        if cards is None:
            hand.locator("button.action-card:enabled").first.click()
        else:
            hand.get_by_role("button", name=starting(cards[at % len(cards)])).click()
    card.get_by_role("button", name="Lock in").click()


def _volleys(card: Locator, cards: Sequence[str] | None) -> None:
    """Place these cards, position and actions of each volley in turn; or take what is suggested."""
    if cards is None:
        suggested = card.get_by_role("group", name="Suggest a script")
        suggested.get_by_role("button", name="Careful").click()
    else:
        slots = card.get_by_role("group", name="Your script").get_by_role("button")
        for at, name in enumerate(cards):
            slots.nth(at).click()
            in_hand(card, name).click()
    card.get_by_role("button", name="Lock in").click()


def in_hand(card: Locator, name: str) -> Locator:
    """A card of the hand, by its name; those that are seldom wanted are unfolded for it."""
    label = card.page.locator("b", has_text=re.compile(rf"^{re.escape(name)}(\d+ actions)?$"))
    shown = card.get_by_role("group", name="Your cards").locator(".action-card")
    found = shown.filter(has=label)
    if not found.count():
        card.locator(".more-cards > summary").click()
        found = card.get_by_role("group", name="Other cards").locator(".action-card")
        found = found.filter(has=label)
    return found.first


def _faces_of(card: Locator) -> Locator:
    return card.get_by_role("group", name=re.compile("^Faces of"))


def _faces(card: Locator, faces: Sequence[int] | None) -> None:
    boxes = _faces_of(card).get_by_role("textbox")
    for at in range(boxes.count()):
        boxes.nth(at).fill(str(faces[at % len(faces)] if faces else 1 + at % 3))
    card.get_by_role("button", name="Use these").click()
