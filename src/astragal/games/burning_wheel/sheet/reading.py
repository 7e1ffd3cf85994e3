"""Reading a sheet as people write it, and checking what the types cannot.

``normal_form`` writes shorthand out, ``check`` refuses sheets that cannot be: both name the
place, the value and what was expected.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from astragal.dice import Shade
from astragal.errors import BadInput, check_at_least, check_between, check_one_of
from astragal.rules import catalogue

from .armor_tables import check_harness, normal_armor, normal_shield
from .faiths import FAITH, LASTING_PRAYERS, answered_prayer_forms
from .parts import AbilityLog, Artha, Gear, Resources, Wound, WoundLevel
from .ratings import HIGHEST_EXPONENT
from .reading_weapons import check_weapons, weapon_form
from .sheet import Sheet, attribute_names, body_types, dice_of, stat_names, superficials_in_a_set
from .spells import active_spell_forms, check_spell, spell_form

MOST_GEAR_DICE = 10
"""No piece of gear adds more dice; a larger number is a typing error."""


MOST_FUND = 10
"""The largest fund (resources.fund.bonus)."""


MOST_WEALTH = 60
"""More dice, tests or debt than this is a typing error."""


def preset_tolerances() -> dict[str, tuple[str, ...]]:
    """The tolerances of the GM's characters of no great account, by their usual stat.

    injury.amb.tolerance_placement.

    >>> preset_tolerances()["B4"]
    ('B3', 'B5', 'B7', 'B8', 'B9', 'B10')
    """
    rows = catalogue().table("injury.table.one_off_npc_tolerances").rows
    return {str(row[0]): tuple(str(step) for step in row[1:]) for row in rows}


MOST_MULTIPLIER = 20
"""Nothing runs faster than this; a larger multiplier is a typing error."""


def _check_body(sheet: Sheet) -> None:
    """A body with a Speed multiplier, by its type or of its own."""
    rule = "movement.rate.multiplier_others"
    if not 0 <= sheet.speed_multiplier <= MOST_MULTIPLIER:
        expected = f"0 (by the body type) to {MOST_MULTIPLIER}"
        raise BadInput("speed_multiplier", sheet.speed_multiplier, expected, rule)
    if not sheet.speed_multiplier and sheet.body_type not in body_types():
        expected = f"one of {', '.join(body_types())}, or a speed_multiplier beside it"
        raise BadInput("body_type", sheet.body_type, expected, rule)


def normal_form(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """A sheet file as people like to write it, with shorthand written out.

    ``Sword = "B4"`` is ``Sword = {rating = "B4"}``; a belief, trait, relationship or piece of
    gear that is only a text is just its text or name; stats and attributes may be written in
    any case; a hesitation may be one number. Six tolerances may be a list, or one rating of a
    character of no great account; a wound may be just its level, and ``superficials`` a number of
    them.
    """

    def spelled(value: Any, field: str) -> Any:
        return {field: value} if isinstance(value, str) else value

    normal: dict[str, Any] = dict(raw)
    for group in ("stats", "attributes", "skills"):
        if isinstance(raw.get(group), Mapping):
            normal[group] = {n: spelled(v, "rating") for n, v in raw[group].items()}
    body = raw.get("body_type")
    if isinstance(body, str):
        normal["body_type"] = {b.casefold(): b for b in body_types()}.get(body.casefold(), body)
    for group, names in (("stats", stat_names()), ("attributes", attribute_names())):
        if isinstance(normal.get(group), Mapping):
            official = {name.casefold(): name for name in names}
            official["hate"] = "Hatred"  # advancement.amb.hate_name
            normal[group] = {official.get(n.casefold(), n): v for n, v in normal[group].items()}
    if isinstance(raw.get("hesitation"), int):
        normal["hesitation"] = {"surprise": raw["hesitation"], "pain": raw["hesitation"]}
    for single in ("resources", "circles"):
        if single in raw:
            normal[single] = spelled(raw[single], "rating")
    _spell_wounds(raw, normal)
    for group, field in (
        ("beliefs", "text"),
        ("instincts", "text"),
        ("traits", "name"),
        ("lifepaths", "name"),
        ("relationships", "name"),
        ("gear", "name"),
    ):
        if isinstance(raw.get(group), list | tuple):
            normal[group] = [spelled(value, field) for value in raw[group]]
    _spell_creeds(normal)
    if isinstance(normal.get("traits"), list):
        normal["traits"] = [_priced(trait) for trait in normal["traits"]]
    if isinstance(raw.get("weapons"), list | tuple):
        normal["weapons"] = [weapon_form(value) for value in raw["weapons"]]
    if isinstance(raw.get("spells"), list | tuple):
        normal["spells"] = [spell_form(value) for value in raw["spells"]]
    if isinstance(raw.get("active_spells"), list | tuple):
        known = normal.get("spells")
        normal["active_spells"] = active_spell_forms(raw["active_spells"], known)
    if isinstance(raw.get("prayers"), list | tuple):
        groups = (normal.get(group) for group in ("stats", "attributes", "skills"))
        own = [name for group in groups if isinstance(group, Mapping) for name in group]
        normal["prayers"] = answered_prayer_forms(raw["prayers"], own)
    if "armor" in raw:
        normal["armor"] = normal_armor(raw["armor"])
    if "shield" in raw:
        normal["shield"] = normal_shield(raw["shield"])
    return normal


FAITHFUL, FAITHFUL_POINTS = "faithful", 5
"""The trait that gives access to Faith, and its price (faith.access.faithful_trait)."""


def _spell_creeds(normal: dict[str, Any]) -> None:
    """A ``faith`` written beside a Belief or a trait, as a creed of the sheet."""
    creeds = list(normal.get("creeds", ()))
    for group in ("beliefs", "traits"):
        if not isinstance(normal.get(group), list):
            continue
        for at, value in enumerate(normal[group]):
            if not isinstance(value, Mapping) or "faith" not in value:
                continue
            normal[group][at] = {key: each for key, each in value.items() if key != "faith"}
            about = {"belief": at + 1} if group == "beliefs" else {"trait": value.get("name", "")}
            creeds.append({"faith": value["faith"], **about})
    if creeds:
        normal["creeds"] = creeds


def _priced(trait: Any) -> Any:
    """The Faithful trait with its price, unless another is written beside it.

    faith.access.faithful_trait.
    """
    if not isinstance(trait, Mapping) or str(trait.get("name", "")).casefold() != FAITHFUL:
        return trait
    return {"points": FAITHFUL_POINTS, **trait}


def _spell_wounds(raw: Mapping[str, Any], normal: dict[str, Any]) -> None:
    """Tolerances and wounds written out."""
    tolerances = raw.get("tolerances")
    if isinstance(tolerances, str):
        presets = preset_tolerances()
        if tolerances not in presets:
            expected = f"six steps, or one of {', '.join(presets)} for a character of the GM's"
            rule = "injury.ptgs.tolerance_placement"
            raise BadInput("tolerances", tolerances, expected, rule)
        tolerances = presets[tolerances]
    if isinstance(tolerances, list | tuple):
        if len(tolerances) != len(WoundLevel):
            expected = f"{len(WoundLevel)} steps, from Superficial to Mortal"
            rule = "injury.ptgs.six_tolerances"
            raise BadInput("tolerances", list(tolerances), expected, rule)
        fields = (level.value.casefold() for level in WoundLevel)
        normal["tolerances"] = dict(zip(fields, tolerances, strict=True))
    levels = {level.value.casefold(): level.value for level in WoundLevel}

    def spelled(wound: Any) -> Any:
        if isinstance(wound, str):
            wound = {"level": wound}
        if not isinstance(wound, Mapping):
            return wound
        full = dict(wound)
        if isinstance(full.get("at"), str):
            full["at"] = [full["at"]]
        if isinstance(full.get("level"), str):
            full["level"] = levels.get(full["level"].casefold(), full["level"])
        return full

    if isinstance(raw.get("wounds"), list | tuple):
        normal["wounds"] = [spelled(wound) for wound in raw["wounds"]]
    count = normal.pop("superficials", 0)
    if not isinstance(count, int) or not 0 <= count <= MOST_WOUNDS:
        expected = f"0 to {MOST_WOUNDS} Superficial wounds"
        raise BadInput("superficials", count, expected, "injury.superficial.further_sets")
    if count:
        sets, left = divmod(count, superficials_in_a_set())
        merged = {"level": WoundLevel.LIGHT.value, "merged": True}
        further = [merged] * sets + [{"level": WoundLevel.SUPERFICIAL.value}] * left
        normal["wounds"] = [*normal.get("wounds", ()), *further]


def check(sheet: Sheet) -> None:
    """What the types cannot check: real stats, roots that are stats, unique names, counts."""
    stats = stat_names()
    for name in sheet.stats:
        check_one_of(f"stats.{name}", name, stats, "tests.stats.six")
    for name, skill in sheet.skills.items():
        for root in skill.roots:
            check_one_of(f"skills.{name}.roots", root, stats, "tests.beginner.root_stat")
    if sheet.age < 0:
        raise BadInput("age", sheet.age, "0 (unknown) or more years")
    seen: dict[str, str] = {}
    for tested in sheet.abilities():
        first = seen.setdefault(tested.name.casefold(), tested.path)
        if first != tested.path:
            raise BadInput(tested.path, tested.name, f"a unique name ({first} has it too)")
    _check_growth(sheet, seen)
    _check_body(sheet)
    _check_stat_block(sheet)
    _check_wounds(sheet)
    for index, trait in enumerate(sheet.traits):
        if trait.fists:
            _check_shade(trait.fists, f"traits[{index}].fists")
    for index, gear in enumerate(sheet.gear):
        _check_gear(gear, f"gear[{index}]")
    check_weapons(sheet.weapons)
    _check_spells(sheet)
    _check_faith(sheet)
    check_harness(sheet.armor, sheet.packed, sheet.shield)
    if sheet.resources is not None:
        _check_resources(sheet.resources)
    _check_standings(sheet)
    _check_counts(sheet.artha, "artha")
    for tested in sheet.abilities():
        _check_counts(tested.ability.log, f"{tested.path}.log")
        _check_counts(tested.ability.spent, f"{tested.path}.spent")


MOST_SOFTENED = 10
"""No trait lowers wounds by more; a larger number is a typing error."""


def _check_stat_block(sheet: Sheet) -> None:
    """What only some stat blocks have: a hesitation of its own, bonus dice, iron scales."""
    limits = []
    if sheet.hesitation is not None:
        for field in ("surprise", "pain"):
            found = getattr(sheet.hesitation, field)
            limits.append((f"hesitation.{field}", found, 10, "rogues.burned.hesitation"))
    for rated in sheet.abilities():
        rule = "rogues.amb.bracketed_values"
        limits.append((f"{rated.path}.bonus", rated.ability.bonus, MOST_GEAR_DICE, rule))
    for index, trait in enumerate(sheet.traits):
        rule = "rogues.burned.iron_scales"
        limits.append((f"traits[{index}].softens", trait.softens, MOST_SOFTENED, rule))
    for place, found, most, rule in limits:
        check_between(place, found, 0, most, rule)


MOST_WOUNDS = 100
"""Nobody survives more; a larger number is a typing error."""


def _check_wounds(sheet: Sheet) -> None:
    """Exponents within the scale, tolerances in order, and wounds that can be what they say."""
    for rated in sheet.abilities():
        if rated.name != "Mortal Wound" and rated.rating.exponent > HIGHEST_EXPONENT:
            expected = f"an exponent up to {HIGHEST_EXPONENT}"
            rule = "tests.exponent.scale"
            raise BadInput(f"{rated.path}.rating", str(rated.rating), expected, rule)
    if sheet.tolerances is not None:
        # Traumatic and Mortal may be one step, as they are for the Gate Forger
        # (rogues.amb.gate_forger_mortal).
        steps = [sheet.tolerances.of(level) for level in WoundLevel]
        for level, left, right in zip(list(WoundLevel)[1:], steps, steps[1:], strict=False):
            if not (left < right or (left == right and level is WoundLevel.MORTAL)):
                place = f"tolerances.{level.value.casefold()}"
                expected = f"a step to the right of {left}"
                raise BadInput(place, str(right), expected, "injury.amb.tolerance_placement")
    if len(sheet.wounds) > MOST_WOUNDS:
        raise BadInput("wounds", len(sheet.wounds), f"at most {MOST_WOUNDS}")
    for index, wound in enumerate(sheet.wounds):
        _check_wound(wound, f"wounds[{index}]")
    single = [w for w in sheet.wounds if w.level is WoundLevel.SUPERFICIAL and not w.course]
    most = superficials_in_a_set() - 1
    if len(single) > most:
        expected = f"at most {most} single ones: three are one Light wound (merged = true)"
        raise BadInput("wounds", f"{len(single)} Superficial", expected, "injury.superficial.three")
    for stat, cap in sheet.caps.items():
        known = stat in sheet.stats
        if not known or not 1 <= cap <= HIGHEST_EXPONENT:
            expected = f"a stat on the sheet, and 1 to {HIGHEST_EXPONENT}"
            raise BadInput(f"caps.{stat}", cap, expected, "injury.fail.mortal_soft")
        if sheet.stats[stat].rating.exponent > cap:
            found = str(sheet.stats[stat].rating)
            raise BadInput(f"stats.{stat}", found, f"at most {cap}", "injury.fail.mortal_soft")


MOST_SPELLS = 100
"""Nobody knows more; a larger number is a typing error."""


def _check_spells(sheet: Sheet) -> None:
    """Spells with names of their own, and no more of Forte and Will given away than there is."""
    if len(sheet.spells) > MOST_SPELLS:
        raise BadInput("spells", len(sheet.spells), f"at most {MOST_SPELLS}")
    names: set[str] = set()
    for index, spell in enumerate(sheet.spells):
        check_spell(spell, f"spells[{index}]")
        if spell.name.casefold() in names or not spell.name.strip():
            raise BadInput(f"spells[{index}].name", spell.name, "a unique name")
        names.add(spell.name.casefold())
    for stat, given, most, rule in (
        ("Forte", len(sheet.forte_tax), 0, "sorcery.tax.fail"),
        ("Will", len(sheet.sustained), 1, "sorcery.sustain.limit"),
    ):
        has = sheet.stats[stat].rating.exponent if stat in sheet.stats else 0
        if given and given > has - most:
            place = "forte_tax" if stat == "Forte" else "active_spells"
            raise BadInput(place, given, f"at most {max(0, has - most)} with {stat} {has}", rule)


MOST_PRAYERS = 50
"""Nobody has more in effect; a larger number is a typing error."""


def stock_of_attribute() -> dict[str, str]:
    """The stock to which each emotional attribute belongs (faith.emotional.by_stock).

    >>> stock_of_attribute()["Grief"]
    'Elf'
    """
    rows = catalogue().table("faith.table.emotional_attributes").records()
    return {row.text("attribute"): row.text("stock") for row in rows}


def _check_faith(sheet: Sheet) -> None:
    """Emotional attributes of the character's own stock, prayers with dice, real stigmata."""
    for attribute, stock in stock_of_attribute().items():
        if attribute in sheet.attributes and sheet.stock and sheet.stock != stock:
            expected = f"{stock}, to whom {attribute} belongs"
            raise BadInput("stock", sheet.stock, expected, "faith.emotional.by_stock")
    if len(sheet.prayers) > MOST_PRAYERS:
        raise BadInput("prayers", len(sheet.prayers), f"at most {MOST_PRAYERS}")
    for at, prayer in enumerate(sheet.prayers):
        check_one_of(f"prayers[{at}].prayer", prayer.prayer, LASTING_PRAYERS, "faith.pray.success")
        if not 0 <= prayer.dice <= MOST_GEAR_DICE:
            expected = f"0 to {MOST_GEAR_DICE} dice"
            raise BadInput(f"prayers[{at}].dice", prayer.dice, expected, "faith.prayer.aid")
    if sheet.stigmata and FAITH not in sheet.attributes:
        expected = f"none without {FAITH}"
        raise BadInput("stigmata", len(sheet.stigmata), expected, "faith.stigmata.7")


def _check_wound(wound: Wound, place: str) -> None:
    marks = superficials_in_a_set() if wound.merged else 1
    limits = [
        ("at", len(wound.at), marks, "injury.register.separate"),
        ("returned", wound.returned, dice_of(wound.level), "injury.treatment.both_succeed"),
        ("lost", wound.lost, dice_of(wound.level), "injury.fail.recovery_greater_half"),
    ]
    for field, found, most, rule in limits:
        check_between(f"{place}.{field}", found, 0, most, rule)
    for field in ("taken", "bled", "held", "staunched", "bonus", "closes"):
        check_at_least(f"{place}.{field}", getattr(wound, field), 0)
    if wound.merged and wound.level is not WoundLevel.LIGHT:
        expected = "Light: that is what three Superficial wounds are"
        found = wound.level.value
        raise BadInput(f"{place}.level", found, expected, "injury.superficial.three_is_light")
    if wound.stat and wound.stat not in stat_names():
        expected = f"one of {', '.join(stat_names())}"
        raise BadInput(f"{place}.stat", wound.stat, expected, "injury.amb.fitting_stat")


def _check_resources(wealth: Resources) -> None:
    """Tax within the exponent; funds of 1 to 10 dice; no loan or debt of nothing."""
    base = wealth.rating.exponent
    limits = [("taxed", wealth.taxed, 0, base, "resources.tax.temporary")]
    limits += [
        (field, getattr(wealth, field), 0, MOST_WEALTH, "resources.cash.bonus")
        for field in ("cash", "repaid", "fallen")
    ]
    highest = len(catalogue().table("resources.table.lifestyle").rows)
    rule = "resources.lifestyle.test_each_cycle"
    limits.append(("lifestyle", wealth.lifestyle, 0, highest, rule))
    for at, fund in enumerate(wealth.funds):
        limits.append((f"funds[{at}].dice", fund.dice, 1, MOST_FUND, "resources.fund.bonus"))
    for at, loan in enumerate(wealth.loans):
        rule = "resources.loan.test"
        limits.append((f"loans[{at}].dice", loan.dice, 1, MOST_WEALTH, rule))
        limits.append((f"loans[{at}].tests", loan.tests, 1, MOST_WEALTH, rule))
    for at, debt in enumerate(wealth.debts):
        limits.append((f"debts[{at}].owed", debt.owed, 1, MOST_WEALTH, "resources.debt.size"))
    if wealth.job is not None:
        limits.append(("job.restores", wealth.job.restores, 0, base, "resources.job.recover_one"))
    for place, found, least, most, rule in limits:
        check_between(f"resources.{place}", found, least, most, rule)


def _check_growth(sheet: Sheet, abilities: Mapping[str, str]) -> None:
    """Skills being learned have roots and are not known yet; days are real days."""
    stats = stat_names()
    for name, learning in sheet.learning.items():
        place = f"learning.{name}"
        if name.casefold() in abilities or name in sheet.training:
            rule = "advancement.new_skill.opens_at_aptitude"
            raise BadInput(place, name, f"a skill that {sheet.name} does not have yet", rule)
        roots = learning.roots
        if not roots or len(set(roots)) < len(roots) or not set(roots) <= set(stats):
            expected = f"one or more of {', '.join(stats)}, each once"
            raise BadInput(f"{place}.roots", list(roots), expected, "advancement.new_skill.root")
        check_at_least(f"{place}.tests", learning.tests, 0)
    for index, practised in enumerate(sheet.practice):
        check_at_least(f"practice[{index}].days", practised.days, 0)
    for index, stretch in enumerate(sheet.days):
        check_at_least(f"days[{index}].days", stretch.days, 1)
        check_between(f"days[{index}].hours", stretch.hours, 0, 24, unit="hours of a day")


MOST_STANDING_DICE = 10
"""No reputation or affiliation is worth more; a larger number is a typing error."""


def _check_standings(sheet: Sheet) -> None:
    """Standings and contacts have names of their own, and dice as they should be.

    A reputation without dice is struck (circles.amb.reputation_minimum); an affiliation may be
    won back (circles.affiliation.regain).
    """
    names: set[str] = set()
    for group, least in (("reputations", 1), ("affiliations", 0)):
        for index, standing in enumerate(getattr(sheet, group)):
            place = f"{group}[{index}]"
            if not least <= standing.dice <= MOST_STANDING_DICE:
                expected = f"{least} to {MOST_STANDING_DICE} dice"
                rule = "circles.ability.bonus_dice_sources"
                raise BadInput(f"{place}.dice", standing.dice, expected, rule)
            check_at_least(f"{place}.lost", standing.lost, 0)
            if standing.name.casefold() in names:
                raise BadInput(f"{place}.name", standing.name, "a unique name")
            names.add(standing.name.casefold())
    known: set[str] = set()
    for group in ("relationships", "contacts"):
        for index, somebody in enumerate(getattr(sheet, group)):
            if somebody.name.casefold() in known:
                raise BadInput(f"{group}[{index}].name", somebody.name, "a unique name")
            known.add(somebody.name.casefold())
    for index, contact in enumerate(sheet.contacts):
        place = f"contacts[{index}]"
        check_at_least(f"{place}.obstacle", contact.obstacle, 1)
        check_at_least(f"{place}.taps", contact.taps, 0)


def _check_shade(letter: str, place: str) -> None:
    try:
        Shade.parse(letter)
    except BadInput as bad:
        raise BadInput(place, letter, bad.expected, bad.rule) from None


def _check_gear(gear: Gear, place: str) -> None:
    _check_shade(gear.shade, f"{place}.shade")
    for ability, dice in gear.dice.items():
        rule = "tests.gear.effect"
        check_between(f"{place}.dice.{ability}", dice, 1, MOST_GEAR_DICE, rule, unit="dice")


def _check_counts(counts: AbilityLog | Artha, place: str) -> None:
    for field in counts.__struct_fields__:
        check_at_least(f"{place}.{field}", getattr(counts, field), 0)
