"""What answers to one asked name are compared with when they are not simply right."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from quizzer.checker.answer import Evaluated
from quizzer.checker.derivative import Array
from quizzer.checker.explain import Known, Material
from quizzer.checker.instance import Instance
from quizzer.checker.jacobians import symmetrised
from quizzer.checker.posed import Posed
from quizzer.checker.remote import RemoteChecker
from quizzer.judge.acceptance import Arrays, is_near, without_ones
from quizzer.judge.case import Case, Job, evaluate, evaluate_own
from quizzer.text import clean


class Claimed(Struct, frozen=True):
    """A sentence about an answer, and the answer it is about: on every instance, at ties and on
    further problems."""

    sentence: str
    values: tuple[Array, ...]
    tied: tuple[Array | None, ...] = ()
    further: tuple[Array | None, ...] = ()


class InvalidClaim(Struct, frozen=True):
    """An author's claim without values: where it is made, its sentence, and why."""

    what: str
    sentence: str
    reason: str


class Evidence(Struct, frozen=True):
    """The truths of a case, and everything else that an answer may be."""

    case: Case
    wrong: tuple[Claimed, ...] = ()
    also: tuple[Claimed, ...] = ()
    terms: tuple[Claimed, ...] = ()
    variants: tuple[Claimed, ...] = ()
    jacobians: tuple[Array, ...] = ()
    others: tuple[Claimed, ...] = ()
    """Derivatives that were not asked for, by name."""
    invalid: tuple[InvalidClaim, ...] = ()
    broken: tuple[str, ...] = ()
    """What is wrong with claims that raise, for the author."""
    exchanged: tuple[Claimed, ...] = ()
    """One answer evaluated again with an output in an input's place, or the other way round."""
    doubled: tuple[Array, ...] = ()
    """The same answer evaluated again with all upstreams doubled."""

    @property
    def instances(self) -> tuple[Instance, ...]:
        return self.case.posed.instances

    @property
    def truths(self) -> list[Array]:
        return [instance.truths[self.case.asked].value for instance in self.instances]

    def have_its_shape(self, values: Arrays) -> bool:
        return all(a.shape == t.shape for a, t in zip(values, self.truths, strict=True))

    def are(self, values: Arrays, wanted: Arrays | None = None) -> bool:
        """Whether `values` are the wanted arrays (the truths) on every instance."""
        wanted = self.truths if wanted is None else wanted
        if self.case.is_symmetric:
            values, wanted = map(_symmetric_parts, (values, wanted))
        return len(values) == len(wanted) and all(map(is_near, values, wanted))

    def are_but_for_ones(self, values: Arrays, wanted: Arrays | None = None) -> bool:
        """The same, with axes of length 1 more or fewer."""
        wanted = self.truths if wanted is None else wanted
        pairs = list(zip(values, wanted, strict=False))
        if len(values) != len(wanted) or any(
            without_ones(a.shape) != without_ones(b.shape) for a, b in pairs
        ):
            return False
        return self.are([a.reshape(b.shape) for a, b in pairs], wanted)


def _symmetric_parts(values: Arrays) -> list[Array]:
    """What is compared where the asked gradient is that toward a symmetric matrix."""
    squares = (value.ndim == 2 and value.shape[0] == value.shape[1] for value in values)
    return [symmetrised(v) if square else v for v, square in zip(values, squares, strict=True)]


def evidence_on(checker: RemoteChecker, case: Case) -> Evidence:
    """All that is known of an asked name before there is an answer. Raises CheckerBroken."""
    material = checker.explain(case.posed, case.asked)
    texts = _texts_of(material)
    return _evidence(case, material, evaluate(checker, case, texts, own=True) if texts else ())


def evidence_of(
    checker: RemoteChecker, cases: Sequence[Case], materials: Sequence[Material]
) -> list[Evidence]:
    """The same of several asked names whose material is known."""
    jobs = [Job(case, _texts_of(each)) for case, each in zip(cases, materials, strict=True)]
    results = evaluate_own(checker, jobs)
    return list(map(_evidence, cases, materials, results))


def _texts_of(material: Material) -> list[str]:
    """The claims that are still to be evaluated."""
    every = (*material.wrong, *material.also, *material.terms, *material.variants)
    return [each.text for each in every if each.text is not None]


def _evidence(case: Case, material: Material, evaluated: Sequence[Evaluated]) -> Evidence:
    groups = {
        "wrong": material.wrong,
        "also": material.also,
        "terms": material.terms,
        "variants": material.variants,
    }
    results = iter(evaluated)
    invalid: list[InvalidClaim] = []
    claims = {
        what: tuple(_claims(case.posed, what, group, results, invalid))
        for what, group in groups.items()
    }
    return Evidence(
        case,
        wrong=claims["wrong"],
        also=claims["also"],
        terms=claims["terms"],
        variants=claims["variants"],
        jacobians=material.jacobians,
        others=tuple(Claimed(name, values) for name, values in material.others.items()),
        invalid=tuple(invalid),
        broken=material.problems,
    )


def _claims(
    posed: Posed,
    what: str,
    group: Iterable[Known],
    results: Iterator[Evaluated],
    invalid: list[InvalidClaim],
) -> Iterator[Claimed]:
    """The author's claims with their values; those that have none are noted and left out."""
    ties = len(posed.tied)
    for each in group:
        text = clean(each.sentence)
        if each.text is not None:
            found = next(results)
            if found.invalid is not None:
                invalid.append(InvalidClaim(what, text, found.invalid))
            else:
                yield Claimed(text, found.values, found.tied, found.further)
        elif len(each.values) == len(posed.instances):
            if len(each.others) == ties + len(posed.further):
                yield Claimed(text, each.values, each.others[:ties], each.others[ties:])
            elif what == "variants":
                yield Claimed(text, each.values)
