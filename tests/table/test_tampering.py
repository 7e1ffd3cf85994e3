"""A thousand files that somebody has tampered with, each in one of many ways: all are caught.

Some are changed by hand; others by somebody who knows the format and computes every hash anew, so
that the file agrees with itself, and only what devices kept tells that it is another.
"""

from __future__ import annotations

import asyncio
import copy
import hashlib
import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from random import Random
from typing import Any

import msgspec
import pytest

from astragal.errors import Refusal
from astragal.games import game_named
from astragal.play import GM
from astragal.table.commands import commands as do
from astragal.table.fairness import Evidence, Receipt, verify
from table.company import Company, table

TEST = game_named("burning_wheel").demo.suggestions[0]
VERSUS = {
    "sides": [
        {"character": "advocate_ysmay", "intent": "c", "task": "d", "ability": "Will"},
        {"character": "mara", "intent": "a", "task": "b", "ability": "Will"},
    ]
}
TIMES = 40
"""How often each kind of tampering is tried, each time at another place."""

Plain = dict[str, Any]


async def _evening(at: Company) -> None:
    """Two sessions with everything that can be in them."""
    await at.sit("anna", plays="mara")
    await at.sit("ben", plays="tam")
    await at.do("anna", do.ContributeToDice(1, "a1" * 32))
    await at.do("ben", do.ContributeToDice(1, "b1" * 32))
    for number in range(3):
        await at.gm(do.ThrowDice("4d6+1", f"watch {number}"))
    test = await at.begin("anna", TEST.procedure, **TEST.arguments)
    await at.play_on(test)
    await at.gm(do.ThrowDice("3d6", "behind the screen", secret=True))
    await at.do("ben", do.ThrowDice("2d10", "for himself", secret=True))
    await at.do("ben", do.ThrowDice("5B", "in vain"))
    await at.gm(do.UndoEntries((await at.state()).seq - 1))
    await at.do("ben", do.ThrowDice("5B", "again"))
    await at.do("anna", do.UseOwnDice(True))
    versus = await at.begin(GM, "versus_test", **VERSUS)
    await at.play_on(versus)
    await at.gm(do.EndDiceSession())
    await at.gm(do.BeginDiceSession())
    await at.do("ben", do.ContributeToDice(2, "b2" * 32))
    for number in range(3):
        await at.do("ben", do.ThrowDice("2d6", f"later {number}"))
    await at.gm(do.EndDiceSession())


@cache
def evening() -> tuple[Plain, list[Receipt], Plain]:
    """What the GM saw, what two devices kept, and another evening that went the same way."""

    async def play() -> tuple[Plain, list[Receipt], Plain]:
        async with table() as at, table() as other:
            await _evening(at)
            await _evening(other)
            seen = plain(await at.tables.evidence(at.id, GM))
            here = await at.state()
            kept = ((here.seq - 9, ""), (here.seq, here.head))
            heads = tuple((seq, head or heads_of(seen)[seq - 1]) for seq, head in kept)
            receipts = [
                Receipt(at.id, "anna", heads, {1: "a1" * 32}),
                Receipt(at.id, "ben", heads[1:], {1: "b1" * 32, 2: "b2" * 32}),
            ]
            return seen, receipts, plain(await other.tables.evidence(other.id, GM))

    # In a thread of its own: where a browser is driven, a loop runs already.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(play())).result()


def plain(seen: Evidence) -> Plain:
    read: Plain = json.loads(msgspec.json.encode(seen))
    return read


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def heads_of(seen: Plain) -> list[str]:
    heads, head = [], b""
    for number, entry in enumerate(seen["chain"], start=seen["first"]):
        if isinstance(entry, str):
            digest = bytes.fromhex(entry)
        else:
            hashes = [p if isinstance(p, str) else p["hash"] for p in entry["parts"]]
            line = json.dumps([number, entry["body"], hashes], separators=(",", ":"))
            digest = sha(line.encode())
        head = sha(head, digest)
        heads.append(head.hex())
    return heads


def rechained(seen: Plain) -> Plain:
    """The file with every hash computed anew, so that it agrees with itself."""
    for part in parts(seen):
        said = part["said"].encode()
        kind = json.loads(said)[0]
        part["hash"] = f"{kind}:{sha(bytes.fromhex(part['salt']), said).hex()}"
    seen["head"] = heads_of(seen)[-1]
    return seen


def parts(seen: Plain, kind: str = "") -> Iterator[Plain]:
    for entry in seen["chain"]:
        for part in [] if isinstance(entry, str) else entry["parts"]:
            if not isinstance(part, str) and part["hash"].startswith(kind):
                yield part


def throws(seen: Plain, **wanted: Any) -> list[Plain]:
    """The parts that are throws, those by the server alone."""
    return [part for part in parts(seen, "throw:") if not json.loads(part["said"])[5]]


def resaid(part: Plain, change: Callable[[list[Any]], None]) -> None:
    said = json.loads(part["said"])
    change(said)
    part["said"] = json.dumps(said, separators=(",", ":"), ensure_ascii=False)


def repurposed(place: int, value: Callable[[Any], Any]) -> Callable[[list[Any]], None]:
    def change(said: list[Any]) -> None:
        what = json.loads(said[1])
        what[place] = value(what[place])
        said[1] = json.dumps(what, separators=(",", ":"), ensure_ascii=False)

    return change


def in_a_throw(change: Callable[[list[Any]], None]) -> Callable[[Plain, Random], None]:
    def tamper(seen: Plain, chance: Random) -> None:
        resaid(chance.choice(throws(seen)), change)

    return tamper


def _face(said: list[Any]) -> None:
    said[4][0] = said[4][0] % said[3][0][0] + 1


def _all_best(said: list[Any]) -> None:
    best = [sides for sides, count in said[3] for _ in range(count)]
    said[4] = [1] * len(best) if said[4] == best else best


def _typed(said: list[Any]) -> None:
    said[5] = True


def _sum(said: list[Any]) -> None:
    said[6] = f"{said[6]} or more"


def _fewer_dice(said: list[Any]) -> None:
    said[3][0][1] -= 1
    said[4].pop(0)


def _unmixed(said: list[Any]) -> None:
    said[2] = said[2] - 1 if said[2] else 1


def entry_at(seen: Plain, part: Plain) -> int:
    return next(
        place
        for place, entry in enumerate(seen["chain"])
        if not isinstance(entry, str) and part in entry["parts"]
    )


def removed_throw(seen: Plain, chance: Random) -> None:
    part = chance.choice(throws(seen))
    seen["chain"][entry_at(seen, part)]["parts"].remove(part)


def hidden_throw(seen: Plain, chance: Random) -> None:
    part = chance.choice(throws(seen))
    shown = seen["chain"][entry_at(seen, part)]["parts"]
    shown[shown.index(part)] = part["hash"]


def removed_entry(seen: Plain, chance: Random) -> None:
    del seen["chain"][chance.randrange(len(seen["chain"]))]


def repeated_entry(seen: Plain, chance: Random) -> None:
    place = entry_at(seen, chance.choice(throws(seen)))
    seen["chain"].insert(place, copy.deepcopy(seen["chain"][place]))


def swapped_entries(seen: Plain, chance: Random) -> None:
    one, other = chance.sample(range(len(seen["chain"])), 2)
    chain = seen["chain"]
    chain[one], chain[other] = chain[other], chain[one]


def swapped_throws(seen: Plain, chance: Random) -> None:
    one, other = chance.sample(throws(seen), 2)
    one["said"], other["said"] = other["said"], one["said"]


def swapped_numbers(seen: Plain, chance: Random) -> None:
    """Two throws change places, with their numbers and keys."""
    of_session = [t for t in throws(seen) if json.loads(json.loads(t["said"])[1])[0] == 1]
    one, other = chance.sample(of_session, 2)
    numbers = [json.loads(json.loads(each["said"])[1])[2] for each in (one, other)]
    resaid(one, repurposed(2, lambda _: numbers[1] + (numbers[0] == numbers[1])))
    resaid(other, repurposed(2, lambda _: numbers[0]))


def session_of(seen: Plain, chance: Random) -> Plain:
    found: Plain = chance.choice(seen["sessions"])
    return found


def replaced_commitment(seen: Plain, chance: Random) -> None:
    session_of(seen, chance)["commitment"] = chance.randbytes(32).hex()


def replaced_session(seen: Plain, chance: Random) -> None:
    """The keys and the commitment of another evening, in the log, too."""
    _, _, other = evening()
    place = chance.randrange(2)
    seen["sessions"][place] = copy.deepcopy(other["sessions"][place])
    begun = list(parts(seen, "session:"))[place]
    begun["said"] = list(parts(other, "session:"))[place]["said"]


def replaced_key(seen: Plain, chance: Random) -> None:
    keys = session_of(seen, chance)["keys"]
    keys[chance.choice(list(keys))] = chance.randbytes(32).hex()


def replaced_key_and_leaf(seen: Plain, chance: Random) -> None:
    session = session_of(seen, chance)
    number, key = chance.choice(list(session["keys"])), chance.randbytes(32)
    session["keys"][number] = key.hex()
    session["leaves"][int(number)] = sha(b"leaf", key).hex()


def removed_keys(seen: Plain, chance: Random) -> None:
    session = session_of(seen, chance)
    for name in chance.choice([("keys",), ("keys", "leaves", "edge", "streams")]):
        session.pop(name, None)


def replaced_edge(seen: Plain, chance: Random) -> None:
    edge = session_of(seen, chance)["edge"]
    edge[chance.randrange(len(edge))] = chance.randbytes(32).hex()


def replaced_stream(seen: Plain, chance: Random) -> None:
    streams = seen["sessions"][0]["streams"]
    streams[chance.choice(list(streams))] = chance.randbytes(32).hex()


def changed_contribution(seen: Plain, chance: Random) -> None:
    given = chance.choice(list(parts(seen, "gave:")))
    resaid(given, lambda said: said.__setitem__(3, chance.randbytes(32).hex()))


def removed_contribution(seen: Plain, chance: Random) -> None:
    given = chance.choice(list(parts(seen, "gave:")))
    seen["chain"][entry_at(seen, given)] = chance.randbytes(32).hex()


def hidden_undo(seen: Plain, chance: Random) -> None:
    (undone,) = parts(seen, "undone:")
    seen["chain"][entry_at(seen, undone)] = chance.randbytes(32).hex()


def cut_short(seen: Plain, chance: Random) -> None:
    del seen["chain"][-chance.randint(1, 12) :]


def unknown_session(seen: Plain, chance: Random) -> None:
    resaid(chance.choice(throws(seen)), repurposed(0, lambda number: number + 7))


def sought_out(seen: Plain, chance: Random) -> None:
    """A number is passed over, because the next one has better dice."""
    part = chance.choice([t for t in throws(seen) if not json.loads(json.loads(t["said"])[1])[1]])
    at = json.loads(json.loads(part["said"])[1])
    for each in throws(seen):
        what = json.loads(json.loads(each["said"])[1])
        if what[:2] == at[:2] and what[2] >= at[2]:
            resaid(each, repurposed(2, lambda number: number + 1))


def without_chain(seen: Plain, chance: Random) -> None:
    seen["chain"], seen["first"], seen["head"] = [], 0, ""
    if chance.random() < 0.5:
        seen["sessions"] = []


def another_evening(seen: Plain, _: Random) -> None:
    _, _, other = evening()
    campaign = seen["campaign"]
    seen.clear()
    seen.update(copy.deepcopy(other), campaign=campaign)


BY_HAND: dict[str, Callable[[Plain, Random], None]] = {
    "a face": in_a_throw(_face),
    "all faces": in_a_throw(_all_best),
    "typed in": in_a_throw(_typed),
    "a sum": in_a_throw(_sum),
    "fewer dice": in_a_throw(_fewer_dice),
    "made before a contribution": in_a_throw(_unmixed),
    "another owner": in_a_throw(repurposed(3, lambda seat: f"{seat}x")),
    "another label": in_a_throw(repurposed(4, lambda label: f"{label}, twice")),
    "another procedure": in_a_throw(repurposed(5, lambda id: f"p9{id}")),
    "other dice": in_a_throw(repurposed(6, lambda dice: f"{dice}+1")),
    "another number": in_a_throw(repurposed(2, lambda number: number + 1)),
    "an unknown session": unknown_session,
    "a throw removed": removed_throw,
    "a throw hidden": hidden_throw,
    "two throws swapped": swapped_throws,
    "two numbers swapped": swapped_numbers,
    "numbers passed over": sought_out,
    "an entry removed": removed_entry,
    "an entry repeated": repeated_entry,
    "two entries swapped": swapped_entries,
    "another commitment": replaced_commitment,
    "another session": replaced_session,
    "another key": replaced_key,
    "another key and leaf": replaced_key_and_leaf,
    "keys removed": removed_keys,
    "another edge": replaced_edge,
    "another secret stream": replaced_stream,
    "another contribution": changed_contribution,
    "a contribution removed": removed_contribution,
    "an undo hidden": hidden_undo,
}

WITH_ALL_HASHES: dict[str, Callable[[Plain, Random], None]] = BY_HAND | {
    "cut short": cut_short,
    "no chain": without_chain,
    "another evening": another_evening,
}


def caught(seen: Plain, receipts: list[Receipt]) -> bool:
    try:
        return not verify(msgspec.convert(seen, Evidence, str_keys=True), receipts).fair
    except (Refusal, msgspec.ValidationError):
        return True


def test_the_true_file_is_not_accused():
    seen, receipts, other = evening()
    verdict = verify(msgspec.convert(seen, Evidence, str_keys=True), receipts)
    assert verdict.fair, verdict.findings
    assert verdict.fit >= 12
    assert verdict.undone == 1
    assert verify(msgspec.convert(other, Evidence, str_keys=True)).fair
    assert rechained(copy.deepcopy(seen)) == seen


@pytest.mark.parametrize("kind", BY_HAND)
def test_what_is_changed_by_hand_is_caught_even_without_a_receipt(kind: str):
    seen, _, _ = evening()
    for number in range(TIMES):
        spoilt = copy.deepcopy(seen)
        BY_HAND[kind](spoilt, Random(f"{kind} {number}"))
        assert spoilt != seen
        assert caught(spoilt, []), (kind, number)


@pytest.mark.parametrize("kind", WITH_ALL_HASHES)
def test_what_agrees_with_itself_is_caught_by_what_devices_kept(kind: str):
    seen, receipts, _ = evening()
    for number in range(TIMES):
        spoilt = copy.deepcopy(seen)
        WITH_ALL_HASHES[kind](spoilt, Random(f"{kind} {number}"))
        if spoilt["chain"]:
            rechained(spoilt)
        assert caught(spoilt, receipts), (kind, number)


def test_a_device_that_gave_something_else_says_so():
    seen, receipts, _ = evening()
    first = msgspec.structs.replace(receipts[0], gave={1: "00" * 32})
    verdict = verify(msgspec.convert(seen, Evidence, str_keys=True), [first])
    (finding,) = [each for each in verdict.findings if each.wrong]
    assert (
        finding.text
        == "The device of anna gave a number to the dice of session 1 that is not in them"
    )
