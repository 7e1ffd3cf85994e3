"""Fair dice: every throw follows from the seed, and whatever does not is found."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from astragal.errors import BadInput
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.fairness import Evidence, SessionSeen, ThrowSeen, derive, verify
from table.company import Company, played

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
    await at.gm(do.ThrowDice("5d6", "first"))
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


@played
async def test_a_whole_evening_can_be_verified(at: Company):
    seen = await an_evening(at)
    seeds = [session.seed for session in seen.sessions]
    assert seeds == [session.seed for session in (await at.state()).past_sessions]
    for session in seen.sessions:
        seed = bytes.fromhex(session.seed)
        assert hashlib.sha256(seed).hexdigest() == session.commitment
        for throw in session.throws:
            if not throw.typed:
                assert by_hand(seed, throw.index, throw.dice) == list(throw.faces)
    verdict = verify(seen)
    assert verdict.fair, verdict.findings
    throws = [throw for session in seen.sessions for throw in session.throws]
    assert verdict.fit == len([throw for throw in throws if not throw.typed]) >= 5
    assert verdict.typed == len([throw for throw in throws if throw.typed]) == 1
    # The GM sees even what a player threw for himself: nothing is missing.
    assert (verdict.unseen, verdict.findings) == (0, ())
    # Ben does not see what the GM threw behind the screen, and is told so.
    for seat, unseen in (("ben", 1), ("anna", 2)):
        theirs = verify(await at.tables.evidence(at.id, seat))
        assert (theirs.fair, theirs.unseen) == (True, unseen)
        assert any("in secret" in finding.text for finding in theirs.findings)


@played
async def test_before_a_session_ends_its_seed_is_not_known(at: Company):
    await at.gm(do.ThrowDice("5d6"))
    seen = await at.tables.evidence(at.id, "anna")
    assert seen.sessions[0].seed == ""
    verdict = verify(seen)
    assert (verdict.fair, verdict.fit) == (True, 0)
    assert "not known" in verdict.findings[0].text


def changed(seen: Evidence, session: int, **parts: Any) -> Evidence:
    sessions = list(seen.sessions)
    sessions[session] = replace(sessions[session], **parts)
    return replace(seen, sessions=tuple(sessions))


@played
async def test_what_was_tampered_with_is_found(at: Company):
    seen = await an_evening(at)
    first = seen.sessions[0]
    throw = first.throws[0]
    other = tuple(face % 6 + 1 for face in throw.faces)
    verdict = verify(changed(seen, 0, throws=(replace(throw, faces=other), *first.throws[1:])))
    (finding,) = verdict.findings
    assert finding.wrong
    assert finding.entry == throw.entry
    assert "first shows" in finding.text

    fewer = replace(throw, faces=throw.faces[:-1])
    assert not verify(changed(seen, 0, throws=(fewer, *first.throws[1:]))).fair
    more = replace(throw, dice=((6, 10**12),))
    assert not verify(changed(seen, 0, throws=(more, *first.throws[1:]))).fair

    swapped = verify(changed(seen, 0, seed=seen.sessions[1].seed))
    assert not swapped.fair
    assert "not the one committed to" in swapped.findings[0].text

    twice = verify(changed(seen, 0, throws=(*first.throws, throw)))
    (finding,) = twice.findings
    assert finding.wrong
    assert "twice" in finding.text

    missing = verify(changed(seen, 0, throws=first.throws[1:]))
    assert (missing.fair, missing.unseen) == (True, 1)

    moved = replace(throw, index=first.throws[1].index)
    assert not verify(changed(seen, 0, throws=(moved, *first.throws[1:]))).fair

    claimed = verify(changed(seen, 0, throws=(replace(throw, typed=True), *first.throws[1:])))
    assert claimed.typed == verify(seen).typed + 1  # it says so, for all to see


def test_a_seed_that_is_none_is_refused():
    session = SessionSeen(1, "00", (), "not hexadecimal")
    with pytest.raises(BadInput, match="hexadecimal"):
        verify(Evidence("", (session,)))


def test_dice_that_cannot_be_are_refused():
    for dice in (((0, 1),), ((300, 1),)):
        throw = ThrowSeen(1, 0, "x", GM, dice, (1,))
        session = SessionSeen(1, hashlib.sha256(b"x").hexdigest(), (throw,), b"x".hex())
        with pytest.raises(BadInput, match="sides"):
            verify(Evidence("", (session,)))
    throw = ThrowSeen(1, -1, "x", GM, ((6, 1),), (1,))
    session = SessionSeen(1, hashlib.sha256(b"x").hexdigest(), (throw,), b"x".hex())
    assert not verify(Evidence("", (session,))).fair
