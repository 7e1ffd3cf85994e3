from table.stores import new_url_of  # noqa: F401
