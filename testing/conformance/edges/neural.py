"""Records what torch answers to functions of neural networks that no document names: torch/*.json and torch/*.npz.

    python neural.py            # EVERY=1 OUT=folder for all cases
"""
import itertools

import numpy as np
import torch

from chapter import given
from torchchapter import Torch

torch.set_num_threads(1)


def numbers(*shape, start=0, dtype="float64"):
    """Multiples of an eighth from -2 to 2, of which neighbours differ."""
    n = int(np.prod(shape, dtype=int))
    return (((np.arange(n) + start) * 37 % 33 - 16) / 8).reshape(shape).astype(dtype)


def labels(classes, *shape, start=0):
    n = int(np.prod(shape, dtype=int))
    return ((np.arange(n) * 5 + start) * 3 % 7 % classes).reshape(shape)


IN_TORCH = ["cdist", "pixel_shuffle", "pixel_unshuffle", "conv_transpose2d"]


class Neural(Torch):
    """Cases of functions of torch.nn.functional, whose arguments are given by their names."""

    def case(self, name, /, **args):
        module = "" if name in IN_TORCH or name.startswith("fake") else "nn.functional."
        super().case(module + name, places=0, **args)


def attention():
    c = Neural("attention", 4)
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


def losses():
    c = Neural("losses", 2)
    for shape, dtype in itertools.product([(3, 4), (2, 3, 2), (4,)], ["float64", "float32"]):
        x = numbers(*shape, dtype=dtype)
        classes = shape[min(1, len(shape) - 1)]
        t = labels(classes, *[n for k, n in enumerate(shape) if k != min(1, len(shape) - 1)])
        p = np.abs(numbers(*shape, start=3, dtype=dtype))
        w = np.arange(1, classes + 1).astype(dtype) / 2
        for reduction, weight, ignore, smooth in itertools.product(["none", "sum", "mean"], [None, w], [None, 1], [None, 0.25]):
            both = given(reduction=reduction, weight=weight)
            c.case("cross_entropy", input=x, target=t, **both, **given(ignore_index=ignore, label_smoothing=smooth))
            if len(shape) > 1:
                c.case("cross_entropy", input=x, target=p, **both, **given(label_smoothing=smooth))
            if smooth is None:
                c.case("nll_loss", input=x, target=t, **both, **given(ignore_index=ignore))
        for reduction in ["none", "sum", "mean"]:
            for logs, full in itertools.product([True, False], [True, False]):
                c.case("poisson_nll_loss", input=x if logs else p, target=np.floor(2 * p), log_input=logs, full=full, reduction=reduction)
            for weight, positive in itertools.product([None, p[:1]], [None, numbers(*shape[-1:], start=6, dtype=dtype) + 3]):
                c.case("binary_cross_entropy_with_logits", input=x, target=p / 2, reduction=reduction, **given(weight=weight, pos_weight=positive))
            if len(shape) == 2:
                for power, margin, weight in itertools.product([1, 2], [1.0, 0.5], [None, w]):
                    c.case("multi_margin_loss", input=x, target=t, p=power, margin=margin, reduction=reduction, **given(weight=weight))
                c.case("multilabel_margin_loss", input=x, target=np.array([[1, 3, -1, 0], [-1, 2, 2, 2], [0, 1, 2, 3]]), reduction=reduction)
        for reduction, logs in itertools.product(["none", "sum", "mean", "batchmean"], [True, False]):
            c.case("kl_div", input=x, target=x / 2 if logs else np.maximum(x, 0), log_target=logs, reduction=reduction)
    c.save()


def distances():
    c = Neural("distances", 1)
    for dtype in ["float64", "float32"]:
        x = numbers(2, 4, dtype=dtype)
        for name in ["hardshrink", "softshrink"]:
            for least in [None, 1.0, 0.0]:
                c.case(name, input=x, **given(lambd=least))
        c.case("hardswish", input=2 * x)
        c.case("hardswish", input=np.array([-3, 3, -4, 4, 0, np.inf, np.nan], dtype))
        c.case("glu", input=x)
        c.case("glu", input=x, dim=0)
        for shape, other in [((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1, 3), (4, 3)), ((3,), (3,))]:
            a, b = numbers(*shape, dtype=dtype), numbers(*other, start=7, dtype=dtype)
            for p, keep in itertools.product([None, 1.0, 3.0, np.inf, 0.0], [None, True]):
                c.case("pairwise_distance", x1=a, x2=b, **given(p=p, keepdim=keep))
            for dim, eps in itertools.product([-1, 0] + [1] * (max(a.ndim, b.ndim) > 1), [None, 2.0]):
                c.case("cosine_similarity", x1=a, x2=b, dim=dim, **given(eps=eps))
        for shape, other in [((2, 3), (4, 3)), ((2, 2, 3), (4, 3)), ((30, 2), (27, 2))]:
            for p in [None, 1.0, 3.0, np.inf, 0.0]:
                if len(shape) == 3 or shape[0] < 9 or p is None:
                    c.case("cdist", x1=numbers(*shape, dtype=dtype), x2=numbers(*other, start=7, dtype=dtype), **given(p=p))
        for p, n in itertools.product([None, 1.0, 3.0, np.inf, 0.0], [4, 1]):
            c.case("pdist", input=numbers(n, 2, dtype=dtype), **given(p=p))
    c.save()


def rounding():
    c = Neural("rounding", 4)
    for shape, bounds in itertools.product([(2, 3), (3,), (2, 3, 4), (0, 3)], [(-8, 7), (0, 15), (-128, 127)]):
        x = numbers(*shape, dtype="float32")
        bounds = dict(zip(["quant_min", "quant_max"], bounds))
        for scale, zero in itertools.product([0.3, 0.01], [0, 5]):
            c.case("fake_quantize_per_tensor_affine", input=x, scale=scale, zero_point=zero, **bounds)
        for axis in range(len(shape)):
            n = shape[axis]
            if n > 0:  # torch wants scales, and zeros within the bounds
                c.case("fake_quantize_per_channel_affine", input=x, scale=(np.arange(n) + 1).astype("float32") / 7,
                       zero_point=np.arange(n).astype("int32") * 2, axis=axis, **bounds)
    c.save()


def pooling():
    c = Neural("pooling", 1)
    for dtype in ["float64", "float32"]:
        x = numbers(2, 5, 7, dtype=dtype)
        for size in [1, 2, 3, 4, 7, 9]:
            c.case("adaptive_avg_pool1d", input=x, output_size=size)
            for other in [1, 2, 5]:
                c.case("adaptive_avg_pool2d", input=x, output_size=[other, size])
                c.case("adaptive_max_pool2d_with_indices", input=x, output_size=[other, size])
            c.case("adaptive_max_pool3d", input=numbers(1, 3, 4, 3, dtype=dtype), output_size=[2, min(size, 3), 2])
        for kernel, stride, pad, dilation in itertools.product([2, [2, 3]], [None, 1, [2, 1]], [0, 1], [1, 2, [2, 1], 3]):
            if not (dilation == 3 and kernel != 2):
                c.case("max_pool2d", input=numbers(1, 6, 8, dtype=dtype), kernel_size=kernel, padding=pad, dilation=dilation, **given(stride=stride))
        for shape, last in itertools.product([(2, 3), (2, 2, 2)], [1, 2]):
            x = numbers(*shape, dtype=dtype)
            for weight, eps in itertools.product([None, numbers(*shape[-last:], start=4, dtype=dtype)], [None, 0.5]):
                c.case("rms_norm", input=x, normalized_shape=list(shape[-last:]), **given(weight=weight, eps=eps))
        rows, at = numbers(5, 2, dtype=dtype), labels(5, 2, 3)
        for padding in [None, 0, -1]:
            c.case("embedding", input=at, weight=rows, **given(padding_idx=padding))
            for mode, share in [("sum", None), ("mean", None), ("max", None), ("sum", numbers(2, 3, start=2, dtype=dtype))]:
                more = given(padding_idx=padding, mode=mode)
                c.case("embedding_bag", input=at, weight=rows, **more, **given(per_sample_weights=share))
                share = None if share is None else share.reshape(-1)
                c.case("embedding_bag", input=at.reshape(-1), weight=rows, offsets=np.array([0, 2, 2]), **more, **given(per_sample_weights=share))
                c.case("embedding_bag", input=at.reshape(-1), weight=rows, offsets=np.array([0, 4, 6]), include_last_offset=True, **more, **given(per_sample_weights=share))
        for kernel, dilation, pad, stride in itertools.product([2, [1, 2]], [1, [2, 1]], [0, 1], [1, [1, 2]]):
            options = dict(kernel_size=kernel, dilation=dilation, padding=pad, stride=stride)
            y = torch.nn.functional.unfold(torch.zeros(1, 2, 4, 3), **options)
            c.case("unfold", input=numbers(1, 2, 4, 3, dtype=dtype), **options)
            c.case("fold", input=numbers(*y.shape, dtype=dtype), output_size=[4, 3], **options)
        for shape, kernel, size in [((2, 2, 7, 6), 2, [3, 4]), ((1, 3, 5, 9), [2, 3], [4, 1]), ((2, 8, 8), 3, 5), ((1, 2, 5, 6, 5), 2, [3, 2, 3]), ((1, 2, 4, 4, 5), [1, 2, 3], 2)]:
            axes = 3 if len(shape) == 5 else 2
            samples = np.abs(numbers(*(shape[:-axes] if len(shape) > axes + 1 else (1,) + shape[:1]), axes, start=3, dtype=dtype)) / 2.1
            for name in ["", "_with_indices"]:
                c.case("fractional_max_pool%dd%s" % (axes, name), input=numbers(*shape, dtype=dtype), kernel_size=kernel, output_size=size, _random_samples=samples)
        c.case("pixel_shuffle", input=numbers(1, 8, 1, 2, dtype=dtype), upscale_factor=2)
        c.case("pixel_unshuffle", input=numbers(1, 2, 4, 2, dtype=dtype), downscale_factor=2)
        for stride, dilation, more, pad in itertools.product([1, [1, 2]], [[3, 2]], [0, 1, [2, 1]], [0, 1]):
            c.case("conv_transpose2d", input=numbers(1, 2, 2, 2, dtype=dtype), weight=numbers(2, 1, 2, 2, start=3, dtype=dtype), stride=stride, dilation=dilation,
                   output_padding=more, padding=pad)
    c.save()


def images():
    """No factor keeps a length: torch then copies the axis, on the CPU."""
    c = Neural("images", 8)
    for dtype, shape in itertools.product(["float64", "float32"], [(1, 2, 5), (1, 2, 4, 5), (1, 1, 3, 4, 3)]):
        x = numbers(*shape, dtype=dtype)
        axes = len(shape) - 2
        linear = ["linear", "bilinear", "trilinear"][axes - 1]
        for mode, by, align in itertools.product(["nearest", "nearest-exact", linear] + ["bicubic"] * (axes == 2), [1.4, 2.0, 0.6, 2.7, "sizes"], [None, True]):
            if align and mode.startswith("nearest"):
                continue
            sizes = given(size=[7, 3, 4][:axes]) if by == "sizes" else given(scale_factor=by)
            c.case("interpolate", input=x, mode=mode, **sizes, **given(align_corners=align))
            if by != "sizes":
                c.case("interpolate", input=x, mode=mode, recompute_scale_factor=True, **sizes, **given(align_corners=align))
    for dtype, shape, mode in itertools.product(["float64", "float32"], [(1, 2, 4, 5), (2, 1, 1, 3), (1, 1, 3, 2, 4)], ["bicubic", "bilinear"]):
        axes = len(shape) - 2
        if mode == "bicubic" and axes == 3:
            continue
        grid = numbers(shape[0], *[3, 2, 2][:axes], axes, start=4, dtype=dtype) * 1.7 / 2 + 0.01
        for padding, align in itertools.product([None, "border", "reflection"], [None, True]):
            c.case("grid_sample", input=numbers(*shape, dtype=dtype), grid=grid, mode=mode, **given(padding_mode=padding), align_corners=bool(align))
    c.save()


if __name__ == "__main__":
    for chapter in [attention, losses, distances, pooling, rounding, images]:
        chapter()
