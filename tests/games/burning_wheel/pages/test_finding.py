"""Every procedure has a group; what somebody cannot begin says why."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from astragal.dice import Seeded
from astragal.errors import NotAllowed
from astragal.games.burning_wheel import GAME
from astragal.games.burning_wheel.pages.finding import GROUPS, group
from astragal.play import Session, by


def test_every_procedure_is_in_a_group_of_the_book():
    groups = {name: group(procedure) for name, procedure in GAME.procedures.items()}
    assert set(groups.values()) == set(GROUPS)
    assert groups["steel_test"] == "Tests"
    assert groups["trait_vote"] == "Session"
    assert groups["practise"] == "Growth"
    assert groups["cling_to_life"] == "Harm"


def test_somebody_who_cannot_act_is_told_why_and_what_is_left():
    sheet = {"name": "Hild", "stats": {"Will": "B4"}}
    table = GAME.table({"hild": GAME.read_sheet({**sheet, "comatose": True}, "hild")})
    page = GAME.page(table.characters["hild"], "hild", table)
    assert "comatose" in page.barred
    assert "take_wound" in page.still
    assert "duel_of_wits" not in page.still
    fit = GAME.table({"hild": GAME.read_sheet(sheet, "hild")})
    assert GAME.page(fit.characters["hild"], "hild", fit).barred == ""


HILD = {"name": "Hild", "stats": {"Will": "B4"}}


def at_table(**more: object) -> Any:
    return GAME.table({"hild": GAME.read_sheet({**HILD, **more}, "hild")})


def cannot(table: Any) -> dict[str, str]:
    return GAME.page(table.characters["hild"], "hild", table).cannot


def test_what_somebody_cannot_begin_says_why():
    bare = cannot(at_table())
    assert "does not have Faith" in bare["pray"]
    assert bare["recover"] == "Hild is not wounded."
    assert bare["drop_shield"] == "Hild has no shield."
    assert bare["dismount"] == "Hild is not in the saddle: mount up first."
    assert bare["get_a_job"] == "Hild has no taxed dice to recover."
    assert bare["enter_aristeia"] == "An Aristeia costs 5 fate, and Hild has 0."
    believer = {
        "attributes": {"Faith": "B4"},
        "traits": [{"name": "Faithful", "kind": "die"}],
        "beliefs": ["The god of the ford keeps its own."],
        "wounds": [{"level": "Light", "at": ["B6"]}],
        "shield": "target",
        "artha": {"fate": 5, "persona": 3, "deeds": 2},
    }
    able = cannot(at_table(**believer))
    assert not able.keys() & {"pray", "recover", "drop_shield", "enter_aristeia", "state_faith"}
    assert able["take_up_shield"] == "Hild has no free arm: drop the target first."


@pytest.mark.parametrize(
    ("edition", "has_not"),
    [("revised", {"graduated_test", "make_cash", "make_fund"}), ("gold", {"open_test"})],
)
def test_what_the_edition_does_not_have_is_said_beforehand(edition, has_not):
    table = GAME.table(at_table().characters, options={"edition": edition})
    reasons = cannot(table)
    by_edition = {"open_test", "graduated_test", "make_cash", "make_fund"}
    assert reasons.keys() & by_edition == has_not
    assert all("edition" in reasons[name] for name in has_not)


def test_a_part_of_the_rules_that_is_set_aside_is_said_to_be():
    table = at_table()
    assert "duel_of_wits" not in cannot(table)
    without = msgspec.structs.replace(table.scene, set_aside=("duel_of_wits",))
    reasons = cannot(msgspec.structs.replace(table, scene=without))
    assert reasons["duel_of_wits"].startswith("Duel of Wits is not in use in this game")


PLAIN: dict[Any, object] = {str: "x", int: 1, bool: True}


@pytest.mark.parametrize("name", sorted(cannot(at_table())))
def test_who_begins_it_all_the_same_is_told_so(name: str):
    """The list of what can be done and the procedure itself say the same."""
    table, procedure = at_table(), GAME.procedure(name)
    said = {
        field.name: PLAIN.get(field.type)
        for field in msgspec.structs.fields(procedure.arguments)
        if field.required
    }
    actor = procedure.arguments.__struct_fields__[0]
    arguments = procedure.arguments(**{**said, actor: "hild"})
    with pytest.raises(NotAllowed) as refused:
        Session(procedure.start(arguments, table), by(Seeded("seed")))
    assert f"{refused.value.what}." == cannot(table)[name]
