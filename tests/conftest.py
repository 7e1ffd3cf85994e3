"""How property tests run, and which tests are left out after each edit.

Property tests run the same every time, however slow the machine is today: a run that lands must
not depend on luck. With ``ASTRAGAL_EXPLORE=1`` they look for new cases instead.
"""

import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

HERE = Path(__file__).parent
SLOW = (
    "browser",
    "cli/test_backup.py",
    "cli/test_streams.py",
    "client",
    "crashes",
    "table/store",
    "table/test_old_campaigns.py",
    "test_package.py",
    "test_postgres.py",
    "web",
    "words/test_texts.py",
)
"""Where tests start servers, databases and other processes, or read the whole of something."""
assert all((HERE / each).exists() for each in SLOW)
_SLOW = tuple(str(HERE / each) for each in SLOW)


def pytest_configure() -> None:
    """What is collected stays to the end: nobody needs to look for garbage in it."""
    gc.disable()


def pytest_collection_finish() -> None:
    """From here on garbage is collected as usual, and only in what the tests themselves make."""
    gc.freeze()
    gc.enable()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What would be left out as a whole is not even imported."""
    left_out = config.option.markexpr == "not slow"
    return True if left_out and str(collection_path).startswith(_SLOW) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark these as slow; single tests that take long carry the mark themselves."""
    for item in items:
        if "postgresql" in item.name or str(item.path).startswith(_SLOW):
            item.add_marker(pytest.mark.slow)


settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "explore", deadline=None, max_examples=1000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("explore" if os.environ.get("ASTRAGAL_EXPLORE") else "steady")
