"""Handouts, portraits and saved tests: who sees them, what they leave behind, and their limits."""

from __future__ import annotations

from typing import Any

import pytest

from astragal.errors import BadInput, Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table import images, table_images
from astragal.table.commands import commands as do
from astragal.table.commands import handouts
from astragal.table.commands.seat import Forbidden
from astragal.table.log.state import Role
from table.company import Company, decode, encode, played
from table.drawn import gif, png

LETTER = "Meet me at the mill, and tell nobody."
TEST = game_named("burning_wheel").demo.suggestions[0]


async def heard(at: Company, seat: str) -> bytes:
    """Everything that a seat is told from now on, and what it can ask for."""
    parts = await at.clients[seat].hear()
    parts.append(encode(await at.view(seat)))
    parts.append((await at.tables.markdown(at.id, seat)).encode())
    parts.append(encode(await at.tables.evidence(at.id, seat)))
    parts.append(encode(await at.tables.older(at.id, seat, 10_000)))
    return b"".join(parts)


def titles(view: dict[str, Any]) -> list[str]:
    return [each["title"] for each in view["handouts"]]


@played
async def test_a_handout_is_for_those_it_is_shown_to(at: Company):
    await at.sit("walt", Role.SPECTATOR)
    image = await at.tables.keep_image(at.id, GM, png())
    await at.gm(do.ShowHandout("letter", "A letter", LETTER, image, ("anna",)))
    for seat in ("ben", "walt"):
        said = await heard(at, seat)
        for secret in (b"A letter", b"mill", image.encode(), b"handed_out"):
            assert secret not in said, seat
        assert await at.tables.image(at.id, seat, image) is None
    said = await heard(at, "anna")
    assert LETTER.encode() in said
    assert image.encode() in said
    assert (await at.tables.image(at.id, "anna", image)).data == png()
    assert (await at.view("anna"))["handouts"][0]["to"] == []  # not who else has it
    assert (await at.view(GM))["handouts"][0]["to"] == ["anna"]


@pytest.mark.slow
@played
async def test_what_is_prepared_is_the_gms_and_what_is_for_everyone_is_everyones(at: Company):
    await at.gm(do.ShowHandout("map", "A map", "of the marsh"))
    assert titles(await at.view("anna")) == []
    assert titles(await at.view(GM)) == ["A map"]
    assert b"marsh" not in await heard(at, "anna")
    await at.gm(do.ShowHandout("map", "A map", "of the marsh", everyone=True))
    await at.sit("cleo")  # who comes later sees it, too
    for seat in (GM, "anna", "cleo"):
        assert titles(await at.view(seat)) == ["A map"]
    view = (await at.view(GM))["handouts"][0]
    assert view["everyone"]
    assert view["to"] == []


@played
async def test_who_is_shown_it_no_longer_sees_it_no_longer(at: Company):
    image = await at.tables.keep_image(at.id, GM, png())
    await at.gm(do.ShowHandout("letter", "A letter", LETTER, image, ("anna", "ben")))
    await at.clients["ben"].hear()
    await at.gm(do.ShowHandout("letter", "A letter", LETTER, image, ("anna",)))
    (update,) = map(decode, await at.clients["ben"].hear())
    assert update["handouts"] == []
    assert "log" not in update
    assert await at.tables.image(at.id, "ben", image) is None
    await at.gm(do.RemoveHandout("letter"))
    assert titles(await at.view("anna")) == []
    assert await at.store.image_ids(at.id) == []  # and the image is gone with it


@played
async def test_an_image_that_is_still_shown_elsewhere_stays(at: Company):
    image = await at.tables.keep_image(at.id, GM, png())
    await at.gm(do.ChangePortrait("mara", image))
    await at.gm(do.ShowHandout("face", "A face", "", image, everyone=True))
    await at.gm(do.RemoveHandout("face"))
    assert (await at.tables.image(at.id, "ben", image)).data == png()


@played
async def test_handouts_that_make_no_sense_are_refused(at: Company):
    for command, line in (
        (do.ShowHandout("a", " ", "text"), "title"),
        (do.ShowHandout("a", "Title", " "), "a text or an image"),
        (do.ShowHandout("a", "Title", "text", to=("nobody",)), "to: "),
        (do.ShowHandout("a", "Title", "text", to=("anna",), everyone=True), "everyone"),
        (do.ShowHandout("a", "Title", "", "ab" * 32), "uploaded"),
        (do.RemoveHandout("a"), "a handout"),
        (do.ChangePortrait("mara", "ab" * 32), "uploaded"),
        (do.ChangePortrait("mara", ""), "already"),
    ):
        before = await at.state()
        with pytest.raises(BadInput, match=line):
            await at.gm(command)
        assert await at.state() == before
    await at.gm(do.ShowHandout("a", "Title", "text"))
    with pytest.raises(Refusal, match="already like that"):
        await at.gm(do.ShowHandout("a", "Title", "text"))


@played
async def test_there_is_an_end_to_handouts_and_saved_tests(at: Company, monkeypatch):
    monkeypatch.setattr(handouts, "MOST_HANDOUTS", 2)
    monkeypatch.setattr(handouts, "MOST_SAVED", 2)
    for number in range(2):
        await at.gm(do.ShowHandout(f"h{number}", "Title", "text"))
        await at.gm(do.SaveTest(f"t{number}", "Name", TEST.procedure))
    with pytest.raises(Refusal, match="2 handouts"):
        await at.gm(do.ShowHandout("h2", "Title", "text"))
    with pytest.raises(Refusal, match="2 saved tests"):
        await at.gm(do.SaveTest("t2", "Name", TEST.procedure))
    await at.gm(do.ShowHandout("h1", "Another title", "text"))
    await at.gm(do.SaveTest("t1", "Another name", TEST.procedure))
    await at.do("anna", do.SaveTest("t1", "Her own", TEST.procedure))


@played
async def test_images_have_room_for_all_and_for_each_player(at: Company, monkeypatch):
    size = len(png())
    room = table_images._ROOM.__class__(3, 3 * size, 2 * size)
    monkeypatch.setattr(table_images, "_ROOM", room)
    monkeypatch.setattr(table_images, "_GMS_ROOM", room.__class__(3, 3 * size, 3 * size))
    for shade in (0, 1, 1):
        await at.tables.keep_image(at.id, "anna", png(shade=shade))
    with pytest.raises(Refusal, match="no room"):
        await at.tables.keep_image(at.id, "anna", png(shade=2))
    image = await at.tables.keep_image(at.id, GM, png(shade=3))
    await at.gm(do.ShowHandout("a", "Title", "", image))
    with pytest.raises(Refusal, match="no room"):
        await at.tables.keep_image(at.id, GM, png(shade=4))
    # What nobody uses makes room after a while.
    monkeypatch.setattr(table_images, "UNUSED_FOR", -table_images.UNUSED_FOR)
    await at.tables.keep_image(at.id, GM, png(shade=4))
    assert image in await at.store.image_ids(at.id)
    await at.sit("walt", Role.SPECTATOR)
    with pytest.raises(Forbidden, match="Spectators"):
        await at.tables.keep_image(at.id, "walt", png())


@played
async def test_a_portrait_is_seen_by_those_who_know_the_character(at: Company):
    mine = await at.tables.keep_image(at.id, "anna", png())
    await at.do("anna", do.ChangePortrait("mara", mine))
    assert (await at.view("ben"))["characters"]["mara"]["portrait"] == mine
    assert (await at.tables.image(at.id, "ben", mine)).kind == "image/png"
    with pytest.raises(Forbidden, match="not your character"):
        await at.do("ben", do.ChangePortrait("mara", ""))
    await at.gm(do.AddCharacter("shade", sketch="Shade, 4s", hidden=True))
    unseen = await at.tables.keep_image(at.id, GM, gif())
    await at.clients["ben"].hear()
    await at.gm(do.ChangePortrait("shade", unseen))
    said = await heard(at, "ben")
    assert b"hade" not in said
    assert unseen.encode() not in said
    assert await at.tables.image(at.id, "ben", unseen) is None
    assert (await at.tables.image(at.id, GM, unseen)).data == gif()
    await at.gm(do.GiveCharacter("shade", "ben"))
    assert (await at.view("anna"))["characters"]["shade"]["portrait"] == unseen


@played
async def test_an_undo_brings_an_earlier_portrait_back(at: Company):
    one, other = [await at.tables.keep_image(at.id, GM, png(shade=each)) for each in (1, 2)]
    seq = await at.gm(do.ChangePortrait("mara", one))
    await at.gm(do.ChangePortrait("mara", other))
    await at.gm(do.UndoEntries(seq))
    assert (await at.view("anna"))["characters"]["mara"]["portrait"] == one
    assert (await at.tables.image(at.id, "anna", one)).data == png(shade=1)
    await at.gm(do.ChangePortrait("mara", ""))
    assert (await at.view("anna"))["characters"]["mara"]["portrait"] == ""


@played
async def test_a_saved_test_is_its_seats_alone(at: Company):
    await at.do("anna", do.SaveTest("gate", "The gate", TEST.procedure, TEST.arguments))
    (saved,) = (await at.view("anna"))["saved"]
    assert saved == {
        "id": "gate",
        "seat": "anna",
        "name": "The gate",
        "procedure": TEST.procedure,
        "arguments": decode(encode(TEST.arguments)),
    }
    for seat in (GM, "ben"):
        assert b"The gate" not in await heard(at, seat)
    assert "The gate" not in encode(await at.tables.export(at.id)).decode()
    await at.do("anna", do.BeginProcedure(saved["procedure"], saved["arguments"]))
    for command, line in (
        (do.SaveTest("gate", "", ""), None),
        (do.SaveTest("gate", ""), "no such saved test"),
        (do.SaveTest("gate", "Name", "nonsense"), "procedure"),
        (do.SaveTest("gate", "Name"), "a procedure, or just an obstacle"),
    ):
        if line is None:
            await at.do("anna", command)
            assert (await at.view("anna"))["saved"] == []
        else:
            with pytest.raises(BadInput, match=line):
                await at.do("anna", command)


@played
async def test_an_obstacle_is_saved_without_a_procedure(at: Company):
    await at.gm(do.SaveTest("wall", "The wall", arguments={"obstacle": 4}))
    assert (await at.view(GM))["saved"][0]["arguments"] == {"obstacle": 4}
    assert b"The wall" not in await heard(at, "anna")
    for arguments in ({}, {"obstacle": 0}, {"obstacle": 31}, {"obstacle": True}, {"x": 1}):
        with pytest.raises(BadInput, match="an obstacle from 1 to 30"):
            await at.gm(do.SaveTest("wall", "The wall", arguments=arguments))


@played
async def test_a_file_takes_handouts_and_portraits_along(at: Company):
    image = await at.tables.keep_image(at.id, GM, png())
    face = await at.tables.keep_image(at.id, "anna", gif())
    unused = await at.tables.keep_image(at.id, GM, png(shade=9))
    await at.gm(do.ShowHandout("letter", "A letter", LETTER, image, ("anna",)))
    await at.do("anna", do.ChangePortrait("mara", face))
    await at.gm(do.SaveTest("gate", "The gate", TEST.procedure, TEST.arguments))
    file = await at.tables.export(at.id)
    assert {each.id for each in file.images} == {image, face}
    copy, _ = await at.tables.import_(encode(file))
    there = Company(at.tables, copy, "")
    assert (await there.view("anna"))["handouts"] == (await at.view("anna"))["handouts"]
    assert (await there.view("ben"))["handouts"] == []
    assert (await there.view(GM))["saved"] == (await at.view(GM))["saved"]
    assert (await at.tables.image(copy, "anna", image)).data == png()
    assert await at.tables.image(copy, "ben", image) is None
    assert (await at.tables.image(copy, "ben", face)).data == gif()
    assert await at.store.image_ids(copy) == sorted({image, face} - {unused})


@played
async def test_a_file_brings_no_more_images_than_a_table_may_have(at: Company, monkeypatch):
    image = await at.tables.keep_image(at.id, GM, png())
    await at.gm(do.ShowHandout("letter", "A letter", LETTER, image))
    file = decode(encode(await at.tables.export(at.id)))
    bad = {**file["images"][0], "data": "PHN2Zy8+"}  # <svg/>
    with pytest.raises(BadInput, match=r"file.images\[0\].*PNG"):
        await at.tables.import_(encode({**file, "images": [bad]}))
    with pytest.raises(BadInput, match=r"file\.images: found 201"):
        await at.tables.import_(encode({**file, "images": file["images"] * 201}))
    monkeypatch.setattr("astragal.table.importing.MOST_BYTES_IN_ALL", len(png()) - 1)
    with pytest.raises(BadInput, match="bytes"):
        await at.tables.import_(encode(file))
    for entry in file["entries"]:
        if entry["event"]["event"] == "handed_out":
            entry["event"]["image"] = "../../etc"
    with pytest.raises(BadInput, match="event"):
        await at.tables.import_(encode({**file, "images": []}))


def test_all_images_of_a_campaign_fit_into_a_file():
    from astragal.web.request_bodies import MAX_IMPORT_SIZE

    in_base_64 = images.MOST_BYTES_IN_ALL * 4 / 3 + images.MOST_IMAGES * 200
    assert in_base_64 + 19.5 * 1024 * 1024 < MAX_IMPORT_SIZE
