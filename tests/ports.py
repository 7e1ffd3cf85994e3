"""Ports for servers that are started, killed, and started again at the same address."""

from __future__ import annotations

import socket
from pathlib import Path
from random import Random

GIVEN_AWAY = Path("/proc/sys/net/ipv4/ip_local_port_range")
LOWEST, HIGHEST = 10_000, 65_000


def free_port() -> int:
    """A free port that stays free: none of those that the system gives to whoever asks for any.

    Such a port could be somebody else's before the server has it, or while it is down.
    """
    try:
        first, last = map(int, GIVEN_AWAY.read_text(encoding="ascii").split())
    except (OSError, ValueError):  # another system
        first = last = 0
    ports = [port for port in range(LOWEST, HIGHEST) if not first <= port <= last]
    return next(filter(_is_free, Random().sample(ports, len(ports))), 0) or _any_port()


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def _any_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
