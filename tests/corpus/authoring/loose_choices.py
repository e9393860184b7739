"""Multiple choices of the loose deck."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Choice:
    """A multiple choice; `right` and `other` are the texts of its options."""

    stem: str
    tags: str
    question: str
    right: tuple[str, ...]
    other: tuple[str, ...]
    why: str


CHOICES = (
    Choice(
        "dropout_test_time",
        "dropout regularisation",
        "What happens with (inverted) dropout at test time?",
        ("Nothing, the layer is the identity",),
        ("Units are dropped as in training", r"Outputs are divided by $1-p$", "Weights are halved"),
        r"The scaling by $\frac{1}{1-p}$ happened during training already.",
    ),
    Choice(
        "l1_sparsity",
        "lasso regularisation",
        "Which penalty gives exactly sparse weights?",
        (r"$\lambda \|w\|_1$",),
        (r"$\lambda \|w\|_2^2$", r"$\lambda \|w\|_2^4$", "none of them"),
        r"Corners of the $\ell_1$ ball lie on the axes.",
    ),
    Choice(
        "convex_functions",
        "convexity optimisation",
        r"Which of these are convex on their domain? (more than one)",
        (r"$x^2$", r"$|x|$", r"$-\log x$"),
        (r"$\sqrt{x}$", r"$\sin x$"),
        r"$\sqrt{x}$ is concave, and $\sin$ is neither.",
    ),
    Choice(
        "generative_models",
        "generative discriminative",
        "Welke modellen zijn generatief?",
        ("Naive Bayes", "Gaussian mixture", "LDA (linear discriminant analysis)"),
        ("Logistic regression", "SVM"),
        r"They model $p(x, y)$, the others only $p(y|x)$ or a boundary.",
    ),
    Choice(
        "vanishing",
        "activations gradients",
        "Which activation suffers most from vanishing gradients in deep nets?",
        ("sigmoid",),
        ("ReLU", "leaky ReLU", "linear"),
        r"Its slope is at most $0.25$, so after 10 layers at most $0.25^{10} \approx 10^{-6}$.",
    ),
    Choice(
        "bias_variance_k",
        "knn bias-variance",
        "In k-NN, what does a larger k do?",
        ("more bias, less variance",),
        ("less bias, more variance", "less of both", "more of both"),
        "Averages over more neighbours, boundary becomes smoother.",
    ),
    Choice(
        "kernel_valid",
        "kernels",
        r"Which of these is NOT a valid kernel on $\mathbb{R}^d$?",
        (r"$k(x, y) = -\|x - y\|^2$",),
        (r"$k(x, y) = x^T y$", r"$k(x, y) = (1 + x^T y)^2$", r"$k(x, y) = e^{-\|x - y\|^2}$"),
        r"Its Gram matrix has a zero diagonal and negative entries, so it isn't psd.",
    ),
    Choice(
        "em_guarantee",
        "em latent-variables",
        "What does EM guarantee?",
        ("The likelihood never decreases",),
        ("The global maximum", "Convergence in $N$ steps", "A unique solution"),
        "Each step maximises a lower bound that touches the likelihood.",
    ),
    Choice(
        "padding_same",
        "cnn padding",
        r'"Same" padding for a 5x5 kernel with stride 1:',
        (r"$p = 2$",),
        (r"$p = 0$", r"$p = 1$", r"$p = 5$"),
        r"$p = (k-1)/2$",
    ),
    Choice(
        "attention_cost",
        "transformer complexity",
        r"Cost of self-attention in the sequence length $T$?",
        (r"$O(T^2)$",),
        (r"$O(T)$", r"$O(T \log T)$", r"$O(T^3)$"),
        r"$QK^T$ is a $T \times T$ matrix.",
    ),
    Choice(
        "conjugate",
        "bayes conjugate-prior",
        "Conjugate prior of the Bernoulli likelihood?",
        ("Beta",),
        ("Gamma", "Gaussian", "Dirichlet process"),
        r"$\theta^{a-1}(1-\theta)^{b-1}$ has the same form as the likelihood.",
    ),
    Choice(
        "roc_random",
        "evaluation roc",
        "AUC of a random classifier?",
        ("0.5",),
        ("0", "1", "depends on the class balance"),
        "The ROC curve is the diagonal.",
    ),
    Choice(
        "adam_states",
        "optimisation adam",
        "How many extra numbers per parameter does Adam keep?",
        ("2",),
        ("0", "1", "3"),
        "First and second moment.",
    ),
    Choice(
        "overfitting_signs",
        "regularisation overfitting",
        "Which help against overfitting? (mehrere richtig)",
        ("More data", "Early stopping", "Data augmentation"),
        ("More epochs", "A bigger network without weight decay"),
        "Deep double descent aside...",
    ),
    Choice(
        "batchnorm_test",
        "batch-norm",
        "Batch norm at test time uses",
        ("running averages from training",),
        ("statistics of the test batch", "mean 0 and variance 1", "statistics of one image"),
        "Otherwise a prediction would depend on the other images.",
    ),
    Choice(
        "mle_map",
        "bayes map mle",
        "When do MAP and MLE agree?",
        ("With a flat prior",),
        ("Always", "Never", "Only for Gaussians"),
        r"$\log p(\theta)$ is constant then. (Or $N \to \infty$.)",
    ),
    Choice(
        "gru_gates",
        "rnn gates",
        "How many gates has a GRU?",
        ("2 (update, reset)",),
        ("1", "3 (input, forget, output)", "4"),
        "Three is the LSTM.",
    ),
    Choice(
        "pca_components",
        "pca eigenvalues",
        r"The eigenvalues of a covariance are 6, 3, 1. Two components explain how much variance?",
        (r"90%",),
        (r"60%", r"75%", r"99%"),
        r"$(6+3)/(6+3+1)$",
    ),
)
