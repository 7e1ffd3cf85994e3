"""How a server is set up: where it is reached, who may found campaigns, what it puts up with."""

from __future__ import annotations

import ipaddress
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from astragal.errors import BadInput

VERSION = version("astragal")

LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
"""What this machine calls itself; a server for this machine alone answers to nothing else."""


class Rate(msgspec.Struct, frozen=True):
    """So many a second in the long run, and so many at once."""

    each_second: float
    at_once: int


class Rates(msgspec.Struct, frozen=True):
    """How often something may be done before the answer is: later."""

    seat: Rate = Rate(20, 60)
    """Commands and questions of one seat, on all its devices together."""
    begins: Rate = Rate(2, 20)
    """Procedures that one seat begins: each of them is kept with the whole table around it."""
    address: Rate = Rate(200, 2000)
    """Requests from one address, whatever they are about."""
    guesses: Rate = Rate(0.5, 20)
    """Links and keys from one address that turn out to be wrong."""
    joins: Rate = Rate(1, 30)
    """Links that are exchanged for a seat, from one address."""
    founding: Rate = Rate(0.2, 20)
    """Campaigns founded or brought in from one address."""
    opened: Rate = Rate(100, 1000)
    """Sockets opened from one address."""
    searches: Rate = Rate(5, 60)
    """Searches in the rules from one address: each looks through the whole catalogue."""


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a worker has to know before it starts."""

    database: str
    host: str = "127.0.0.1"
    port: int = 8000
    public_url: str = ""
    """Where people reach it, if a proxy stands in front: ``https://table.example``."""
    hosts: tuple[str, ...] = ()
    """The names under which it may be addressed, beside those that follow from the rest."""
    key: str = ""
    """The founding key; nobody founds anything from afar without it."""
    is_open: bool = False
    """Whether anybody may found campaigns."""
    rates: Rates = Rates()
    log: str = "text"
    page: Path = Path(__file__).with_name("page")
    workers: int = 1

    @property
    def is_local(self) -> bool:
        """Whether it can be reached from this machine alone, with no proxy in front."""
        return not self.public_url and is_loopback(self.host)

    @property
    def is_shared(self) -> bool:
        """Whether other processes may serve the same tables."""
        return self.database.startswith("postgres")

    @property
    def origin(self) -> str:
        """The origin of the public address, or nothing."""
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc}".lower() if self.public_url else ""

    @property
    def is_secure(self) -> bool:
        """Whether people reach it by https."""
        return self.public_url.lower().startswith("https://")

    @property
    def allowed_hosts(self) -> frozenset[str]:
        """The names, without port, that a request may be addressed to; none: any will do."""
        names = {name.lower() for name in self.hosts}
        if self.public_url:
            names.add(host_name(urlsplit(self.public_url).netloc))
        if self.is_local or names:
            # Whoever asks for the health of the server does so from the same machine.
            names.update(LOCAL_NAMES)
        return frozenset(names)


def checked(settings: Settings) -> Settings:
    """The settings, if they can work."""
    parts = urlsplit(settings.public_url)
    if settings.public_url and not (
        parts.scheme in ("http", "https") and parts.netloc and parts.path in ("", "/")
    ):
        raise BadInput(
            "--public-url", settings.public_url, "an address such as https://table.example"
        )
    return settings


def is_loopback(address: str) -> bool:
    """Whether an address is of this machine alone.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0"), is_loopback("")
    (True, True, False, False)
    """
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def host_name(host: str) -> str:
    """The name in a Host header, without its port.

    >>> host_name("Table.example:443"), host_name("[::1]:8000"), host_name("[::1]")
    ('table.example', '[::1]', '[::1]')
    """
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()
