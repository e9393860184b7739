"""How what is asked follows from the Jacobian of all outputs."""

import numpy as np

from quizzer.checker.derivative import Array, Flat, Values
from quizzer.checker.instance import Instance, Value, raw_outputs, shape
from quizzer.checker.load import Function
from quizzer.checker.meaning import Kind, Meaning


def weights(meaning: Meaning, instance: Instance) -> Array:
    """What the Jacobian of all outputs is multiplied with from the left to give the meaning."""
    if meaning.kind is Kind.MESSAGE:
        flat = [instance.upstreams[f"d{name}"].reshape(-1) for name in instance.outputs]
        return np.concatenate(flat)[np.newaxis]
    ends = np.cumsum([output.size for output in instance.outputs.values()])
    position = list(instance.outputs).index(str(meaning.output))
    total, end = int(ends[-1]), int(ends[position])
    return np.eye(total)[end - instance.outputs[str(meaning.output)].size : end]


def convention_factor(meaning: Meaning, instance: Instance) -> float | None:
    """What turns the asked derivative of a 0-d output into the one by the other convention: the
    upstream, by which message and local derivative differ. None where there is no other."""
    if meaning.kind is Kind.LOCAL and instance.outputs[str(meaning.output)].ndim == 0:
        return float(instance.upstreams[f"d{meaning.output}"])
    if meaning.kind is Kind.MESSAGE and len(instance.outputs) == 1:
        (upstream,) = instance.upstreams.values()
        return 1 / float(upstream) if upstream.ndim == 0 else None
    return None


def derivative_shape(meaning: Meaning, instance: Instance) -> tuple[int, ...]:
    """The shape of a derivative: that of the variable, behind the output's for a local one."""
    variable = shape(instance.inputs[str(meaning.variable)])
    if meaning.kind is Kind.LOCAL:
        return instance.outputs[str(meaning.output)].shape + variable
    return variable


def flat_forward(
    function: Function,
    inputs: dict[str, Value],
    variable: str,
    what: str = "forward",
    safe: bool = False,
) -> Flat:
    """A forward as a function of one variable, its outputs behind one another; a `safe` one does
    not change its inputs."""

    def flat(x: Values) -> Values:
        outputs = raw_outputs(function, inputs | {variable: x}, what, safe)
        return np.concatenate([output.reshape(-1) for output in outputs.values()])

    return flat


def symmetrised(gradient: Array) -> Array:
    """The symmetric part in the last two axes."""
    return (gradient + np.swapaxes(gradient, -1, -2)) / 2 if gradient.ndim >= 2 else gradient
