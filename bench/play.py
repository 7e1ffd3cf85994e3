"""Sweeps, walks and samples: how quickly whole tests are worked out."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.dice import OpenEnded, Pool, Shade
from astragal.odds import Axis, Trial, odds, plain, sampled, success, sweep
from astragal.play import Best, Throwing
from bench.clock import Figure, best_of

DICE, OBS = range(1, 19), range(1, 16)
A_MILLION = 1_000_000


def sweeps() -> Iterator[Figure]:
    """1 to 18 dice by 1 to 15 obstacles by three shades, open-ended, exactly."""

    def closed_forms() -> None:
        for shade in Shade:
            for count in DICE:
                pool = Pool.of(count, shade, open_ended=OpenEnded.SIXES)
                for ob in OBS:
                    pool.at_least(ob)

    def distributions() -> None:
        for shade in Shade:
            for count in DICE:
                pool = Pool.of(count, shade, open_ended=OpenEnded.SIXES).successes()
                shown = pool.distribution(enough=max(OBS))
                for ob in OBS:
                    shown.at_least(ob)

    def procedures() -> None:
        for shade in Shade:
            trial = plain("burning_wheel", dice=1, ob=1, shade=shade.value, open_ended=True)
            sweep(trial, Axis("dice", tuple(DICE)), Axis("ob", tuple(OBS)))

    name = f"sweep of {3 * len(DICE) * len(OBS)} open-ended tests"
    yield Figure(f"{name}, pool by pool", best_of(distributions, 7), within=0.050)
    yield Figure(f"{name}, each by its closed form", best_of(closed_forms, 7))
    yield Figure(f"{name}, each through the procedure", best_of(procedures, 3))


def walks() -> Iterator[Figure]:
    """The exact walk of a whole test, with every decision about artha weighed."""
    for count, ob in ((4, 3), (8, 5)):
        trial = plain("burning_wheel", dice=count, ob=ob, fate=1, persona=3, deeds=1)

        def weigh(trial: Trial = trial) -> None:
            goal = {trial.seat: lambda came: int(came.passed)}
            walk = Best(goal, trial.policy(), about=trial.about, until=trial.until)
            walk.advise(trial.start)

        name = f"best play of {count} dice, Ob {ob}, 1 fate, 3 persona, 1 deeds"
        yield Figure(name, best_of(weigh, 25, fresh=False), within=0.010)
    eight = plain("burning_wheel", dice=8, ob=5)
    yield Figure("the chance alone, 8 dice", best_of(lambda: success(eight), 25, fresh=False))
    yield Figure("the whole odds, 8 dice", best_of(lambda: odds(eight), 10, fresh=False))


def samples() -> Iterator[Figure]:
    """A million tests of 8 dice, by value and by face."""
    trial = plain("burning_wheel", dice=8, ob=5)
    for throwing, within in ((Throwing.VALUES, 1.0), (Throwing.FACES, None)):
        name = f"a million tests of 8 dice, by {throwing.value}"
        spent = best_of(lambda t=throwing: sampled(trial, A_MILLION, 1, throwing=t), 1)
        yield Figure(name, spent, within=within)


def frequencies() -> Iterator[str]:
    """The odds of tests beside how often they came off in a million runs of the same procedure."""
    tests = {
        "8 dice, Ob 5": plain("burning_wheel", dice=8, ob=5),
        "5 open-ended gray dice, Ob 4, 2 FoRKs": plain(
            "burning_wheel", dice=5, shade="gray", open_ended=True, ob=4, fork=2
        ),
        "5 dice against 4": plain("burning_wheel", dice=5, versus=4),
        "4 dice untrained, Ob 2, helped": plain(
            "burning_wheel", dice=4, ob=2, untrained=True, helpers=(5,)
        ),
    }
    for name, trial in tests.items():
        chance = odds(trial).chance
        for throwing in Throwing:
            seen = sampled(trial, A_MILLION, "a million", throwing=throwing).chance
            spread = (chance * (1 - chance) / A_MILLION) ** 0.5
            off = (seen - chance) / spread
            verdict = "agrees" if abs(off) < 4.5 else "DIFFERS"
            yield (
                f"{name:<40} {chance:.5f} exactly, {seen:.5f} by {throwing.value:<7}"
                f" {off:+.1f} spreads  {verdict}"
            )


def figures() -> Iterator[Figure]:
    """All of them."""
    yield from sweeps()
    yield from walks()
    yield from samples()
