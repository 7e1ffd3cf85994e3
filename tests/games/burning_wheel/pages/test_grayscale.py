"""The grayscale as values, as text and as a picture."""

from __future__ import annotations

from itertools import pairwise
from xml.dom import minidom

import pytest

from astragal.games.burning_wheel.pages.grayscale import as_svg, as_text, body_of, shades_to_show
from astragal.games.burning_wheel.sheet.sheet import Sheet
from astragal.rules import Options
from games.burning_wheel.hurting import STATS, body, man, staunch, tend, the_man, wait
from games.burning_wheel.playing import sheet

PLAIN = Options.of("burning_wheel", {})


def shown(raw: object, now: int = 0) -> tuple[str, str]:
    """How one wound is, and what stops it."""
    he = sheet(stats=STATS, attributes={"Health": "B5"}, wounds=[raw])
    (wound,) = body_of(he, now, PLAIN).wounds
    return wound.state, wound.stops


@pytest.mark.parametrize(
    ("wound", "state", "stops"),
    [
        ("Superficial", "hurts", "Health Ob 1, or 6 hours"),
        ("Light", "hurts", "Health Ob 2, or 20 hours"),
        (
            "Midi",
            "bleeding: worse in 8 hours",
            "treatment (Field Dressing Ob 4, Herbalism Ob 4, Surgery Ob 3), then Health Ob 3",
        ),
        (
            "Severe",
            "bleeding: worse in 4 hours",
            "treatment (Herbalism Ob 5, Surgery Ob 4), then Health Ob 4",
        ),
        (
            "Mortal",
            "bleeding: dead in 5 minutes",
            "the Will to Live, treatment (Herbalism Ob 10, Surgery Ob 7), then Health Ob 6",
        ),
        ({"level": "Severe", "treated": True, "bonus": 2}, "treated", "Health Ob 4 (+2D)"),
        ({"level": "Severe", "clotted": True}, "hurts", None),
        ({"level": "Severe", "treated": True, "course": True}, "hurts", "Health Ob 4"),
        ({"level": "Light", "tested": True, "closes": 7200}, "hurts: 2 hours left", "time"),
        ({"level": "Severe", "held": 3600, "staunched": 1}, "staunched: 1 hour left", None),
        ({"level": "Severe", "held": 60}, "tended: 1 minute left", None),
        ({"level": "Midi", "treated": True, "closes": 86400}, "heals in 1 day", "time"),
    ],
)
def test_how_a_wound_is_and_what_stops_it(wound: object, state: str, stops: str | None):
    found = shown(wound)
    assert found[0] == state
    if stops is not None:
        assert found[1] == stops


def test_all_wounds_together():
    he = man(wounds=["Superficial", {"level": "Midi", "borne": True}])
    found = body(he)
    assert (found.dice, found.obstacle, found.actions, found.condition) == (-1, 1, 3, "fit")
    assert [(w.number, w.dice, w.obstacle) for w in found.wounds] == [(1, 0, 1), (2, -1, 0)]
    assert body_of(Sheet("Nobody"), 0, PLAIN).actions is None


def test_the_picture_follows_play():
    at = man(wounds=["Severe"])
    assert body(staunch(at, 3).table).wounds[0].state.startswith("staunched: 5 hours")
    assert body(tend(at, 4).table).wounds[0].state == "treated"
    assert body(wait(at, "1 hour").table).wounds[0].state == "bleeding: worse in 3 hours"


def test_as_text():
    he = sheet(
        tolerances=["B3", "B5", "B7", "B8", "B9", "B10"],
        wounds=[{"level": "Light", "at": "B5"}, {"level": "Light", "at": "B6"}],
    )
    names, steps, marks = as_text(he).splitlines()
    for name, step in (("Su", "B3"), ("Li", "B5"), ("Mi", "B7"), ("Se", "B8"), ("Mo", "B10")):
        assert names.index(name) + 2 == steps.index(f"{step} ") + len(step)
    assert [at for at, mark in enumerate(marks.split()) if mark == "x"] == [4, 5]
    assert len(steps.split()) == 16


def test_as_many_shades_as_anything_lies_in():
    assert len(shades_to_show(sheet())) == 1
    heroic = sheet(tolerances=["B9", "B12", "B14", "B16", "G2", "G4"])
    assert [shade.letter for shade in shades_to_show(heroic)] == ["B", "G"]
    assert len(as_text(heroic).splitlines()) == 6
    assert len(shades_to_show(sheet(wounds=[{"level": "Mortal", "at": "W16"}]))) == 3


def test_as_a_picture():
    at = man(name="<He> & she", wounds=[{"level": "Severe", "at": "B8", "source": "an arrow"}])
    picture = minidom.parseString(as_svg(the_man(at), 0, PLAIN))
    words = [node.firstChild.data for node in picture.getElementsByTagName("text")]
    assert words[0] == "<He> & she: -3D, +0 Ob, fit"
    assert {"Su", "Li", "Mi", "Se", "Tr", "Mo", "B1", "B16"} <= set(words)
    below = " ".join(" ".join(words).split())
    assert "1. Severe wound at B8 (an arrow): -3D; bleeding: worse in 4 hours;" in below
    assert len(picture.getElementsByTagName("circle")) == 1
    (described,) = picture.getElementsByTagName("desc")
    assert "bleeding: worse in 4 hours" in described.firstChild.data


def test_tolerances_and_marks_stand_over_and_under_their_steps():
    at = man(wounds=[{"level": "Severe", "at": "B8"}])
    picture = minidom.parseString(as_svg(the_man(at), 0, PLAIN))
    paper, *steps = picture.getElementsByTagName("rect")
    left = [float(step.getAttribute("x")) for step in steps]
    wide = float(steps[0].getAttribute("width"))
    assert len({b - a for a, b in pairwise(left)}) == 1  # 16 at equal distances
    assert left[0] == float(paper.getAttribute("width")) - (left[-1] + wide)  # in the middle
    words = {
        node.firstChild.data: float(node.getAttribute("x"))
        for node in picture.getElementsByTagName("text")
    }
    for number, edge in enumerate(left, 1):
        assert words[f"B{number}"] == edge + wide / 2
    assert words["Se"] == words["B8"]
    (mark,) = picture.getElementsByTagName("circle")
    assert float(mark.getAttribute("cx")) == words["B8"]
