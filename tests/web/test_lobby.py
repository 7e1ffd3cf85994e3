"""Creating campaigns, with and without the key; the page and its files; the rules."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from astragal.games import games
from astragal.table.store import StoreDown
from astragal.web.authentication import creation_key
from astragal.web.security import POLICY
from unlimited import PLENTY, UNLIMITED
from web.serving import KEY, bearer, serving

LAN = {"host": "192.0.2.1"}  # anything but loopback: what matters is what the settings say


@pytest.mark.parametrize("game", games())
def test_a_demo_of_every_game_is_one_request_away(store_url, game):
    async def play():
        async with serving(store_url) as server, server.client() as client:
            created = await client.create(game, demo=True, name="Ann")
            assert created.link == f"{server.url}/join/{created.token}"
            async with await client.join(created.link) as seat:
                assert seat.view.you.name == "Ann"
                assert seat.view.you.role == "gm"
                assert seat.view.characters

    asyncio.run(play())


def test_bad_campaigns_are_refused_with_the_place(store_url):
    bad = [
        ({"game": "chess"}, "game", 422),
        ({"game": "cores", "options": {"nothing": "x"}}, "options", 422),
        ({"game": "cores", "title": "x" * 121}, "title", 400),
        ({"game": "cores", "title": 4}, "title", 400),
        ({"title": "x"}, "game", 400),
        ({"game": "cores", "extra": 1}, "extra", 400),
        ([], "body", 400),
    ]

    async def play():
        async with serving(store_url) as server, server.http() as http:
            for body, where, status in bad:
                answer = await http.post("/api/campaigns", json=body)
                assert answer.status_code == status, body
                error = answer.json()["error"]
                assert error["place"].startswith(where), (body, error)
                assert error["expected"]
                assert "\n" not in error["line"]
            assert not await server.app.store.campaigns()

    asyncio.run(play())


def test_away_from_this_machine_creating_needs_the_key(store_url):
    async def play():
        async with serving(store_url, **LAN) as server:
            body = {"game": "cores", "demo": True}
            async with server.http() as http:
                answer = await http.post("/api/campaigns", json=body)
                assert answer.status_code == 403
                assert "key" in answer.json()["error"]["line"]
                wrong = await http.post("/api/campaigns", json=body, headers=bearer("wrong"))
                assert wrong.status_code == 403
                right = await http.post("/api/campaigns", json=body, headers=bearer(KEY))
                assert right.status_code == 201
                opened = await http.get(f"/?key={KEY}")
                assert opened.status_code == 303
                assert opened.headers["location"] == "/"
                (cookie,) = opened.headers.get_list("set-cookie")
                assert cookie.startswith(f"astragal_key={KEY}; Path=/api;")
                assert "HttpOnly; SameSite=Strict" in cookie
                assert (await http.post("/api/campaigns", json=body)).status_code == 201
            async with server.http() as http:
                opened = await http.get("/?key=wrong")
                assert opened.status_code == 303
                assert not opened.headers.get_list("set-cookie")

    asyncio.run(play())


@pytest.mark.parametrize(
    ("settings", "status"),
    [
        ({}, 201),
        ({"is_open": True, **LAN}, 201),
        ({"public_url": "http://127.0.0.1"}, 403),
        ({"key": "", **LAN}, 403),
    ],
)
def test_who_may_create_without_a_key(store_url, settings, status):
    async def play():
        async with serving(store_url, **settings) as server, server.http() as http:
            answer = await http.post("/api/campaigns", json={"game": "cores"})
            assert answer.status_code == status

    asyncio.run(play())


def test_the_creation_key_is_made_once_and_is_its_owners_alone(tmp_path, monkeypatch):
    monkeypatch.delenv("ASTRAGAL_KEY", raising=False)
    database = f"sqlite:///{tmp_path}/deep/table.db"
    made = creation_key(database)
    assert made.is_new
    assert made.file == tmp_path / "deep" / "table.key"
    assert made.file.stat().st_mode & 0o777 == 0o600
    again = creation_key(database)
    assert (again.key, again.is_new) == (made.key, False)
    monkeypatch.setenv("ASTRAGAL_KEY", "from the environment")
    assert creation_key(database).key == "from the environment"


@pytest.mark.parametrize("moment", ["fsync", "link"])
def test_a_server_that_is_killed_while_it_makes_its_key_starts_again(tmp_path, moment):
    """A whole process, ended without a word at the worst moments."""
    database = f"sqlite:///{tmp_path}/table.db"
    start = (
        "import os, signal, sys\n"
        "from astragal.web.authentication import creation_key\n"
        f"os.{moment} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "creation_key(sys.argv[1])\n"
    )
    environment = {k: v for k, v in os.environ.items() if k != "ASTRAGAL_KEY"}
    killed = subprocess.run(
        [sys.executable, "-c", start, database], env=environment, timeout=60, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    usual = (
        "import sys\n"
        "from astragal.web.authentication import creation_key\n"
        "print(creation_key(sys.argv[1]))\n"
    )
    said = [
        subprocess.run(
            [sys.executable, "-c", usual, database],
            env=environment,
            timeout=60,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for _ in range(2)
    ]
    assert "is_new=True" in said[0]
    assert said[1] == said[0].replace("is_new=True", "is_new=False")
    assert len((tmp_path / "table.key").read_text().strip()) == 32
    assert (tmp_path / "table.key").stat().st_mode & 0o777 == 0o600


def test_of_two_servers_that_start_at_once_both_have_the_same_key(tmp_path, monkeypatch):
    monkeypatch.delenv("ASTRAGAL_KEY", raising=False)
    database = f"sqlite:///{tmp_path}/table.db"
    linked = os.link

    def late(scrap: str, file: Path) -> None:
        file.write_text("the key of the other server\n")
        linked(scrap, file)

    monkeypatch.setattr(os, "link", late)
    made = creation_key(database)
    assert (made.key, made.is_new) == ("the key of the other server", False)
    assert [each.name for each in tmp_path.iterdir()] == ["table.key"]


def test_every_answer_carries_the_policy(store_url):
    async def look():
        async with serving(store_url, rates=UNLIMITED) as server, server.http() as http:
            for path in ("/", "/t/abc", "/join/abc", "/page/js/dom.js", "/health", "/nowhere"):
                for method in ("GET", "POST"):
                    answer = await http.request(method, path)
                    assert answer.headers["content-security-policy"] == POLICY, path
                    assert answer.headers["x-content-type-options"] == "nosniff"
                    assert answer.headers["referrer-policy"] == "no-referrer"
                    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
                    assert answer.headers["x-request-id"]
                    assert "server" not in answer.headers
            assert (await http.get("/health")).headers["cache-control"] == "no-store"
            assert "unsafe" not in POLICY
            assert PLENTY.at_once  # nothing above was a matter of limits

    asyncio.run(look())


def test_the_page_is_served_and_nothing_beside_it(store_url, tmp_path):
    page = tmp_path / "page"
    (page / "js").mkdir(parents=True)
    (tmp_path / "secret.js").write_text("secret")
    (page / "secret.key").write_text("secret")
    (page / "index.html").write_text("<p>the table</p>")
    (page / "lobby.html").write_text("<p>the lobby</p>")
    (page / "js" / "big.js").write_text("  let long; // so\n" * 1000)
    (page / "js" / "out.js").symlink_to(tmp_path / "secret.js")

    async def look():
        async with serving(store_url, page=page) as server, server.http() as http:
            assert "the lobby" in (await http.get("/")).text
            for path in ("/t/abc", "/join/abc"):
                answer = await http.get(path)
                assert "the table" in answer.text
                assert answer.headers["content-type"] == "text/html; charset=utf-8"
            big = await http.get("/page/js/big.js")
            assert big.headers["content-encoding"] == "gzip"
            assert big.text.splitlines() == ["let long; // so"] * 1000
            assert big.headers["content-type"] == "text/javascript; charset=utf-8"
            known = {"If-None-Match": big.headers["etag"]}
            again = await http.get("/page/js/big.js", headers=known)
            assert (again.status_code, again.content) == (304, b"")
            (page / "js" / "big.js").write_text("let changed;\n")
            assert (await http.get("/page/js/big.js", headers=known)).text == "let changed;\n"
            for path in (
                "/page/secret.key",
                "/page/js/out.js",
                "/page/../secret.js",
                "/page/%2e%2e/secret.js",
                "/page/js/..%2f..%2fsecret.js",
                "/page//etc/passwd",
                "/page/js",
                "/page/%00.js",
                "/page/" + "x" * 5000 + ".js",
            ):
                answer = await http.get(path)
                assert answer.status_code == 404, path
                assert "secret" not in answer.text

    asyncio.run(look())


def test_the_rules_can_be_searched_and_read(store_url):
    async def look():
        async with serving(store_url) as server, server.client() as client, server.http() as http:
            found = await client.search_rules("let it ride", "burning_wheel")
            assert found.results[0].id.startswith("tests.let_it_ride.")
            assert found.found >= len(found.results) > 3
            assert len((await client.search_rules("die", limit=2)).results) == 2
            rule = await client.rule("tests.advantage.one_die")
            assert rule.kind == "mechanic"
            assert rule.text
            table = await client.rule("tests.table.shade")
            assert "letter" in table.columns
            assert all(len(row) == len(table.columns) for row in table.rows)
            assert (await http.get("/api/rules/no.such.rule")).status_code == 404
            for query in ("", "?q=a&limit=0", "?q=a&limit=x", "?q=a&game=chess"):
                answer = await http.get(f"/api/rules/search{query}")
                assert answer.status_code == (422 if "chess" in query else 400), query
                assert answer.json()["error"]["line"]

    asyncio.run(look())


def test_games_say_what_there_is_to_play(store_url):
    async def look():
        async with serving(store_url) as server, server.client() as client:
            offered = {game.name: game for game in await client.games()}
            assert set(offered) == set(games())
            for name, game in games().items():
                shown = offered[name]
                assert {each.name for each in shown.procedures} >= set(game.procedures)
                assert shown.demo is not None
                assert all(option.default in option.choices for option in shown.options)
                gms = {each.name for each in shown.procedures if each.gm_only}
                assert gms >= {each.name for each in game.procedures.values() if each.gm_only}

    asyncio.run(look())


def test_health_tells_whether_the_database_answers(store_url):
    async def look():
        async with serving(store_url) as server, server.http() as http:
            well = await http.get("/health")
            assert (well.status_code, well.json()["status"]) == (200, "ok")
            head = await http.head("/health")
            assert (head.status_code, head.content) == (200, b"")

            async def down():
                raise StoreDown("gone")

            server.app.store.ping = down
            ill = await http.get("/health")
            assert ill.status_code == 503
            assert "database" in ill.json()["error"]["line"]

    asyncio.run(look())
