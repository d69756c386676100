"""Records what torch answers to Fourier transforms, short-time transforms and windows: torch/signals.json and .npz.

    python signals.py           # EVERY=1 OUT=folder for all cases
"""
import itertools

import numpy as np
import torch

from chapter import Chapter, given
from torchchapter import Torch, tensor


def signal(dtype, *shape):
    """Multiples of an eighth, of which neighbours differ."""
    x = np.random.default_rng(7).integers(-16, 17, shape + (2,)) / 8
    return (x[..., 0] + 1j * x[..., 1]).astype(dtype) if np.dtype(dtype).kind == "c" else x[..., 0].astype(dtype)


def transforms(c):
    for dtype, shape, norm in itertools.product(["float64", "float32", "complex128", "complex64"], [(3, 4), (2, 3, 5)], [None, "ortho", "forward"]):
        x = signal(dtype, *shape)
        for s, dim in [(None, None), ([4, 6], None), (None, [0, 1]), ([5, 3], [1, 0])]:
            args = given(s=s, dim=dim, norm=norm)
            for name in ["hfft2", "hfftn"]:
                c.case("fft." + name, input=x, **args)
            if not dtype.startswith("complex"):
                for name in ["ihfft2", "ihfftn"]:
                    c.case("fft." + name, input=x, **args)


def short(c):
    for dtype, (n_fft, hop, window) in itertools.product(["float64", "float32", "complex128"], [(8, 2, None), (8, 3, 6), (7, 2, 7)]):
        w = None if window is None else (np.arange(window) + 2).astype(dtype.replace("complex128", "float64")) / 8
        for center, pad, normalized, one in itertools.product([None, False], [None, "constant", "replicate", "circular"], [None, True], [None, False]):
            if dtype == "complex128" and one is None or center is False and pad:
                continue
            x = signal(dtype, 2, 17)
            args = dict(n_fft=n_fft, hop_length=hop, window=w, **given(win_length=window, center=center, normalized=normalized, onesided=one))
            c.case("stft", input=x, return_complex=True, **args, **given(pad_mode=pad))
            if pad:
                continue
            z = torch.stft(tensor(x), return_complex=True, **{k: tensor(v) for k, v in args.items()}).numpy()
            for length in [None, 13] + [30] * (window in (None, n_fft)):
                if center is None or window is None:  # torch refuses frames whose windows end in zeros
                    c.case("istft", input=z, return_complex=dtype == "complex128", **args, **given(length=length))


def windows(c):
    for dtype, m, sym in itertools.product([None, "float32"], [0, 1, 2, 5, 8], [None, False]):
        args = given(dtype=dtype and np.dtype(dtype), sym=sym)

        def call(name, M, /, **more):
            function = getattr(torch.signal.windows, name)

            def windowed(M, *, dtype="float64", **named):
                return function(M, dtype=getattr(torch, str(np.dtype(dtype))), **named).numpy()

            Chapter.case(c, "torch.signal.windows." + name, windowed, M=M, **more, **args)

        for name in ["bartlett", "blackman", "cosine", "hamming", "hann", "nuttall"]:
            call(name, m)
        for beta in [5.0, 12.0]:
            call("kaiser", m, beta=beta)
        for std in [1.0, 2.5]:
            call("gaussian", m, std=std)
            call("exponential", m, tau=std)
        for alpha in [0.54, 0.7]:
            call("general_hamming", m, alpha=alpha)
        for a in [[0.4, 0.3, 0.2, 0.1], [1.0], [0.46, 0.23, 0.31]]:
            call("general_cosine", m, a=a)


if __name__ == "__main__":
    chapter = Torch("signals", 4)
    for part in [transforms, short, windows]:
        part(chapter)
    chapter.save()
