"""The images of a table's handouts and characters: uploading, looking at and forgetting them."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

from astragal.errors import BadInput, Refusal
from astragal.play import GM, Seat
from astragal.table.commands import commands as do
from astragal.table.commands.commands import TableCommand
from astragal.table.commands.seat import Forbidden
from astragal.table.images import MOST_BYTES_EACH, MOST_BYTES_IN_ALL, MOST_IMAGES, stored_image
from astragal.table.log.state import Campaign, Role
from astragal.table.store.interface import ImageRoom, StoredImage
from astragal.table.whole_logs import WholeLogs

log = logging.getLogger("astragal.table")

UNUSED_FOR = timedelta(hours=1)
"""How long an image stays that is on no handout and no sheet."""

_GMS_ROOM = ImageRoom(MOST_IMAGES, MOST_BYTES_IN_ALL, MOST_BYTES_IN_ALL)
_ROOM = ImageRoom(MOST_IMAGES, MOST_BYTES_IN_ALL, MOST_BYTES_EACH)


class TableImages(WholeLogs):
    """The images of a store's campaigns, for the seats that may see them."""

    async def keep_image(self, campaign: str, seat: Seat, raw: bytes) -> str:
        """Keep an image that somebody uploads; its name, for a handout or a portrait."""
        hosted = await self.open_campaigns.open(campaign)
        async with hosted.lock:
            await self.open_campaigns.catch_up(campaign, hosted)
        here = hosted.campaign
        if here.chairs[seat].role is Role.SPECTATOR:
            raise Forbidden("Spectators cannot upload images. Ask the GM for a player's seat.")
        image = stored_image(raw)
        at = datetime.now(UTC)
        unused = await self.store.image_ids(campaign, (at - UNUSED_FOR).isoformat())
        await self._forget(here, frozenset(unused) - here.images)
        room = _GMS_ROOM if seat == GM else _ROOM
        if not await self.store.keep_image(campaign, seat, image, at.isoformat(), room):
            raise Refusal(
                "There is no room for more images in this campaign. "
                "Remove a handout, or use a smaller image."
            )
        return image.id

    async def image(self, campaign: str, seat: Seat, image: str) -> StoredImage | None:
        """An image that a seat may see; nothing if there is none, or it may not."""
        hosted = await self.open_campaigns.open(campaign)
        if not hosted.views.may_see_image(seat, image):
            async with hosted.lock:
                await self.open_campaigns.catch_up(campaign, hosted)
        if not hosted.views.may_see_image(seat, image):
            return None
        return await self.store.image(campaign, image)

    async def check_image(self, campaign: str, command: TableCommand) -> None:
        """Refuse a handout or a portrait whose image was not uploaded.

        Its name is the hash of its content: only those who have the image know it.
        """
        wanted = isinstance(command, do.ShowHandout | do.ChangePortrait) and command.image
        if wanted and wanted not in await self.store.image_ids(campaign):
            raise BadInput("image", wanted, "an image that was uploaded to this campaign")

    async def forget_unshown(self, before: Campaign, now: Campaign) -> None:
        """Forget the images of handouts that were removed or changed.

        A portrait stays for a while: an undo may bring it back.
        """
        await self._forget(now, before.images - now.images)

    async def _forget(self, here: Campaign, images: frozenset[str]) -> None:
        if not images:
            return
        try:
            await self.store.forget_images(here.id, images)
        except Exception:  # they only take up room
            log.warning("images of %s could not be forgotten", here.id, exc_info=True)
