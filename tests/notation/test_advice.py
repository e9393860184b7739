"""Advice that is followed to the letter makes a right answer right.

Each row: the forward of `forwards.py`, the asked name, an answer that cannot be read, words of the
advice, and the answer after doing what it says.
"""

import ast
import re
from pathlib import Path

import pytest
from forwards import FORWARDS, worth

import quizzer.notation

ROWS = [
    ("linear", "dx", "dx_j = sum_k W_kj (δ_k + 0 δ_t), t = argmax_i δ_i",
     "put sum(t) [t = argmax_i δ_i] before it",
     "dx_j = sum_k W_kj (δ_k + 0 sum(t) [t = argmax_i δ_i] δ_t)"),
    ("linear", "dx", "dx_j = W_kj δ_k", "put sum(k) before it", "dx_j = sum(k) W_kj δ_k"),
    ("products", "S", "a_i", "put sum(i) before it", "sum(i) a_i sum_j b_j"),
    ("sigmoid", "dx", "dx_j = dy y_j (1 - y_j)", "write its indices, dy[j]",
     "dx_j = dy[j] y_j (1 - y_j)"),
    ("linear", "dx", "dx_j = sum_k W δ_k", "write its indices, W[…]", "dx_j = sum_k W[k,j] δ_k"),
    ("batched", "dc", "dc_n = sum_{j=0} dY_nj", "Write the upper bound, too: sum_{i=0}^{n-1}",
     "dc_n = sum_{j=0}^{M-1} dY_nj"),
    ("batched", "dc", "dc_n = sum_j^M dY_nj", "Write both bounds, sum_{i=0}^{n-1}",
     "dc_n = sum_{j=0}^{M-1} dY_nj"),
    ("batched", "dc", "dc_n = sum_j^M dY_nj", "or none: sum_i", "dc_n = sum_j dY_nj"),
    ("batched", "dc", "dc_n = sum dY_nj", "Write sum_i … or sum(i) …", "dc_n = sum(j) dY_nj"),
    ("batched", "dc", "dc_n = sum_{} dY_nj", "names no new index letter", "dc_n = sum_{j} dY_nj"),
    ("batched", "dc", "dc_n = sum_j dY_nj [0 = argmax 1]", "Write argmax_i …",
     "dc_n = sum_j dY_nj [n = argmax_i (0 Y_i0 + [i = n])]"),
    ("products", "P", "prod_j b_j a_1 prod_i a_i [1 = 1]", "Where does this prod end? Add brackets",
     "(prod_j b_j) (prod_i a_i) [1 = 1]"),
    ("batched", "dc", "dc_n = sum_j dY_nj max_j [Y_nj = Y_nj]", "take another letter",
     "dc_n = sum_j dY_nj max_k [Y_nk = Y_nk]"),
    ("batched", "dc", "sum_j dY_nj / M Y_nj", "Add brackets: (a / b) c", "sum_j (dY_nj / M) M"),
    ("batched", "dc", "dc_n = sum_j dY_nj sum_k 1", "write sum_{k=0}^{…}",
     "dc_n = sum_j dY_nj sum_{k=0}^{0} 1"),
    ("linear", "dx", "dx_j = sum_k W_jk^T δ_k", "W^T[i,j]", "dx_j = sum_k W^T[j,k] δ_k"),
    ("linear", "dx", "dx_j = sum_k W[k j+0] δ_k", "Put a comma between two indices",
     "dx_j = sum_k W[k, j+0] δ_k"),
    ("spaced", "dx", "dx_i = dy[i (1 + 1)^1 (i - i + 1)]", "a * between the factors of one",
     "dx_i = dy[i * (1 + 1)^1 * (i - i + 1)]"),
    ("linear", "dx", "dx_j = sum_k W[k+0 j] δ_k", "Put a comma between two indices.",
     "dx_j = sum_k W[k+0, j] δ_k"),
    ("spaced", "dv", "dv_i = δ_{si}", "Write [s = i], or dy[s i]", "dv_i = dy[s i]"),
    ("spaced", "dL_dz", "dL_dz_i = δ_{si} + δ_{1i} - δ_{si}", "Write [s = i], or dy[s i]",
     "dL_dz_i = [s = i] + δ_{1i} - [s = i]"),
    ("scattered_twice", "dv", "dv_i = δ_{i,k_i}", "or dZ[i, k[i]]", "dv_i = dZ[i, k[i]]"),
    ("scattered_twice", "dv", "dv_i = sum_j dZ_{ij} δ_{k_i j}", "Write [k[i] = j]",
     "dv_i = sum_j dZ_{ij} [k[i] = j]"),
    ("spaced", "dL_dz", "dL_dz_i = δ_i^1", "Write [i = …] for that", "dL_dz_i = [i = 1]"),
    ("largest", "da", "dm δ(a, m)", "Write Kronecker's δ as [a = m]", "dm [a = m]"),
    ("linear", "dx", "dx_j = @ W[k,j]", "write sum(k) a[i,k] b[k,j]", "dx_j = sum(k) W[k,j] δ[k]"),
    ("linear", "dx", "sum_{k <= j} W_kj δ_k + sum_{k > j} W_kj δ_k", "Write the left side too",
     "dx_j = sum_{k <= j} W_kj δ_k + sum_{k > j} W_kj δ_k"),
    ("array_k", "ds", "ds_i = k_i sum(k) x_j", "or put brackets round it",
     "ds_i = k_i (sum(x))"),
    ("batched", "dc", "sum_j dY_nj + 0 Y_nj", "or take another letter",
     "sum_j dY_nj + 0 sum_k Y_nk"),
    ("linear", "dx", "W^T ∂L", "use the upstream's name", "W^T dy"),
    ("linear", "dx", "2^T W^T δ", "write T in brackets", "W^T δ"),
    ("sigmoid", "dz", "\\frac{dy}{x x^T} ⊙ x ⊙ [x > 0]", "or ⊘ for elementwise division",
     "dy ⊘ x ⊙ x ⊙ [x > 0]"),
    ("pairs", "dY_dA", "[m=i][n=j] δ_{ab}", "with", "dY_dA[m,n,i,j] = [m=i][n=j]"),
    ("linear", "dW", "def dW(dy, x):\nreturn np.outer(dy, x)", "Put spaces in front",
     "def dW(dy, x):\n    return np.outer(dy, x)"),
    ("sigmoid", "dz", "dy if x > 0 else 0", "write np.where(condition, a, b)",
     "np.where(x > 0, dy, 0)"),
    ("batched", "dc", "dY @ np.ones(M / 1)", "for a size write int(…)",
     "dY @ np.ones(int(M / 1))"),
    ("linear", "dW", "np.outer", "put behind it, in brackets", "np.outer(dy, x)"),
    ("linear", "dx", "[W]^T δ", "for grouping use round ones", "(W)^T δ"),
    ("linear", "dW", "dW_ii = δ_i x_i", "use two letters and [i = j]",
     "dW_ij = δ_i sum_k x_k [k = j]"),
    ("linear", "dW", "dW_i = δ_i x_j", "one letter for each, dW[…], on the left",
     "dW[i,j] = δ_i x_j"),
    ("linear", "dx", "dx_ij = sum_k W_kj δ_k", "one letter for each, dx[…], on the left",
     "dx[j] = sum_k W_kj δ_k"),
    ("products", "P", "P_i = prod_i a_i", "P alone on the left", "P = prod_i a_i prod_j b_j"),
    ("squared", "dS", "sum_k (dF_ik S_kj + S_ik dF_kj)", "with i, j in the order of its axes",
     "dS[i,j] = sum_k (dF_ik S_kj + S_ik dF_kj)"),
    ("linear", "dx", "2dx = 2 W^T δ", "write dx = …", "dx = W^T δ"),
    ("joined", "dq", "dq_n = n a_n dy_n", "use another letter for the index",
     "dq_i = 2 a_i dy_i"),
    ("linear", "dx", "dx_j = sum_k (W_kj δ_k, 1)", "join conditions with `and`",
     "dx_j = sum_k (W_kj δ_k) [j >= 0 and 1 > 0]"),
    ("linear", "dx", "W^T δ_", "or drop them", "W^T δ"),
    ("hidden", "dx", "W^T (dh ⊙ (1 - h ⊙ -(-h)))", "a ⊙ (-b)", "W^T (dh ⊙ (1 - h ⊙ (-(-h))))"),
    ("batched", "dW", "X^T dY ⊘ 2 (1 / 2)", "Put brackets round what ⊘ divides by",
     "X^T dY ⊘ (2 (1 / 2))"),
    ("hidden", "dx", "W^T (dh · (1-h·h))", "Write ⊙ for the elementwise one",
     "W^T (dh ⊙ (1-h⊙h))"),
    ("sigmoid", "dx", "dx = y ⊙ (1 - y) ⊙ δ ⊙ (x / |x|) ⊙ (x / |x|)", "abs(x) for the entries",
     "dx = y ⊙ (1 - y) ⊙ δ ⊙ (x / abs(x)) ⊙ (x / abs(x))"),
    ("hidden", "dx", "W^T(dh*(1-h^2))", "Write x ⊙ x for the squares", "W^T(dh*(1-h ⊙ h))"),
    ("spectral", "df_dS", "U^T * S", "Write ⊙ for the elementwise one", "e^S + 0 (U^T ⊙ S)"),
    ("spectral", "df_dS", "\\exp(S)", "Write expm(A) for that", "expm(S)"),
    ("spectral", "df_dS", "e^S + 0 \\cos(S)", "cos(A) ⊙ (1 1^T)", "e^S + 0 (\\cos(S) ⊙ (1 1^T))"),
    ("spectral", "df_dS", "e^S + \\cos(S) - \\cos(S)", "U diag(cos(λ)) U^T",
     "A = S\nU = eigenvectors(A)\nλ = eigenvalues(A)\ne^S + U diag(cos(λ)) U^T "
     "- U diag(cos(λ)) U^T"),
    ("spectral", "df_dS", "df_dS_ij = e^{S}_ij", "expm(S)[i,j]", "df_dS_ij = expm(S)[i,j]"),
    ("linear", "dW", "δ*x^T", "put the matrices side by side", "δ x^T"),
    ("tanh_layers", "dX", "P^T dY ⊙ (1 - Y ⊙ Y) W^T", "Add brackets",
     "P^T (dY ⊙ (1 - Y ⊙ Y)) W^T"),
    ("batched", "dc", "dY 1", "Write \\mathbf{1} for the vector of ones", "dY \\mathbf{1}"),

    ("linear", "dW", "\\mathbf{1}^T \\mathbf{1} δ x^T", "write it, as in I_n or 1_N",
     "\\mathbf{1}_K^T \\mathbf{1}_K δ x^T / K"),
    ("linear", "dW", "\\mathbf{1}^T \\mathbf{1} δ x^T", "write it, as in I_n or 1_N",
     "1_K^T 1_K δ x^T / K"),
    ("linear", "dx", "dx_i = 1_{3 x_i} sum_k W_{ki} dy_k", "its condition in brackets",
     "dx_i = 1_{[3 x_i = 3 x_i]} sum_k W_{ki} dy_k"),
    ("linear", "dx", "W^T dq", "Did you mean", "W^T dy"),
    ("linear", "dx", "W^T δ by x", "Leave a remark out", "W^T δ"),
    ("linear", "dW", "lambda = dy\nnp.outer(lambda, x)", "write λ or lam",
     "lam = dy\nnp.outer(lam, x)"),
    ("linear", "dW", "class = dy\nnp.outer(class, x)", "take another name",
     "kind = dy\nnp.outer(kind, x)"),
    ("linear", "dW", "return np.outer(dy, x)", "Leave out `return`", "np.outer(dy, x)"),
    (
        "linear",
        "dx",
        "W.T @ np.multiply(dy, 1.0, where=dy != 0)",
        "leaves the entries outside of where= unset: add out=np.zeros",
        "W.T @ np.multiply(dy, 1.0, where=dy != 0, out=np.zeros(dy.shape))",
    ),
    (
        "linear",
        "dx",
        "W.T @ np.multiply(dy, 1.0, where=dy != 0, out=None)",
        "leaves the entries outside of where= unset: add out=np.zeros",
        "W.T @ np.multiply(dy, 1.0, where=dy != 0, out=np.zeros(dy.shape))",
    ),
    (
        "linear",
        "dx",
        "W.T @ np.multiply(dy, 1.0, None, where=dy != 0)",
        "leaves the entries outside of where= unset: add out=np.zeros",
        "W.T @ np.multiply(dy, 1.0, where=dy != 0, out=np.zeros(dy.shape))",
    ),
    ("linear", "dW", "np.outer(dy, x) * exp", "exp(x)", "np.outer(dy, x) * exp(0)"),
    ("linear", "dW", "np.outer(dy, x) + np", "write np.exp(x)", "np.outer(dy, x) + 0 * np.exp(1)"),
    ("linear", "dW", "np.outer(dy, x) * x^0 * np.ones(1)", "write **",
     "np.outer(dy, x) * x**0 * np.ones(1)"),
    ("linear", "dx", "W.T @ dy @ 1.0", "Write * for a number", "W.T @ dy * 1.0"),
    ("linear", "dW", "dy.T @ x.T + np.zeros(3)", "Did you mean np.outer?", "np.outer(dy, x)"),
    ("tanh_layers", "dX", "P.T @ (dY * (1 - Y * Y)) * W.T", "Did you mean @ ?",
     "P.T @ (dY * (1 - Y * Y)) @ W.T"),
    ("batched", "db", "sum(dY)", "sum(x, axis=0) for the rows added", "sum(dY, axis=0)"),
    ("sigmoid", "dz", "def dz(x, dy):\n    return max(x, 0) / x * dy", "write np.maximum(a, b)",
     "def dz(x, dy):\n    return np.maximum(x, 0) / x * dy"),
    ("linear", "dW", "d = np.outer(dy, x)\n+ 0 * d\nd", "Put brackets round both",
     "(d := np.outer(dy, x)\n+ 0)"),
    ("linear", "dW", "s = dy\n- np.outer(-s, x) * 0 + q", "q is not a known name",
     "s = dy\n- np.outer(-s, x)"),
    ("linear", "dx", "s = 2\n- x", "give it its left side: dx =", "s = 2\ndx = W.T @ dy"),
    ("cross_entropy", "dL_dz", "p - y   (1^T y = 1)", "leave a remark out", "p - y"),
    ("cross_entropy", "dp_dz", "dp_dz_ij = p_i ((i = j) - p_j)", "square brackets, [i = j]",
     "dp_dz_ij = p_i ([i = j] - p_j)"),
    ("linear", "dx", "W^T δ 2", "write the number in front", "2 W^T δ / 2"),
    ("linear", "dx", "dx_j = sum_k W_kj 1/K δ_k 2", "Put a * before 2",
     "dx_j = sum_k W_kj 1/K δ_k * K"),
    ("linear", "dx", "dx_j = sum_k W_kj 1/δ_k δ_k", "Put brackets round this fraction",
     "dx_j = sum_k W_kj (1/δ_k) δ_k δ_k"),
    ("sigmoid", "dx", "dx_i = dy_i y_i^2^1 (1 - y_i) / y_i", "(a^b)^c",
     "dx_i = dy_i (y_i^2)^1 (1 - y_i) / y_i"),
    ("sigmoid", "dx", "dx_i = dy_i y_i e^-2a", "Put braces round it: a^{…}",
     "dx_i = dy_i y_i (1 - y_i) e^{0 a}"),
    ("sigmoid", "dx", "dx_i = dy_i e^2^a", "add brackets", "dx_i = dy_i (y_i (1 - y_i))"),
    ("sigmoid", "dx", "dx_i = dy_i σ x_i (1 - y_i)", "Put brackets round what σ acts on",
     "dx_i = dy_i σ(x_i) (1 - y_i)"),
    ("linear", "dx", "<W, δ>", "Write an inner product as x^T u", "W^T δ"),
    ("sigmoid", "dx", "\\delta .* y ⊙ (1 - y)", "Write ⊙ for elementwise", "\\delta ⊙ y ⊙ (1 - y)"),
    ("products", "S", "\\sqrt[n]{a_1}", "as a power, x^(1/3)", "sum_i (a_i^3)^(1/3) sum_j b_j"),
    ("linear", "dx", "dx_j = \\sum_{k \\in K} W_kj δ_k", "Write membership as comparisons",
     "dx_j = \\sum_{0 <= k < K} W_kj δ_k"),
    ("linear", "dx", "dx_j = sum_k W_kj^{(1)} δ_k", "leave out its round brackets",
     "dx_j = sum_k W_kj^{1} δ_k"),
    ("linear", "dx", "s_i = 2\ndx_j = (W^T s)_j", "put this line into the one that uses it",
     "dx_j = sum_k W_kj δ_k (2) / 2"),
    ("counts", "w", "2*(5,3,3,1)/16", "np.array((5,3,3,1))", "2*np.array((5,3,3,1))/16"),
    ("counts", "v", "(0,625, 0,375)", "a point, 1.5", "(0.625, 0.375)"),
    ("counts", "w", "{5,3,3,1}/8", "a vector is (5, 3)", "(5, 3, 3, 1)/8"),
    ("linear", "dW", "dW_ij = δ_i x_j   (1 ≤ i, j ≤ D)", "[1 <= i <= N, 1 <= j <= M]",
     "dW_ij = δ_i x_j   [1 <= i <= K, 1 <= j <= D]"),
    ("linear", "dW", "dW_ij = Σ_k δ_k [k=i] x_j   (1 ≤ i ≤ K)", "or leave it out",
     "dW_ij = Σ_k δ_k [k=i] x_j"),
    ("linear", "dx", "W^T δ   (2)", "leave a remark out", "W^T δ"),
    ("linear", "dx", "W^T δ   (2)", "Write a factor in front", "2 W^T δ / 2"),
    ("soft_labels", "dL_dz", "dL_dz = p - y (p = softmax(z))", "Begin it with #",
     "dL_dz = p - y # (p = softmax(z))"),
    ("crossed", "db", "c × dy", "np.cross(c, dy)", "np.cross(c, dy)"),
    ("crossed", "db", "-dy × c", "np.cross(dy, c)", "-np.cross(dy, c)"),
    ("counts", "q", "q > 2.5", "on the left alone, q = …", "q = 2.5"),
    ("linear", "dx", "W^T δ, b", "leave a remark out", "W^T δ"),
    ("linear", "dx", "(W^T δ) N' / N", "A transpose is W^T", "(W^T δ) N / N"),
    ("batched", "dW", "X^T dY ⊗ 1", "A (B ⊗ C)", "(X^T dY) ⊗ 1"),
    ("sigmoid", "dx", "dx_i = dy_i y_i (1 - σ^1(x_i))", "Put the power behind the brackets",
     "dx_i = dy_i y_i (1 - σ(x_i)^1)"),
    ("sigmoid", "dx", "dx_i = dy_i y_i (1 - y_i) exp'(0)", "Write the derivative of exp out",
     "dx_i = dy_i y_i (1 - y_i) exp(0)"),
    ("linear", "dx", "dx_j = \\sum_{k \\notin K} W_kj δ_k", "Write membership as comparisons",
     "dx_j = \\sum_{0 <= k < K} W_kj δ_k"),
    ("linear", "dx", "W^t δ", "The transpose is written ^T", "W^T δ"),
    ("sigmoid", "dx", "dx_i = dy_i y_i clip", "Put brackets round what it acts on: clip(…)",
     "dx_i = dy_i y_i clip(1 - y_i, 0, 1)"),
    ("linear", "dx", "W^\\topt δ", "Did you mean \\top?", "W^\\top δ"),
    ("linear", "dx", "W^T δ of course", "Leave a remark out", "W^T δ"),
    ("batched", "db", "np.sum(dY, axis=0) of course", "begin it with #",
     "np.sum(dY, axis=0) # of course"),
    ("linear", "dW", "np.outer(dy, x) * (0,5 + 0.5)", "written with a point",
     "np.outer(dy, x) * (0.5 + 0.5)"),
    ("sigmoid", "dx", "dx_i = dy_i y_i (1 - y_i) exp(0,0)", "written with a point",
     "dx_i = dy_i y_i (1 - y_i) exp(0.0)"),
    ("sigmoid", "dx", "(dy .* y) ⊙ (1 - y)", "Write ⊙ for elementwise", "(dy ⊙ y) ⊙ (1 - y)"),
    ("linear", "dW", "grad = dy\nnp.outer(grd, x)", "Did you mean grad?",
     "grad = dy\nnp.outer(grad, x)"),
    ("spectral", "df_dS", "e^S + (1 - 1 + S^T) - S", "add the number times I",
     "e^S + (1 I - 1 I + S^T) - S"),
]  # fmt: skip

NOT_FOLLOWED = {
    "Does x_n mean": "needs a square array; see test_mixed.py",
    "is asked on this card": "what to write is the answer to another part",
    "For the power, write": "needs a card with a T of its own",
    "matrix notation has two at most": "another notation is no rewriting",
    "is no matrix: use index notation": "another notation is no rewriting",
    "put spaces between the names": "needs names that are each other's beginnings",
    "put it on the left, too": "followed in tests/cli/commands/test_verify.py: of lines above",
    "A product needs its index": "another notation is no rewriting",
}
"""Advice without a row, by words of it, and why."""

ADVICE = re.compile(r"\b([Ww]rite|[Pp]ut|[Aa]dd|[Uu]se|[Tt]ake another|Leave out|Did you mean)\b")


def advices() -> list[str]:
    """What the reader may say to do, from its source; `{}` stands for what varies."""
    found = []
    for file in sorted(Path(quizzer.notation.__file__).parent.rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        texts = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
                 for part in node.values}  # fmt: skip
        documentation = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                parts = [p.value if isinstance(p, ast.Constant) else "{}" for p in node.values]
                said = "".join(map(str, parts))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                said = "" if node in texts or node in documentation else node.value
            else:
                continue
            if ADVICE.search(said):
                found.append(said)
    return found


def test_every_advice_of_the_reader_is_followed_in_a_row() -> None:
    said = [worth(FORWARDS[forward], asked, typed, 0) for forward, asked, typed, _, _ in ROWS]
    for advice in advices():
        pattern = ".*".join(map(re.escape, advice.split("{}")))
        followed = any(re.search(pattern, message) for message in said)
        excused = any(words in advice for words in NOT_FOLLOWED)
        assert followed or excused, advice


@pytest.mark.parametrize(("forward", "asked", "typed", "advice", "followed"), ROWS)
def test_advice_followed_to_the_letter_makes_a_right_answer_right(
    forward: str, asked: str, typed: str, advice: str, followed: str
) -> None:
    assert advice in worth(FORWARDS[forward], asked, typed, 0)
    assert worth(FORWARDS[forward], asked, followed, 0) == "right"
