"""Questions of the loose deck that are answered in words, problems and proofs."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Essay:
    """A question that is answered in words, or in lines that nothing can judge."""

    stem: str
    tags: str
    question: str
    short: str
    lines: tuple[str, ...] = ()


ESSAYS = (
    Essay(
        "bias_vs_variance",
        "bias-variance",
        "Explain the bias-variance tradeoff in your own words.",
        "Simple models miss structure (bias), flexible ones follow the noise (variance).",
        (r"$\text{MSE} = \text{bias}^2 + \text{var} + \sigma^2$", "noise can't be reduced"),
    ),
    Essay(
        "why_relu",
        "activations",
        "Why ReLU instead of sigmoid in hidden layers?",
        "No saturation for positive inputs, cheap, sparse activations.",
    ),
    Essay(
        "why_log_likelihood",
        "likelihood",
        "Why do we maximise the *log* likelihood?",
        "Products become sums, no underflow, same maximum since log is increasing.",
        (r"$\log \prod_n p(x_n) = \sum_n \log p(x_n)$",),
    ),
    Essay(
        "kernel_trick",
        "kernels svm",
        "Wat is de kernel trick?",
        r"Inner products $\phi(x)^T \phi(y)$ are replaced by $k(x, y)$, features never computed.",
    ),
    Essay(
        "reparam_trick",
        "vae reparameterization",
        "What is the reparametrization trick and why is it needed in a VAE?",
        r"$z = \mu + \sigma \odot \epsilon$ with $\epsilon \sim \mathcal{N}(0, I)$, so gradients"
        r" flow to $\mu$ and $\sigma$.",
        (r"$\nabla_\phi \mathbb{E}_{q_\phi}[f(z)] = \mathbb{E}_\epsilon[\nabla_\phi f(z)]$",),
    ),
    Essay(
        "residual_why",
        "resnet",
        "Why do skip connections help?",
        r"The Jacobian is $I + J$, so the gradient has a direct path.",
    ),
    Essay(
        "early_stopping",
        "regularisation",
        "How does early stopping regularise?",
        "Weights stay near their (small) start; for a quadratic loss it acts like ridge.",
        (r"roughly $\lambda \approx \frac{1}{\eta t}$",),
    ),
    Essay(
        "curse_of_dimensionality",
        "knn dimensionality",
        "Curse of dimensionality: what & why?",
        "Volume grows exponentially, so neighbours are far away and all distances look alike.",
    ),
    Essay(
        "gan_loss",
        "gan",
        "Write down the GAN objective. Why do people use the non-saturating version?",
        r"$\min_G \max_D \mathbb{E}_x[\log D(x)] + \mathbb{E}_z[\log(1 - D(G(z)))]$; early on"
        r" $D(G(z)) \approx 0$ and $\log(1 - D)$ is flat there.",
    ),
    Essay(
        "attention_words",
        "transformer",
        "Erkläre Self-Attention ohne Formeln.",
        "Each token asks a question (query), compares it with all keys, and averages the values.",
    ),
    Essay(
        "positional_encoding",
        "transformer",
        "Why positional encodings?",
        "Attention is permutation equivariant, without them order is lost.",
        (r"$PE_{pos, 2i} = \sin(pos / 10000^{2i/d})$",),
    ),
    Essay(
        "mc_vs_td",
        "reinforcement-learning",
        "Monte Carlo versus TD: bias and variance?",
        r"MC: unbiased, high variance. TD: bootstraps with $r + \gamma V(s')$, biased, low var.",
    ),
    Essay(
        "bagging_boosting",
        "ensembles",
        "Bagging vs boosting",
        "Bagging: parallel, reduces variance. Boosting: sequential, reduces bias.",
    ),
    Essay(
        "generative_vs_discriminative",
        "generative discriminative",
        "Generative vs. discriminative, one example each",
        "Naive Bayes / logistic regression",
    ),
    Essay(
        "cross_validation",
        "evaluation",
        "How does 5-fold cross-validation work? Cost?",
        "Train 5 times on 4/5 of the data, test on the rest, average. Five times the price.",
    ),
    Essay(
        "lagrange_words",
        "optimisation lagrange",
        r"What does the multiplier $\lambda$ mean?",
        r"Sensitivity of the optimum to the constraint: $\frac{d f^*}{dc} = \lambda$.",
        (r"for $g(x) = c$ and $\mathcal{L} = f(x) - \lambda (g(x) - c)$",),
    ),
    Essay(
        "jensen_words",
        "inequalities elbo",
        "State Jensen's inequality and where we used it.",
        r"$f(\mathbb{E}[x]) \leq \mathbb{E}[f(x)]$ for convex $f$. ELBO (log is concave: flipped).",
    ),
    Essay(
        "softmax_shift",
        "softmax numerics",
        "Why subtract the max in softmax?",
        r"Overflow. $\frac{e^{z_i - m}}{\sum_j e^{z_j - m}} = \frac{e^{z_i}}{\sum_j e^{z_j}}$.",
    ),
)

PROBLEMS = (
    Essay(
        "loss_goes_nan",
        "debugging",
        "Your loss becomes NaN after 200 steps. What do you check, in which order?",
        "lr, log(0), division by 0, exploding gradients, data",
        ("lower lr x10", "`torch.autograd.set_detect_anomaly(True)`", "clip gradients"),
    ),
    Essay(
        "xor_network",
        "mlp xor",
        "Give weights of a 2-2-1 ReLU network for XOR.",
        r"$h_1 = \text{relu}(x_1 + x_2)$, $h_2 = \text{relu}(x_1 + x_2 - 1)$, $y = h_1 - 2 h_2$",
        ("(0,0): 0", "(0,1), (1,0): 1", "(1,1): 2 - 2 = 0"),
    ),
    Essay(
        "imbalanced",
        "evaluation imbalance",
        "99% of the data is class 0 and your classifier has 99% accuracy. Proud? What instead?",
        "Could be the constant classifier. F1, PR curve, class weights, resampling.",
    ),
    Essay(
        "gpu_budget",
        "hardware costs",
        "A GPU costs $2 per hour, training takes 30 h on 1 GPU, and speed-up on 4 GPUs is 3x. Cost"
        " of both? Which one when the deadline is tomorrow?",
        "1 GPU: $60 and 30 h. 4 GPUs: 10 h and $80. The second.",
        (r"$30 \cdot 2 = 60$", r"$\frac{30}{3} \cdot 4 \cdot 2 = 80$"),
    ),
    Essay(
        "kmeans_by_hand",
        "clustering k-means",
        "k-means on 1, 2, 9, 10 with centers 1 and 2. Do two iterations.",
        "centers 1.5 and 9.5",
        (
            "assign: {1}, {2, 9, 10} -> centers 1 and 7",
            "assign: {1, 2}, {9, 10} -> centers 1.5 and 9.5",
        ),
    ),
    Essay(
        "tree_split",
        "decision-tree entropy",
        "4 positive and 4 negative examples. Split A gives (4,0) and (0,4), split B (3,1) and"
        " (1,3). Information gain?",
        "A: 1 bit. B: about 0.19 bit.",
        (r"$1 - H(\tfrac{3}{4}) \approx 1 - 0.811$",),
    ),
    Essay(
        "viterbi_or_forward",
        "hmm",
        "You need the most likely state at t=3 only, not the path. Viterbi?",
        "No, forward-backward: Viterbi maximises the path jointly.",
    ),
    Essay(
        "chain_of_shapes",
        "shapes backprop",
        r"$x$ is $32 \times 100$, $y = xW$ is $32 \times 10$. Shapes of $W$,"
        r" $\partial L/\partial W$, $\partial L/\partial x$?",
        r"$100 \times 10$, the same, $32 \times 100$",
    ),
    Essay(
        "newton_quadratic",
        "newton optimisation",
        r"Newton's method on $f(x) = \frac{1}{2} x^T A x - b^T x$ ($A$ spd). How many steps?",
        r"One: $x - A^{-1}(Ax - b) = A^{-1} b$.",
    ),
)

PROOFS = (
    Essay(
        "kl_positive",
        "kl-divergence inequalities",
        r"Show $\text{KL}(p \| q) \geq 0$.",
        "Jensen",
        (
            r"$-\text{KL} = \sum_k p_k \log \frac{q_k}{p_k} \leq \log \sum_k p_k \frac{q_k}{p_k}$",
            r"$= \log \sum_k q_k \leq \log 1 = 0$",
        ),
    ),
    Essay(
        "sigmoid_symmetry",
        "sigmoid",
        r"Prove $\sigma(-x) = 1 - \sigma(x)$.",
        "",
        (
            r"$1 - \frac{1}{1 + e^{-x}} = \frac{e^{-x}}{1 + e^{-x}}$",
            r"$= \frac{1}{e^{x} + 1} = \sigma(-x)$",
        ),
    ),
    Essay(
        "variance_formula",
        "probability",
        r"Prove $\text{Var}[x] = \mathbb{E}[x^2] - \mathbb{E}[x]^2$.",
        "expand the square",
        (
            r"$\mathbb{E}[(x - \mu)^2] = \mathbb{E}[x^2] - 2 \mu \mathbb{E}[x] + \mu^2$",
            r"$\mathbb{E}[x] = \mu$, so $-2\mu^2 + \mu^2 = -\mu^2$. $\square$",
        ),
    ),
    Essay(
        "gram_psd",
        "linear-algebra kernels",
        r"Prove that $X^T X$ is positive semidefinite.",
        r"$v^T X^T X v = \|Xv\|^2 \geq 0$",
    ),
    Essay(
        "ridge_invertible",
        "ridge linear-algebra",
        r"Waarom is $X^T X + \lambda I$ altijd inverteerbaar ($\lambda > 0$)? Bewijs.",
        "all eigenvalues are at least lambda",
        (r"$v^T (X^T X + \lambda I) v = \|Xv\|^2 + \lambda \|v\|^2 > 0$ for $v \neq 0$",),
    ),
    Essay(
        "elbo_gap",
        "elbo variational-inference",
        r"Show that $\log p(x) - \text{ELBO} = \text{KL}(q(z) \| p(z|x))$.",
        "",
        (
            r"$\text{ELBO} = \mathbb{E}_q[\log p(x, z) - \log q(z)]$",
            r"$= \mathbb{E}_q[\log p(z|x) - \log q(z)] + \log p(x)$",
            r"$= -\text{KL}(q \| p(z|x)) + \log p(x)$",
        ),
    ),
    Essay(
        "baseline_zero",
        "reinforce policy-gradient",
        r"Prove $\mathbb{E}_{\pi}[b \, \nabla \log \pi(a)] = 0$ for a constant $b$.",
        "log-derivative trick backwards",
        (
            r"$\sum_a \pi(a) \, b \, \frac{\nabla \pi(a)}{\pi(a)} = b \, \nabla \sum_a \pi(a)$",
            r"$= b \, \nabla 1 = 0$",
        ),
    ),
    Essay(
        "convex_sum",
        "convexity",
        "Die Summe zweier konvexer Funktionen ist konvex. Beweis?",
        "add both inequalities",
        (
            r"$f(\lambda x + (1-\lambda) y) \leq \lambda f(x) + (1-\lambda) f(y)$, same for $g$",
            r"sum: holds for $f + g$",
        ),
    ),
    Essay(
        "memoryless",
        "probability exponential",
        r"Show that the exponential distribution has no memory: $P(T > s + t | T > s) = P(T > t)$.",
        "",
        (r"$\frac{e^{-\lambda (s + t)}}{e^{-\lambda s}} = e^{-\lambda t}$",),
    ),
)
