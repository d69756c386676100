"""Records what torch answers to functions of neural networks that no document names: torch/*.json and torch/*.npz.

    python neural.py            # EVERY=1 OUT=folder for all cases
"""
import itertools

import numpy as np
import torch

from chapter import Chapter, given

torch.set_num_threads(1)


def numbers(*shape, start=0, dtype="float64"):
    """Multiples of an eighth from -2 to 2, of which neighbours differ."""
    n = int(np.prod(shape, dtype=int))
    return (((np.arange(n) + start) * 37 % 33 - 16) / 8).reshape(shape).astype(dtype)


def labels(classes, *shape, start=0):
    n = int(np.prod(shape, dtype=int))
    return ((np.arange(n) * 5 + start) * 3 % 7 % classes).reshape(shape)


class Torch(Chapter):
    """Cases of functions of torch.nn.functional, whose arguments are given by their names."""

    system, version = "torch", torch.__version__.split("+")[0]

    def case(self, name, /, **args):
        function = getattr(torch.nn.functional, name)

        def call(*_, **named):
            named = {k: torch.tensor(v) if isinstance(v, np.ndarray) else v for k, v in named.items()}
            result = function(**named)
            return tuple(x.numpy() for x in result) if isinstance(result, tuple) else result.numpy()

        super().case("torch.nn.functional." + name, call, places=0, **args)


def attention():
    c = Torch("attention", 6)
    mask = np.array([[1, 0, 1, 1], [0, 0, 0, 0], [1, 1, 0, 1]], bool)
    for dtype, batch in itertools.product(["float64", "float32"], [(), (2,), (2, 1)]):
        q, k, v = numbers(*batch, 3, 2, dtype=dtype), numbers(*batch, 4, 2, start=5, dtype=dtype), numbers(*batch, 4, 3, start=9, dtype=dtype)
        for scale, (masked, causal) in itertools.product([None, 0.5], [(None, False), (None, True), (mask, False), (mask[:1], False), (numbers(3, 4, dtype=dtype), False), (mask, True)]):
            if batch or masked is None:
                c.case("scaled_dot_product_attention", query=q, key=k, value=v, **given(attn_mask=masked, is_causal=causal or None, scale=scale))
        for heads, causal in itertools.product([2, 4], [False, True]):
            args = {"query": numbers(1, heads, 3, 2, dtype=dtype), "key": numbers(1, 2, 4, 2, start=5, dtype=dtype), "value": numbers(1, 2, 4, 3, start=9, dtype=dtype)}
            for masked in [None, mask] if not causal else [None]:
                c.case("scaled_dot_product_attention", **args, enable_gqa=True, **given(is_causal=causal or None, attn_mask=masked))
    c.save()


if __name__ == "__main__":
    for chapter in [attention]:
        chapter()
