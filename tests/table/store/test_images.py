"""Images in the store: kept with their campaign, within the room there is, and in backups."""

import pytest

from astragal.table.store import ImageRoom, NoCampaign, StoredImage, open_store
from table.store.logs import AT, found, founding
from table.stores import asynchronous

PLENTY = ImageRoom(100, 1_000_000, 1_000_000)


def drawn(name, size=10):
    return StoredImage(name * 64, "image/png", name.encode() * size)


@asynchronous
async def test_an_image_is_kept_for_its_campaign(store_url):
    async with await open_store(store_url) as store:
        await found(store)
        await found(store, "c2")
        assert await store.keep_image("c1", "anna", drawn("a", 200_000), AT, PLENTY)
        assert await store.image("c1", "a" * 64) == drawn("a", 200_000)
        assert await store.image("c2", "a" * 64) is None
        assert await store.image_ids("c1") == ["a" * 64]
        assert await store.image_ids("c1", before=AT) == []
        assert await store.image_ids("c1", before="2027") == ["a" * 64]
        with pytest.raises(NoCampaign):
            await store.keep_image("c3", "anna", drawn("a"), AT, PLENTY)
        await store.delete("c1")
        assert await store.image("c1", "a" * 64) is None
    async with await open_store(store_url) as store:
        assert await store.image_ids("c2") == []


@asynchronous
async def test_there_is_only_so_much_room(store_url):
    async with await open_store(store_url) as store:
        await found(store)
        room = ImageRoom(images=3, bytes=35, bytes_each=20)
        assert await store.keep_image("c1", "anna", drawn("a"), AT, room)
        assert await store.keep_image("c1", "anna", drawn("b"), AT, room)
        assert not await store.keep_image("c1", "anna", drawn("c"), AT, room), "her own share"
        assert await store.keep_image("c1", "anna", drawn("b"), AT, room), "it is there already"
        assert not await store.keep_image("c1", "ben", drawn("c", 16), AT, room), "all there is"
        assert await store.keep_image("c1", "ben", drawn("c"), AT, room)
        assert not await store.keep_image("c1", "ben", drawn("d", 1), AT, room), "the number"
        assert await store.forget_images("c1", ["a" * 64, "x" * 64]) == 1
        assert await store.image_ids("c1") == ["b" * 64, "c" * 64]


@asynchronous
async def test_a_backup_has_them(new_url):
    async with await open_store(new_url()) as store, await open_store(new_url()) as other:
        images = [drawn(name) for name in "abcdefghij"]
        await store.create("c1", "burning_wheel", "A", AT, [founding()], images=images)
        await other.restore([record async for record in store.records()])
        assert await other.image_ids("c1") == await store.image_ids("c1")
        for image in images:
            assert await other.image("c1", image.id) == image
