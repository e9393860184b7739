"""What is in a domain of real numbers; and of those in which an optimum may be looked for, steps
within."""

from typing import TYPE_CHECKING, Any

from quizzer.checker.declared.values import Domain

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

KINDS = (
    *("normal", "fixed", "positive", "between", "simplex", "unit", "symmetric", "spd"),
    "orthogonal",
)
"""Domains that steps are known for."""

_NEAR = 1e-8


def is_feasible(domain: Domain, value: "Array") -> bool:
    """Whether a value is in the domain, up to rounding."""
    import numpy as np

    if not np.isfinite(value).all():
        return False
    match domain.kind:
        case "positive":
            return bool((value > 0).all())
        case "between":
            return bool(((value > domain.low) & (value < domain.high)).all())
        case "simplex":
            sums = value.sum(axis=-1)
            return bool((value >= -_NEAR).all() and (np.abs(sums - 1) <= _NEAR).all())
        case "unit":
            return bool((np.abs(np.linalg.norm(value, axis=-1) - 1) <= _NEAR).all())
        case "symmetric":
            return _is_symmetric(value)
        case "spd":
            return _is_symmetric(value) and bool(np.linalg.eigvalsh(value).min() > 0)
        case "orthogonal":
            product = value @ np.swapaxes(value, -1, -2)
            return bool(np.max(np.abs(product - np.eye(value.shape[-1]))) <= _NEAR)
        case "lower":
            diagonal = np.diagonal(value, axis1=-2, axis2=-1)
            return bool((np.triu(value, 1) == 0).all() and (diagonal > 0).all())
        case "sorted":
            return bool((np.diff(value, axis=-1) >= 0).all())
        case _:
            return True


def moved(domain: Domain, value: "Array", step: "Array") -> "Array | None":
    """The value after a step, brought back into its domain; None where it is not in it then."""
    import numpy as np

    after = value + step
    match domain.kind:
        case "simplex":
            after = value + step - step.mean(axis=-1, keepdims=True)
        case "unit":
            after = after / np.linalg.norm(after, axis=-1, keepdims=True)
        case "symmetric" | "spd":
            after = value + (step + np.swapaxes(step, -1, -2)) / 2
        case "orthogonal":
            q, r = np.linalg.qr(after)
            signs = np.where(np.diagonal(r, axis1=-2, axis2=-1) < 0, -1.0, 1.0)
            after = q * signs[..., None, :]
    return after if is_feasible(domain, after) else None


def _is_symmetric(value: "Array") -> bool:
    import numpy as np

    other = np.swapaxes(value, -1, -2)
    return bool(np.max(np.abs(value - other)) <= _NEAR * max(1.0, float(np.max(np.abs(value)))))
