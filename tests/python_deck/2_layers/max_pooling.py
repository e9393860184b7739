"""Max pooling over 2x2 windows with stride 2."""

answers = {"df_dx": "local derivative", "dx": "backward message"}
sizes = {"H": ("x", 0), "W": ("x", 1)}
hints = ["Near an input without ties, each output is a copy of one cell. Which one?"]


def sample(rng):
    """Height, width and numbers of windows all differ; in one window the two largest are close."""
    h, w = rng.choice([2, 3, 5], size=2, replace=False)
    x = rng.standard_normal((2 * h, 2 * w))
    x[1, :2] = x[:2, :2].max() + rng.permutation([0.5, 0.4995])
    return {"x": x}


def windows(x):
    """The cells of window (k, l) as [k, :, l, :]."""
    h, w = x.shape
    return x.reshape(h // 2, 2, w // 2, 2)


def forward(x):
    """f[k, l] is the largest x in window (k, l)."""
    return {"f": windows(x).max(axis=(1, 3))}


def average_pooling(x):
    return {"f": windows(x).mean(axis=(1, 3))}


variants = {
    "This is the gradient of average pooling, which splits each upstream evenly.": average_pooling
}

LOCAL_DERIVATIVE = """
def df_dx(x, f):
    J = np.zeros(f.shape + x.shape)
    for k, l in np.ndindex(f.shape):
        window = x[2*k : 2*k+2, 2*l : 2*l+2]
        a, b = np.unravel_index(window.argmax(), window.shape)
        J[k, l, 2*k + a, 2*l + b] = 1
    return J
"""

right = {
    "df_dx": [
        "df_dx[k,l,i,j] = [2k<=i<2k+2] [2l<=j<2l+2] [x[i,j]=f[k,l]]",
        LOCAL_DERIVATIVE,
    ],
    "dx": [
        "dx[i,j] = sum(k,l) df[k,l] [2k<=i<2k+2] [2l<=j<2l+2] [x[i,j]=f[k,l]]",
        "np.kron(df, np.ones((2, 2))) * (x == np.kron(f, np.ones((2, 2))))",
    ],
}

wrong = {
    "df_dx": {
        "This is 1 on the whole window. Only the cell that holds the maximum affects the output.": (
            "df_dx[k,l,i,j] = [2k<=i<2k+2] [2l<=j<2l+2]"
        ),
        "The output is a copy of the largest cell, and a copy has slope 1, not the value "
        "of the cell.": ("df_dx[k,l,i,j] = x[i,j] [2k<=i<2k+2] [2l<=j<2l+2] [x[i,j]=f[k,l]]"),
        "This contains the upstream. The local derivative does not depend on a later loss.": (
            "df_dx[k,l,i,j] = df[k,l] [2k<=i<2k+2] [2l<=j<2l+2] [x[i,j]=f[k,l]]"
        ),
    },
    "dx": {
        "You sent the upstream to every cell in the window. Only the largest one should get it.": (
            "np.kron(df, np.ones((2, 2)))"
        ),
        "This only marks the winners. The message is the upstream, sent to the winner.": (
            "1.0 * (x == np.kron(f, np.ones((2, 2))))"
        ),
        "You multiplied by the value of the maximum; the local derivative there is 1.": (
            "np.kron(df * f, np.ones((2, 2))) * (x == np.kron(f, np.ones((2, 2))))"
        ),
        "This places whole copies of the upstream side by side, as np.tile does. Repeat each "
        "upstream within its own window instead.": (
            "np.tile(df, (2, 2)) * (x == np.kron(f, np.ones((2, 2))))"
        ),
    },
}
