"""Sorcery, in the order of the chapter.

The modules: ``spell_tables``, the spells and their facets; ``reach``, origin and area;
``obstacle`` and ``methods``, what a casting is rolled against and how it is hurried or drawn out;
``casting_time``; ``casting``, the test itself; ``tax``, Forte and the Sickness; ``raising``, the
sequence of a casting; ``effects``, ``targets``, ``damage`` and ``lasting``, what a spell does, to
whom and for how long; ``sustaining``; ``failure`` and ``garbled``, what becomes of a failed
casting; ``interruption``; ``coup_de_magie``; ``positioning``, ``countering`` and ``assessing``, the
wizards' duel; ``undoing``, the end of Permanent spells; ``in_conflict``, casting in a script;
``learning`` and ``practicals``.
"""
