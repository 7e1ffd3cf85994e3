"""What a character, a scene and an edition are; reading them, and tables of things.

The modules: ``ratings``, ``parts``, ``sheet``, ``reading``, ``reading_weapons``, ``rides``,
``scene``, ``facts``, ``editions``, ``shades``, ``weapon_lengths``, ``weapon_tables``,
``ranged_weapons``, ``weapons_carried``, ``armor_tables``, ``spells``, ``faiths``, ``durations``,
``calendar``, ``skill_roots``, ``social_skills``, ``catalogue_keys``, ``lookups``, ``words``.
"""
