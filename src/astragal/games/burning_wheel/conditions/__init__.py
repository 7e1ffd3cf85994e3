"""What a character's state does to every test: lines of dice and obstacle, and refusals.

Nothing is rolled here.

The modules: ``lines`` and ``every_test``, which bring them together; ``wounds``, ``borne_pain``,
``hesitation``, ``armor_weight``, ``reflexes``, ``traits``, ``enmity``, ``shield_cover``,
``spell_tax``, ``prayers``, ``mounted``; and ``who_can_act``, the gate before every procedure, with
``set_aside``.
"""
