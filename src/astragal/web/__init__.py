"""The server: HTTP and WebSockets around the table, and the page that it gives to browsers.

It knows seats, links and limits, and nothing of any game: rights and rules are the table's.
"""
