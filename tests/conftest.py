"""How property tests run: the same every time, however slow the machine is today.

A run that lands must not depend on luck. With ``ASTRAGAL_EXPLORE=1`` the tests look for new
cases instead.
"""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "explore", deadline=None, max_examples=1000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("explore" if os.environ.get("ASTRAGAL_EXPLORE") else "steady")
