"""How property tests run, which tests are left out after each edit, and which come first.

Property tests run the same every time, however slow the machine is today: a run that lands must
not depend on luck. With ``ASTRAGAL_EXPLORE=1`` they look for new cases instead.
"""

import gc
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

HERE = Path(__file__).parent
SLOW = (
    "browser",
    "cli",
    "client",
    "crashes",
    "deploy",
    "games/burning_wheel/conflicts/fight/test_narrowing.py",
    "games/burning_wheel/conflicts/fight/test_remembered_parts.py",
    "lab",
    "reference/test_questions.py",
    "rules/test_mission.py",
    "table/store",
    "table/test_growth.py",
    "table/test_old_campaigns.py",
    "table/test_tampering.py",
    "test_postgres.py",
    "web",
    "words/test_texts.py",
    "words/test_words.py",
)
"""Where tests start servers, databases and other processes, solve something, or read all of it."""
LONGEST = {
    "crashes/test_kills.py": 60,
    "web/test_process.py": 40,
    "games/test_contract.py": 35,
    "lab/test_fight_sparring.py": 35,
    "browser/test_installed.py": 30,
    "crashes/test_histories.py": 30,
    "reference/test_questions.py": 30,
    "lab/test_readings_page.py": 27,
    "table/test_campaigns.py": 26,
    "table/test_old_campaigns.py": 26,
    "browser/test_evening.py": 20,
    "browser/test_fight.py": 20,
    "browser/test_skirmish.py": 20,
    "browser/test_story.py": 20,
    "browser/test_taps.py": 17,
    "browser/test_sheet.py": 16,
    "lab/test_rules_of_thumb.py": 16,
    "web/test_schema.py": 16,
    "browser/test_accessibility.py": 15,
    "browser/test_gm_panel.py": 15,
    "browser/test_in_view.py": 15,
    "browser/test_presence.py": 15,
    "table/store/test_kill.py": 15,
    "browser/test_advice.py": 14,
    "browser/test_gm_tools.py": 14,
    "browser/test_magic.py": 14,
    "table/test_secrets.py": 14,
    "cli/test_streams.py": 13,
    "browser/test_playing.py": 11,
    "client/test_merging.py": 11,
    "browser/test_handouts.py": 10,
    "browser/test_new_character.py": 10,
    "web/test_playing.py": 10,
}
"""About how many seconds the longest files take: all others would wait for one begun last."""
READERS = ("reference/test_questions.py", "rules/test_mission.py")
"""Files that read the whole source: what one has parsed is there for the next."""
ANY_OTHER = 6
"""Seconds of another file of slow tests."""
SINGLE = 1
"""Seconds of those tests that take long in a file of quick ones."""
assert all((HERE / each).exists() for each in (*SLOW, *LONGEST, *READERS))
_SLOW = tuple(str(HERE / each) for each in SLOW)
_SECONDS = {str(HERE / each): seconds for each, seconds in LONGEST.items()}
_READERS = tuple(str(HERE / each) for each in READERS)


def pytest_configure() -> None:
    """What is collected stays to the end: nobody needs to look for garbage in it."""
    gc.disable()


def pytest_collection_finish() -> None:
    """From here on garbage is collected, and only in what the tests themselves make.

    Less often than usual, since all of it is collected after each file: looking for it every 700
    objects would take one second of twenty.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    """What a file has left is looked through once: code, scenarios and tables that others need."""
    yield
    if nextitem is None or nextitem.path != item.path:
        gc.collect()
        gc.freeze()


def pytest_unconfigure() -> None:
    """The process ends: nobody needs to look for garbage in what the tests have left."""
    gc.freeze()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What would be left out as a whole is not even imported."""
    left_out = config.option.markexpr == "not slow"
    return True if left_out and str(collection_path).startswith(_SLOW) else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Iterator[None]:
    """Examples in docstrings are looked for in those files of the tests only that have some."""
    found = yield
    if any(isinstance(each, DoctestModule) for each in found) and not _has_examples(file_path):
        return [each for each in found if not isinstance(each, DoctestModule)]
    return found


def _has_examples(path: Path) -> bool:
    return path.suffix != ".py" or ">>> " in path.read_text(encoding="utf-8")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark these as slow; single tests that take long carry the mark themselves."""
    for item in items:
        if "postgresql" in item.name or str(item.path).startswith(_SLOW):
            item.add_marker(pytest.mark.slow)
    workers: int = getattr(config, "workerinput", {}).get("workercount", 1)
    if workers > 1:
        items[:] = longest_first(items, workers)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """How many processes ``-n auto`` are: two for each core, because a good part is waiting.

    Whoever waits for a server, a disk or a browser leaves the core to another. Slow tests need the
    processor for a little more than half of their time. The tests of `make quick` only compute.
    """
    cores = os.cpu_count() or 1
    return cores if config.option.markexpr == "not slow" else 2 * cores


def longest_first(items: Sequence[pytest.Item], workers: int) -> list[pytest.Item]:
    """The tests in an order in which each process begins with its part of the slow ones.

    Every process is given an equal share of the list, from the front, and steals from the end of
    others' shares later, so that short tests are left for the end. Files are dealt as a whole, the
    longest first, because most have servers that their tests share.
    """
    is_slow = [item.get_closest_marker("slow") is not None for item in items]
    slow = (item for item, is_slow in zip(items, is_slow, strict=True) if is_slow)
    rest = [item for item, is_slow in zip(items, is_slow, strict=True) if not is_slow]
    files: dict[str, list[pytest.Item]] = {}
    for item in slow:
        path = str(item.path)
        files.setdefault(_READERS[0] if path in _READERS else path, []).append(item)
    firsts: list[list[pytest.Item]] = [[] for _ in range(workers)]
    seconds = [0] * workers
    for path in sorted(files, key=_seconds, reverse=True):
        least = seconds.index(min(seconds))
        firsts[least] += files[path]
        seconds[least] += _seconds(path)
    ordered: list[pytest.Item] = []
    for number, first in enumerate(firsts):
        share = (len(items) - len(ordered)) // (workers - number)
        fill = max(0, share - len(first))
        ordered += [*first, *rest[:fill]]
        del rest[:fill]
    return ordered + rest


def _seconds(path: str) -> int:
    return _SECONDS.get(path, ANY_OTHER if path.startswith(_SLOW) else SINGLE)


settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "explore", deadline=None, max_examples=1000, suppress_health_check=[HealthCheck.too_slow]
)
EXPLORES = bool(os.environ.get("ASTRAGAL_EXPLORE"))
settings.load_profile("explore" if EXPLORES else "steady")
if not EXPLORES and hasattr(providers, "_get_local_constants"):
    # Hypothesis also tries numbers and words from all modules that happen to be loaded, which are
    # others in each process and at each moment.
    providers._get_local_constants = lambda: providers._local_constants
