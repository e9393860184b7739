"""Whether what came back from a card's process fits together.

That process runs a stranger's code, which may have written the frame itself. Types were checked
when it was read; here shapes and names are, so that nothing later can fail on them.
"""

from contextlib import suppress

import numpy as np

from quizzer.checker.confirming import Further
from quizzer.checker.explain import Material
from quizzer.checker.instance import Contraction, Instance, shape
from quizzer.checker.problem import Posed
from quizzer.checker.sheet import Sheet
from quizzer.checker.sheets import MOST_SENTENCES, sheet_is_sound
from quizzer.checker.ties import Bounds


def instances_are_sound(posed: Posed, count: int) -> bool:
    """Whether there are `count` instances or more, each with all names of the sheet and finite
    truths, and whether everything else that is compared with is finite and fits."""
    return (
        sheet_is_sound(posed.sheet)
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
        and are_sound(posed.further, posed.sheet)
    )


def are_sound(further: tuple[Further, ...], sheet: Sheet) -> bool:
    """Whether further problems have all names of the sheet, and finite numbers."""
    return all(
        _fits(each.instance, sheet)
        and each.contractions.keys() == sheet.asked.keys()
        and all(map(_is_contraction, each.contractions.values()))
        for each in further
    )


def material_is_sound(material: Material, posed: Posed, asked: str) -> bool:
    """Whether the Jacobians, if there are any, have the sizes of the outputs and the truth."""
    claims = (material.wrong, material.also, material.terms, material.variants, material.others)
    if any(len(group) > MOST_SENTENCES for group in (*claims, material.problems)):
        return False
    if not material.jacobians:
        return True
    return len(material.jacobians) == len(posed.instances) and all(
        jacobian.ndim == 2
        and jacobian.shape[0] == sum(output.size for output in instance.outputs.values())
        and instance.truths[asked].value.size % max(1, jacobian.shape[1]) == 0
        for jacobian, instance in zip(material.jacobians, posed.instances, strict=True)
    )


def _fits(instance: Instance, sheet: Sheet) -> bool:
    with suppress(LookupError):
        sheet.sizes_of(instance)
        return (
            tuple(instance.outputs) == sheet.outputs
            and instance.variables == sheet.variables
            and all(
                shape(instance.upstreams[f"d{name}"]) == output.shape
                for name, output in instance.outputs.items()
            )
        )
    return False


def _has_truths(instance: Instance, sheet: Sheet) -> bool:
    return instance.truths.keys() == sheet.asked.keys() and all(
        np.isfinite(truth.value).all()
        and truth.error.shape == truth.value.shape
        and bool(((truth.error >= 0) & (truth.error < np.inf)).all())
        and (truth.other is None or truth.other.shape == truth.value.shape)
        for truth in instance.truths.values()
    )


def _is_contraction(contraction: Contraction) -> bool:
    return bool(
        np.isfinite(contraction.direction).all()
        and np.isfinite(contraction.value)
        and 0 <= contraction.error < np.inf
    )


def _are_bounds(bounds: Bounds) -> bool:
    return (
        bounds.directions.ndim == bounds.low.ndim == 2
        and bounds.low.shape == bounds.high.shape
        and len(bounds.low) == len(bounds.directions)
        and bounds.directions.shape[1] == len(bounds.smooth) > 0
    )
