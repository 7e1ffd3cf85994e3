"""Uploading and serving images: who may, how they are sent, and what is refused."""

import pytest

from astragal.table.commands.commands import GiveCharacter, ShowHandout
from astragal.table.images import MOST_BYTES
from astragal.web.settings import Rate, Rates
from table.drawn import png
from table.stores import asynchronous
from web.serving import UNLIMITED, a_table, bearer, serving


@pytest.fixture
def database(tmp_path):
    return f"sqlite:///{tmp_path}/images.db"


PIXEL = png()


async def upload(http, people, token, raw=PIXEL, kind="image/png", **headers):
    path = f"/api/t/{people.campaign}/images"
    return await http.post(
        path, content=raw, headers={"Content-Type": kind, **bearer(token), **headers}
    )


@asynchronous
async def test_an_image_is_sent_to_those_who_may_see_it_and_only_as_an_image(database):
    async with serving(database) as server, server.http() as http:
        people = await a_table(server)
        other = await a_table(server)
        answer = await upload(http, people, people.gm)
        assert answer.status_code == 201
        image = answer.json()["image"]
        path = f"/api/t/{people.campaign}/images/{image}"
        tables = server.app.tables
        unseen = await http.get(path, headers=bearer(people.anna))
        assert unseen.status_code == 404
        shown = ShowHandout("letter", "A letter", "", image, ("anna",))
        await tables.do(people.campaign, "gm", shown)
        seen = await http.get(path, headers=bearer(people.anna))
        assert seen.status_code == 200
        assert seen.content == png()
        assert seen.headers["content-type"] == "image/png"
        assert seen.headers["x-content-type-options"] == "nosniff"
        assert seen.headers["content-disposition"].startswith("attachment;")
        assert "default-src 'none'" in seen.headers["content-security-policy"]
        assert seen.headers["cross-origin-resource-policy"] == "same-origin"
        assert seen.headers["cache-control"] == "private, no-cache"
        again = {**bearer(people.anna), "If-None-Match": seen.headers["etag"]}
        assert (await http.get(path, headers=again)).status_code == 304
        for token in (people.watcher, other.gm, "nonsense"):
            refused = await http.get(path, headers=bearer(token) | {"If-None-Match": "*"})
            assert refused.status_code in (401, 404)
            assert png() not in refused.content
        assert (await http.get(path)).status_code == 401
        missing = await http.get(path[:-64] + "0" * 64, headers=bearer(people.watcher))
        kept_from = await http.get(path, headers=bearer(people.watcher))
        assert missing.json() == kept_from.json(), "whether it is there is not told"
        await tables.do(people.campaign, "gm", ShowHandout("letter", "A letter", "", image))
        revoked = await http.get(path, headers=again)
        assert revoked.status_code == 404, "also for those who have it in their cache"


@asynchronous
async def test_what_is_no_image_or_from_nobody_is_refused(database):
    async with serving(database) as server, server.http() as http:
        people = await a_table(server)
        for raw, kind, status, line in (
            (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml", 422, "PNG"),
            (b"<!doctype html>", "image/png", 422, "PNG"),
            (b"<!doctype html>", "text/html", 415, "PNG"),
            (png(), "application/json", 415, "PNG"),
            (png() + bytes(MOST_BYTES), "image/png", 413, "too large"),
        ):
            refused = await upload(http, people, people.gm, raw, kind)
            assert refused.status_code == status, (kind, refused.text)
            assert line in refused.json()["error"]["line"]
        assert (await upload(http, people, people.watcher)).status_code == 403
        assert (await upload(http, people, "nonsense")).status_code == 401
        cookie = {"Cookie": f"astragal_{people.campaign}={people.gm}"}
        path = f"/api/t/{people.campaign}/images"
        foreign = {**cookie, "Content-Type": "image/png", "Origin": "https://evil.example"}
        assert (await http.post(path, content=png(), headers=foreign)).status_code == 403
        assert await server.app.store.image_ids(people.campaign) == []


@asynchronous
async def test_a_seat_uploads_only_so_much_at_once(database):
    rates = Rates(
        **{
            **{n: getattr(UNLIMITED, n) for n in Rates.__struct_fields__},
            "images": Rate(0.001, 2 * len(png())),
        }
    )
    async with serving(database, rates=rates) as server, server.http() as http:
        people = await a_table(server)
        for shade in (0, 1):
            sent = await upload(http, people, people.gm, png(shade=shade))
            assert sent.status_code == 201
        refused = await upload(http, people, people.gm, png(shade=2))
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) > 0
        assert (await upload(http, people, people.anna)).status_code == 201, "another seat"


@asynchronous
async def test_only_the_gm_looks_as_another_seat(database):
    async with serving(database) as server, server.http() as http:
        people = await a_table(server)
        await server.app.tables.do(people.campaign, "gm", GiveCharacter("mara", "anna"))
        at = f"/api/t/{people.campaign}"
        own = await http.get(f"{at}/view", headers=bearer(people.anna))
        seen = await http.get(f"{at}/view-as/anna", headers=bearer(people.gm))
        assert seen.json() == own.json()
        for token in (people.anna, people.watcher):
            refused = await http.get(f"{at}/view-as/anna", headers=bearer(token))
            assert refused.status_code == 403
        unknown = await http.get(f"{at}/view-as/nobody", headers=bearer(people.gm))
        assert unknown.status_code == 422
