"""Magic: sorcery has a folder of its own.

The modules: ``called_tests``, the tests that magic forces on a character; ``time_passes``, the
passing of game time with all that spells do meanwhile; and the folder ``sorcery``.
"""
