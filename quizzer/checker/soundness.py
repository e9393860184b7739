"""Whether what a checker's process returned fits together.

That process runs a stranger's code, which may have written the bytes itself. Types were checked
when they were read. Here names and shapes are, so that nothing later can fail on them. NumPy is
needed for arrays only: a description is checked without.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from itertools import repeat
from typing import TYPE_CHECKING

from msgspec.structs import replace

from quizzer.checker.sheet import Described, Sheet

if TYPE_CHECKING:
    from quizzer.checker.bounds import Bounds
    from quizzer.checker.derivation.derived import Derived
    from quizzer.checker.explain import Material
    from quizzer.checker.instance import Contraction, Instance
    from quizzer.checker.posed import Further, Posed
    from quizzer.checker.studied import Studied

_MOST_NAMES = 300
_MOST_SENTENCES = 200
_LONGEST_NAME = 100
_LONGEST_AXIS = 1 << 26

_Shapes = Mapping[str, tuple[int, ...]]


def sheet_is_sound(sheet: Sheet) -> bool:
    """Whether its names can be names, and are no more than anybody could answer."""
    named = (sheet.asked, sheet.variables, sheet.outputs, sheet.sizes, sheet.symmetric)
    names = [name for group in (*named, sheet.symbols) for name in group]
    return (
        len(sheet.asked) > 0
        and len(names) <= _MOST_NAMES
        and all(name.isidentifier() and len(name) <= _LONGEST_NAME for name in names)
        and all(
            symbol.strip() and len(symbol) <= _LONGEST_NAME for symbol in sheet.symbols.values()
        )
        and all(axis >= 0 for _, axis in sheet.sizes.values())
        and len(set(sheet.variables)) + len(set(sheet.outputs))
        == len(sheet.variables) + len(sheet.outputs)
        and sheet.first_index in (0, 1)
        and sheet.right.keys() <= sheet.asked.keys()
        and sum(map(len, sheet.right.values())) <= _MOST_SENTENCES
        and len(sheet.hints) <= _MOST_SENTENCES
    )


def description_is_sound(described: Described) -> bool:
    """Whether every example has the same names with as many axes, and the sheet uses only those."""
    sheet, shapes = described.sheet, described.shapes
    return (
        sheet_is_sound(sheet)
        and 0 < len(shapes) == len(described.asked) <= _MOST_NAMES
        and _are_alike(shapes)
        and _are_alike(described.asked)
        and described.asked[0].keys() == sheet.asked.keys()
        and {*sheet.variables, *sheet.outputs, *described.numbers} <= shapes[0].keys()
        and all(
            array in shapes[0] and axis < len(shapes[0][array])
            for array, axis in sheet.sizes.values()
        )
    )


def instances_are_sound(posed: "Posed", count: int) -> bool:
    """Whether there are `count` instances or more, each with all names of the sheet and finite
    truths, and whether everything else that is compared with is finite and fits."""
    return (
        sheet_is_sound(posed.sheet)
        and posed.shown == bool(posed.sheet.shown)
        and _shows_what_is_there(posed)
        and len(posed.instances) >= count
        and all(
            _fits(instance, posed.sheet) and _has_truths(instance, posed.sheet)
            for instance in posed.instances
        )
        and all(
            _fits(each.instance, posed.sheet)
            and each.bounds.keys() <= posed.sheet.asked.keys()
            and all(map(_are_bounds, each.bounds.values()))
            for each in posed.tied
        )
        and further_are_sound(posed.further, posed.sheet, posed.sheet.asked.keys())
        and many_are_sound(posed.many, posed.sheet)
    )


def _shows_what_is_there(posed: "Posed") -> bool:
    """Whether the instance to be shown has the names that are, and tolerances are some."""
    sheet = posed.sheet
    sizes = [each.size for each in sheet.within.values()]
    return (
        {*sheet.within, *sheet.units, *sheet.choices} <= sheet.asked.keys()
        and all(0 < size < float("inf") for size in sizes)
        and (not posed.shown or all({*sheet.shown} <= i.names.keys() for i in posed.instances[-1:]))
    )


def further_are_sound(
    further: "tuple[Further, ...]", sheet: Sheet, asked: AbstractSet[str]
) -> bool:
    """Whether further problems have all names of the sheet, and finite numbers for what is asked
    of them."""
    return many_are_sound(further, sheet) and all(
        each.contractions.keys() == asked for each in further
    )


def many_are_sound(further: "tuple[Further, ...]", sheet: Sheet) -> bool:
    """The same of problems that may lack what is asked of others."""
    return all(
        _fits(each.instance, sheet)
        and each.contractions.keys() <= sheet.asked.keys()
        and all(map(_is_contraction, each.contractions.values()))
        for each in further
    )


def material_is_sound(material: "Material", posed: "Posed", asked: str) -> bool:
    """Whether the Jacobians, if there are any, have the sizes of the outputs and the truth."""
    claims = (material.wrong, material.also, material.terms, material.variants, material.others)
    if any(len(group) > _MOST_SENTENCES for group in (*claims, material.problems)):
        return False
    if not material.jacobians:
        return True
    return len(material.jacobians) == len(posed.instances) and all(
        jacobian.ndim == 2
        and jacobian.shape[0] == sum(output.size for output in instance.outputs.values())
        and instance.truths[asked].value.size % max(1, jacobian.shape[1]) == 0
        for jacobian, instance in zip(material.jacobians, posed.instances, strict=True)
    )


def studied_is_sound(studied: "Studied", count: int, few: int) -> bool:
    """Whether what was worked out at once would be sound if each had been asked for alone."""
    posed = studied.posed
    if posed is None:
        return not (studied.covering or studied.materials or studied.varied)
    on_few, materials = studied.on_few(few), studied.materials
    return (
        instances_are_sound(posed, count)
        and (on_few is None or instances_are_sound(on_few, few))
        and (studied.varied is None or varied_are_sound(studied.varied, posed))
        and (
            materials is None
            or (
                len(materials) == len(posed.sheet.asked)
                and all(map(material_is_sound, materials, repeat(posed), posed.sheet.asked))
            )
        )
    )


def varied_are_sound(varied: "tuple[Instance, ...]", posed: "Posed") -> bool:
    """Whether instances with other values have all names and finite truths."""
    return instances_are_sound(replace(posed, instances=varied, tied=()), len(varied))


def _are_alike(examples: Sequence[_Shapes]) -> bool:
    forms = [{name: len(lengths) for name, lengths in shapes.items()} for shapes in examples]
    return (
        all(form == forms[0] for form in forms)
        and len(forms[0]) <= _MOST_NAMES
        and all(name.isidentifier() and len(name) <= _LONGEST_NAME for name in forms[0])
        and all(
            0 <= length <= _LONGEST_AXIS
            for shapes in examples
            for lengths in shapes.values()
            for length in lengths
        )
    )


def _fits(instance: "Instance", sheet: Sheet) -> bool:
    from quizzer.checker.instance import shape

    with suppress(LookupError):
        sheet.sizes_of(instance)
        return (
            tuple(instance.outputs) == sheet.outputs
            and instance.variables == sheet.variables
            and {*sheet.inner} <= instance.intermediates.keys()
            and all(
                shape(instance.upstreams[f"d{name}"]) == output.shape
                for name, output in instance.outputs.items()
            )
        )
    return False


def _has_truths(instance: "Instance", sheet: Sheet) -> bool:
    import numpy as np

    return instance.truths.keys() == sheet.asked.keys() and all(
        np.isfinite(truth.value).all()
        and truth.error.shape == truth.value.shape
        and bool(((truth.error >= 0) & (truth.error < np.inf)).all())
        and (truth.other is None or truth.other.shape == truth.value.shape)
        for truth in instance.truths.values()
    )


def _is_contraction(contraction: "Contraction") -> bool:
    import numpy as np

    return bool(
        np.isfinite(contraction.direction).all()
        and np.isfinite(contraction.value)
        and 0 <= contraction.error < np.inf
    )


def _are_bounds(bounds: "Bounds") -> bool:
    return (
        bounds.directions.ndim == bounds.low.ndim == 2
        and bounds.low.shape == bounds.high.shape
        and len(bounds.low) == len(bounds.directions)
        and bounds.smooth.shape == bounds.directions.shape[1:] != (0,)
    )


def derivation_is_sound(derived: "Derived", count: int) -> bool:
    """Whether every choice says something of every claim, on no more instances than there are."""
    claims = len(derived.claims)
    return (
        claims <= _MOST_NAMES * 4
        and len(derived.by) > 0
        and all(len(each.known) == claims for each in derived.by)
        and all(
            len(known.values) == len(known.truths) == len(known.errors) <= count
            and all(
                truth.shape == error.shape
                for truth, error in zip(known.truths, known.errors, strict=True)
            )
            for each in derived.by
            for known in each.known
            if known is not None
        )
    )
