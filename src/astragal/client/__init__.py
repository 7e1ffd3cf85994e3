"""A typed client of the server, for programs that play at a table, and for tests.

    async with Client("http://127.0.0.1:8000") as client:
        created = await client.create("burning_wheel", demo=True, name="Ann")
        async with await client.join(created.token) as seat:
            await seat.do(SendMessage("Good evening."))
            await seat.wait_until(lambda view: view.seq > 8)

A seat reconnects on its own, and a command counts once, however often the connection was lost
meanwhile.
"""

from astragal.client.client import Client
from astragal.client.merging import merged
from astragal.client.refused import Refused
from astragal.client.seat import Asked, SeatClient, SeatClosed

__all__ = ["Asked", "Client", "Refused", "SeatClient", "SeatClosed", "merged"]
