"""A typed client of the server: for programs that sit at a table, and for tests.

    async with Client("http://127.0.0.1:8000") as client:
        founded = await client.found("burning_wheel", demo=True, name="Ann")
        async with await client.join(founded.token) as seat:
            await seat.do(SendMessage("Good evening."))
            await seat.wait_until(lambda view: view.seq > 8)

A seat's connection comes back by itself, and a command that was sent is answered once, however
often the line was lost meanwhile.
"""

from astragal.client.client import Client
from astragal.client.merging import merged
from astragal.client.refused import Refused
from astragal.client.seat import Asked, Dismissed, SeatClient

__all__ = ["Asked", "Client", "Dismissed", "Refused", "SeatClient", "merged"]
