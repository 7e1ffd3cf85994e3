"""What people see: the sheet and the scene as pages, characters in one line, and the demo.

The modules: ``sheet_page``, ``body``, ``holdings``, ``spells``, ``scene_page``, ``grayscale``,
``one_line_characters``, ``demo``.
"""
