"""People at their pages: each a browser context of its own, who looks, clicks and types.

Everything is found as a person finds it: by its role and its name. A page that looks different
is a change here, or in `answering`, and nowhere else.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.sync_api import (
    ConsoleMessage,
    Dialog,
    Locator,
    Page,
    Request,
    WebSocket,
    expect,
)

from browser.answering import give, put, starting
from browser.pages import Kind, Look, Pages
from browser.server import Campaign, Server

WIDE = (1280, 800)
PHONE = (390, 844)
PATIENCE = 60_000
"""Milliseconds to wait for something on a busy machine; usually it is there at once."""

CARD = "card"
"""The mark with which the page asks for cards."""

KNOWS_THE_PAGE = """
if (location.protocol.startsWith("http")) localStorage.setItem("astragal:tour", "seen");
"""
"""Whoever comes has been shown around before."""

expect.set_options(timeout=PATIENCE)


def as_usual(who: Person, asked: str) -> None:
    """Nothing special."""


SMALL = 40
"""The quality of a small picture, of 100."""


class Person:
    """Somebody at a page."""

    suffix = "png"
    """What kind of file pictures are: png, or jpg where they are to be small."""

    def __init__(self, name: str, page: Page, origin: str, shots: Path | None) -> None:
        self.name = name
        self.page = page
        self.frames: list[str] = []
        """Every WebSocket message that this page has received."""
        self.requests: list[str] = []
        self._origin = origin
        self._shots = shots
        self.shown = "page"
        """The name of the last picture."""
        self._troubles: list[str] = []
        self._forgiven: list[str] = []
        self._answers: list[str | None] = []
        self._seq = 0
        self._acknowledged = 0
        self._unanswered: set[str] = set()
        """The marks of those commands that the table has not answered yet."""
        self._looked = 0
        self._foreseen = 0
        page.set_default_timeout(PATIENCE)
        self._watches: dict[Any, Callable[..., None]] = {
            "console": self._console,
            "pageerror": lambda error: self._troubles.append(f"script: {error}"),
            "dialog": self._dialog,
            "request": self._requested,
            "websocket": self._socket,
        }
        for event, watch in self._watches.items():
            page.on(event, watch)

    # --- What is watched ------------------------------------------------------------------

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._troubles.append(f"console: {message.text}")

    def _dialog(self, dialog: Dialog) -> None:
        if not self._answers:
            self._troubles.append(f"dialog: {dialog.message}")
            dialog.dismiss()
            return
        dialog.accept(self._answers.pop(0) or "")

    def _requested(self, request: Request) -> None:
        self.requests.append(request.url)
        parts = urlsplit(request.url)
        if parts.scheme in ("data", "blob"):
            return
        if f"{parts.scheme}://{parts.netloc}" != self._origin:
            self._troubles.append(f"request to another place: {request.url}")

    def _socket(self, socket: WebSocket) -> None:
        self._looked = self._foreseen = 0  # what was asked on a line before is not answered here
        socket.on("framereceived", self._received)
        socket.on("framesent", self._sent)

    def _received(self, payload: str | bytes) -> None:
        self.frames.append(payload if isinstance(payload, str) else payload.decode())
        said = json.loads(payload)
        if said["type"] in ("view", "update"):
            self._seq = said["seq"]
        elif said["type"] == "ack":
            self._acknowledged = said["seq"]
            self._unanswered.discard(said["mark"])
        elif said["type"] == "card" or (said["type"] == "refused" and said["mark"] == CARD):
            self._foreseen += 1
        elif said["type"] == "refused":
            self._unanswered.discard(said["mark"])

    def _sent(self, payload: str | bytes) -> None:
        said = json.loads(payload)
        self._looked += "card" in said
        if "command" in said:
            self._unanswered.add(said["mark"])

    def leaves(self) -> None:
        """Nothing that happens on the page from here on is this person's."""
        for event, watch in self._watches.items():
            self.page.remove_listener(event, watch)

    def forgive(self, *patterns: str) -> None:
        """What the browser's console may say in this test: a refusal that was provoked."""
        self._forgiven += patterns

    def will_say(self, *answers: str | None) -> None:
        """How the next boxes of the browser are answered: text, or plain agreement."""
        self._answers += answers

    @property
    def troubles(self) -> list[str]:
        found = [
            f"{self.name}: {each}"
            for each in self._troubles
            if not any(re.search(pattern, each) for pattern in self._forgiven)
        ]
        if self._answers:
            found.append(f"{self.name}: was never asked in a box: {self._answers}")
        return found

    # --- Looking --------------------------------------------------------------------------

    @property
    def play(self) -> Locator:
        """The middle of the table: what is asked, in progress, and to begin."""
        return self.page.locator("ast-play")

    @property
    def log(self) -> Locator:
        return self.page.locator("ast-log")

    @property
    def sheet(self) -> Locator:
        return self.page.locator("ast-sheet")

    @property
    def card(self) -> Locator:
        """The first card on which it is this person's turn: one question, or several lines."""
        return self.play.locator("ast-procedure.asks-me .mine > *").last

    @property
    def shared_card(self) -> Locator:
        """The card of what is going on, whoever's turn it is."""
        return self.play.locator("ast-card").first

    def drafts(self, key: str, choice: Any) -> None:
        """Change one's own line of the shared card, and wait until the table has heard it."""
        expect(self.shared_card).to_be_visible()
        self.until_heard(lambda: put(self.shared_card, key, choice))

    @property
    def dom(self) -> str:
        """Everything on the page, shown or not, with what is typed into it."""
        values = "[...document.querySelectorAll('input, textarea')].map((each) => each.value)"
        return str(
            self.page.evaluate(f"document.documentElement.outerHTML + JSON.stringify({values})")
        )

    def asks(self, key: str) -> bool:
        """Whether the card asks the question with this key, alone or among others."""
        keys = "(card) => [card, ...card.querySelectorAll('[data-ask]')].map((e) => e.dataset.ask)"
        return bool(self.card.count()) and key in self.card.evaluate(keys)

    def shot(self, name: str, *, whole: bool = False) -> None:
        """A picture of this moment, if anybody wants to look at how the page does."""
        self.shown = name
        if self._shots is not None:
            self._shots.mkdir(parents=True, exist_ok=True)
            path = self._shots / f"{name}.{self.suffix}"
            quality = None if self.suffix == "png" else SMALL
            self.page.screenshot(path=path, full_page=whole, quality=quality)

    def hears(self, text: str | re.Pattern[str]) -> None:
        """It stands in the log."""
        expect(self.log.get_by_text(text).first).to_be_visible()

    def reads_details(self, article: Locator | None = None) -> Locator:
        """Unfold everything that happened in a test of the log: the latest, if none is named."""
        play = self.log.locator("article.play").last if article is None else article
        expect(play).to_be_attached()
        whole = play.locator("details.whole")
        if whole.get_attribute("open") is None:
            whole.locator("summary").first.click()
        expect(whole).to_have_attribute("open", "")
        return play

    # --- Panels ---------------------------------------------------------------------------

    @property
    def is_on_phone(self) -> bool:
        size = self.page.viewport_size
        return bool(size and size["width"] < 1000)

    def panel(self, name: str) -> Locator:
        """Open a panel: Play, Story, Sheet, Rules, Notes, GM."""
        if self.is_on_phone:
            bar = self.page.get_by_role("navigation", name="Panels")
            bar.get_by_role("button", name=starting(name)).click()
        elif name not in ("Play", "Story"):
            self.page.get_by_role("tab", name=starting(name)).click()
        shown = self.page.locator("#panel-log" if name == "Story" else f"#panel-{name.lower()}")
        expect(shown).to_be_visible()
        return shown

    def edits_sheet(self) -> Locator:
        """Open the sheet, and take the pencil."""
        panel = self.panel("Sheet")
        pencil = panel.get_by_role("button", name="Edit", exact=True)
        if pencil.get_attribute("aria-pressed") != "true":
            pencil.click()
        return panel

    def gm_section(self, part: str) -> Locator:
        """Open a section of the GM panel."""
        panel = self.panel("GM")
        shown = panel.locator("details.gm-part").filter(
            has=self.page.get_by_role("heading", name=part, exact=True)
        )
        if shown.get_attribute("open") is None:
            shown.locator("summary").first.click()
        expect(shown).to_have_attribute("open", "")
        return shown

    def whole_gm_panel(self) -> Locator:
        """Open the GM panel, and each of its sections."""
        panel = self.panel("GM")
        closed = panel.locator("details.gm-part:not([open])")
        expect(closed).not_to_have_count(0)
        while closed.count():
            closed.first.locator("summary").first.click()
        return panel

    # --- Playing --------------------------------------------------------------------------

    def suggestion(self, label: str) -> None:
        """Take up one of the demo's suggestions, as it stands."""
        self.play.get_by_role("button", name=label).click()
        expect(self.play.locator("ast-procedure")).not_to_have_count(0)

    def compose(self, title: str = "") -> Locator:
        """Open the form of the game's main test, or of another procedure."""
        composer = self.play.locator("ast-composer")
        expect(composer.get_by_role("textbox", name="Message")).to_be_visible()
        wish = composer.get_by_role("button", name="I want to…")
        if wish.is_visible():
            wish.click()
        if title:
            composer.get_by_role("button", name="Other tests and actions…").click()
            composer.get_by_role("searchbox").fill(title)
            composer.locator(".pick-list").get_by_role("button", name=title, exact=True).click()
        return composer.locator("ast-form")

    def begin(self) -> None:
        """Send the form that is open; it has gone when the procedure has begun."""
        begin = self.play.get_by_role("button", name="Start", exact=True)
        begin.click()
        expect(begin).to_be_hidden()

    def say(self, text: str) -> None:
        self.play.get_by_role("textbox", name="Message").fill(text)
        self.play.get_by_role("button", name="Send", exact=True).click()

    def is_asked(self, prompt: str | re.Pattern[str] = "") -> Locator:
        """Wait until something is asked of this person; the question."""
        expect(self.card).to_be_attached()  # with nothing to fill in there is only the button
        # A procedure is shown when its odds are there, or after a moment without them.
        expect(self.play.locator("ast-procedure.asks-me").last).to_be_visible()
        self.settle()
        if prompt:
            expect(self.card).to_contain_text(prompt)
        return self.card

    def answer(self, choice: Any = None, prompt: str | re.Pattern[str] = "") -> None:
        """Answer what is asked now, and wait until the table has heard it.

        As usual, or with a choice: yes or no, a label, labels, a number, cards, faces; on a card
        with several questions a dictionary by the keys of the questions.
        """
        card = self.is_asked(prompt)
        self.until_heard(lambda: give(card, choice))

    def press(self, key: str) -> None:
        """Answer with a key, and wait until the table has heard it."""
        self.until_heard(lambda: self.page.keyboard.press(key))

    def until_heard(self, act: Callable[[], None]) -> None:
        """Do something that answers, and wait until the table has heard it.

        What is put into a card may be sent by itself before the button is pressed: the answer is
        heard when nothing that was sent is left to be acknowledged.
        """
        before = self._acknowledged
        act()
        self._draw()  # then it is known what was sent
        self.until(
            lambda: self._acknowledged > before and not self._unanswered,
            "the answer is not acknowledged",
        )
        self.settle()

    def settle(self) -> None:
        """Wait until the page shows all that came of what was said here."""
        self.until(lambda: self._seq >= self._acknowledged, "what was done is not shown")
        before = len(self.frames)
        self._draw()  # what has come may make the page ask for more
        self.until(lambda: self._looked <= self._foreseen, "what lies ahead is not told")
        if len(self.frames) > before:
            self._draw()

    def catches_up(self, *others: Person) -> None:
        """Wait until this page shows everything that the others have heard of."""
        self.until(lambda: all(self._seq >= each._seq for each in others), "this page is behind")
        self.settle()

    @property
    def heard(self) -> tuple[int, bool]:
        """The last entry that this page shows, and whether it waits for a card."""
        return self._seq, self._looked > self._foreseen

    @property
    def is_answered(self) -> bool:
        """Whether it has heard what came of all that it said."""
        return not self._unanswered and self._seq >= self._acknowledged

    @property
    def campaign(self) -> str:
        """The campaign at whose table this page is."""
        return urlsplit(self.page.url).path.rpartition("/")[2]

    def _draw(self) -> None:
        """Wait until the page has taken in what it received, and drawn it."""
        self.page.evaluate("new Promise(requestAnimationFrame)")

    def until(self, holds: Callable[[], bool], otherwise: str) -> None:
        """Wait until something is so."""
        until = time.monotonic() + PATIENCE / 1000
        while not holds():
            if time.monotonic() > until:
                raise AssertionError(f"{self.name}: {otherwise}: {self.play.inner_text()[:600]}")
            self.page.wait_for_timeout(20)


Choose = Callable[[Person, str], Any]
"""What somebody answers to what is asked; None for what is usual."""


class People:
    """Those who open pages in one test."""

    def __init__(self, pages: Pages, server: Server, shots: Path | None) -> None:
        self._pages = pages
        self._shots = shots
        self.server = server
        self.all: list[Person] = []
        self._kinds: dict[Page, Kind] = {}
        """Of the pages that others may have afterwards."""

    def comes(
        self,
        name: str = "somebody",
        at: str = "/",
        *,
        size: tuple[int, int] = WIDE,
        scheme: Literal["light", "dark"] = "light",
        touch: bool = False,
        script: str = "",
        shown_around: bool = True,
        on_new_page: bool = False,
    ) -> Person:
        """Somebody with a browser that has no seat yet opens an address.

        A script runs before anything else does: a slow line, another clock. A new page is for
        those who leave something on it that nobody can take away, or look at its very first load.
        """
        before = (KNOWS_THE_PAGE if shown_around else "") + script
        kind = Kind(self.server.url, before, touch)
        page = self._pages.take(kind, Look(size, scheme), new=on_new_page)
        if not on_new_page:
            self._kinds[page] = kind
        person = Person(name, page, self.server.url, self._shots)
        self.all.append(person)
        person.page.goto(at if at.startswith("http") else self.server.url + at)
        return person

    def sits(self, campaign: Campaign, seat: str, **more: Any) -> Person:
        """Somebody follows the link to a seat, and sees the table."""
        person = self.comes(seat, campaign.link(seat), **more)
        expect(person.play).to_be_visible()
        return person

    def leave(self, *, for_others: bool = True) -> list[str]:
        """Everybody leaves the page, for others or for good; what went wrong on any of them."""
        troubles = [each for person in self.all for each in person.troubles]
        for person in self.all:
            person.leaves()
            kind = self._kinds.get(person.page)
            if kind is None or troubles or not for_others:
                self._pages.close(person.page)
            else:
                self._pages.leave(kind, person.page)
        return troubles

    def play_out(self, *seated: Person, choose: Choose = as_usual, most: int = 80) -> list[str]:
        """Everybody answers until nothing is open any more; what was asked of whom."""
        asked: list[str] = []
        everyone = seated or tuple(self.all)
        for _ in range(most):
            who = self._next(everyone)
            if who is None:
                return asked
            card = who.is_asked()
            asked.append(f"{who.name}: {card.inner_text()}")
            choice = choose(who, asked[-1])
            who.until_heard(partial(give, card, choice))
            for each in everyone:
                each.catches_up(who)
        raise AssertionError(f"it does not end: {asked}")

    def play_until(self, holds: Callable[[Person], object], *seated: Person) -> Person:
        """Everybody answers as usual until somebody is asked what the test is about."""
        for _ in range(60):
            who = self.next_of(*seated)
            if holds(who):
                return who
            who.answer()
        raise AssertionError("it is never asked")

    def next_of(self, *seated: Person) -> Person:
        """Who is asked next; what was begun may not be on the pages yet."""
        found: list[Person] = []

        def somebody_is_asked() -> bool:
            found[:] = self._asked(seated) or []
            return bool(found)

        seated[0].until(somebody_is_asked, "nothing is going on")
        return found[0]

    def _next(self, everyone: Sequence[Person]) -> Person | None:
        """Who is asked next; nobody when all see that nothing is going on."""
        found: list[Person] = []

        def somebody_is_asked_or_all_is_over() -> bool:
            asked = self._asked(everyone)
            found[:] = asked or []
            return asked is not None and (
                bool(found)
                or not any(each.play.locator("ast-procedure").count() for each in everyone)
            )

        everyone[0].until(
            somebody_is_asked_or_all_is_over, "something is open, and nobody is asked anything"
        )
        return found[0] if found else None

    def _asked(self, everyone: Sequence[Person]) -> list[Person] | None:
        """Who is asked something; None while a page does not show all that others have heard.

        Such a page may still ask what somebody else has decided meanwhile.
        """
        before = [person.heard for person in everyone]
        latest = max(max(before)[0], self.server.done.get(everyone[0].campaign, 0))
        if set(before) != {(latest, False)}:
            return None  # without a look at the pages
        found = [person for person in everyone if person.card.count()]
        is_same = before == [person.heard for person in everyone]
        return found if is_same and all(person.is_answered for person in everyone) else None
