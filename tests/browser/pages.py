"""Pages that were left, for whoever comes next: opening a new one takes twice as long.

A page is taken by one person at a time, and has a browser context of its own. Whoever leaves it
takes along all that a browser keeps: cookies, storage, size, colours, the place of the mouse.
What is left is a process that has read the page's scripts before.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from playwright.sync_api import Browser, Error, Page

TELL_VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
"""

MOST_LEFT = 8
"""Pages kept for others; each is a process with a good deal of memory."""
MOST_VISITS = 40
"""After so many people a page is closed."""
NOWHERE = "/health"
"""An address without scripts, at which what is stored for the server can be cleared."""
FORGET = """
() => {
  localStorage.clear();
  sessionStorage.clear();
  return [localStorage.length, sessionStorage.length];
}
"""


class Kind(NamedTuple):
    """What cannot be changed on a page once it is there."""

    origin: str
    """Whose pages it opens."""
    script: str = ""
    """What runs before anything else does."""
    touch: bool = False


class Look(NamedTuple):
    """What somebody's browser looks like; it can be changed at any time."""

    size: tuple[int, int]
    scheme: Literal["light", "dark"] = "light"


class Pages:
    """The pages of one browser."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._left: list[tuple[Kind, Page]] = []
        """Those that nobody is at, the last one left at the end."""
        self._visits: dict[Page, int] = {}

    def take(self, kind: Kind, look: Look, *, new: bool = False) -> Page:
        """A page of this kind; a new one, where nobody has left any."""
        found = next((each for each in reversed(self._left) if each[0] == kind), None)
        if new or found is None:
            page = self._open(kind, look)
        else:
            self._left.remove(found)
            page = found[1]
            page.set_viewport_size({"width": look.size[0], "height": look.size[1]})
            page.emulate_media(color_scheme=look.scheme)
        self._visits[page] = self._visits.get(page, 0) + 1
        return page

    def _open(self, kind: Kind, look: Look) -> Page:
        context = self._browser.new_context(
            viewport={"width": look.size[0], "height": look.size[1]},
            color_scheme=look.scheme,
            reduced_motion="reduce",
            has_touch=kind.touch,
            locale="en-GB",
            timezone_id="UTC",
        )
        context.add_init_script(TELL_VIOLATIONS + kind.script)
        return context.new_page()

    def leave(self, kind: Kind, page: Page) -> None:
        """Keep a page for others, without anything of whoever was at it."""
        try:
            assert len(page.context.pages) == 1
            assert self._visits[page] < MOST_VISITS
            page.emulate_media(media="null", reduced_motion="reduce")
            page.goto(kind.origin + NOWHERE)
            assert page.evaluate(FORGET) == [0, 0]
            page.context.clear_cookies()
            page.context.clear_permissions()
            page.mouse.move(-1, -1)
        except (AssertionError, Error):  # its server has gone, or the page is not as it was
            self.close(page)
            return
        self._left.append((kind, page))
        while len(self._left) > MOST_LEFT:
            self.close(self._left.pop(0)[1])

    def close(self, page: Page) -> None:
        """Close a page for good."""
        self._visits.pop(page, None)
        page.context.close()
