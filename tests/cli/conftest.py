from table.stores import new_url, new_url_of, store_url  # noqa: F401
