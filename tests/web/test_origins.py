"""Cookies, origins and hosts: what a browser can be made to send by somebody else's page."""

import asyncio

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from astragal.web.security import Origins
from astragal.web.settings import Settings
from web.serving import KEY, a_table, eventually, serving

FOREIGN = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "http://127.0.0.1.evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


async def seated(http, people):
    """The cookies of a seat, as a browser keeps them."""
    answer = await http.post("/api/join", json={"token": people.anna})
    assert answer.status_code == 200
    return answer


def test_joining_gives_cookies_that_no_script_and_no_other_site_can_use(store_url):
    async def join():
        async with serving(store_url) as server, server.http() as http:
            people = await a_table(server)
            answer = await seated(http, people)
            assert answer.json() == {"campaign": people.campaign, "seat": "anna"}
            cookies = answer.headers.get_list("set-cookie")
            paths = {f"Path=/api/t/{people.campaign}", f"Path=/ws/{people.campaign}"}
            assert {each.split("; ")[1] for each in cookies} == paths
            for each in cookies:
                assert each.startswith(f"astragal_{people.campaign}={people.anna};")
                assert {"HttpOnly", "SameSite=Strict"} <= set(each.split("; "))
                assert "Secure" not in each
            assert (await http.get(f"/api/t/{people.campaign}/view")).status_code == 200
            left = await http.post(f"/api/leave/{people.campaign}")
            assert all("Max-Age=0" in each for each in left.headers.get_list("set-cookie"))
            assert (await http.get(f"/api/t/{people.campaign}/view")).status_code == 401

    asyncio.run(join())


def test_behind_https_cookies_are_secure_and_links_have_the_public_address(store_url):
    async def join():
        public = "https://table.example"
        async with serving(store_url, public_url=public) as server:
            people = await a_table(server)
            headers = {"Host": "table.example", "Authorization": f"Bearer {KEY}"}
            async with server.http(headers=headers) as http:
                answer = await seated(http, people)
                assert all("Secure" in e for e in answer.headers.get_list("set-cookie"))
                body = {"game": "cores", "demo": True}
                created = await http.post("/api/campaigns", json=body)
                assert created.json()["link"].startswith("https://table.example/join/")

    asyncio.run(join())


def test_a_cookie_changes_nothing_unless_our_own_page_sends_it(store_url):
    async def play():
        async with serving(store_url) as server, server.http() as http:
            people = await a_table(server)
            await seated(http, people)
            path = f"/api/t/{people.campaign}/do"
            body = {"command": {"do": "say", "text": "hello"}}
            before = (await server.app.tables.campaign(people.campaign)).seq
            for headers in ({}, *FOREIGN):
                answer = await http.post(path, json=body, headers=headers)
                assert answer.status_code == 403, headers
            plain = {"Origin": server.origin, "Content-Type": "text/plain"}
            answer = await http.post(path, content=b'{"command": 1}', headers=plain)
            assert answer.status_code == 415
            assert (await server.app.tables.campaign(people.campaign)).seq == before
            for headers in ({"Origin": server.origin}, {"Sec-Fetch-Site": "same-origin"}):
                answer = await http.post(path, json=body, headers=headers)
                assert answer.status_code == 200, headers

    asyncio.run(play())


def test_other_sites_can_neither_join_nor_create_nor_leave(store_url):
    async def play():
        async with serving(store_url) as server, server.http() as http:
            people = await a_table(server)
            for headers in FOREIGN:
                for path, body in (
                    ("/api/join", {"token": people.anna}),
                    ("/api/campaigns", {"game": "cores"}),
                    ("/api/import", {}),
                    (f"/api/leave/{people.campaign}", {}),
                ):
                    answer = await http.post(path, json=body, headers=headers)
                    assert answer.status_code == 403, (path, headers)
                    assert not answer.headers.get_list("set-cookie")
            assert len(await server.app.store.campaigns()) == 1

    asyncio.run(play())


def test_sockets_from_other_origins_are_refused_before_they_open(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            url = f"{server.socket_url}/ws/{people.campaign}"
            cookie = {"Cookie": f"astragal_{people.campaign}={people.anna}"}
            token = {"Authorization": f"Bearer {people.anna}"}
            for origin in ("https://evil.example", "null", "http://localhost:1"):
                for headers in (cookie, token, {}):
                    sent = {**headers, "Origin": origin}
                    with pytest.raises(InvalidStatus) as refused:
                        async with connect(url, additional_headers=sent, proxy=None):
                            pass
                    assert refused.value.response.status_code == 403
            ours = {**cookie, "Origin": server.origin}
            async with connect(url, additional_headers=ours, proxy=None) as socket:
                assert '"type":"view"' in await socket.recv()
            assert len(server.app.presence) <= 1
            await eventually(lambda: len(server.app.presence) == 0)

    asyncio.run(play())


def test_a_socket_with_a_cookie_but_no_origin_has_no_seat(store_url):
    async def play():
        async with serving(store_url) as server:
            people = await a_table(server)
            url = f"{server.socket_url}/ws/{people.campaign}"
            cookie = {"Cookie": f"astragal_{people.campaign}={people.anna}"}
            with pytest.raises(InvalidStatus) as refused:
                await connect(url, additional_headers=cookie, proxy=None)
            assert refused.value.response.status_code == 401

    asyncio.run(play())


def test_a_server_for_this_machine_answers_to_its_own_names_only(store_url):
    async def play():
        async with serving(store_url) as server, server.http() as http:
            for host in ("evil.example", "127.0.0.1.evil.example", ""):
                answer = await http.get("/health", headers={"Host": host})
                assert answer.status_code in (400, 421), host
                assert answer.headers["content-type"] or answer.status_code == 400
            for host in ("localhost", "127.0.0.1:9", "[::1]:8000", "LOCALHOST:80"):
                assert (await http.get("/health", headers={"Host": host})).status_code == 200
            url = f"{server.socket_url}/ws/x"
            with pytest.raises(InvalidStatus) as refused:
                async with connect(url, additional_headers={"Host": "evil.example"}, proxy=None):
                    pass
            assert refused.value.response.status_code in (400, 421)

    asyncio.run(play())


@pytest.mark.parametrize(
    ("public", "scheme", "origin", "is_ours"),
    [
        ("", "http", "http://table.example:8000", True),
        ("", "http", "https://table.example:8000", False),
        ("", "https", "https://table.example:8000", True),
        ("", "http", "http://table.example", False),
        ("https://table.example", "http", "https://table.example", True),
        ("https://table.example", "http", "http://table.example:8000", False),
        ("https://Table.Example/", "http", "https://table.example", True),
    ],
)
def test_which_origins_are_ours(public, scheme, origin, is_ours):
    origins = Origins(Settings(database="", public_url=public))
    headers = {"host": "table.example:8000", "origin": origin}
    assert origins.is_ours(headers, scheme) is is_ours
    assert origins.is_foreign(headers, scheme) is not is_ours
