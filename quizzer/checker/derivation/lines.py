"""A derivation's text, line by line: what each claims, and what it gives on every instance.

Runs only inside a sandboxed process. The text is read as on paper; nothing of it is executed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from msgspec.structs import replace

from quizzer.checker.derivation import equations, objectives
from quizzer.checker.derivation.board import Board, used_in
from quizzer.checker.derivation.derived import Choice, Known
from quizzer.checker.derivation.lefts import Lefts
from quizzer.checker.derivation.nodes import Defined
from quizzer.checker.derivation.operators import told, with_derivatives, written_out
from quizzer.checker.derivation.prepared import FUNCTION, prepared
from quizzer.checker.derivation.slopes import NoSlope, Scene
from quizzer.checker.derivation.steering import steered
from quizzer.checker.derivation.values import Claim, Target, Unjudged
from quizzer.checker.derivative import Array, Uncertified
from quizzer.checker.jacobians import symmetrised
from quizzer.checker.load import CheckerError
from quizzer.notation import Invalid, Reading
from quizzer.notation.grammar.derivation import Remark, Unreadable, Words, Written
from quizzer.notation.grammar.left import LOSSES
from quizzer.notation.grammar.partials import LOSS
from quizzer.notation.lexer.plain import Plain
from quizzer.notation.values import FaultError
from quizzer.text import one_line

_NAMELESS_MULTIPLE = (
    "The card does not say what this is the derivative of: it is a multiple of its objective's."
)
_OTHER_LOSS = "This may be another loss than the card's {}."
_ENTRY_BY_ENTRY = "These are the slopes entry by entry. Write the derivative with its indices."
_MOVES_TOO = "This is right if {} moves too. Write the derivative with respect to it."
_NOT_KNOWN = "The left side is not known on this card; only that it is 0 is judged."
PROBLEMS = (FaultError, Unjudged, NoSlope, Uncertified)


@dataclass
class Lines:
    """The claims of a derivation."""

    board: Board
    claims: list[Claim] = field(default_factory=list)
    known: list[Known | None] = field(default_factory=list)
    stated: list[Claim] = field(default_factory=list)
    """The definitions that only the question's formulas have."""
    nameless: str = ""
    """The text's name for an objective that the question does not name: known up to a factor."""

    def read(
        self,
        text: str,
        choice: Choice,
        stated: Sequence[str] = (),
        differentials: bool = False,
    ) -> None:
        """Read every line and work it out by this choice.

        `stated` are the equations that the question displays: names that only they have count as
        defined.
        """
        board = self.board
        board.scenes = list(board.base)
        lefts = Lefts(board)
        found = prepared(board, text, stated)
        text, self.nameless = found.text, found.nameless
        self._take_up(found.stated, choice, lefts)
        parts = written_out(board.parts(text), board)
        board.differentials = differentials or lefts.uses_differentials(parts)
        moves = steered(parts, lefts)
        statement = 0
        target: Target | None = None
        left: Plain | None = None
        for part, board.steered in zip(parts, moves, strict=True):
            if isinstance(part, Words):
                self._note(Claim(part.line, statement, "", None, words=True))
            elif isinstance(part, Remark):
                self._remark(part, statement, choice)
            elif isinstance(part, Unreadable):
                statement, target = statement + 1, None
                self._note(Claim(part.line, statement, "", None, unread=part.why, code=part.code))
            else:
                if part.left is not None:
                    statement, left = statement + 1, part.left
                    target = None
                target = self._part(part, left, statement, target, choice, lefts)

    def again(self, choice: Choice) -> list[Known | None]:
        """All claims worked out by another choice; None where that is not possible."""
        self.board.scenes = list(self.board.base)
        found: list[Known | None] = []
        for claim in (*self.stated, *self.claims):
            known = None
            if claim.reading is not None:
                try:
                    known = self._worked_out(claim, choice)
                except (*PROBLEMS, ArithmeticError, ValueError, CheckerError):
                    known = None
                if claim.defines and known is not None:
                    self._define(claim, known)
                if known is not None:
                    self._settle(claim, known)
            found.append(known)
        return found[len(self.stated) :]

    def _take_up(self, stated: Sequence[str], choice: Choice, lefts: Lefts) -> None:
        """Define what only the question's formulas define."""
        for each in stated:
            for part in self.board.parts(each):
                if not isinstance(part, Written) or part.left is None:
                    continue
                try:
                    target = lefts.target_of(part.left, part.links)
                    if target.kind != "definition":
                        continue
                    claim = self._claim(part, part.links[-1], 0, target, choice)
                    known = self._worked_out(claim, choice)
                except (*PROBLEMS, ArithmeticError, ValueError, CheckerError):
                    continue
                self._define(claim, known)
                self.stated.append(claim)
                self.board.soft.add(target.name)

    def _part(
        self,
        part: Written,
        left: Plain | None,
        statement: int,
        target: Target | None,
        choice: Choice,
        lefts: Lefts,
    ) -> Target | None:
        if part.left is None and target is None:
            error = Unjudged("The line that this goes on from was not read.", "follows-unread")
            self._unread(part, statement, error, target)
            return None
        for place, link in enumerate(part.links):
            try:
                is_zero = target is not None and target.kind == "zero"
                if target is not None and is_zero:
                    left, target = part.links[place - 1], Target("equation", target.name)
                if target is None:
                    target = self._target(left, part.links[place:], lefts)
                if target.kind == "zero" and place + 1 < len(part.links):
                    self._unread(part, statement, Unjudged(_NOT_KNOWN), None)
                    continue
                claim = self._claim(part, link, statement, target, choice, left)
                if is_zero and not equations.is_about_optimum(_reading(claim), self.board):
                    raise Unjudged(_NOT_KNOWN)
                known = self._worked_out(claim, choice)
            except PROBLEMS as error:
                self._unread(part, statement, error, target)
                continue
            except (ArithmeticError, ValueError, CheckerError) as error:
                # The card's code, away from what it samples.
                message = f"It cannot be worked out here: {one_line(str(error), 120)}."
                self._unread(part, statement, Unjudged(message), target)
                continue
            self._note(claim, known)
            if claim.defines:
                target = self._define(claim, known)
                self.known[-1] = replace(known, doubt=self._doubt(claim, left))
            self._settle(claim, known)
        return target

    def _doubt(self, claim: Claim, left: Plain | None) -> str:
        """What speaks against an objective, `L(μ, C) = …`: its optimum is not the card's."""
        match = FUNCTION.fullmatch(left.text.strip()) if left is not None else None
        if match is None or claim.target is None:
            return ""
        board, names = self.board, self.board.names()
        arguments = [names.find(each.strip()) for each in match[1].split(",")]
        known = [each for each in arguments if each in board.optima]
        if len(known) < len(arguments):
            return ""
        if equations.is_stationary(claim.target.name, known, board) is not False:
            return ""
        return "its derivative is not zero at the optimum that the card asks for"

    def _remark(self, remark: Remark, statement: int, choice: Choice) -> None:
        """Note an equation in a remark where it does not hold; else it is set aside."""
        try:
            left, right = remark.left, remark.right
            reading, text, unknown = equations.difference(left, right, self.board)
            if unknown is not None:
                return
            known = equations.refuted(reading, self.board, choice)
        except (*PROBLEMS, ArithmeticError, ValueError, CheckerError):
            return
        if known is not None:
            target = Target("equation", f"{left.text.strip()} = {right.text.strip()}"[:80])
            self._note(Claim(remark.line, statement, text, target, reading, remark=True), known)

    def _settle(self, claim: Claim, known: Known) -> None:
        """From `μ_k = …` on, where that is so at the optimum, μ is the optimum."""
        target = claim.target
        if target is None or target.kind != "equation" or target.name not in self.board.optima:
            return
        pairs = zip(known.values, known.errors, strict=True)
        if all((np.abs(value) <= 3 * error).all() for value, error in pairs):
            self.board.scenes = equations.optimum(self.board, [target.name])

    def _target(self, left: Plain | None, links: Sequence[Plain], lefts: Lefts) -> Target:
        """What a statement is about; of what is not known, if it is said to be 0, only that."""
        assert left is not None
        try:
            return lefts.target_of(left, links)
        except PROBLEMS:
            if len(links) < 2 or links[-1].text.strip() != "0":
                raise
            return Target("zero", left.text.strip()[:40])

    def _claim(
        self,
        part: Written,
        link: Plain,
        statement: int,
        target: Target,
        choice: Choice,
        left: Plain | None = None,
    ) -> Claim:
        """The claim of one link, read."""
        board = self.board
        if link.text.strip() == "0" and left is not None and target.kind in ("derivative", "value"):
            target = replace(target, kind="equation", asked=None)
        if target.kind == "equation":
            assert left is not None
            reading, text, unknown = equations.difference(left, link, board)
            return Claim(
                *(part.line, statement, text, target, reading),
                unknown=unknown,
                steered=board.steered,
            )
        plain = with_derivatives(link, board)
        shapes = None
        if target.of is not None:
            shapes = [target.of(i, choice)[0].shape for i in range(len(board.scenes))]
        reading = board.read(plain.text, target.letters, shapes)
        defines = target.kind == "definition"
        return Claim(
            *(part.line, statement, plain.text, target, reading),
            defines=defines,
            steered=board.steered,
        )

    def _worked_out(self, claim: Claim, choice: Choice) -> Known:
        """What the claim gives on each instance, and what it should; of an estimate that is said
        to be what a variable is, `Ĉ = Λ⁻¹`, at the optimum."""
        board, target, reading = self.board, claim.target, claim.reading
        assert target is not None and reading is not None
        board.steered = claim.steered
        if target.kind == "equation":
            return equations.worked_out(reading, board, choice, target.way, claim.unknown)
        if (away := objectives.away(target, board)) is not None:
            return self._at(away, claim, choice)
        known = self._as_it_is(claim, choice)
        if equations.is_met(known):
            return known
        if target.way and (other := self._with_messages(claim, choice)) is not None:
            return other
        if target.ends is not None:
            self._check_what_is_meant(target, target.ends[0], known, choice)
        if target.kind == "value" and target.asked is not None:
            moving = equations.free_in(reading, board)
        else:
            moving = equations.estimated_in(reading, board, target.ends)
        if not moving:
            return known
        there = self._at(equations.optimum(board, moving), claim, choice)
        return there if equations.is_met(there) else known

    def _at(self, scenes: list[Scene], claim: Claim, choice: Choice) -> Known:
        """The same as things are in other scenes."""
        kept, self.board.scenes = self.board.scenes, scenes
        try:
            return self._as_it_is(claim, choice)
        finally:
            self.board.scenes = kept

    def _check_what_is_meant(self, target: Target, top: str, known: Known, choice: Choice) -> None:
        """Raises Unjudged for a wrong derivative that may be one of something else."""
        outputs = self.board.scenes[0].outputs
        if top == self.nameless and equations.is_multiple(known):
            raise Unjudged(_NAMELESS_MULTIPLE)
        if top == LOSS and self.board.number and outputs[0] in LOSSES:
            raise Unjudged(_OTHER_LOSS.format(outputs[0]))
        if not target.letters and equations.is_diagonal(known):
            raise Unjudged(_ENTRY_BY_ENTRY)
        if moved := Lefts(self.board).moves_with(target, known, choice):
            raise Unjudged(_MOVES_TOO.format(moved))

    def _with_messages(self, claim: Claim, choice: Choice) -> Known | None:
        """What a differential gives where `dY` of an output is its upstream, if that is right."""
        board = self.board
        if board.scenes[0].upstreams.keys().isdisjoint(used_in(_reading(claim))):
            return None
        board.messages = True
        try:
            known = self._as_it_is(claim, choice)
        finally:
            board.messages = False
        return known if equations.is_met(known) else None

    def _as_it_is(self, claim: Claim, choice: Choice) -> Known:
        board, target, reading = self.board, claim.target, claim.reading
        assert target is not None and reading is not None
        values, truths, errors = [], [], []
        missed: Exception | None = None
        for i in range(len(board.scenes)):
            try:
                env = board.env(reading, i, choice, target.way)
                truth = None if target.of is None else target.of(i, choice)
            except Uncertified as error:
                if target.of is None:
                    raise
                missed = error
                continue
            value = reading.evaluate(env, None if truth is None else truth[0].shape)
            if isinstance(value, Invalid):
                raise Unjudged(value.message, value.code)
            if truth is None and not np.isfinite(value).all():
                raise Unjudged("This is infinite or NaN somewhere.")
            array = np.asarray(value, float)
            square = array.ndim > 1 and array.shape[-1] == array.shape[-2]
            values.append(symmetrised(array) if target.is_symmetric and square else array)
            # Arithmetic makes a number of an array without axes; only arrays can be sent.
            truths.append(values[-1] if truth is None else np.asarray(truth[0]))
            errors.append(np.zeros_like(values[-1]) if truth is None else np.asarray(truth[1]))
        if len(values) < min(2, len(board.scenes)):
            raise Unjudged(f"It cannot be worked out surely here: {missed}.")
        return Known(tuple(values), tuple(truths), tuple(errors))

    def _define(self, claim: Claim, known: Known) -> Target:
        """The learner's name, which later lines may use."""
        target, reading = claim.target, claim.reading
        assert target is not None and reading is not None
        scene, uses = self.board.scenes[0], used_in(reading)
        follows = all(name in scene.values for name in uses)
        mine = (each for each in scene.defined if each.name == target.name and each.name in uses)
        before = next(mine, None)
        if before is not None:  # a new value, made of the name's last one
            uses = tuple(dict.fromkeys((*before.uses, *(n for n in uses if n != before.name))))
            follows = follows and before.value is not None

        def work_out(values: Mapping[str, Any]) -> Array:
            if before is not None and before.value is not None:
                values = {**values, before.name: before.value(values)}
            found = reading.evaluate(values)
            if isinstance(found, Invalid):
                raise ValueError(found.message)
            return np.asarray(found, float)

        defined = Defined(target.name, uses, work_out if follows else None)
        self.board.soft.discard(target.name)
        self.board.define(defined, known.values)
        axes = known.values[0].ndim
        letters = target.letters if len(target.letters) == axes else ()
        return Lefts(self.board).value_of(target.name, letters)

    def _unread(
        self, part: Written, statement: int, error: Exception, target: Target | None
    ) -> None:
        message = told(error.message if isinstance(error, FaultError) else str(error), self.board)
        code = getattr(error, "code", "not-judged")
        self._note(Claim(part.line, statement, "", target, unread=message, code=code))

    def _note(self, claim: Claim, known: Known | None = None) -> None:
        self.claims.append(claim)
        self.known.append(known)


def _reading(claim: Claim) -> Reading:
    assert claim.reading is not None
    return claim.reading
