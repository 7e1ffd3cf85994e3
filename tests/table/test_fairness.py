"""Fair dice: every throw follows from what was fixed beforehand, and whatever does not is found."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.errors import BadInput, Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.fairness import Evidence, Receipt, SessionSeen, ThrowSeen, derive, verify
from astragal.table.host import Tables
from astragal.table.log import events as happened
from astragal.table.log.seals import next_head
from astragal.table.running import keys
from table.company import Company, decode, played
from table.memory import MemoryStore

TEST = game_named("burning_wheel").demo.suggestions[0]


def by_hand(seed: bytes, index: int, dice: Any) -> list[int]:
    """The algorithm as it is written down, with nothing of Astragal in it."""
    stream: list[int] = []
    block = 0

    def next_byte() -> int:
        nonlocal block
        if not stream:
            message = index.to_bytes(8, "big") + block.to_bytes(8, "big")
            stream.extend(hmac.new(seed, message, hashlib.sha256).digest())
            block += 1
        return stream.pop(0)

    faces = []
    for sides, count in dice:
        for _ in range(count):
            byte = next_byte()
            while byte >= 256 - 256 % sides:
                byte = next_byte()
            faces.append(byte % sides + 1)
    return faces


@given(
    st.binary(min_size=32, max_size=32),
    st.integers(0, 10_000),
    st.lists(st.tuples(st.integers(1, 256), st.integers(0, 80)), max_size=4),
)
def test_the_faces_are_those_of_the_algorithm(seed, index, dice):
    assert list(derive(seed, index, dice)) == by_hand(seed, index, dice)


async def an_evening(at: Company) -> Evidence:
    """Throws in the open and in secret, by the server and by hand, in two sessions."""
    await at.do("anna", do.ContributeToDice(1, "a1" * 32))
    await at.gm(do.ThrowDice("5d6", "first"))
    await at.do("ben", do.ContributeToDice(1, "be" * 32))
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test)
    await at.gm(do.ThrowDice("3d6", "behind the screen", secret=True))
    await at.do("ben", do.ThrowDice("2d10", "for himself", secret=True))
    await at.gm(
        do.UndoEntries((await at.state()).seq - 2)
    )  # the dice of both were thrown all the same
    await at.do("ben", do.UseOwnDice(True))
    steel = await at.begin(GM, "steel_test", character="tam", cause="surprise", source="x")
    await at.play_on(steel)
    await at.do("ben", do.ThrowDice("d100"))
    await at.gm(do.EndDiceSession())
    await at.gm(do.BeginDiceSession())
    await at.gm(do.ThrowDice("4d6", "later"))
    await at.gm(do.EndDiceSession())
    return await at.tables.evidence(at.id, GM)


async def receipt(at: Company, seat: str, **gave: str) -> Receipt:
    """What the device of a seat keeps at this moment."""
    here = await at.state()
    given = {int(number[1:]): value for number, value in gave.items()}
    return Receipt(at.id, seat, ((here.seq, here.head),), given)


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def second_reader(seen: dict[str, Any]) -> list[tuple[str, list[int], list[int]]]:
    """The dice.json read by what docs/fair_dice.md says: label, faces shown, faces derived."""
    head, found = b"", []
    given: list[bytes] = []
    root = b""
    for number, entry in enumerate(seen["chain"], start=seen["first"]):
        if isinstance(entry, str):
            head = sha(head, bytes.fromhex(entry))
            continue
        hashes = []
        for part in entry["parts"]:
            hashed = part if isinstance(part, str) else part["hash"]
            hashes.append(hashed)
            if isinstance(part, str):
                continue
            kind, _, hexed = hashed.partition(":")
            assert sha(bytes.fromhex(part["salt"]), part["said"].encode()).hex() == hexed
            said = json.loads(part["said"])
            assert said[0] == kind
            if kind == "session":
                root, given = bytes.fromhex(said[2]), []
            elif kind == "gave":
                given.append(json.dumps(said[2:], separators=(",", ":")).encode())
            elif kind == "throw" and not said[5]:
                session, stream, index, _, label, _, _ = json.loads(said[1])
                (about,) = [each for each in seen["sessions"] if each["number"] == session]
                if stream:
                    own = bytes.fromhex(about["streams"][stream])
                    key = hmac.new(own, index.to_bytes(8, "big"), hashlib.sha256).digest()
                else:
                    key = bytes.fromhex(about["keys"][str(index)])
                    assert sha(b"leaf", key).hex() == about["leaves"][index]
                mix = root
                for each in given[: said[2]]:
                    mix = sha(mix, each)
                seed = hmac.new(key, mix + said[1].encode(), hashlib.sha256).digest()
                found.append((label, said[4], by_hand(seed, 0, said[3])))
        digest = json.dumps([number, entry["body"], hashes], separators=(",", ":")).encode()
        head = sha(head, sha(digest))
    assert head.hex() == seen["head"]
    return found


def root_by_hand(leaves: list[bytes]) -> bytes:
    """A plain Merkle tree."""
    while len(leaves) > 1:
        pairs = zip(leaves[::2], leaves[1::2], strict=True)
        leaves = [sha(b"node", left, right) for left, right in pairs]
    return leaves[0]


@pytest.mark.parametrize("count", [1, 2, 3, 64, 1000, 4095, 4096])
def test_the_first_leaves_and_the_edge_lead_to_the_root(count: int):
    seed = b"x" * 32
    stream = hmac.new(seed, b"stream ", hashlib.sha256).digest()
    leaves = [
        sha(b"leaf", hmac.new(stream, number.to_bytes(8, "big"), hashlib.sha256).digest())
        for number in range(4096)
    ]
    root, edge = keys.proof(seed, count)
    assert root == root_by_hand(leaves)
    assert keys.root_of(leaves[:count], edge) == root
    assert keys.root_of([*leaves[: count - 1], b"y" * 32], edge) != root
    assert keys.root_of(leaves[:count], (*edge, b"y" * 32)) is None
    if edge:
        assert keys.root_of(leaves[:count], edge[:-1]) is None


@played
async def test_a_whole_evening_can_be_verified(at: Company):
    seen = await an_evening(at)
    read = second_reader(msgspec.json.decode(msgspec.json.encode(seen)))
    assert [faces for _, faces, _ in read] == [derived for _, _, derived in read]
    kept = [await receipt(at, "anna", s1="a1" * 32), await receipt(at, "ben", s1="be" * 32)]
    verdict = verify(seen, kept)
    assert verdict.fair, verdict.findings
    assert verdict.fit == len(read) >= 6
    assert (verdict.typed, verdict.unseen, verdict.undone, verdict.compared) == (1, 0, 2, 2)
    # Ben does not see what the GM threw behind the screen, and cannot tell that it was thrown.
    for seat, unseen in (("ben", 1), ("anna", 2)):
        theirs = await at.tables.evidence(at.id, seat)
        labels = [label for label, _, _ in second_reader(json.loads(msgspec.json.encode(theirs)))]
        assert "behind the screen" not in labels
        assert ("for himself" in labels) == (seat == "ben")
        told = verify(theirs, kept)
        assert (told.fair, told.unseen, told.fit) == (True, 0, verdict.fit - unseen)


@played
async def test_the_keys_that_are_shown_tell_nothing_of_secret_throws(at: Company):
    await an_evening(at)
    first = (await at.state()).past_sessions[0]
    seed = bytes.fromhex(first.seed)
    theirs = msgspec.json.encode(await at.tables.evidence(at.id, "anna")).decode()
    views = msgspec.json.encode(await at.view("anna")).decode()
    for text in (theirs, views):
        assert first.seed not in text
        for stream in map(str, range(16)):
            assert keys.stream_key(seed, stream).hex() not in text
    bens = msgspec.json.encode(await at.tables.evidence(at.id, "ben")).decode()
    assert keys.stream_key(seed, "2").hex() in bens  # the third seat, after the GM's and Anna's
    assert keys.stream_key(seed, "0").hex() not in bens


@played
async def test_open_throws_can_be_checked_while_the_session_goes_on(at: Company):
    await at.gm(do.ThrowDice("5d6"))
    await at.gm(do.ThrowDice("5d6", "hidden", secret=True))
    await at.gm(do.ThrowDice("2d6"))
    seen = await at.tables.evidence(at.id, "anna")
    verdict = verify(seen, [await receipt(at, "anna")])
    assert (verdict.fair, verdict.fit, verdict.findings) == (True, 2, ())
    gms = verify(await at.tables.evidence(at.id, GM), [await receipt(at, GM)])
    assert (gms.fair, gms.fit) == (True, 2)
    assert "not shown yet" in gms.findings[0].text


@played
async def test_throws_that_others_see_have_no_gaps(at: Company):
    """What the GM throws in secret between two open throws leaves no number out."""
    for secret in (False, True, True, False, True, False):
        await at.gm(do.ThrowDice("1d6", secret=secret))
    items = [entry["items"][0] for entry in (await at.view("anna"))["log"][-3:]]
    assert [item["index"] for item in items] == [0, 1, 2]
    await at.do("ben", do.ThrowDice("1d6", secret=True))
    assert (await at.view("ben"))["log"][-1]["items"][0]["index"] == 0


@played
async def test_what_players_add_changes_the_dice(at: Company):
    session = (await at.state()).session
    await at.gm(do.ThrowDice("20d6", "x"))
    await at.do("anna", do.ContributeToDice(1, "11" * 32))
    await at.gm(do.ThrowDice("20d6", "x"))
    seen = await at.tables.evidence(at.id, "anna")
    throws = second_reader(json.loads(msgspec.json.encode(seen)))
    assert [faces for _, faces, _ in throws] == [derived for _, _, derived in throws]
    # The second throw as it would have been without her.
    key = keys.throw_key(keys.stream_key(bytes.fromhex(session.seed), ""), 1)
    what = json.dumps([1, "", 1, GM, "x", "", "20d6"], separators=(",", ":"))
    alone = hmac.new(key, bytes.fromhex(session.commitment) + what.encode(), "sha256").digest()
    assert by_hand(alone, 0, [(6, 20)]) != throws[1][1]


@played
async def test_who_may_add_to_the_dice_and_when(at: Company):
    with pytest.raises(Refusal, match="Only players"):
        await at.gm(do.ContributeToDice(1, "11" * 32))
    with pytest.raises(BadInput, match="session in progress"):
        await at.do("anna", do.ContributeToDice(2, "11" * 32))
    await at.gm(do.PauseGame())
    await at.do("anna", do.ContributeToDice(1, "11" * 32))
    with pytest.raises(Refusal, match="already added"):
        await at.do("anna", do.ContributeToDice(1, "22" * 32))
    assert (await at.view("ben"))["campaign"]["evening"]["given"] == ["anna"]
    await at.gm(do.EndDiceSession())
    with pytest.raises(BadInput, match="session in progress"):
        await at.do("ben", do.ContributeToDice(1, "11" * 32))


@played
async def test_a_session_has_so_many_rolls_and_then_another_begins(at: Company, monkeypatch):
    monkeypatch.setattr(keys, "MOST_THROWS", 2)
    await at.gm(do.ThrowDice("1d6"))
    await at.gm(do.ThrowDice("1d6"))
    with pytest.raises(Refusal, match="start another"):
        await at.gm(do.ThrowDice("1d6"))
    await at.gm(do.ThrowDice("1d6", secret=True))


@played
async def test_the_head_of_the_chain_is_in_every_view_and_update(at: Company):
    await at.clients["anna"].hear()
    head = (await at.view("anna"))["head"]
    await at.gm(do.ThrowDice("1d6", secret=True))
    await at.do("ben", do.SendMessage("hello"))
    for message in map(json.loads, await at.clients["anna"].hear()):
        digest = bytes.fromhex(message["digest"])
        assert message["head"] == sha(bytes.fromhex(head), digest).hex()
        head = message["head"]
    assert head == (await at.state()).head == (await at.view("ben"))["head"]
    seq = (await at.state()).seq
    assert len(await at.tables.chain(at.id, seq - 2)) == 2


# --- Sessions of the older kind ------------------------------------------------------------


def older(*throws: ThrowSeen, seed: bytes = b"x") -> Evidence:
    commitment = hashlib.sha256(seed).hexdigest()
    return Evidence("", (SessionSeen(1, commitment, throws, seed.hex()),))


def thrown(index: int, /, **parts: Any) -> ThrowSeen:
    faces = tuple(by_hand(b"x", index, [(6, 5)]))
    return msgspec.structs.replace(
        ThrowSeen(7 + index, index, f"throw {index}", GM, ((6, 5),), faces), **parts
    )


def test_an_older_session_is_checked_as_it_always_was():
    verdict = verify(older(thrown(0), thrown(2)))
    assert (verdict.fair, verdict.fit, verdict.unseen) == (True, 2, 1)
    assert [finding.text for finding in verdict.findings] == [
        "Session 1: 1 roll was made in secret and cannot be seen here",
        "Session 1 is of an older kind: only its faces can be checked",
    ]
    other = tuple(face % 6 + 1 for face in thrown(0).faces)
    finding = verify(older(thrown(0, faces=other))).findings[0]
    assert (finding.wrong, finding.entry) == (True, 7)
    assert "throw 0 shows" in finding.text
    for wrong in (
        thrown(0, faces=thrown(0).faces[:-1]),
        thrown(0, dice=((6, 10**12),)),
        thrown(1, index=0),
        thrown(0, index=-1),
    ):
        assert not verify(older(wrong)).fair
    assert not verify(older(thrown(0), thrown(0))).fair
    assert verify(older(thrown(0, faces=other, typed=True))).typed == 1
    swapped = older(thrown(0))
    swapped = Evidence("", (msgspec.structs.replace(swapped.sessions[0], seed=b"y".hex()),))
    assert "not the one committed to" in verify(swapped).findings[0].text
    unended = Evidence("", (msgspec.structs.replace(older(thrown(0)).sessions[0], seed=""),))
    assert "not known" in verify(unended).findings[0].text


def test_dice_of_no_session_are_not_passed_over():
    assert not verify(Evidence("", (), loose=(thrown(0),))).fair
    assert verify(Evidence("", (), loose=(thrown(0, typed=True),))).typed == 1


def test_a_seed_that_is_none_is_refused():
    session = SessionSeen(1, "00", (), "not hexadecimal")
    with pytest.raises(BadInput, match="hexadecimal"):
        verify(Evidence("", (session,)))


def test_dice_that_cannot_be_are_refused():
    for dice in (((0, 1),), ((300, 1),)):
        with pytest.raises(BadInput, match="sides"):
            verify(older(ThrowSeen(1, 0, "x", GM, dice, (1,))))


# --- Several processes ---------------------------------------------------------------------


def test_two_processes_make_one_chain():
    """Both append to one log; the one that comes second decides again, on the new head."""

    async def play() -> None:
        store = MemoryStore()
        one, two = Tables(store), Tables(store)
        campaign, _ = await one.create("burning_wheel", "", demo=True)
        await asyncio.gather(
            *(
                tables.do(campaign, GM, do.ThrowDice("2d6", f"roll {number}"))
                for number in range(12)
                for tables in (one, two)
            )
        )
        seen = await two.evidence(campaign, GM)
        verdict = verify(seen)
        assert (verdict.fair, verdict.fit) == (True, 24), verdict.findings
        here = await two.campaign(campaign)
        assert here.head == seen.head
        await one.close()
        await two.close()

    asyncio.run(play())


@played
async def test_drafts_are_in_the_chain_and_nowhere_in_the_log(at: Company):
    test = await at.begin("anna", TEST.procedure, **{**TEST.arguments, "helpers": [], "gear": []})
    lines = {each.key: each for each in (await at.tables.card(at.id, GM, test)).lines}
    for seat in at.clients:
        await at.clients[seat].hear()
    before = await at.state()
    told = {seat: (await at.view(seat))["log"] for seat in at.clients}
    await at.gm(do.DraftAnswers(test, (do.ReadyAnswer("obstacle", lines["obstacle"].prompt, 3),)))
    entry = (await at.log())[-1]
    assert isinstance(entry.event, happened.AnswersDrafted)
    for seat, client in at.clients.items():
        (heard,) = map(decode, await client.hear())
        assert "log" not in heard
        assert heard["head"] == next_head(before.head, heard["digest"])
        assert heard["head"] == (await at.state()).head
        assert (await at.view(seat))["log"] == told[seat]
        assert await at.tables.chain(at.id, before.seq) == (heard["digest"],)
    await at.do("anna", do.ReleaseDice(test))
    for seat in at.clients:
        assert verify(await at.tables.evidence(at.id, seat)).fair
