"""How often: token buckets in memory, one for each seat and for each address."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Hashable
from functools import lru_cache

from astragal.web.settings import Rate

MAX_BUCKETS = 20_000
"""How many buckets are kept; those unused for longest are full again anyway."""


class TooMany(Exception):
    """Too often; ``wait`` is the number of seconds until the next try may succeed."""

    def __init__(self, wait: float) -> None:
        """Say how long to wait."""
        self.wait = wait
        seconds = max(1, round(wait))
        unit = "second" if seconds == 1 else "seconds"
        super().__init__(f"Too many at once. Try again in {seconds} {unit}.")


class Buckets:
    """One bucket for each key: it fills steadily, and each use takes one out.

    >>> now = 0.0
    >>> dice = Buckets(Rate(each_second=2, at_once=3), lambda: now)
    >>> [dice.takes("ann") for _ in range(4)]
    [True, True, True, False]
    >>> now = 0.5
    >>> dice.takes("ann"), dice.takes("ann"), dice.takes("bo")
    (True, False, True)
    """

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        """Take the rate, and a clock in seconds."""
        self._rate = rate
        self._clock = clock
        self._left: dict[Hashable, tuple[float, float]] = {}

    def _level(self, key: Hashable, now: float) -> float:
        left, since = self._left.get(key, (float(self._rate.at_once), now))
        return min(self._rate.at_once, left + (now - since) * self._rate.each_second)

    def takes(self, key: Hashable, amount: float = 1) -> bool:
        """Take one, if there is one, or an amount."""
        now = self._clock()
        # As in _level, without a call: every frame and every command comes by here.
        level: float = self._rate.at_once
        known = self._left.get(key)
        if known is not None:
            level = min(level, known[0] + (now - known[1]) * self._rate.each_second)
        if level < amount:
            return False
        self._left[key] = (level - amount, now)
        if known is None and len(self._left) > MAX_BUCKETS:
            self._forget(now)
        return True

    def take(self, key: Hashable, amount: float = 1) -> None:
        """Take one, or refuse with the time to wait."""
        if not self.takes(key, amount):
            raise TooMany(self.wait(key, amount))

    def has(self, key: Hashable) -> bool:
        """Whether there is one to take."""
        return self._level(key, self._clock()) >= 1

    def wait(self, key: Hashable, amount: float = 1) -> float:
        """In how many seconds there will be one."""
        return max(0.0, (amount - self._level(key, self._clock())) / self._rate.each_second)

    def _forget(self, now: float) -> None:
        """Drop the full buckets, and the older half of the rest if there are still too many."""
        full = self._rate.at_once
        kept = {key: at for key, at in self._left.items() if self._level(key, now) < full}
        if len(kept) > MAX_BUCKETS // 2:
            newest = sorted(kept.items(), key=lambda item: item[1][1])[-MAX_BUCKETS // 2 :]
            kept = dict(newest)
        self._left = kept


@lru_cache(4096)
def network_of(address: str) -> str:
    """What counts as one address: for IPv6 the /64 network, which one household has to itself.

    >>> network_of("192.0.2.7"), network_of("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '2001:db8:1:2::/64')
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if parsed.version == 4:
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))
