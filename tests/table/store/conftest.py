from table.stores import new_url, new_url_of, own_postgres, store_url  # noqa: F401
