"""Faith, the other emotional attributes, and natural magic, in the order of the chapter.

The modules: ``emotional_attributes``; ``faithful``, who can pray; ``prayer_tables``, the list of
prayers; ``religions``, what a group settles before play; ``joining``, help in prayer; ``praying``,
the test itself; ``requests``, what each prayer can be asked for, and ``answers``, what it brings
about; ``spell_breaking``; ``holy_places``; ``battle_prayers``, positioning; ``in_conflict``,
praying in a script; ``stigmata``; ``detecting``; ``set_obstacles``, tests whose obstacle the rules
set; ``natural_magic``, ``air_of_gates`` and ``black_metal``.
"""
