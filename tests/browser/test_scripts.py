"""The page's scripts as one file, beside the modules that they are."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

import astragal.web
from astragal.web.joined_scripts import joined
from browser.pages import Pages
from browser.people import PATIENCE, People
from browser.server import Server

SCRIPTS = Path(astragal.web.__file__).with_name("page") / "js"

MODULES = {
    "begin": """
import { Thing, add, made as ready } from "./things.js";
import "./aside.js";
import { again } from "./again.js";
export const same = again === add;
trace.push("begin", this === undefined, add(2, 3), new Thing().name, ready, same);
trace.push(await new Promise((resolve) => { setTimeout(() => resolve("waited")); }));
const { late } = await import("./late.js");
trace.push(late(), (await import("./late.js")).late === late);
try { notDeclared = 1; } catch (error) { trace.push(error.name); }
trace.push("over");
""",
    "things": """
trace.push("things");
const secret = 1;
export const made = secret + 1;
export function add(a, b) { return a + b + offset(); }
export class Thing { name = "thing"; }
function offset() { return made; }
""",
    "aside": """
import { made } from "./things.js";
const secret = "own";
trace.push("aside", made, secret);
""",
    "again": """
import { add as again } from "./things.js";
trace.push("again");
export { again };
""",
    "late": """
import { made } from "./things.js";
trace.push("late");
export const late = () => made;
""",
}
"""What modules of the page may do, each with a note of when it ran and what it saw."""


def trace_of(page: Page, scripts: Mapping[str, str]) -> list[object]:
    """What the modules noted when a browser ran them."""
    html = '<script type="module" src="/js/start.js" data-start="begin"></script>'

    def send(route: Route) -> None:
        name = re.search(r"/js/(\w+)\.js$", route.request.url)
        if name is None:
            route.fulfill(body=html, content_type="text/html")
        else:
            route.fulfill(body=scripts[name[1]], content_type="text/javascript")

    page.route("**/*", send)
    page.add_init_script("globalThis.trace = [];")
    page.goto("http://scripts.test/")
    until = time.monotonic() + PATIENCE / 1000
    while (noted := page.evaluate("trace"))[-1:] != ["over"]:
        assert time.monotonic() < until, f"the modules do not come to their end: {noted}"
        page.wait_for_timeout(20)
    return noted


def test_joined_modules_run_as_the_browser_runs_modules(browser: Browser) -> None:
    start = (SCRIPTS / "start.js").read_text(encoding="utf-8")
    found = []
    for scripts in ({**MODULES, "start": start}, {"start": joined(MODULES)}):
        with browser.new_context() as context:
            found.append(trace_of(context.new_page(), scripts))
    assert found[0] == found[1]
    assert found[0][:4] == ["things", "aside", 2, "own"]
    assert len(found[0]) > 12


@pytest.fixture(scope="module")
def developers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that sends each script by itself."""
    server = Server(tmp_path_factory.mktemp("developers"), options=["--separate-scripts"])
    yield server
    server.stop()


@pytest.fixture
def separately(pages: Pages, developers: Server) -> Iterator[People]:
    """People whose browsers are sent each script by itself."""
    people = People(pages, developers, None)
    yield people
    troubles = people.leave()
    assert not troubles, "\n".join(troubles)


def scripts_of(requests: list[str]) -> set[str]:
    return {each.rpartition("/")[2] for each in requests if each.endswith(".js")}


def test_page_works_the_same_as_one_script_and_as_many(people: People, separately: People) -> None:
    asked = []
    for group in (people, separately):
        campaign = group.server.create("burning_wheel")
        gus = group.sits(campaign, "gm")
        gus.suggestion("Tam finds the night watchman")
        group.play_out(gus)
        expect(gus.reads_details().locator(".die").first).to_be_attached()
        gus.panel("Sheet").get_by_role("button", name="Relationships").click()
        expect(gus.page.locator("ast-relationships")).to_be_visible()
        asked.append(scripts_of(gus.requests))
    together, apart = asked
    assert together == {"start.js"}
    outside = {"lobby.js", "watch.js", "new_character.js"}
    assert apart | outside >= {each.name for each in SCRIPTS.glob("*.js")}


def test_a_refused_card_is_no_refusal_of_odds(separately: People) -> None:
    gus = separately.sits(separately.server.create("burning_wheel"), "gm")
    gus.suggestion("Tam finds the night watchman")
    gus.is_asked()
    asked = """async () => {
      const { table } = await import("/page/js/table.js");
      const odds = table.suppose(table.view.open[0].id, {});
      table.fetchCard("nothing");
      return (await odds)?.procedure === table.view.open[0].id;
    }"""
    assert gus.page.evaluate(asked)
