"""What is derived in the loose deck: formulas with other letters in each card that uses them.

`§1`, `§2`, … stand for the letters of one of the `letters`, so that a family makes as many cards
as it has sets of letters. Every answer was compared with central differences of its formula.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ask:
    """One thing to derive: how the card names it, the answer, and the points it is worth."""

    name: str
    answer: str
    points: int = 2


@dataclass(frozen=True)
class Family:
    """A derivation as a student writes it down, without a table of symbols."""

    stem: str
    tags: str
    letters: tuple[str, ...]
    intro: str
    formula: str
    asks: tuple[Ask, ...]
    steps: tuple[str, ...]
    remark: str = ""
    bold: bool = False
    """Whether the letters are vectors and matrices, which some cards print in bold."""


FAMILIES = (
    Family(
        "squared_error",
        "linear-regression least-squares gradients",
        ("X w y", "A x b", r"\Phi \theta t", "H v z"),
        "the sum of squared errors of a linear model",
        r"L(§2) = \| §1 §2 - §3 \|^2",
        (Ask(r"\nabla_{§2} L", r"2 §1^\top (§1 §2 - §3)", 3),),
        (
            r"Write $L = (§1 §2 - §3)^\top (§1 §2 - §3)$.",
            r"Expand: $§2^\top §1^\top §1 §2 - 2 §3^\top §1 §2 + §3^\top §3$.",
            r"Differentiate term by term, $§1^\top §1$ is symmetric.",
        ),
        r"With $\frac{1}{2} \| \cdot \|^2$ the factor 2 is gone: $§1^\top (§1 §2 - §3)$.",
        bold=True,
    ),
    Family(
        "ridge_solution",
        "ridge regularisation closed-form",
        ("X w y", "A x b", r"\Phi \theta t", "H v z"),
        "ridge regression",
        r"J(§2) = \| §1 §2 - §3 \|^2 + \lambda \| §2 \|^2",
        (
            Ask(r"\nabla J", r"2 §1^\top (§1 §2 - §3) + 2 \lambda §2", 2),
            Ask(r"\hat{§2}", r"(§1^\top §1 + \lambda I)^{-1} §1^\top §3", 2),
        ),
        (r"Set the gradient to zero.", r"Collect: $(§1^\top §1 + \lambda I) §2 = §1^\top §3$."),
        r"For $\lambda = 0$ we get back OLS, $\hat{§2} = (§1^\top §1)^{-1} §1^\top §3$.",
        bold=True,
    ),
    Family(
        "weighted_least_squares",
        "regression weights",
        ("X w y R", r"\Phi \theta t D", "A x b W"),
        "weighted least squares with a diagonal matrix $§4$ of weights",
        r"L(§2) = (§1 §2 - §3)^\top §4 (§1 §2 - §3)",
        (Ask(r"\frac{\partial L}{\partial §2}", r"2 §1^\top §4 (§1 §2 - §3)", 3),),
        (r"$§4$ is symmetric, so the quadratic form gives $2 §4 (§1 §2 - §3)$.", "Chain rule."),
        bold=True,
    ),
    Family(
        "log_loss",
        "logistic-regression classification sigmoid",
        ("z y", "a t", "s y", "u t"),
        "the log loss of a binary classifier",
        r"L = - \sum_n \left[ §2_n \log \sigma(§1_n) + (1 - §2_n) \log (1 - \sigma(§1_n)) \right]",
        (Ask(r"\frac{\partial L}{\partial §1_n}", r"\sigma(§1_n) - §2_n", 3),),
        (
            r"$\sigma'(§1) = \sigma(§1) (1 - \sigma(§1))$",
            r"First term: $- §2_n (1 - \sigma(§1_n))$, second: $(1 - §2_n) \sigma(§1_n)$.",
            r"Add them, $§2_n \sigma(§1_n)$ cancels.",
        ),
    ),
    Family(
        "sigmoid_slope",
        "activations sigmoid",
        ("x", "z", "a", "u"),
        "the logistic function",
        r"\sigma(§1) = \frac{1}{1 + e^{-§1}}",
        (Ask(r"\sigma'(§1)", r"\sigma(§1) (1 - \sigma(§1))"),),
        (
            r"$\sigma'(§1) = \frac{e^{-§1}}{(1 + e^{-§1})^2}$",
            r"Split: $\frac{1}{1 + e^{-§1}} \cdot \frac{e^{-§1}}{1 + e^{-§1}}$.",
            r"The second factor is $1 - \sigma(§1)$.",
        ),
        r"At most $\frac{1}{4}$, for $§1 = 0$. Hence vanishing gradients.",
    ),
    Family(
        "tanh_slope",
        "activations tanh",
        ("x", "z", "a", "s"),
        "the activation",
        r"h = \tanh(§1) = \frac{e^{§1} - e^{-§1}}{e^{§1} + e^{-§1}}",
        (Ask(r"\frac{dh}{d§1}", r"1 - h^2", 1),),
        ("Quotient rule.", r"Numerator: $(e^{§1} + e^{-§1})^2 - (e^{§1} - e^{-§1})^2$."),
    ),
    Family(
        "softplus_slope",
        "activations",
        ("x", "z", "a", "u"),
        "softplus",
        r"f(§1) = \log(1 + e^{§1})",
        (Ask(r"f'(§1)", r"\frac{1}{1 + e^{-§1}}", 1),),
        (r"$f'(§1) = \frac{e^{§1}}{1 + e^{§1}}$", r"Divide both by $e^{§1}$."),
        "The sigmoid again!",
    ),
    Family(
        "softmax_derivative",
        "softmax jacobian",
        ("p z", "y a", "s x", "q u"),
        "softmax",
        r"§1_i = \frac{e^{§2_i}}{\sum_k e^{§2_k}}",
        (Ask(r"\frac{\partial §1_i}{\partial §2_j}", r"§1_i (\delta_{ij} - §1_j)", 4),),
        (
            r"$i = j$: quotient rule gives $§1_i - §1_i^2$.",
            r"$i \neq j$: only the denominator depends on $§2_j$, so $- §1_i §1_j$.",
            r"Both cases in one with Kronecker's $\delta_{ij}$.",
        ),
    ),
    Family(
        "softmax_and_cross_entropy",
        "softmax cross-entropy classification",
        ("p z t", "y a t", "q s y", "p u y"),
        r"the cross-entropy of a softmax with a one-hot target $§3$",
        r"L = - \sum_k §3_k \log §1_k, \qquad §1_k = \frac{e^{§2_k}}{\sum_j e^{§2_j}}",
        (Ask(r"\frac{\partial L}{\partial §2_j}", r"§1_j - §3_j", 4),),
        (
            r"$\frac{\partial §1_k}{\partial §2_j} = §1_k (\delta_{kj} - §1_j)$",
            r"So $- \sum_k §3_k (\delta_{kj} - §1_j) = - §3_j + §1_j \sum_k §3_k$.",
            r"One-hot: $\sum_k §3_k = 1$.",
        ),
        r"If the targets didn't sum to one, we would have $§1_j \sum_k §3_k - §3_j$.",
    ),
    Family(
        "linear_layer_loose",
        "backpropagation linear-layer",
        ("y W x b", "z A h c", "s V u d"),
        "a linear layer",
        r"§1 = §2 §3 + §4",
        (
            Ask(r"\frac{\partial L}{\partial §2}", r"\delta §3^\top", 2),
            Ask(r"\frac{\partial L}{\partial §4}", r"\delta", 1),
            Ask(r"\frac{\partial L}{\partial §3}", r"§2^\top \delta", 2),
        ),
        (
            r"Let $\delta = \frac{\partial L}{\partial §1}$ (column vector).",
            r"$\frac{\partial L}{\partial §2_{ij}} = \delta_i §3_j$, an outer product.",
            r"$\frac{\partial L}{\partial §3_j} = \sum_i \delta_i §2_{ij}$.",
        ),
        bold=True,
    ),
    Family(
        "quadratic_form_loose",
        "matrix-calculus",
        ("x A", "w S", "u M", "v B"),
        "a quadratic form with a square (not nec. symmetric) matrix $§2$",
        r"f(§1) = §1^\top §2 §1",
        (Ask(r"\nabla f", r"(§2 + §2^\top) §1"),),
        (r"$f = \sum_{ij} §1_i §2_{ij} §1_j$", "Product rule: twice, once for each factor."),
        r"Symmetric case: $2 §2 §1$.",
        bold=True,
    ),
    Family(
        "trace_loose",
        "matrix-calculus trace",
        ("A X", "B W", "C Y"),
        "the trace of a product",
        r"f(§2) = \text{tr}(§1 §2)",
        (Ask(r"\frac{\partial f}{\partial §2}", r"§1^\top", 1),),
        (r"$f = \sum_{ij} §1_{ij} §2_{ji}$", r"$\frac{\partial f}{\partial §2_{ji}} = §1_{ij}$"),
        bold=True,
    ),
    Family(
        "logdet_loose",
        "matrix-calculus determinant",
        ("X", "A", "S", "W"),
        "the log-determinant of an invertible matrix (positive determinant)",
        r"f(§1) = \log |§1|",
        (Ask(r"\frac{\partial f}{\partial §1}", r"(§1^{-1})^\top", 3),),
        (r"Laplace expansion: $\frac{\partial |§1|}{\partial §1_{ij}} = C_{ij}$ (cofactor).",),
        "For a symmetric matrix the transpose doesn't matter.",
        bold=True,
    ),
    Family(
        "frobenius_loose",
        "matrix-calculus norm",
        ("X", "W", "A", r"\Theta"),
        "the squared Frobenius norm",
        r"f(§1) = \|§1\|_F^2 = \text{tr}(§1^\top §1)",
        (Ask(r"\frac{\partial f}{\partial §1}", r"2 §1", 1),),
        (r"It is just $\sum_{ij} §1_{ij}^2$.",),
        "This is weight decay.",
        bold=True,
    ),
    Family(
        "norm_loose",
        "matrix-calculus norm",
        ("x", "w", "u", "v"),
        "the Euclidean norm (away from 0)",
        r"f(§1) = \|§1\|_2",
        (Ask(r"\nabla f", r"\frac{§1}{\|§1\|_2}"),),
        (r"$f = (\sum_i §1_i^2)^{1/2}$", r"$\frac{1}{2} (\ldots)^{-1/2} \cdot 2 §1_i$"),
        bold=True,
    ),
    Family(
        "relu_message",
        "activations relu backpropagation",
        ("y x", "h a", "z u", "a z"),
        r"ReLU, elementwise",
        r"§1_i = \max(0, §2_i)",
        (Ask(r"\frac{\partial L}{\partial §2_i}", r"\delta_i \, \mathbb{1}[§2_i > 0]"),),
        (r"Let $\delta_i = \frac{\partial L}{\partial §1_i}$.", "Slope is 1 or 0."),
        r"In 0 every value in $[0, 1]$ is a subgradient.",
    ),
    Family(
        "mean_pooling_loose",
        "pooling cnn",
        ("f x", "y s", "p a"),
        "average pooling of a signal, window 2, stride 2 (indices from 0)",
        r"§1_k = \frac{1}{2} (§2_{2k} + §2_{2k+1})",
        (
            Ask(
                r"\frac{\partial L}{\partial §2_i}",
                r"\frac{1}{2} \delta_{\lfloor i / 2 \rfloor}",
                3,
            ),
        ),
        (r"Input $i$ belongs to exactly one window, $k = \lfloor i/2 \rfloor$.",),
        r"Here $\delta_k = \partial L / \partial §1_k$.",
    ),
    Family(
        "hinge_loose",
        "svm hinge subgradient",
        ("w x y", r"\theta x t", "v z y"),
        r"the hinge loss of one example with label $§3 \in \{-1, 1\}$",
        r"L(§1) = \max(0, 1 - §3 \, §1^\top §2)",
        (
            Ask(
                r"\frac{\partial L}{\partial §1}",
                r"\begin{cases} - §3 §2 & \text{if } §3 \, §1^\top §2 < 1 \\"
                r" 0 & \text{otherwise} \end{cases}",
                3,
            ),
        ),
        ("Margin above 1: flat.", r"Below: linear in $§1$ with slope $- §3 §2$."),
        bold=True,
    ),
    Family(
        "bernoulli_kl",
        "kl-divergence information-theory",
        ("p q", "a b", r"\rho \theta"),
        "the KL divergence of two coins",
        r"D(§2) = §1 \log \frac{§1}{§2} + (1 - §1) \log \frac{1 - §1}{1 - §2}",
        (Ask(r"\frac{dD}{d§2}", r"\frac{§2 - §1}{§2 (1 - §2)}", 3),),
        (
            r"$- \frac{§1}{§2} + \frac{1 - §1}{1 - §2}$",
            "Common denominator.",
        ),
        r"Zero iff $§2 = §1$, as it should be.",
    ),
    Family(
        "entropy_slope",
        "entropy information-theory",
        ("p", "q", r"\theta"),
        "the entropy of a coin (in nats)",
        r"H(§1) = - §1 \log §1 - (1 - §1) \log (1 - §1)",
        (Ask(r"H'(§1)", r"\log \frac{1 - §1}{§1}"),),
        (r"$- \log §1 - 1 + \log (1 - §1) + 1$",),
        r"Maximum at $§1 = \frac{1}{2}$.",
    ),
    Family(
        "logsumexp_loose",
        "softmax numerics",
        ("z", "x", "a", "s"),
        "log-sum-exp",
        r"f(§1) = \log \sum_{k=1}^K e^{§1_k}",
        (Ask(r"\frac{\partial f}{\partial §1_j}", r"\frac{e^{§1_j}}{\sum_{k=1}^K e^{§1_k}}"),),
        ("Outer derivative 1/sum, inner derivative is only the j-th exponential.",),
    ),
    Family(
        "rbf_length",
        "kernels gaussian-process",
        (r"k r \ell", r"\kappa d l", "g r s"),
        "the RBF kernel at distance $§2$",
        r"§1 = \exp \left( - \frac{§2^2}{2 §3^2} \right)",
        (Ask(r"\frac{\partial §1}{\partial §3}", r"§1 \frac{§2^2}{§3^3}"),),
        (r"Chain rule: $§1 \cdot \frac{d}{d§3} \left( - \frac{§2^2}{2} §3^{-2} \right)$",),
    ),
    Family(
        "two_layers_loose",
        "backpropagation mlp",
        ("W x v", "A u c", "V z w"),
        "a tiny network with one hidden layer and one output",
        r"y = §3^\top h, \qquad h = \tanh(§1 §2)",
        (
            Ask(r"\frac{\partial y}{\partial §3}", r"h", 1),
            Ask(r"\frac{\partial y}{\partial §1}", r"(§3 \odot (1 - h \odot h)) §2^\top", 4),
        ),
        (
            r"$\frac{\partial y}{\partial h} = §3$",
            r"Through the tanh: $§3 \odot (1 - h \odot h)$.",
            "Outer product with the input.",
        ),
        bold=True,
    ),
    Family(
        "mse_loose",
        "regression loss",
        (r"\hat{y} y", "f t", r"o \tau"),
        "the mean squared error",
        r"L = \frac{1}{N} \sum_{n=1}^N (§1_n - §2_n)^2",
        (Ask(r"\frac{\partial L}{\partial §1_n}", r"\frac{2}{N} (§1_n - §2_n)", 1),),
        ("Only the n-th summand contains it.",),
        "PyTorch: `nn.MSELoss()` (mean), with `reduction='sum'` there is no $1/N$.",
    ),
    Family(
        "gating_loose",
        "lstm gates elementwise",
        ("h f c", "y a b", "m g u"),
        "a gate (elementwise product)",
        r"§1 = §2 \odot §3",
        (
            Ask(r"\frac{\partial L}{\partial §2}", r"\delta \odot §3", 1),
            Ask(r"\frac{\partial L}{\partial §3}", r"\delta \odot §2", 1),
        ),
        (r"$\delta = \partial L / \partial §1$", "Diagonal Jacobians."),
        bold=True,
    ),
    Family(
        "gradient_step_loss",
        "optimisation learning-rate",
        (r"w \eta a", r"\theta \alpha c", "x h b"),
        "one gradient step on a parabola",
        r"f(§1) = \frac{§3}{2} §1^2, \qquad §1^{+} = §1 - §2 f'(§1)",
        (
            Ask(r"§1^{+}", r"(1 - §2 §3) §1", 2),
            Ask(r"\frac{\partial §1^{+}}{\partial §2}", r"- §3 §1", 1),
        ),
        (r"$f'(§1) = §3 §1$",),
        r"Converges iff $0 < §2 §3 < 2$.",
    ),
)
