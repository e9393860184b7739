"""Likelihoods and their maxima for the loose deck, in the form of `loose_derivations`."""

from corpus.authoring.loose_derivations import Ask, Family

LIKELIHOODS = (
    Family(
        "gaussian_mle",
        "likelihood gaussian mle",
        (r"x \mu", "y m", r"z \mu", "t a"),
        r"$N$ iid samples from $\mathcal{N}(§2, \sigma^2)$",
        r"\ell(§2, \sigma^2) = - \frac{N}{2} \log (2 \pi \sigma^2)"
        r" - \frac{1}{2 \sigma^2} \sum_{n=1}^N (§1_n - §2)^2",
        (
            Ask(r"\frac{\partial \ell}{\partial §2}", r"\frac{1}{\sigma^2} \sum_n (§1_n - §2)"),
            Ask(r"\hat{§2}", r"\frac{1}{N} \sum_n §1_n"),
            Ask(r"\hat{\sigma}^2", r"\frac{1}{N} \sum_n (§1_n - \hat{§2})^2"),
        ),
        ("Derivative to zero.", r"Derivative w.r.t. $\sigma^2$ (not $\sigma$!) to zero."),
        r"This one is biased; unbiased would be $\frac{1}{N-1} \sum_n (§1_n - \hat{§2})^2$.",
    ),
    Family(
        "bernoulli_mle",
        "likelihood bernoulli mle",
        (r"x \theta", "y p", r"z \mu", "t q"),
        "coin flips",
        r"\ell(§2) = \sum_{n=1}^N §1_n \log §2 + (1 - §1_n) \log (1 - §2)",
        (Ask(r"\hat{§2}", r"\frac{1}{N} \sum_{n=1}^N §1_n", 3),),
        (
            r"$\frac{k}{§2} - \frac{N - k}{1 - §2} = 0$ with $k = \sum_n §1_n$",
            r"$k (1 - §2) = (N - k) §2$",
            r"$k = N §2$",
        ),
    ),
    Family(
        "poisson_mle",
        "likelihood poisson mle",
        (r"x \lambda", r"y \mu", r"k \lambda", r"c \theta"),
        "counts from a Poisson distribution (log likelihood up to a constant)",
        r"\ell(§2) = \sum_{n=1}^N (§1_n \log §2 - §2)",
        (
            Ask(r"\frac{d \ell}{d §2}", r"\frac{1}{§2} \sum_{n=1}^N §1_n - N"),
            Ask(r"\hat{§2}", r"\frac{1}{N} \sum_{n=1}^N §1_n"),
        ),
        (r"$\log §1_n!$ does not depend on $§2$", "set to zero"),
    ),
    Family(
        "exponential_mle",
        "likelihood exponential mle",
        (r"x \lambda", r"t \beta", r"y \theta"),
        "waiting times",
        r"p(§1) = §2 e^{- §2 §1}, \quad §1 \geq 0",
        (Ask(r"\hat{§2}", r"\frac{N}{\sum_{n=1}^N §1_n}", 3),),
        (
            r"$\ell = N \log §2 - §2 \sum_n §1_n$",
            r"$\ell' = \frac{N}{§2} - \sum_n §1_n = 0$",
        ),
        "So the mean waiting time is the inverse rate.",
    ),
    Family(
        "geometric_mle",
        "likelihood mle",
        ("k p", r"x \theta", "y q"),
        "the number of tries until the first success",
        r"P(§1) = (1 - §2)^{§1 - 1} §2, \quad §1 = 1, 2, \ldots",
        (Ask(r"\hat{§2}", r"\frac{N}{\sum_{n=1}^N §1_n}", 3),),
        (
            r"$\ell = (\sum_n §1_n - N) \log (1 - §2) + N \log §2$",
            r"Zero of the derivative: $N (1 - §2) = §2 (\sum_n §1_n - N)$.",
        ),
    ),
    Family(
        "uniform_mle",
        "likelihood mle",
        (r"x \theta", "y b", "u c"),
        r"samples from a uniform distribution on $[0, §2]$",
        r"p(§1_1, \ldots, §1_N) = §2^{-N} \prod_{n=1}^N \mathbb{1}[0 \leq §1_n \leq §2]",
        (Ask(r"\hat{§2}", r"\max_n §1_n", 2),),
        (r"$§2^{-N}$ falls, so take $§2$ as small as allowed.",),
        "No derivative needed (it is never zero)!",
    ),
    Family(
        "sigma_score",
        "likelihood gaussian",
        (r"x \mu \sigma", "y m s", r"t \mu \tau"),
        r"the log density of one value $§1 \sim \mathcal{N}(§2, §3^2)$",
        r"\ell = - \log §3 - \frac{(§1 - §2)^2}{2 §3^2} + \text{const}",
        (
            Ask(r"\frac{\partial \ell}{\partial §2}", r"\frac{§1 - §2}{§3^2}"),
            Ask(
                r"\frac{\partial \ell}{\partial §3}",
                r"- \frac{1}{§3} + \frac{(§1 - §2)^2}{§3^3}",
                3,
            ),
        ),
        (r"$\frac{d}{d§3} §3^{-2} = -2 §3^{-3}$",),
    ),
)
