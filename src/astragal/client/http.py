"""Connections to the server over HTTP."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from functools import cache

import httpx

TIMEOUT = 30.0
"""Seconds to wait for the server, unless another time is given."""


@cache
def tls() -> ssl.SSLContext:
    """The certificates that are trusted: to read them takes longer than most requests."""
    return httpx.create_ssl_context()


def connected(url: str, headers: Mapping[str, str]) -> httpx.AsyncClient:
    """Connections to an address, with the same headers in each request."""
    return httpx.AsyncClient(base_url=url, headers=headers, timeout=TIMEOUT, verify=tls())
