"""The environments of LaTeX and amsmath: how their columns stand and what encloses them."""

from dataclasses import dataclass

from quizzer.tex.tree import Shape


@dataclass(frozen=True, slots=True)
class Environment:
    shape: Shape
    left: str = ""
    right: str = ""
    arguments: int = 0
    """Brace groups after the name that say nothing about the text."""
    columns: str = ""
    spec: bool = False
    """Whether a group with column letters follows the name."""


_M, _A, _G = Shape.MATRIX, Shape.ALIGNED, Shape.GATHERED

ENVIRONMENTS = {
    "matrix": Environment(_M),
    "smallmatrix": Environment(_M),
    "pmatrix": Environment(_M, "(", ")"),
    "psmallmatrix": Environment(_M, "(", ")"),
    "bmatrix": Environment(_M, "[", "]"),
    "bsmallmatrix": Environment(_M, "[", "]"),
    "Bmatrix": Environment(_M, "{", "}"),
    "vmatrix": Environment(_M, "|", "|"),
    "Vmatrix": Environment(_M, "‖", "‖"),
    "array": Environment(_M, spec=True),
    "tabular": Environment(_M, spec=True),
    "subarray": Environment(Shape.STACKED, spec=True),
    "cases": Environment(Shape.CASES, "{"),
    "dcases": Environment(Shape.CASES, "{"),
    "rcases": Environment(Shape.CASES, "", "}"),
    "drcases": Environment(Shape.CASES, "", "}"),
    "aligned": Environment(_A),
    "align": Environment(_A),
    "alignat": Environment(_A, arguments=1),
    "alignedat": Environment(_A, arguments=1),
    "flalign": Environment(_A),
    "split": Environment(_A),
    "eqnarray": Environment(_A),
    "gather": Environment(_G),
    "gathered": Environment(_G),
    "multline": Environment(_G, columns="l"),
    "multlined": Environment(_G, columns="l"),
    "equation": Environment(_G),
    "displaymath": Environment(_G),
    "math": Environment(_G),
    "subequations": Environment(_G),
}
