"""What a text defines besides its answer, and what it only says: each way of writing is read with
its only meaning, and a wrong answer written in the same way stays wrong."""

import pytest
from forwards import FORWARDS, worth

from quizzer.notation import Reading, read
from quizzer.notation.asides import set_aside

SEEDS = range(4)

CARD_SETS = [
    ("windows", "dx", "dx_ij = sum_{k,l} df_kl [(i,j) ∈ Ω(k,l)] [x_ij = f_kl]", "right"),
    ("windows", "dx", "dx_ij = sum_{(k,l) : (i,j) ∈ Ω(k,l)} df_kl [x_ij = f_kl]", "right"),
    ("windows", "dx", "dx_kl = sum_{(i,j) : (k,l) ∈ Ω(i,j)} df_ij [x_kl = f_ij]", "right"),
    ("windows", "dx", "dx_{ij} = \\sum_{\\substack{k,l \\\\ (i,j) \\in \\Omega(k,l)}} "
     "\\delta_{kl} \\mathbb{1}\\{x_{ij} = \\max_{(a,b) \\in \\Omega(k,l)} x_{ab}\\}", "right"),
    ("windows", "dx", "dx_ij = sum_{k,l} df_kl [(i,j) = argmax_{(a,b) ∈ Ω(k,l)} x_ab]", "right"),
    ("windows", "dx", "dx_ij = sum_{k,l} df_kl [(i,j) = \\operatorname*{arg\\,max}_{(a,b) \\in "
     "\\Omega(k,l)} x_{ab}]", "right"),
    ("windows", "dv", "dv_ij = 1/s^2 sum_{k,l} df_kl [(i,j) ∈ Γ(k,l)]", "right"),
    ("windows", "dv", "dv_ij = 1/s^2 sum_{(k,l) : (i,j) ∈ Γ(k,l)} df_kl", "right"),
    ("windows", "dx", "dx_ij = sum_{k,l} df_kl [(i,j) ∈ Ω(k,l)]", "wrong"),
    ("windows", "dx", "dx_ij = sum_{k,l} df_kl [(i,j) ∈ Ω(l,k)] [x_ij = f_kl]", "wrong"),
    ("windows", "dx", "dx_ij = sum_{k,l} df_kl [(j,i) ∈ Ω(k,l)] [x_ij = f_kl]", "wrong"),
    ("windows", "dx", "dx_ij = sum_{k,l} df_kl [(i,j) = argmin_{(a,b) ∈ Ω(k,l)} x_ab]", "wrong"),
    ("windows", "dx", "dx_ij = sum_{k,l} df_kl [(j,i) = argmax_{(a,b) ∈ Ω(k,l)} x_ab]", "wrong"),
    ("windows", "dv", "dv_ij = 1/s sum_{k,l} df_kl [(i,j) ∈ Γ(k,l)]", "wrong"),
    ("windows", "dv", "dv_ij = 1/s^2 sum_{k,l} df_kl [(i,j) ∈ Γ(k)]", "other elements"),
    ("windows", "dv", "dv_ij = 1/s^2 sum_{k,l} df_kl [i ∈ Γ(k,l)]", "other elements"),
    ("windows", "dv", "dv_ij = 1/s^2 sum_{k,l} df_kl [(i,j) ∈ Λ(k,l)]", "membership"),
    # A set of the text's own comes before the card's.
    ("windows", "dv", "Ω(k,l) = {(i,j) : 2k <= i <= 2k+1, 2l <= j <= 2l+1}\n"
     "dv_ij = 1/4 sum_{k,l} df_kl [(i,j) ∈ Ω(k,l)]", "right"),
    ("windows", "dv", "Ω(k,l) = {2k, 2k+1} × {l, l+1}\n"
     "dv_ij = 1/4 sum_{k,l} df_kl [(i,j) ∈ Ω(k,l)]", "wrong"),
]  # fmt: skip

LETTERS = [
    ("windows", "dv", "dv_ij = 1/4 df_kl, k = ⌊i/2⌋, l = ⌊j/2⌋", "right"),
    ("windows", "dv", "k = \\lfloor i/2 \\rfloor, l = \\lfloor j/2 \\rfloor: \\quad "
     "\\frac{\\partial L}{\\partial v_{ij}} = \\frac{\\delta_{kl}}{s^2}", "right"),
    ("windows", "dx", "dx_ij = df_kl [x_ij = f_kl], \\quad k = \\lfloor i/s \\rfloor, \\; "
     "l = \\lfloor j/s \\rfloor", "right"),
    ("windows", "dv", "dv_ij = 1/4 df(⌊i/2⌋, ⌊j/2⌋)", "right"),
    ("windows", "dv", "dv[i][j] = df[i//s][j//s] / s^2", "right"),
    ("windows", "dv", "dv_ij = 1/4 df_kl, k = ⌊j/2⌋, l = ⌊i/2⌋", "wrong"),
    ("windows", "dv", "dv_ij = 1/4 df_kl, k = ⌊i/3⌋, l = ⌊j/2⌋", "wrong"),
    ("windows", "dv", "dv_ij = 1/4 df_kl, k = i, l = j", "wrong"),
    ("windows", "dv", "dv_ij = 1/4 df_kl, k = ⌊i/2⌋", "put sum(l) before it"),
    ("windows", "dv", "dv_ij = 1/4 df_kl, k = ⌊i/2⌋, l = ⌊m/2⌋", "put sum(l) [l = floor(m/2)]"),
    ("windows", "dv", "dv_ij = 1/4 df(⌊j/2⌋, ⌊i/2⌋)", "wrong"),
]  # fmt: skip

SEVERAL_LINES = [
    ("turned", "dx", "dx_{tk0} = C_tk δ_tk0 + S_tk δ_tk1\ndx_{tk1} = C_tk δ_tk1 - S_tk δ_tk0",
     "right"),
    ("turned", "dx", "∂L/∂x_tk1 = C_tk δ_tk1 − S_tk δ_tk0\n∂L/∂x_tk0 = C_tk δ_tk0 + S_tk δ_tk1",
     "right"),
    ("turned", "dx", "dx_{tk0} = C_{tk} \\delta_{tk0} + S_{tk} \\delta_{tk1}, \\qquad "
     "dx_{tk1} = C_{tk} \\delta_{tk1} - S_{tk} \\delta_{tk0}", "right"),
    ("turned", "dx", "dx_{tk0} = C_tk δ_tk0 - S_tk δ_tk1\ndx_{tk1} = C_tk δ_tk1 + S_tk δ_tk0",
     "wrong"),
    ("turned", "dx", "dx_{tk1} = C_tk δ_tk0 + S_tk δ_tk1\ndx_{tk0} = C_tk δ_tk1 - S_tk δ_tk0",
     "wrong"),
    ("turned", "dx", "dx_{tk0} = C_tk δ_tk0 + S_tk δ_tk1", "the whole array at once"),
    ("turned", "dx", "dx_{tk0} = C_tk δ_tk0\ndx_{tk0} = C_tk δ_tk1", "the whole array at once"),
    ("turned", "dx", "dx_{tk0} = C_tk δ_tk0\ndx_{tk2} = C_tk δ_tk1", "the whole array at once"),
    ("turned", "dx", "dx_{tk0} = C_tk δ_tk0\ndx_{kt1} = C_tk δ_tk1", "the whole array at once"),
    ("turned", "dx", "dx_{0k0} = C_0k δ_0k0\ndx_{0k1} = C_0k δ_0k1", "the whole array at once"),
]  # fmt: skip

SAID_ONLY = [
    ("linear", "dx", "\\mathrm{d}L = \\mathrm{tr}(\\delta^T W \\mathrm{d}x)\n"
     "\\nabla_x L = W^T \\delta", "right"),
    ("linear", "dx", "y^T y = x^T W^T W x + 0\ndx = W^T δ", "right"),
    ("estimates", "mu_hat", "N \\hat{\\mu} = \\sum_n x_n\n"
     "\\hat{\\mu} = \\frac1N \\sum_n x_n", "right"),
    ("estimates", "mu_hat", "N \\hat{\\mu} = \\sum_n x_n\n\\hat{\\mu} = \\sum_n x_n", "wrong"),
    ("linear", "dx", "\\mathrm{d}L = \\mathrm{tr}(\\delta^T W \\mathrm{d}x)\n"
     "\\nabla_x L = W \\delta", "no matrix product"),
    ("linear", "dx", "dx ∝ W^T δ, dx = 2 W^T δ", "wrong"),
    ("linear", "dx", "dx ∝ W^T δ", "not known here"),
    # What a line below uses must be defined.
    ("linear", "dx", "2 g = δ\ndx = W^T g", "g is not a known name"),
    ("linear", "dx", "y^{(1)} = δ\ndx = W^T y^{(1)}", "no left side"),
    ("linear", "dx", "y^* = δ\ndx = W^T y", "no left side"),
    ("linear", "dx", "g = δ q\ndx = W^T g", "q is not a known name"),
    ("linear", "dx", "g = δ q\ndx = W^T δ", "right"),
    ("linear", "dx", "g = δ q\nW^T δ", "q is not a known name"),
    ("spectral", "df_dS", "λ = 2 q\ndf_dS = U diag(exp(λ)) U^T", "q is not a known name"),
    ("spectral", "df_dS", "df_dS = U diag(exp(λ)) U^T, λ = 2 λ", "wrong"),
    ("estimates", "m", "X = 2 q\nm = sum_n p_n x_n", "q is not a known name"),
]  # fmt: skip

BEHIND = [
    ("sigmoid", "dx", "dx_i = δ_i g_i \\qquad g_i = y_i (1 - y_i)", "right"),
    ("sigmoid", "dx", "δ_i g_i, g_i = y_i (1 - y_i)", "right"),
    ("sigmoid", "dx", "δ ⊙ g, \\quad g = y ⊙ (1 - y)", "right"),
    ("sigmoid", "dx", "δ_i g_i, g_i = y_i (1 + y_i)", "wrong"),
    ("sigmoid", "dx", "dx_i = δ_i g_i \\qquad g_i = 1 - y_i", "wrong"),
    ("sigmoid", "dx", "r = δ ⊙ g, g = y ⊙ (1 - y)", "right"),
    ("sigmoid", "dx", "r = δ ⊙ g, g = y", "wrong"),
    ("sigmoid", "dx", "r = δ ⊙ g, g = y ⊙ (1 - y)\ndx = r", "right"),
    ("sigmoid", "dx", "r = δ ⊙ y ⊙ (1 - y), y = 2 x\ndx = r", "wrong"),
    ("sigmoid", "dx", "g = y\nr = δ ⊙ g, g = y ⊙ (1 - y)\ndx = r", "wrong"),
    ("sigmoid", "dx", "r = δ ⊙ g, g = r\ndx = r", "g is not a known name"),
    ("sigmoid", "dx", "dx_i = δ_i y_i (1 - y_i), \\quad i = 1, \\dots, N", "right"),
    ("sigmoid", "dx", "δ_i (y_i + y_i t_i') / 2, t_i' = 1 - 2 y_i", "right"),
    ("sigmoid", "dx", "δ_i (y_i + y_i t_i') / 2, t_i' = 1 + 2 y_i", "wrong"),
]  # fmt: skip

OWN_NAMES = [
    ("gates", "da_z", "δ_z = δ ⊙ (b - c)\nda_z = δ_z ⊙ z ⊙ (1 - z)", "right"),
    ("gates", "da_z", "\\delta z = \\delta \\odot (b - c)\n"
     "\\frac{\\partial L}{\\partial a_z} = \\delta z \\odot z \\odot (1 - z)", "right"),
    ("gates", "da_z", "δ_z = δ ⊙ (b - c) ⊙ z ⊙ (1 - z)", "right"),
    ("gates", "da_z", "\\delta z = \\delta \\odot (b + c)\n"
     "\\frac{\\partial L}{\\partial a_z} = \\delta z \\odot z \\odot (1 - z)", "wrong"),
    ("gates", "da_z", "δ_z = δ ⊙ (b - c)\nda_z = δ ⊙ z ⊙ (1 - z)", "wrong"),
    ("gates", "da_z", "δ_b = δ ⊙ z", "This defines db"),
    ("estimates", "mu_hat", "\\mu_{ML} = \\frac{1}{N} \\sum_{n=1}^N x_n", "right"),
    ("estimates", "C_hat", "C_{\\mathrm{ML}} = \\frac1N \\sum_n (x_n - \\mu_{\\mathrm{ML}})"
     "(x_n - \\mu_{\\mathrm{ML}})^T, \\quad \\mu_{\\mathrm{ML}} = \\frac1N \\sum_n x_n", "right"),
    ("estimates", "C_hat", "C_{\\mathrm{ML}} = \\frac1N \\sum_n (x_n - \\mu_{\\mathrm{ML}})"
     "(x_n - \\mu_{\\mathrm{ML}})^T, \\quad \\mu_{\\mathrm{ML}} = \\sum_n x_n", "wrong"),
    ("estimates", "m", "m_N = X^T p", "right"),
    ("estimates", "m", "m_{ridge} = X^T p", "right"),
    ("estimates", "m", "m_D = X^T p + p^T p", "wrong"),
    ("estimates", "H", "H = X^T R X, \\quad R_{nn} = p_n (1 - p_n)", "right"),
    ("estimates", "H", "H = X^T R X, \\quad R_{nn} = p_n (1 + p_n)", "wrong"),
    ("estimates", "H", "H_{nn} = p_n (1 - p_n)", "Index n is twice"),
    ("sigmoid", "dx", "\\frac{\\partial u_i}{\\partial v_i} = y_i (1 - y_i)\n"
     "dx_i = \\delta_i \\frac{\\partial u_i}{\\partial v_i}", "right"),
    ("sigmoid", "dx", "\\frac{\\partial u_i}{\\partial v_i} = y_i\n"
     "dx_i = \\delta_i \\frac{\\partial u_i}{\\partial v_i}", "wrong"),
    ("sigmoid", "dx", "\\frac{\\partial u_i}{\\partial v_i} = y_i (1 - y_i)\n"
     "dx_i = \\delta_i \\frac{\\partial v_i}{\\partial u_i}", "has no name here"),
]  # fmt: skip

TWICE = [
    ("curved", "dg_dw", "∂²L/∂w² = X^T diag(p ⊙ (1-p)) X", "right"),
    ("curved", "dg_dw", "\\frac{\\partial^2 L}{\\partial w^2} = X^T diag(p ⊙ (1-p)) X", "right"),
    ("curved", "dg_dw", "\\frac{\\partial^2 L}{\\partial w \\partial w^\\top} = "
     "X^T diag(p ⊙ (1-p)) X", "right"),
    ("curved", "dg_dw", "\\frac{\\partial^2 L}"
     "{\\partial \\mathbf{w}\\,\\partial \\mathbf{w}^\\top} = X^T diag(p ⊙ (1-p)) X", "right"),
    ("curved", "dg_dw", "\\frac{\\partial^2 L}{\\partial w_i \\partial w_j} = "
     "sum_n X_{ni} p_n (1 - p_n) X_{nj}", "right"),
    ("curved", "dg_dw", "∂²L/(∂w_i ∂w_j) = sum_n X_{ni} p_n (1 - p_n) X_{nj}", "right"),
    ("curved", "dg_dw", "\\frac{d^2 L(w)}{dw^2} = X^T diag(p ⊙ (1-p)) X", "right"),
    ("curved", "dg_dw", "∂²L/∂w² = X^T diag(p) X", "wrong"),
    ("curved", "dg_dw", "∂²L/(∂w_i ∂w_j) = sum_n X_{ni} p_n X_{nj}", "wrong"),
    ("curved", "dg_dw", "∂²L/(∂w_i ∂p_j) = sum_n X_{ni} p_n (1 - p_n) X_{nj}", "no left side"),
    ("curved", "dp_dw", "∂²L/∂w² = diag(p ⊙ (1-p)) X", "no left side"),
    ("curved", "dp_dw", "∂²p/∂w² = diag(p ⊙ (1-p)) X", "no left side"),
    ("sigmoid", "dx", "∂²L/∂x² = δ ⊙ y ⊙ (1 - y)", "no left side"),
]  # fmt: skip

ENTRIES = [
    ("smoothed", "dL_dz", "q_{nk} = (1-e) [k = t_n] + e/K\ndL_dz_{nk} = p_{nk} - q_{nk}", "right"),
    ("smoothed", "dL_dz", "dL_dz_{mj} = p_{mj} - q_{mj}, \\quad q_{nk} = (1-e) [k = t_n] + e/K",
     "right"),
    ("smoothed", "dL_dz", "q_{nk} = (1-e) [n = t_k] + e/K\ndL_dz_{nk} = p_{nk} - q_{nk}",
     "wrong"),
    ("smoothed", "dL_dz", "q_{nk} = [k = t_n] + e/K\ndL_dz_{nk} = p_{nk} - q_{nk}", "wrong"),
    ("smoothed", "dL_dz", "q_{nk} = (1-e) [k = t_n] + e/K\ndL_dz_{nk} = p_{nk} - q_{n0}", "wrong"),
]  # fmt: skip

SIGNS = [
    ("linear", "dx", "dx_j = sum_k -W_kj (-δ_k)", "right"),
    ("linear", "dx", "dx_j = sum_k -W_kj δ_k", "wrong"),
    ("linear", "dx", "dx_j = sum_{k \\text{ s.t. } k \\ge 0} W_kj δ_k", "right"),
    ("linear", "dx", "dx_j = sum_{k \\text{ s.t. } k \\ge 1} W_kj δ_k", "wrong"),
    ("sigmoid", "dx", "dx_i = δ_i y_i (1 - y_i) 1^{2}", "right"),
    ("sigmoid", "dx", "dx_i = δ_i y_i (1 - y_i) 0.5^{2}", "wrong"),
    ("sigmoid", "dx", "[dx]_i = δ_i y_i (1 - y_i)", "right"),
    ("sigmoid", "dx", "\\left[ \\frac{\\partial L}{\\partial x} \\right] = δ ⊙ y ⊙ (1 - y)",
     "right"),
    ("sigmoid", "dx", "\\partial_{x_i} L = δ_i y_i (1 - y_i)", "right"),
    ("sigmoid", "dx", "\\partial_{x_i} L = δ_i y_i", "wrong"),
    ("cross_entropy", "dp_dz", "\\frac{\\partial}{\\partial z_j} p_k = p_k ([k=j] - p_j)", "right"),
    ("cross_entropy", "dp_dz", "\\frac{\\partial}{\\partial z_j} p_k = p_k ([k=j] + p_j)", "wrong"),
    ("batched", "dW", "∂L/∂W = X^T ∂L/∂Y", "right"),
    ("batched", "dc", "dc_n = sum_j dY_nj (w_u = 0 outside 0 ≤ u < N)", "right"),
]  # fmt: skip

WHOLE_AXES = [
    ("batched", "dc", "dc_n = sum_{m=1}^{N} [n = m] sum_j dY_mj", "right"),
    ("batched", "dc", "dc_n = sum_{m=0}^{N-1} [n = m] sum_j dY_mj", "right"),
    ("batched", "dc", "dc_n = sum_{m=1}^{N} [n != m] sum_j dY_mj", "wrong"),
    ("batched", "dc", "dc_n = sum_{m=1}^{N} [n = m-1] sum_j dY_mj", "counts from 0"),
    ("batched", "dc", "dc_n = sum_{m=1}^{N} [n <= m] sum_j dY_mj", "counts from 0"),
    ("batched", "dc", "dc_n = sum_{m=1}^{N} m [n = m] sum_j dY_mj", "counts from 0"),
    ("batched", "dc", "dc_n = sum_{m=1}^{M} [n = m] sum_j dY_mj", "counts from 0"),
]

ROWS_ON_THE_LEFT = [
    ("batched", "dX", "dX_n = W \\, \\delta_n", "right"),
    ("batched", "dX", "dX_n = (1 ⊙ W) δ_n", "right"),
    ("batched", "dX", "\\frac{\\partial L}{\\partial X_n} = \\mathbf{W} \\delta_n", "right"),
    ("batched", "dX", "dX_n = 2 W \\, \\delta_n", "wrong"),
    ("batched", "dX", "dX_n = W^T \\delta_n", "write one letter for each"),
    ("sigmoid", "dx", "δ_x = δ ⊙ y ⊙ (1 - y)", "right"),
]

SECOND_SUMS = [
    ("products", "P", "prod_i a_i prod_i b_i", "right"),
    ("products", "S", "sum_i a_i sum_i b_i", "right"),
    ("products", "S", "sum_i (a_i sum_i b_i)", "in use outside"),
    ("products", "P", "prod_i a_i prod_i a_i", "wrong"),
    ("products", "S", "sum_i a_i sum_i a_i", "wrong"),
    ("products", "P", "max_i a_i max_i b_i", "in use outside"),
]

DELTAS = [
    ("softmax_rows", "dX", "dX_nk = sum_j δ(n,j) Y_nj (δ(j,k) - Y_nk)", "right"),
    ("softmax_rows", "dX", "dX_nk = sum_j δ(n,j) Y_nj (δ(n,k) - Y_nk)", "wrong"),
]

DOTS = [
    ("estimates", "m", "m = sum_n [x_n · x_n >= 0] p_n x_n", "right"),
    ("estimates", "m", "m = sum_n [x_n · x_n < 0] p_n x_n", "wrong"),
    ("estimates", "m", "m = sum_n (x_n · x_n) p_n x_n", "wrong"),
    ("estimates", "m", "m = sum_n p_n x_n · x_n", "wrong"),
]

FUNCTIONS = [
    ("sigmoid", "dx", "dx_i = δ_i y_i (1 - y_i) ⌈1/3⌉", "right"),
    ("sigmoid", "dx", "dx_i = δ_i y_i (1 - y_i) \\left\\lceil \\frac13 \\right\\rceil", "right"),
    ("sigmoid", "dx", "dx_i = δ_i y_i (1 - y_i) ⌈4/3⌉", "wrong"),
    ("sigmoid", "dx", "δ ⊙ y ⊙ (1 - y) ⊙ Φ'(x) ⊙ exp(x ⊙ x / 2) * √(2π)", "right"),
    ("sigmoid", "dx", "δ ⊙ y ⊙ (1 - y) ⊙ Φ'(x)", "wrong"),
    ("sigmoid", "dx", "dy * y * (1 - y) * 2 * Phi(0 * x)", "right"),
]  # fmt: skip

ACTED_ON = [
    ("batched", "dW", "dW^T = X^T δ", "no left side"),
    ("batched", "dW", "dW^\\top = δ^T X", "no left side"),
    ("batched", "dW", "\\frac{\\partial L}{\\partial W^\\top} = X^T δ", "no left side"),
    ("batched", "dW", "∂L/∂W^T = X^T δ", "no left side"),
    ("batched", "dW", "dW^{-1} = X^T δ", "no left side"),
    ("batched", "dW", "dW^2 = X^T δ", "no left side"),
    ("batched", "dW", "dW^{1/2} = X^T δ", "no left side"),
    ("batched", "dW", "dW^{\\frac12} = X^T δ", "no left side"),
    ("batched", "dW", "dW^{-1} = δ\ndW = X^T δ", "right"),
    ("batched", "dW", "∂Y/∂W = X^T δ", "This defines dY_dW"),
    ("sigmoid", "dx", "\\frac{\\partial L}{\\partial x} \\cdot 2 = δ ⊙ y ⊙ (1 - y)",
     "no left side"),
    ("sigmoid", "dx", "∂L/∂x ⊙ y = δ ⊙ y ⊙ (1 - y)", "no left side"),
    ("sigmoid", "dx", "dx_i^2 = δ_i y_i (1 - y_i)", "no left side"),
    ("sigmoid", "dx", "\\frac{\\partial L}{\\partial x_i^2} = δ_i y_i (1 - y_i)", "no left side"),
    ("sigmoid", "dx", "∂L/∂x_i^2 = δ_i y_i (1 - y_i)", "no left side"),
    ("sigmoid", "dx", "d^2 L/dx^2 = δ ⊙ y ⊙ (1 - y)", "no left side"),
    ("sigmoid", "dx", "∇^2 L = δ ⊙ y ⊙ (1 - y)", "no left side"),
    # A vector is the same vector when it lies.
    ("sigmoid", "dx", "dx^T = δ ⊙ y ⊙ (1 - y)", "right"),
    ("sigmoid", "dx", "\\frac{\\partial L}{\\partial x^T} = δ ⊙ y ⊙ (1 - y)", "right"),
    ("sigmoid", "dx", "dx^{new} = δ ⊙ y ⊙ (1 - y)", "right"),
    ("sigmoid", "dx", "dx^{(1)} = δ ⊙ y ⊙ (1 - y)", "right"),
    ("sigmoid", "dx", "∂L/∂x (x) = δ ⊙ y ⊙ (1 - y)", "right"),
    ("sigmoid", "dx", "\\frac{\\partial L}{\\partial x}\\Big|_{x} = δ ⊙ y ⊙ (1 - y)", "right"),
    ("sigmoid", "dx", "\\frac{\\partial}{\\partial x} L = δ ⊙ y ⊙ (1 - y)", "right"),
]  # fmt: skip

ROWS = [
    *CARD_SETS, *LETTERS, *SEVERAL_LINES, *SAID_ONLY, *BEHIND, *OWN_NAMES, *ENTRIES, *SIGNS,
    *WHOLE_AXES, *ROWS_ON_THE_LEFT, *SECOND_SUMS, *DELTAS, *DOTS, *FUNCTIONS, *ACTED_ON,
    *TWICE,
]  # fmt: skip


@pytest.mark.parametrize(("forward", "asked", "text", "expected"), ROWS)
def test_what_stands_beside_an_answer_has_its_only_meaning(
    forward: str, asked: str, text: str, expected: str
) -> None:
    for seed in SEEDS:
        assert expected in worth(FORWARDS[forward], asked, text, seed)


@pytest.mark.parametrize(
    ("text", "aside"),
    [
        ("\\mathrm{d}L = δ^T W \\mathrm{d}x\ndx = W^T δ", ("dL = δ^T W dx",)),
        ("g = δ q\ndx = W^T δ", ("g = δ q",)),
        ("dx ∝ W^T δ, dx = W^T δ", ("dx ∝ W^T δ",)),
        ("dx_j = sum_k W_kj δ_k, \\quad j = 1, …, D", ("j = 1, …, D",)),
        ("g = δ\ndx = W^T g", ()),
        ("dx = W^T g, g = δ", ()),
        ("2 g = δ, dx = W^T δ, since y = x", ("2 g = δ", "since y = x")),
    ],
)
def test_a_line_that_the_answer_does_not_need_is_told_to_be_set_aside(
    text: str, aside: tuple[str, ...]
) -> None:
    reading = read(text, FORWARDS["linear"].context("dx"))
    assert isinstance(reading, Reading)
    assert set_aside(reading) == aside
