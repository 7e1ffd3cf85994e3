"""What the games offer: options, pre-made sheets, procedures with their forms, demos."""

from __future__ import annotations

import gzip
from functools import cache

import msgspec

from astragal.games import Game, games
from astragal.games.forms import form_of
from astragal.games.ready import ready_scenario, ready_sheets, scenario_paths
from astragal.rules import catalogue
from astragal.table.running.votes import procedures_of
from astragal.web.messages import (
    GameOption,
    OfferedGame,
    OfferedProcedure,
    ReadySheet,
    ScenarioOffer,
)


@cache
def games_json() -> bytes:
    """Every game as JSON."""
    return msgspec.json.encode(offered_games())


@cache
def games_compressed() -> bytes:
    """Every game as compressed JSON."""
    return gzip.compress(games_json(), 6, mtime=0)


def offered_games() -> tuple[OfferedGame, ...]:
    """Every game; the same for everybody, for as long as the server runs."""
    return tuple(offered_game(game) for game in games().values())


def offered_game(game: Game) -> OfferedGame:
    """One game."""
    finding = game.at_table.finding
    options = (
        GameOption(
            spec.name,
            spec.question,
            spec.choices,
            spec.default,
            spec.reading,
            spec.rule,
            spec.chapter,
        )
        for spec in catalogue().options(game.name)
    )
    ready = sorted(
        (
            ReadySheet(name, str(sheet.get("name", name)), str(sheet.get("concept", "")))
            for name, sheet in ready_sheets(game).items()
        ),
        key=lambda each: each.title,
    )
    procedures = (
        OfferedProcedure(
            name,
            procedure.title,
            form_of(game, procedure),
            procedure.gm_only,
            finding.group(procedure),
            finding.words.get(name, ()),
            finding.against.get(name, ()),
        )
        for name, procedure in procedures_of(game).items()
    )
    return OfferedGame(
        game.name,
        game.title,
        game.main_test,
        tuple(options),
        tuple(ready),
        tuple(procedures),
        game.frequent,
        game.opening,
        game.closing,
        game.demo,
        tuple(
            ScenarioOffer(name, ready_scenario(game, name).file.title or name)
            for name in scenario_paths(game)
        ),
        finding.groups,
        game.at_table.first_questions,
        game.at_table.has_obstacles,
    )
