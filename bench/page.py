"""How soon the page is painted: the lobby and a table, in a browser that has seen neither before.

``python -m bench.page`` prints these figures alone. It needs Chromium, as the browser tests do, and
reads the browser's own first contentful paint, counted from the request.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from astragal.play import GM
from bench.clock import Figure
from bench.tables import created, serving

MOST = 1.0
REPEATS = 7
TESTS = Path(__file__).parents[1] / "tests"
WIDE, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}
A_PHONE = 4
"""How many times slower than this machine a phone is taken to be."""

_PAINTED = """new Promise((resolve) => {
  const look = () => {
    const [entry] = performance.getEntriesByName("first-contentful-paint");
    if (entry) resolve(entry.startTime);
    else setTimeout(look, 20);
  };
  look();
})"""


def _first_paint(browser: Browser, address: str, size: dict[str, int], slower: int) -> float:
    """Seconds to the first paint, in a context without cache or cookies."""
    context = browser.new_context(viewport={"width": size["width"], "height": size["height"]})
    try:
        page = context.new_page()
        if slower > 1:
            limits = context.new_cdp_session(page)
            limits.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        page.goto(address)
        return float(page.evaluate(_PAINTED)) / 1000
    finally:
        context.close()


def figures() -> Iterator[Figure]:
    """The median of a few visits, on a wide screen and on a slow phone."""
    sys.path.insert(0, str(TESTS))
    from browser.chromium import chromium

    program = chromium()
    if program is None:
        print("    the page is not measured: there is no Chromium here")
        return
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/astragal.db"
        (group,) = asyncio.run(created(database, 1))
        arguments = ["--no-sandbox", "--disable-dev-shm-usage"]
        with (
            serving(database) as (port, _),
            sync_playwright() as playwright,
            playwright.chromium.launch(executable_path=program, args=arguments) as browser,
        ):
            at = f"http://127.0.0.1:{port}"
            table = f"{at}/join/{group.tokens[GM]}"
            for name, address in (("the lobby", f"{at}/"), ("a table", table)):
                for screen, size, slower in (("wide", WIDE, 1), ("a slow phone", PHONE, A_PHONE)):
                    visits = [_first_paint(browser, address, size, slower) for _ in range(REPEATS)]
                    paint = statistics.median(visits)
                    yield Figure(f"{name} is painted first, {screen}", paint, within=MOST)


if __name__ == "__main__":
    for figure in figures():
        print(figure.line(), flush=True)
