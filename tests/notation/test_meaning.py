"""What a person wrote is read with its only meaning or is invalid: never another one in silence.

Each row is a forward of `forwards.py`, the asked name, a text, and what it is worth on every seed:
`right`, `wrong`, or words of the sentence that says why it is invalid.
"""

import pytest
from forwards import FORWARDS, worth

SEEDS = range(8)
CONDITION = "A condition compares"
FACTOR = "a factor or a remark?"
REMARK = "a condition or a remark?"
DECIMALS = "Decimals are written with a point"
END = "Where does this"

NUMBERS_ARE_NO_CONDITION = [
    ("linear", "dW", "(1,2) δ x^T", DECIMALS),
    ("linear", "dW", "δ x^T (1,2)", DECIMALS),
    ("linear", "dW", "2(1,5) δ x^T", DECIMALS),
    ("linear", "dW", "{1,2} δ x^T", DECIMALS),
    ("linear", "dW", "\\{1,2\\} δ x^T", DECIMALS),
    ("linear", "dW", "|1,2| δ x^T", DECIMALS),
    ("linear", "dW", "1,5 δ x^T", DECIMALS),
    ("linear", "dW", "(1, 2, 3) ⊙ δ x^T", "cannot be multiplied"),
    ("linear", "dW", "(1 and 2) δ x^T", CONDITION),
    ("linear", "dW", "δ x^T (1 or 0)", CONDITION),
    ("linear", "dW", "[1 and 2] δ x^T", CONDITION),
    ("linear", "dW", "[1,2] δ x^T", CONDITION),
    ("linear", "dW", "δ [2>1, 3] x^T", CONDITION),
    ("linear", "dW", "δ x^T if 1 else 2", CONDITION),
    ("linear", "dW", "δ x^T if (1, 2) else 2", CONDITION),
    ("linear", "dW", "{} δ x^T", "cannot stand here"),
    ("linear", "dW", "δ{}x^T", "cannot stand here"),
    ("linear", "dW", "[] δ x^T", "cannot stand here"),
    ("linear", "dW", "() δ x^T", "cannot stand here"),
    ("linear", "dW", "δ x^T [1]", "hold a condition"),
    ("linear", "dW", "(1 and 2) * np.outer(dy, x)", CONDITION),
    ("linear", "dW", "np.outer(dy, x) if 2 else 3", CONDITION),
    ("linear", "dW", "δ x^T [2 > 1]", "right"),
    ("linear", "dW", "δ x^T [2 > 1, 3 > 1]", "right"),
    ("linear", "dW", "δ x^T (2 > 1 and 3 > 1)", "right"),
    ("linear", "dx", "dx_j = sum_k W_kj δ_k [1,2]", CONDITION),
    ("linear", "dx", "dx_j = sum_k W_kj δ_k if j else 0", CONDITION),
    ("linear", "dx", "dx_j = sum_{k,1} W_kj δ_k", CONDITION),
    ("linear", "dx", "dx_j = sum_k (W_kj δ_k, 1)", "comma"),
    ("linear", "dx", "dx_j = sum_k W_kj δ_k (k,j)", "comma"),
    ("linear", "dx", "dx_j = sum_{k, k >= 0} W_kj δ_k", "right"),
    ("linear", "dx", "dx_j = sum_k W_kj δ_k 1(k >= 0, j >= 0)", "right"),
    ("counts", "q", "(2,5)", DECIMALS),
    ("counts", "q", "2,5", DECIMALS),
    ("counts", "v", "(0,625, 0,375)", DECIMALS),
    ("counts", "q", "2.5", "right"),
]  # fmt: skip

VECTORS = [
    ("counts", "v", "(\\frac58, \\frac38)", "right"),
    ("counts", "v", "(5/8, 3/8)", "right"),
    ("counts", "v", "1/8 (5,3)", "right"),
    ("counts", "v", "(5,3)/8", "right"),
    ("counts", "v", "v = (5/8, 3/8)^T", "right"),
    ("counts", "v", "\\left(\\tfrac{5}{8}, \\tfrac{3}{8}\\right)^\\top", "right"),
    ("counts", "v", "\\begin{bmatrix} 5/8 \\\\ 3/8 \\end{bmatrix}", "right"),
    ("counts", "v", "(3, 5)/8", "wrong"),
    ("counts", "w", "1/8 (5,3,3,1)", "right"),
    ("counts", "w", "\\frac18 (5, 3, 3, 1)", "right"),
    ("counts", "w", "[5,3,3,1]/8", "right"),
    ("counts", "w", "5/8, 3/8, 3/8, 1/8", "right"),
    ("counts", "w", "\\frac{1}{8}\\begin{pmatrix}5\\\\3\\\\3\\\\1\\end{pmatrix}", "right"),
    ("counts", "w", "\\frac{1}{8}\\begin{pmatrix}5 & 3 & 3 & 1\\end{pmatrix}", "right"),
    ("counts", "w", "{5,3,3,1}/8", "a set"),
    ("counts", "w", "2*(5,3,3,1)/16", "np.array((5,3,3,1))"),
    ("counts", "v", "(5; 3)/8", "needs its name"),
    ("counts", "v", "v_0 = 5/8, v_1 = 3/8", "the whole array at once"),
    ("linear", "dx", "dx_0 = sum_k W_k0 δ_k", "the whole array at once"),
]  # fmt: skip

KRONECKER = [
    ("pairs", "dY_dA", "dY_dA[m,n,i,j] = [(m,n)=(i,j)]", "right"),
    ("pairs", "dY_dA", "dY_dA[m,n,i,j] = \\mathbb{1}[(m,n) = (i,j)]", "right"),
    ("pairs", "dY_dA", "dY_dA_{mnij} = 1((m,n)=(i,j))", "right"),
    ("pairs", "dY_dA", "dY_dA[m,n,i,j] = [m=i][n=j]", "right"),
    ("pairs", "dY_dA", "dY_dA[m,n,i,j] = δ_m^i δ_n^j", "right"),
    ("pairs", "dY_dA", "dY_dA[m,n,i,j] = \\delta_{m}^{i} \\delta^j_n", "right"),
    ("pairs", "dY_dA", "dY_dA[m,n,i,j] = [(m,n)=(j,i)]", "wrong"),
    ("pairs", "dY_dA", "dY_dA[m,n,i,j] = [(m,n)!=(i,j)]", "Compare entry by entry"),
    ("pairs", "dY_dA", "dY_dA[m,n,i,j] = [m,n=i,j]", CONDITION),
    ("linear", "dx", "dx_j = Σ_{k,i} W_{ki} δ_k δ_i^j", "right"),
    ("products", "P", "\\prod_i a_i \\prod_j b_j", "right"),
    ("products", "P", "\\prod_{i=0}^{n-1} a_i \\prod_{j=1}^{m} b_j", "right"),
    ("products", "P", "(prod_i a_i) prod_j b_j", "right"),
    ("products", "P", "prod_i (a_i) prod_j (b_j)", "right"),
    ("products", "P", "prod_i a_i b_1", END),
    ("products", "P", "prod_i a_i sum_j b_j", END),
    ("products", "P", "max_i a_i max_j b_j", END),
    ("products", "S", "sum_i a_i sum_j b_j", "right"),
]

DELTAS_OF_A_VECTOR = [
    ("spaced", "dx", "dx_i = \\delta_{2i}", "right"),
    ("spaced", "dx", "dx_i = \\delta_{2 i}", "right"),
    ("spaced", "dx", "dx_i = δ[2i]", "right"),
    ("spaced", "dx", "dx_i = δ_2i", "right"),
    ("spaced", "dx", "dx_i = sum_j dy_j δ_{j,2i}", "right"),
    ("spaced", "dx", "dx_i = sum_j dy_j δ_{2i,j}", "right"),
    ("spaced", "dv", "dv_i = \\delta_{s i}", "Is this Kronecker's"),
    ("spaced", "dv", "dv_i = dy_{s i}", "right"),
    ("spaced", "dv", "dv_i = sum_j dy_j δ_{j, si}", "right"),
    ("spaced", "dL_dz", "dL_dz_i = δ_{1i}", "right"),
    ("spaced", "dL_dz", "dL_dz_i = δ_{i1}", "right"),
    ("spaced", "dL_dz", "dL_dz_i = δ_{i,1}", "right"),
    ("spaced", "dL_dz", "dL_dz_i = [s-1 ≥ 0] δ_{1,i}", "right"),
    ("scattered", "dx", "dx_i = \\delta_{k_i}", "right"),
    ("scattered", "dx", "dx_i = \\delta_{k_{i}}", "right"),
    ("scattered", "dx", "dx_i = \\sum_j \\delta_j \\delta_{k_i j}", "right"),
    ("scattered", "dx", "dx_i = \\sum_j \\delta_j \\delta_{j k_i}", "right"),
    ("scattered", "dx", "dx_i = \\sum_j \\delta_j \\delta_{k_{i}j}", "right"),
    ("scattered", "dx", "dx_i = \\sum_j \\delta_j \\delta_{j\\,k_{i}}", "right"),
    ("scattered", "dx", "dx_i = \\sum_j \\delta_j \\delta_{jk_i}", "right"),
    ("scattered", "dx", "dx_i = \\sum_j \\delta_j \\delta_{jk_{i}}", "right"),
    ("scattered", "dx", "dx_i = sum_j δ_j δ[k[i] j]", "right"),
    ("scattered", "dx", "dx_i = sum_j dy_j δ[k_i, j]", "right"),
    ("scattered", "dx", "dx_i = \\sum_j \\delta_j \\delta_j^{k_i}", "right"),
    ("scattered", "dx", "dx_i = sum_j dy_j δ_{0+j k_i}", "a comma between two indices"),
    ("scattered", "dx", "dx_i = sum_j dy_{k_i j}", "2 indices"),
    ("scattered", "dX", "dX_{ij} = \\delta_{k_i}\\,\\delta_{k_i j}", "right"),
    ("scattered", "dX", "dX_{ij} = \\delta_j\\,\\delta_{j k_i}", "right"),
    ("scattered", "Y", "Y_{ij} = E_{k_i j}", "right"),
    ("scattered", "Y", "Y_{ij} = E_{k_{i}j}", "right"),
    ("scattered", "Y", "Y_{ij} = E_{k_i,j}", "right"),
    ("scattered", "Y", "Y_{ij} = sum_l E_{lj} I_{k_i l}", "right"),
    ("scattered_twice", "dv", "dv_i = \\delta_{i k_i}", "Kronecker's or the upstream"),
    ("scattered_twice", "dv", "dv_i = \\delta_{i,k_i}", "Kronecker's or the upstream"),
    ("scattered_twice", "dv", "dv_i = sum_j \\delta_{ij} [k_i = j]", "right"),
    (
        "scattered_twice",
        "dv",
        "dv_i = sum_j dZ_{ij} \\delta_{k_i j}",
        "Kronecker's or the upstream",
    ),
    ("scattered", "dx", "dx_i = \\sum_j dy_j δ_{k_i}^{j}", "right"),
    ("scattered", "dx", "dx_i = \\delta_{k_i}^{1}", "a power, or Kronecker's"),
    ("scattered", "dx", "dx_i = δ[k_i]^i", "a power, or Kronecker's"),
    ("spaced", "dL_dz", "dL_dz_i = δ_i^1", "a power, or Kronecker's"),
    ("softmax_rows", "dX", "dX_nk = sum_j δ_nj Y_nj (δ_jk - Y_nk)", "right"),
    ("softmax_rows", "dX", "dX_nk = sum_j δ_nj Y_nj (δ_kj - Y_nk)", "right"),
    ("softmax_rows", "dX", "dX_nk = sum_j δ_{n,j} Y_{n,j} (δ_{j,k} - Y_{n,k})", "right"),
    ("softmax_rows", "dX", "dX_nk = Y_nk (δ_nk - sum_j δ_nj Y_nj)", "right"),
    ("softmax_rows", "dX", "dX_nk = Y_nk (δ_kn - sum_j δ_nj Y_nj)", "wrong"),
    ("softmax_rows", "dX", "dX_nk = Y_nk (δ_nk - sum_j dY_nj Y_nj)", "right"),
    ("squared", "dS", "dS_ij = sum_k δ_ik S_kj + sum_k S_ik δ_kj", "right"),
    ("squared", "dS", "dS_ij = dF_ij δ_ij + dF_ij (1 - δ_ij)", "Kronecker's or the upstream"),
    ("softmax_rows", "dX", "dX_nk = sum_j dY_nj Y_nj (δ_jk - Y_nk)", "right"),
    ("softmax_rows", "dX", "Y_nk (δ_nk - sum_j δ_nj Y_nj)", "right"),
    ("scattered_twice", "dv", "dv_i = dZ_{ik_i}", "right"),
]

ROWS = [
    ("clipped", "dr", f"dr_i = \\delta_i \\begin{{cases}} {rows} \\end{{cases}}", "right")
    for rows in [
        "[r_i < 1] & a_i > 0 \\\\ [r_i > -1] & a_i < 0",
        "[r_i < 1] & a_i > 0 \\\\[r_i > -1] & a_i < 0",
        "[r_i < 1] & a_i > 0 \\\\[2pt] [r_i > -1] & a_i < 0",
        "[r_i < 1] & a_i > 0 \\\\ [-1.5 ex] [r_i > -1] & a_i < 0",
        "[r_i < 1] & a_i > 0 \\\\* [r_i > -1] & a_i < 0",
        "[r_i < 1] & a_i > 0 \\\\ [r_i > -1] & \\text{else}",
        "0 & a_i > 0 \\text{ & } r_i > 1 \\\\ 0 & a_i < 0 \\text{ \\& } r_i < -1 \\\\ 1",
        "0 & a_i > 0, r_i > 1 \\\\ 0 & a_i < 0, r_i < -1 \\\\ 1",
    ]
] + [
    ("clipped", "dr", "dr_i = δ_i [r_i<1] \\text{ if } a_i>0, \\text{ else }δ_i[r_i>-1]", "right"),
    ("clipped", "dr", "dr_i = δ_i [r_i < 1], if a_i > 0, else δ_i [r_i > -1]", "right"),
    ("clipped", "dr", "dr_i = δ_i (else 0)", "The word else"),
    ("clipped", "dr", "dr_i = δ_i if (a_i > 0 & r_i < 1) or (a_i < 0 & r_i > -1) else 0", "right"),
    ("clipped", "dr", "\\begin{align} dr_i &= δ_i ([a_i > 0] [r_i < 1] \\\\ &+ "
     "[a_i < 0] [r_i > -1]) \\end{align}", "right"),
    ("linear", "db", "[dy + dy] * 2 / 4", "right"),
    ("clipped", "u", "[1 < 2, 2 < 3]", "right"),
    ("largest", "da", "dm \\delta(a, m)", "Write Kronecker's δ as [a = m]"),
    ("largest", "da", "dm δ(a, m)", "Write Kronecker's δ as [a = m]"),
    ("largest", "da", "dm [a = m]", "right"),
    ("largest", "da", "\\delta [a = m]", "right"),
    ("clipped", "u", "u = [1 < 2, 2 > 1]", "right"),
    ("clipped", "dr", "\\begin{aligned} s_i &= [a_i > 0] \\\\[2pt] dr_i &= "
     "δ_i (s_i [r_i < 1] + (1 - s_i) [r_i > -1]) \\end{aligned}", "right"),
    ("counts", "v", "\\begin{pmatrix} 5/8 \\\\[1ex] 3/8 \\end{pmatrix}", "right"),
    ("counts", "v", "\\begin{pmatrix} 5/8 \\\\ [2 < 1] 3/8 \\end{pmatrix}", "wrong"),
]  # fmt: skip

EXPONENTIALS = [
    ("spectral", "df_dS", "e^{S}", "right"),
    ("spectral", "df_dS", "e^S", "right"),
    ("spectral", "df_dS", "\\frac{\\partial f}{\\partial S} = e^{S}", "right"),
    ("spectral", "df_dS", "expm(S)", "right"),
    ("spectral", "df_dS", "eigenvectors(S) diag(exp(eigenvalues(S))) eigenvectors(S)^T", "right"),
    (
        "spectral",
        "df_dS",
        "df_dS_ij = Σ_k exp(eigenvalues(S)_k) eigenvectors(S)_ik eigenvectors(S)_jk",
        "right",
    ),
    (
        "spectral",
        "df_dS",
        "eigenvectors(S) @ np.diag(np.exp(eigenvalues(S))) @ eigenvectors(S).T",
        "right",
    ),
    ("linear", "dW", "eigenvectors(W) dy x^T", "square"),
    ("spectral", "df_dS", "U \\, \\mathrm{diag}(e^{\\lambda}) \\, U^\\top", "right"),
    ("spectral", "df_dS", "\\exp(S)", "Is this the matrix exponential?"),
    ("spectral", "df_dS", "\\log S", "Is this log of the matrix or of each entry?"),
    ("spectral", "df_dS", "\\sqrt{S}", "Is this sqrt of the matrix or of each entry?"),
    ("spectral", "df_dS", "\\cos(S) ⊙ (1 1^T)", "wrong"),
    ("spectral", "df_dS", "U diag(exp(log(exp(λ)))) U^T", "right"),
    ("spectral", "df_dS", "e^S ⊙ I", "Is this the matrix exponential?"),
    ("spectral", "df_dS", "exp(S) ⊙ (1 1^T)", "wrong"),
    ("spectral", "df_dS", "df_dS_ij = (e^S)_ij", "expm(S)[i,j]"),
    ("spectral", "df_dS", "df_dS_ij = expm(S)_ij", "right"),
    ("spectral", "df_dS", "df_dS_ij = sum_k e^{λ_k} U_ik U_jk", "right"),
    ("sigmoid", "dx", "δ ⊙ e^{-x} ⊘ ((1 + e^{-x}) ⊙ (1 + e^{-x}))", "right"),
]

STARS = [
    ("sigmoid", "dx", "δ·y·(1-y)", "right"),
    ("sigmoid", "dx", "\\delta \\cdot y \\cdot (1-y)", "right"),
    ("sigmoid", "dx", "\\delta * y * (1 - y)", "right"),
    ("sigmoid", "dx", "δ ⊙ (y - y^2)", "right"),
    ("sigmoid", "dx", "δ ⊙ y·(1-y)", "right"),
    ("sigmoid", "dx", "δ ⊙ (y·(1-y))", "right"),
    ("sigmoid", "dx", "(y·(1-y)) ⊙ δ", "right"),
    ("sigmoid", "dx", "δ ⊘ (1 ⊘ (y·(1-y)))", "right"),
    ("sigmoid", "dx", "δ ⊙ y ⊙ (1 - y) ⊙ (N · 1) / N", "right"),
    ("sigmoid", "dx", "δ (y - y^2)", "no matrix product"),
    ("sigmoid", "dz", "dy*[x>0]", "right"),
    ("sigmoid", "dz", "dy·[x>0]", "right"),
    ("sigmoid", "dx", "x / x^2", "square of each entry or of the length"),
    ("sigmoid", "dx", "x / |x|", "the size of each entry or by the length"),
    (
        "sigmoid",
        "dx",
        "\\frac{x + \\delta}{|x + \\delta|}",
        "the size of each entry or by the length",
    ),
    ("sigmoid", "dx", "x / abs(x)", "wrong"),
    ("sigmoid", "dx", "x / ‖x‖", "wrong"),
    ("sigmoid", "dx", "(1 - y) / |x|", "the size of each entry or by the length"),
    ("sigmoid", "dx", "δ ⊙ x / |x|", "the size of each entry or by the length"),
    ("sigmoid", "dx", "x / |x| ⊙ δ", "the size of each entry or by the length"),
    ("sigmoid", "dx", "δ / |x| - x (x^T δ) / |x|^3", "the size of each entry or by the length"),
    ("sigmoid", "dx", "δ / (1 + |x|)", "wrong"),
    ("sigmoid", "dx", "0 \\frac{1}{|x|} (δ - y) + δ ⊙ y ⊙ (1 - y)", "right"),
    ("sigmoid", "dx", "\\frac{1}{|x| |y|} (δ - y (y^T δ))", "wrong"),
    ("hidden", "dx", "W^T(dh*(1-h*h))", "right"),
    ("hidden", "dx", "W^T(dh ⊙ (1-h^2))", "right"),
    ("hidden", "dx", "W^T(dh*(1-h^2))", "square of each entry or of the length"),
    ("hidden", "dx", "W^T (dh (1-h^2))", "no matrix product"),
    ("hidden", "dx", "W^T (dh · (1-h·h))", "the elementwise or the inner product"),
    ("hidden", "dW", "(dh*(1-h*h)) · x^T", "right"),
    ("linear", "dW", "δ·x^T", "right"),
    ("linear", "dW", "δ*x^T", "put the matrices side by side"),
    ("spectral", "df_dS", "U^T * S", "the elementwise or the matrix product"),
    ("cross_entropy", "dL_dz", "p ⊙ (1^T y) - y", "right"),
    ("cross_entropy", "dL_dz", "(y · y) p - y", "right"),
]

SEEDS_DECIDE_NOTHING = [
    ("tanh_layers", "dX", "P^T (dY ⊙ (1 - Y ⊙ Y)) W^T", "right"),
    ("tanh_layers", "dX", "P^T (dY ⊙ (1 - Y^2)) W^T", "right"),
    ("tanh_layers", "dX", "P^T (dY * (1 - Y * Y)) W^T", "right"),
    ("tanh_layers", "dX", "P^T (dY ⊙ (1 - Y Y)) W^T", "no matrix product"),
    ("tanh_layers", "dX", "P^T dY ⊙ (1 - Y ⊙ Y) W^T", "Add brackets"),
    ("tanh_layers", "dX", "P^T + dY", "cannot be added"),
    ("linear", "dW", "\\mathbf{I}", "I is square"),
    ("spectral", "df_dS", "S^T + 1", "A number and a square matrix"),
    ("linear", "dx", "W δ", "no matrix product"),
    ("linear", "dx", "dx_j = sum_k W_kj x_k", "Index k runs over"),
    ("linear", "dx", "dx_j = \\sum_{k=1}^{D} W_{kj} δ_k", "goes from 1 to"),
    ("linear", "dx", "dx_j = \\sum_{k=1}^{3} W_{kj} δ_k", "goes from 1 to 3"),
    ("joined", "da", "da_i = dy_i", "right"),
    ("joined", "da", "dy_i", "right"),
    ("joined", "dq", "dq_i = 2 a_i dy_i", "right"),
    ("joined", "db", "db_j = dy_{n+j}", "right"),
    ("joined", "db", "db_j = dy_j", "wrong"),
    ("joined_from_1", "da", "da_i = dy_i", "right"),
    ("joined_from_1", "db", "db_j = dy_{n+j}", "right"),
]

COUNTS_FROM_0 = [
    ("linear", "dx", "dx_j = \\sum_{k=1}^{K} W_{kj} δ_k", "right"),
    ("linear", "dx", "dx_j = \\sum_{k=0}^{K-1} W_{kj} δ_k", "right"),
    ("linear", "dx", "dx_j = \\sum_{k=0}^{K} W_{kj} δ_k", "goes from 0 to"),
    ("linear", "dx", "dx_j = \\sum_{k=1}^{K} [k > 0] W_{kj} δ_k", "counts from 0"),
    ("linear", "dx", "dx_j = \\sum_{1 \\le k \\le K} W_{kj} δ_k", "right"),
    ("linear", "dx", "dx_j = \\sum_{1 \\le k < K} W_{kj} δ_k", "wrong"),
    ("linear", "dx", "dx_j = \\sum_{0 \\le k < K} W_{kj} δ_k", "right"),
    (
        "linear",
        "dx",
        "dx_j = \\sum_k W_{kj} δ_k + \\sum_{1 \\le k < l \\le K} (δ_k - δ_l)^2 "
        "- \\frac12 \\sum_{k,l} (δ_k - δ_l)^2",
        "right",
    ),
    (
        "linear",
        "dx",
        "dx_j = \\sum_k W_{kj} δ_k + 0 \\sum_{k=1}^{K-1} \\sum_{l=k+1}^{K} (δ_k - δ_l)^2",
        "counts from 0",
    ),
    (
        "linear",
        "dx",
        "dx_j = \\sum_k W_{kj} δ_k + \\sum_{l=0}^{j} x_{j-l} - \\sum_{l \\le j} x_l",
        "right",
    ),
    (
        "linear",
        "dx",
        "dx_j = \\sum_k W_{kj} δ_k + \\sum_{l=1}^{j} x_{j-l} - \\sum_{l \\le j} x_l",
        "wrong",
    ),
    ("batched", "db", "db_m = \\sum_{n=1}^{N} dY_{nm}", "right"),
    ("batched", "dc", "dc_n = \\sum_{j=1}^{M} δ_{nj}", "right"),
    ("batched", "dX", "dX_{ni} = \\sum_{j=1}^{M} W_{ij} δ_{nj}", "right"),
    ("joined_from_1", "dq", "dq_i = \\sum_{k=0}^{n-1} 2 [1 = 1] a_k dy_i / a_k a_i / n", "slash"),
    ("joined_from_1", "dq", "dq_i = 2 a_i dy_i (\\sum_{k=0}^{n-1} a_k) / (\\sum_k a_k)", "right"),
]

EVERY_PLACE = [
    ("soft_labels", "dL_dz", "dL_dz_j = p_j - y_j \\quad (1 \\le j \\le K)", "right"),
    ("soft_labels", "dL_dz", "dL_dz_j = p_j - y_j  [1 ≤ j ≤ K]", "right"),
    ("soft_labels", "dL_dz", "dL_dz_j = p_j - y_j  (0 ≤ j < K)", "right"),
    ("soft_labels", "dL_dz", "dL_dz_j = (p_j - y_j) [1 ≤ j < K]", "wrong"),
    ("soft_labels", "dL_dz", "dL_dz_j = (p_j - y_j) [1 ≤ j]", "wrong"),
    ("soft_labels", "dL_dz", "dL_dz_j = (p_j - y_j) [1 ≤ j ≤ K] j / j", "counts from 1"),
    ("soft_labels", "dL_dz", "dL_dz_j = Σ_k (p_k - y_k) [k = j]   (1 ≤ j ≤ K)", "counts from 1"),
    ("soft_labels", "dL_dz", "dL_dz_j = (p_j - y_j) Σ_k y_k [1 ≤ j < k ≤ K]", "counts from 1"),
    ("linear", "dW", "dW_ij = δ_i x_j   (1 ≤ i, j ≤ D)", "bounds of each index"),
    ("linear", "dW", "dW_ij = δ_i x_j   [0 ≤ i, i < K]", "right"),
    ("linear", "dW", "dW_ij = δ_i x_j   (1 ≤ i ≤ K, 1 ≤ j ≤ D)", "right"),
    ("linear", "dW", "dW_ij = δ_i x_j   (1 ≤ i ≤ D, 1 ≤ j ≤ K)", "wrong"),
    ("linear", "dW", "dW_ij = δ_i x_j   (i < K, j < D)", "right"),
    ("linear", "dW", "dW_ij = δ_i x_j if 1 ≤ i ≤ K else 0", "right"),
    ("soft_labels", "dL_dz", "dL_dz_j = (p_j - y_j) [0 < j ≤ K]", "right"),
    ("soft_labels", "dL_dz", "dL_dz_j = (p_j - y_j) [K ≥ j ≥ 1]", "right"),
    ("soft_labels", "dL_dz", "dL_dz_j = (p_j - y_j) [K ≥ j > 0]", "right"),
    ("soft_labels", "dL_dz", "dL_dz_j = (p_j - y_j) [0 < j < K]", "wrong"),
    ("soft_labels", "dL_dz", "dL_dz_j = (p_j - y_j) [j ≥ 1, j ≤ K]", "right"),
    ("soft_labels", "dL_dz", "dL_dz_j = (p_j - y_j) [1 ≤ j] [j ≤ K]", "right"),
    ("soft_labels", "dL_dz", "dL_dz_j = p_j - y_j  (1 ≤ j and j ≤ K)", "right"),
    ("soft_labels", "dL_dz", "dL_dz_j = p_j - y_j  (j ≥ 1, j < K)", "wrong"),
    ("soft_labels", "dL_dz", "dL_dz_j = (p_j - y_j) [j ≤ K]", "right"),
    ("soft_labels", "dL_dz", "dL_dz_j = (p_j - y_j) [j > 0, j ≤ K, j ≠ 1]", "counts from 1"),
    ("soft_labels", "dL_dz", "dL_dz_j = [1 ≤ j] p_j - [j ≤ K] y_j", "[j <= K] counts from 1"),
    ("soft_labels", "dL_dz", "dL_dz_j = (p_j if j ≥ 1 else 0 - y_j) [j ≤ K]", "counts from 1"),
    ("soft_labels", "dL_dz", "dL_dz_j = p_j - y_j if 0 < j ≤ K else 0", "right"),
    ("soft_labels", "dL_dz", "dL_dz_j = p_j - y_j if 0 < j ≤ K else p_j", "counts from 1"),
    (
        "soft_labels",
        "dL_dz",
        "dL_dz_j = \\begin{cases} p_j - y_j & 0 < j ≤ K \\\\ 0 & \\text{otherwise} \\end{cases}",
        "right",
    ),
    ("soft_labels", "dL_dz", "dL_dz_j = p_j - y_j + y_j (1 - [1 ≤ j ≤ K])", "counts from 1"),
    (
        "soft_labels",
        "dL_dz",
        "dL_dz_j = Σ_k (k - k) p_k [1 ≤ k ≤ j] [j ≤ K] + p_j - y_j",
        "counts from 1",
    ),
    ("joined_from_1", "da", "da_i = [0 ≤ i] dy_i + 0 [i < n]", "[0 <= i] counts from 0"),
    ("joined_from_1", "da", "da_i = dy_i  (i ≥ 0, i < n)", "right"),
    ("joined_from_1", "da", "da_i = dy_i  (-1 < i < n)", "right"),
    ("joined_from_1", "da", "da_i = dy_i  (0 < i ≤ n)", "right"),
    ("joined_from_1", "da", "da_i = dy_i  (0 ≤ i < n)", "right"),
    ("joined_from_1", "da", "da_i = dy_i  (0 ≤ i ≤ n - 1)", "right"),
]

NAMES = [
    ("array_k", "dx", "dx_i = k_i x_i", "right"),
    ("array_k", "dx", "dx_i = k_{i} x_i", "right"),
    ("array_k", "dx", "dx_j = k_j x_j", "right"),
    ("array_k", "dx", "dx_n = \\sum_i [i=n] k_i x_i", "right"),
    ("array_k", "ds", "ds_i = k_i sum_j x_j", "right"),
    ("array_k", "dx", "k ⊙ x", "right"),
    ("linear", "dx", "x = W^T δ", "This defines x"),
]

REMARKS = [
    ("cross_entropy", "dL_dz", "dL_dz_j = -y_j + p_j   (Σ_k y_k = 1)", "right"),
    ("soft_labels", "dL_dz", "dL_dz_j = -y_j + p_j   (Σ_k y_k = 1)", "right"),
    ("soft_labels", "dL_dz", "dL_dz_j = -y_j + p_j   (Σ_k y_k == 1)", "right"),
    ("soft_labels", "dL_dz", "p - y   (sum(y) == 1)", "right"),
    ("soft_labels", "dL_dz", "dL_dz = p - y (p = softmax(z))", "a remark?"),
    ("soft_labels", "dL_dz", "p - y (K = 3)", "a remark?"),
    ("linear", "dW", "δ x^T  (K × D)", FACTOR),
    ("linear", "dW", "δ x^T  [K \\times D]", FACTOR),
    ("hidden", "dx", "s = 1 - h ⊙ h\ndx = W^T (s * δ)", "right"),
    ("hidden", "dx", "s = 1 - h ⊙ h\ndx = W^\\top (\\delta \\times s)", "right"),
    ("linear", "dx", "W^T δ   (2)", FACTOR),
    ("linear", "dx", "W^T dy   (2)", FACTOR),
    ("linear", "dx", "dx_j = sum_k W_kj dy_k   (3.1)", FACTOR),
    ("linear", "dW", "dW_ij = x_j dy_{i} \\quad (K × D)", FACTOR),
    ("linear", "dx", "dx_j = sum_k W_kj δ_k   (3.1)", FACTOR),
    ("linear", "dx", "W^T δ   (1)", "right"),
    ("linear", "dx", "W^T δ (2)/2", "right"),
    ("sigmoid", "dx", "dx_i = δ_i y_i (1 - y_i) exp (0)", "right"),
    ("cross_entropy", "dL_dz", "p - y   (1^T y = 1)", REMARK),
    ("cross_entropy", "dL_dz", "dL_dz_j = (Σ_k y_k = 1) (p_j - y_j)", REMARK),
    ("cross_entropy", "dL_dz", "dL_dz_j = p_j - y_j, since \\sum_k y_k = 1", "right"),
    ("cross_entropy", "dL_dz", "p - y, since the y sum to 1", "right"),
    ("cross_entropy", "dL_dz", "p - y (by the chain rule)", "right"),
    ("cross_entropy", "dL_dz", "p - y for all z", "not a known name"),
    ("linear", "dx", "W^T δ by x", "a word or a product?"),
    ("linear", "dx", "W^T δ, W^T δ", "a second answer"),
    ("linear", "dx", "dx_j = sum_k W_kj δ_k^{(t)}", "right"),
    ("linear", "dx", "dx_j = sum_k W_kj δ_k^{(2)}", "a power or a part of the name"),
]

AS_WRITTEN = [
    ("pooling", "df_dx", "[x_ij = f_kl] [2k<=i<2k+2] [2l<=j<2l+2]", "right"),
    ("channels", "dx", "sum_k W_kc dy_nkt", "right"),
    ("channels", "dx", "dx = sum_k W_kc dy_nkt", "right"),
    ("linear", "dx", "dx = W^T dy\n= W^T δ", "right"),
    ("linear", "dx", "\\delta_{x} = W^T \\delta_y", "right"),
    ("linear", "dW", "\\delta_W = \\delta_y x^T", "right"),
    ("hinges", "L", "\\sum_{k: y_k s_k < 1} (1 - y_k s_k)", "right"),
    ("hinges", "L", "\\sum_{k \\colon y_k s_k < 1} (1 - y_k s_k)", "right"),
    ("hinges", "L", "\\sum_{k: s_k \\le 0} (1 - y_k s_k)", "wrong"),
    ("hinges", "L", "sum_i [1 - y_i s_i]_+", "right"),
    ("linear", "dx", "W^T (δ)_+ - W^T (-δ)_+", "right"),
    ("linear", "dx", "W^T [δ]_+ - W^T [-δ]_+", "right"),
    ("hinges", "q", "q_i = \\alpha_i^{(t)} y_i", "right"),
    ("hinges", "q", "q_i = \\alpha^{(t)}_i y_i", "right"),
    ("sigmoid", "dx", "\\bar{x} = y ⊙ (1 - y) ⊙ \\bar{y}", "right"),
    ("sigmoid", "dx", "\\bar{x}_i = y_i (1 - y_i) \\bar{y}_i", "right"),
    ("batched", "dc", "dY 1", "\\mathbf{1}"),
    ("crossed", "db", "c × dy", "the cross product?"),
    ("crossed", "db", "c \\times dy", "the cross product?"),
    ("crossed", "dc", "np.cross(dy, b)", "right"),
    ("sigmoid", "dx", "δ × y × (1 - y)", "right"),
    ("hidden", "dW", "dh·(1-h·h) x^T", "the elementwise or the inner product"),
    ("counts", "q", "q ≥ 2.5", "right"),
    ("counts", "q", "q \\le 2.5", "right"),
    ("counts", "q", "q ≥ 2", "wrong"),
    ("counts", "q", "q > 2.5", "on the left alone, q = …"),
    ("counts", "q", "q ≠ 2.5", "on the left alone, q = …"),
]  # fmt: skip
"""What was once read as something else, or refused with words that led nowhere."""

PYTHONS_NAMES = [
    ("batched", "db", "def db(dY):\n    return sum(dY)", "right"),
    ("batched", "db", "def db(dY):\n    return sum(dY, axis=0)", "right"),
    ("batched", "db", "sum(dY)", "np.sum(x) for the total, sum(x, axis=0)"),
    ("batched", "db", "sum(dY, axis=0)", "right"),
    ("batched", "db", "sum(row for row in dY)", "right"),
    ("sigmoid", "dz", "def dz(x, dy):\n    return max(dy, 0) * (x > 0)", "np.maximum(a, b)"),
    ("sigmoid", "dz", "dy * (max(x, 0) > 0)", "right"),
    ("linear", "dW", "sum = dy\nnp.outer(sum, x)", "right"),
]

FUNCTIONS_ARE_NO_VALUES = [
    "tr", "dW = tr", "exp", "sum", "tr * 2", "norm(tr)", "W[tr]", "dW = softmax @ x", "print",
    "np.outer(dy, x) + exp", "dW = np", "np.exp", "dW = np.outer", "tr()", "tr(W, x)",
    "exp(W, x, 1, 2)", "W.foo", "np.foo(W)", "W[0][0][0]", "W[7,7]", "x[1.5]", "W[:, :, 0]",
    "def dW(W, q): return W", "def dW(W): return dW(W)", "def dW():\n    pass", "np.outer(dy)",
    "np.outer(dy, x, 3, 4)", "one_hot(1)", "W.reshape(7)", "np.linalg.inv(W)", "float(W)",
    "np.linalg.inv(np.zeros((3, 3)))", "np.linalg.cholesky(-np.eye(2))", "dy if W > 0 else x",
    "max(W, dy, x, axis=0)", "np.sum(W, axis=5)", "np.concatenate(1)", "np.zeros(dy)",
    "np.einsum('ij,k', W)", "int('a')", "[].pop()", "{}['a']", "1/0", "x[0].y", "'a' + 1",
    "np.stack([dy, x])", "None", "zip(W)", "{1: 2}", "not W", "1 < W < 2", "W @ 'a'", "(dy, x)",
    "logsumexp(W)", "np.array([dy, x])", "dy(x)", "W()", "def dW(W): raise ValueError('boo')",
    "def dW(W): assert False", "x['a']", "W.T.foo()", "dy.reshape(3, -5)", "np.ones(-1)",
    "import numpy.fft\nnp.outer(dy, x)", "def dW(W): import os", "W ** 'a'", "np.dot(W, W)",
    "np.take(x, 99)", "np.split(x, 7)", "(lambda: 1)(2)", "W.T.dot(W.T)",
]  # fmt: skip
"""Texts that Python refuses, when it reads them or when it runs them."""

LETTERS_OF_BOUNDS = [
    ("sigmoid", "dx", "m_i = sum_{k <= i} δ_k\ndx_i = (m_i - sum_{k < i} δ_k) y_i (1 - y_i)",
     "right"),
    ("sigmoid", "dx", "m_i = \\sum_{k=0}^{i} δ_k\ndx_i = (m_i - sum_{k < i} δ_k) y_i (1 - y_i)",
     "right"),
    ("sigmoid", "dx", "m_i = sum_k [k = i] δ_k\ndx_i = m_i y_i (1 - y_i)", "right"),
    ("sigmoid", "dx", "m_i = sum_{k < i} δ_k\ndx_i = m_i y_i (1 - y_i)", "wrong"),
    ("sigmoid", "dx", "δ_i y_i (1 - y_i) + sum_{k < i} δ_k - sum_{i > k} δ_k", "right"),
    ("sigmoid", "dx", "y_i (1 - y_i) (sum_{k <= i} δ_k - sum_{k < i} δ_k)", "right"),
    ("sigmoid", "dx", "sum_{k=0}^{i} δ_k [k = i] y_k (1 - y_k)", "right"),
    ("sigmoid", "dx", "sum_{k <= i} δ_k y_k (1 - y_k)", "wrong"),
    ("linear", "dx", "sum_{k < j} W_kj δ_k", "what the sum runs over"),
    ("linear", "dx", "sum_{[i = k]} W_ij δ_k", "right"),
]  # fmt: skip

TABLE = [
    *LETTERS_OF_BOUNDS,
    *NUMBERS_ARE_NO_CONDITION,
    *VECTORS,
    *KRONECKER,
    *DELTAS_OF_A_VECTOR,
    *ROWS,
    *EXPONENTIALS,
    *STARS,
    *SEEDS_DECIDE_NOTHING,
    *COUNTS_FROM_0,
    *EVERY_PLACE,
    *NAMES,
    *AS_WRITTEN,
    *REMARKS,
    *PYTHONS_NAMES,
]


@pytest.mark.parametrize(("forward", "asked", "text", "expected"), TABLE)
def test_a_text_has_its_only_meaning_or_none_on_every_seed(
    forward: str, asked: str, text: str, expected: str
) -> None:
    for seed in SEEDS:
        found = worth(FORWARDS[forward], asked, text, seed)
        if expected in ("right", "wrong"):
            assert found == expected, f"{seed}: {found}"
        else:
            assert expected in found, f"{seed}: {found}"


@pytest.mark.parametrize("text", FUNCTIONS_ARE_NO_VALUES)
def test_what_python_says_of_an_answer_never_reaches_the_learner(text: str) -> None:
    found = worth(FORWARDS["linear"], "dW", text, 0)
    assert found not in ("right", "wrong"), found
    assert "Error" not in found
    assert "numpy.ndarray" not in found
    assert "__" not in found
    assert found[0].isupper() or found.split()[0] in text or found[0] == "(", found
    assert found.endswith((".", "?")), found
