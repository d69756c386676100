"""The peers of bench/compare: the same cases in NumPy and PyTorch, timed on request.

Started as  python peer.py LIBRARY THREADS ; it answers lines on standard input with lines of JSON:

  about            versions, the instructions that are used, what NumPy's products run on
  setup NAME       prepares a case: {"known": bool}
  time SECONDS     samples of the prepared case for about so long: {"ns": median of one operation}
  repeat N         runs the prepared case so often
  memory           {"bytes": the largest resident size so far}
"""
import ctypes
import json
import math
import os
import re
import sys
import time

library, threads = sys.argv[1], int(sys.argv[2])
# Settings of somebody's shell would slow the peer down; the number of threads must be known before the import.
for name in [n for n in os.environ if n.startswith(("OPENBLAS_", "MKL_", "ATEN_"))]:
    del os.environ[name]
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = str(threads)

import numpy as np

if library == "torch":
    import torch
    import torch.nn as nn
    import torch.nn.functional as F

    torch.set_num_threads(threads)
else:
    from scipy import special

rng = np.random.default_rng(0)
cases = {}  # name -> (setup, operations a call, wants gradients)


def single(*shape, low=-1.0, high=1.0):
    return np.asarray(rng.random(shape, dtype=np.float32) * np.float32(high - low) + np.float32(low), np.float32)


def double(*shape, low=-1.0, high=1.0):
    return single(*shape, low=low, high=high).astype(np.float64)


def numbers(dtype):
    return double if dtype == "f64" else single


def whole(limit, *shape):
    return rng.integers(0, limit, shape)


def ready(x):
    """x as the library has it."""
    if library == "torch" and isinstance(x, np.ndarray):
        return torch.from_numpy(x)
    return x


def case(name, operands, numpy=None, torch=None, per=1, gradients=False):
    """A case: operands() makes arrays, and the library's function of them is timed."""
    f = numpy if library == "numpy" else torch
    if f is None:
        return

    def setup():
        xs = [ready(x) for x in operands()]
        return lambda: f(*xs)

    cases[name] = setup, per, gradients


def made(name, torch=None, numpy=None, per=1, gradients=False):
    """A case whose setup returns what is timed."""
    f = numpy if library == "numpy" else torch
    if f is not None:
        cases[name] = f, per, gradients


# ---- matrix products

def products():
    def mm(name, a, b):
        def setup_numpy():
            x, y = a(), b()
            out = np.matmul(x, y)
            return lambda: np.matmul(x, y, out=out)

        def setup_torch():
            x, y = ready(a()), ready(b())
            out = torch.matmul(x, y)
            return lambda: torch.matmul(x, y, out=out)

        made(name, numpy=setup_numpy, torch=setup_torch)

    for n in (32, 64, 128, 256, 512, 1024, 2048):
        for dtype in ("f32", "f64") if n in (256, 1024) else ("f32",):
            make = numbers(dtype)
            mm(f"matmul/square/{n}/{dtype}", lambda n=n, make=make: make(n, n), lambda n=n, make=make: make(n, n))
    mm("matmul/nt/1024x1024x1024/f32", lambda: single(1024, 1024), lambda: single(1024, 1024).T)
    mm("matmul/tn/1024x1024x1024/f32", lambda: single(1024, 1024).T, lambda: single(1024, 1024))
    for m, k, n in ((100, 784, 1000), (64, 9216, 128), (1600, 256, 1024), (32, 256, 1024)):
        mm(f"matmul/rect/{m}x{k}x{n}/f32", lambda m=m, k=k: single(m, k), lambda k=k, n=n: single(k, n))
    mm("matmul/batched/64x128x128/f32", lambda: single(64, 128, 128), lambda: single(64, 128, 128))
    mm("matmul/matvec/4096/f32", lambda: single(4096, 4096), lambda: single(4096))
    case("matmul/dot/1e6/f32", lambda: [single(10**6), single(10**6)], numpy=np.dot, torch=lambda a, b: torch.dot(a, b))


# ---- elementwise

SIZES = (("1e3", 1000), ("1e6", 10**6), ("1.6e7", 16 * 10**6))


def elementwise():
    half, root = np.float32(0.5), np.float32(math.sqrt(0.5))

    def fma(a, b, c, out):
        np.multiply(a, b, out=out)
        return np.add(out, c, out=out)

    def power(x, out=None):
        return np.power(x, np.float32(2.5), out=out)

    t = library == "torch" and torch
    # name, operands, range, dtypes, numpy fresh, numpy with out, torch fresh, torch with out
    table = [
        ("add", 2, -1, 1, "f32 f64", np.add, np.add, t and torch.add, t and torch.add),
        ("mul", 2, -1, 1, "f32", np.multiply, np.multiply, t and torch.mul, t and torch.mul),
        ("div", 2, 1, 2, "f32", np.divide, np.divide, t and torch.div, t and torch.div),
        ("muladd", 3, -1, 1, "f32", lambda a, b, c: a * b + c, fma,
         lambda a, b, c: a * b + c, lambda a, b, c, out: torch.addcmul(c, a, b, out=out)),
        ("maximum", 2, -1, 1, "f32", np.maximum, np.maximum, t and torch.maximum, t and torch.maximum),
        ("greater", 2, -1, 1, "f32", np.greater, None, t and torch.gt, None),
        ("exp", 1, -8, 8, "f32 f64", np.exp, np.exp, t and torch.exp, t and torch.exp),
        ("log", 1, 0.01, 10, "f32", np.log, np.log, t and torch.log, t and torch.log),
        ("tanh", 1, -4, 4, "f32", np.tanh, np.tanh, t and torch.tanh, t and torch.tanh),
        ("sin", 1, -4, 4, "f32", np.sin, np.sin, t and torch.sin, t and torch.sin),
        ("sigmoid", 1, -8, 8, "f32", not t and special.expit, not t and special.expit, t and torch.sigmoid, t and torch.sigmoid),
        ("gelu", 1, -4, 4, "f32", lambda x: half * x * (1 + special.erf(x * root)), None, t and F.gelu, None),
        ("relu", 1, -1, 1, "f32", lambda x: np.maximum(x, np.float32(0)), lambda x, out: np.maximum(x, np.float32(0), out=out),
         t and torch.relu, lambda x, out: torch.clamp_min(x, 0, out=out)),
        ("sqrt", 1, 0.01, 10, "f32", np.sqrt, np.sqrt, t and torch.sqrt, t and torch.sqrt),
        ("pow", 2, 0.01, 2, "f32", np.power, np.power, t and torch.pow, t and torch.pow),
        ("powscalar2.5", 1, 0.01, 2, "f32", power, power, lambda x: x**2.5, lambda x, out: torch.pow(x, 2.5, out=out)),
    ]
    for name, count, low, high, dtypes, numpy_fresh, numpy_out, torch_fresh, torch_out in table:
        for size, n in SIZES:
            for dtype in dtypes.split():
                def operands(n=n, dtype=dtype, count=count, low=low, high=high):
                    return [numbers(dtype)(n, low=low, high=high) for _ in range(count)]

                case(f"ew/{name}/{size}/{dtype}", operands, numpy_fresh, torch_fresh)
                f = numpy_out if library == "numpy" else torch_out
                if f:
                    def setup(f=f, operands=operands):
                        xs = [ready(x) for x in operands()]
                        out = ready(np.empty_like(operands()[0]))
                        return lambda: f(*xs, out=out)

                    made(f"ew_out/{name}/{size}/{dtype}", setup, setup)


def broadcasting():
    pairs = {
        "add_row/1000x1000": lambda: (single(1000, 1000), single(1000)),
        "add_col/1000x1000": lambda: (single(1000, 1000), single(1000, 1)),
        "add_transposed/1000x1000": lambda: (single(1000, 1000).T, single(1000, 1000)),
        "add_transposed/4096x4096": lambda: (single(4096, 4096).T, single(4096, 4096)),
        "add_strided2/2000000": lambda: (single(2000000)[::2], single(2000000)[::2]),
        "add_stridedrows/1000x1000of2000": lambda: (single(1000, 2000)[:, ::2], single(1000, 2000)[:, 1::2]),
        "add_subblock/1000x1000of2000": lambda: (single(1000, 2000)[:, :1000], single(1000, 2000)[:, 1000:]),
        "add_channel/32x64x56x56": lambda: (single(32, 64, 56, 56), single(1, 64, 1, 1)),
    }
    for name, make in pairs.items():
        case(f"bcast/{name}/f32", make, numpy=lambda a, b: a + b, torch=lambda a, b: a + b)

        def setup(make=make):
            a, b = make()
            out = ready(np.empty(np.broadcast_shapes(a.shape, b.shape), np.float32))
            a, b, add = ready(a), ready(b), np.add if library == "numpy" else torch.add
            return lambda: add(a, b, out=out)

        made(f"bcast_out/{name}/f32", setup, setup)


# ---- reductions

def reductions():
    def one(name, make, numpy=None, torch=None):
        case("red/" + name, lambda: [make()], numpy, torch)

    def square():
        return single(4096, 4096)

    for dtype in ("f32", "f64"):
        one(f"sum_all/4096x4096/{dtype}", lambda dtype=dtype: numbers(dtype)(4096, 4096), lambda x: x.sum(), lambda x: x.sum())
    one("sum_all/1e3/f32", lambda: single(1000), lambda x: x.sum(), lambda x: x.sum())
    one("sum_all/1e6/f32", lambda: single(10**6), lambda x: x.sum(), lambda x: x.sum())
    one("sum_axis0/4096x4096/f32", square, lambda x: x.sum(0), lambda x: x.sum(0))
    one("sum_axis1/4096x4096/f32", square, lambda x: x.sum(1), lambda x: x.sum(1))
    one("sum_axis02/32x64x3136/f32", lambda: single(32, 64, 3136), lambda x: x.sum((0, 2)), lambda x: x.sum((0, 2)))
    one("mean_axis1/4096x4096/f32", square, lambda x: x.mean(1), lambda x: x.mean(1))
    one("max_all/4096x4096/f32", square, lambda x: x.max(), lambda x: x.max())
    one("max_axis1/4096x4096/f32", square, lambda x: x.max(1), lambda x: x.amax(1))
    one("argmax_all/4096x4096/f32", square, lambda x: x.argmax(), lambda x: x.argmax())
    one("argmax_axis1/4096x4096/f32", square, lambda x: x.argmax(1), lambda x: x.argmax(1))
    one("var_axis1/4096x4096/f32", square, lambda x: x.var(1), lambda x: x.var(1, unbiased=False))
    one("norm_all/1e6/f32", lambda: single(10**6), np.linalg.norm, lambda x: torch.linalg.norm(x))
    one("cumsum/1e6/f32", lambda: single(10**6), lambda x: x.cumsum(), lambda x: x.cumsum(0))
    one("cumsum_axis0/4096x4096/f32", square, lambda x: x.cumsum(0), lambda x: x.cumsum(0))
    one("cumsum_axis1/4096x4096/f32", square, lambda x: x.cumsum(1), lambda x: x.cumsum(1))


# ---- networks

def forth_and_back(name, operands, f, seed):
    """A case of f and its gradients with respect to all operands, from a gradient of ones."""

    def setup():
        xs = [ready(x).requires_grad_() for x in operands()]
        ones = torch.ones(seed)

        def run():
            for x in xs:
                x.grad = None
            f(*xs).backward(ones)

        return run

    made(name, torch=setup, gradients=True)


def networks():
    def softmax(x):
        e = np.exp(x - x.max(-1, keepdims=True))
        e /= e.sum(-1, keepdims=True)
        return e

    def log_softmax(x):
        z = x - x.max(-1, keepdims=True)
        return z - np.log(np.exp(z).sum(-1, keepdims=True))

    for rows, columns in ((4096, 1000), (64, 50000)):
        def make(rows=rows, columns=columns):
            return [single(rows, columns)]

        case(f"nn/softmax/{rows}x{columns}/f32", make, softmax, lambda x: torch.softmax(x, -1))
        case(f"nn/log_softmax/{rows}x{columns}/f32", make, log_softmax, lambda x: torch.log_softmax(x, -1))

    eps = np.float32(1e-5)

    def layer(x, gamma, beta):
        d = x - x.mean(-1, keepdims=True)
        return d / np.sqrt((d * d).mean(-1, keepdims=True) + eps) * gamma + beta

    def layer_operands():
        return [single(4096, 1024), single(1024), single(1024)]

    case("nn/layer_norm/4096x1024/f32", layer_operands, layer, lambda x, gamma, beta: F.layer_norm(x, (1024,), gamma, beta))
    forth_and_back("nn/layer_norm_fwdbwd/4096x1024/f32", layer_operands,
                   lambda x, gamma, beta: F.layer_norm(x, (1024,), gamma, beta), (4096, 1024))

    def batch_numpy(x, gamma, beta):
        axes, shape = (0, 2, 3), (1, 64, 1, 1)
        scale = gamma.reshape(shape) / np.sqrt(x.var(axes, keepdims=True) + eps)
        return (x - x.mean(axes, keepdims=True)) * scale + beta.reshape(shape)

    def batch_operands():
        return [single(32, 64, 56, 56), single(64), single(64)]

    running = library == "torch" and (torch.zeros(64), torch.ones(64))
    case("nn/batch_norm_train/32x64x56x56/f32", batch_operands, batch_numpy,
         lambda x, gamma, beta: F.batch_norm(x, *running, gamma, beta, True))
    forth_and_back("nn/batch_norm_fwdbwd/32x64x56x56/f32", batch_operands,
                   lambda x, gamma, beta: F.batch_norm(x, None, None, gamma, beta, True), (32, 64, 56, 56))

    def entropy():
        x, labels = ready(single(4096, 1000)).requires_grad_(), ready(whole(1000, 4096))

        def run():
            x.grad = None
            F.cross_entropy(x, labels).backward()

        return run

    made("nn/cross_entropy_fwdbwd/4096x1000/f32", torch=entropy, gradients=True)
    case("nn/dropout/1e6/f32", lambda: [single(10**6)], torch=lambda x: F.dropout(x, 0.5, True))

    case("nn/attention_fwd/B8_H8_T256_D64/f32", lambda: [single(8, 8, 256, 64) for _ in range(3)],
         torch=lambda q, k, v: F.scaled_dot_product_attention(q, k, v))


def convolutions():
    for name, batch, channels, side, maps, kernel, stride, pad, groups in (
        ("k3_64", 32, 64, 56, 64, 3, 1, 1, 1),
        ("k7s2_3to64", 32, 3, 224, 64, 7, 2, 3, 1),
        ("dw3_128", 32, 128, 28, 128, 3, 1, 1, 128),
        ("k1_256", 32, 256, 28, 256, 1, 1, 0, 1),
        ("k3_512", 32, 512, 7, 512, 3, 1, 1, 1),
        ("mnist_k3_32to64", 64, 32, 26, 64, 3, 1, 0, 1),
    ):
        out = (side + 2 * pad - kernel) // stride + 1
        size = f"{batch}x{channels}x{side}x{side}/f32"

        def operands(batch=batch, channels=channels, side=side, maps=maps, kernel=kernel, groups=groups, out=out):
            return [single(batch, channels, side, side), single(maps, channels // groups, kernel, kernel), single(batch, maps, out, out)]

        case(f"conv2d/{name}_fwd/{size}", operands, torch=lambda x, w, g, s=stride, p=pad, n=groups: F.conv2d(x, w, None, s, p, 1, n))
        for part, wanted in (("bwd_input", [True, False, False]), ("bwd_weight", [False, True, False])):
            case(f"conv2d/{name}_{part}/{size}", operands,
                 torch=lambda x, w, g, s=stride, p=pad, n=groups, wanted=wanted: torch.ops.aten.convolution_backward(
                     g, x, w, None, [s, s], [p, p], [1, 1], False, [0, 0], n, wanted))
    case("conv2d/transpose_k4s2_fwd/32x64x28x28/f32", lambda: [single(32, 64, 28, 28), single(64, 32, 4, 4)],
         torch=lambda x, w: F.conv_transpose2d(x, w, None, 2, 1))
    case("conv1d/k3_64_fwd/32x64x1000/f32", lambda: [single(32, 64, 1000), single(64, 64, 3)],
         torch=lambda x, w: F.conv1d(x, w, None, 1, 1))

    def pooled():
        return [single(32, 64, 112, 112)]

    case("pool/max3s2_fwd/32x64x112x112/f32", pooled, torch=lambda x: F.max_pool2d(x, 3, 2, 1))
    forth_and_back("pool/max3s2_fwdbwd/32x64x112x112/f32", pooled, lambda x: F.max_pool2d(x, 3, 2, 1), (32, 64, 56, 56))
    case("pool/avg2s2_fwd/32x64x112x112/f32", pooled, torch=lambda x: F.avg_pool2d(x, 2, 2))


def recurrent():
    def forward():
        cell, x = nn.LSTM(256, 256), ready(single(50, 32, 256))
        return lambda: cell(x)

    def both():
        cell, x = nn.LSTM(256, 256), ready(single(50, 32, 256))

        def run():
            cell.zero_grad(set_to_none=True)
            cell(x)[0].sum().backward()

        return run

    made("rnn/lstm_fwd/T50_B32_I256_H256/f32", torch=forward)
    made("rnn/lstm_fwdbwd/T50_B32_I256_H256/f32", torch=both, gradients=True)


# ---- indexing, sorting, layout

def indexing():
    case("index/embedding/50000x256_take8192/f32", lambda: [single(50000, 256), whole(50000, 8192)],
         lambda w, i: w[i], lambda w, i: F.embedding(i, w))
    case("index/gather_axis1/4096x1024/f32", lambda: [single(4096, 1024), whole(1024, 4096, 1024)],
         lambda x, i: np.take_along_axis(x, i, 1), lambda x, i: torch.gather(x, 1, i))
    case("index/scatter_add/1e6into1e5/f32", lambda: [np.zeros(10**5, np.float32), whole(10**5, 10**6), single(10**6)],
         np.add.at, lambda x, i, v: x.scatter_add_(0, i, v))
    case("index/index_add_rows/8192x256into50000/f32",
         lambda: [np.zeros((50000, 256), np.float32), whole(50000, 8192), single(8192, 256)],
         np.add.at, lambda x, i, v: x.index_add_(0, i, v))
    case("index/boolmask/1e6/f32", lambda: [single(10**6), rng.random(10**6) < 0.5], lambda x, m: x[m], lambda x, m: x[m])
    case("index/where/1e6/f32", lambda: [rng.random(10**6) < 0.5, single(10**6), single(10**6)],
         np.where, lambda c, a, b: torch.where(c, a, b))

    def one_hot(i):
        out = np.zeros((65536, 100), np.float32)
        out[np.arange(65536), i] = 1
        return out

    case("index/one_hot/65536x100/f32", lambda: [whole(100, 65536)], one_hot, lambda i: F.one_hot(i, 100))

    def vector():
        return [single(10**6)]

    case("sort/sort/1e6/f32", vector, np.sort, lambda x: torch.sort(x))
    case("sort/argsort/1e6/f32", vector, np.argsort, lambda x: torch.argsort(x))
    case("sort/topk10/1e6/f32", vector, lambda x: np.argpartition(x, -10)[-10:], lambda x: torch.topk(x, 10))
    case("sort/topk5/64x50000/f32", lambda: [single(64, 50000)], torch=lambda x: torch.topk(x, 5, -1))


def layout():
    def copied(name, make, numpy, torch):
        def setup():
            x = make()
            source = ready(x)
            if library == "numpy":
                x = numpy(x)
                out = np.empty(x.shape, np.float32)
                return lambda: np.copyto(out, x)
            source = torch(source)
            out = source.new_empty(source.shape)
            return lambda: out.copy_(source)

        made(name, setup, setup)

    copied("layout/transpose_copy/4096x4096/f32", lambda: single(4096, 4096), lambda x: x.T, lambda x: x.t())
    copied("layout/nchw_to_nhwc/32x64x56x56/f32", lambda: single(32, 64, 56, 56), lambda x: x.transpose(0, 2, 3, 1),
           lambda x: x.permute(0, 2, 3, 1))
    copied("layout/copy/1.6e7/f32", lambda: single(16 * 10**6), lambda x: x, lambda x: x)
    for axis in (0, 1):
        case(f"layout/concat_axis{axis}/4x1024x1024/f32", lambda: [single(1024, 1024) for _ in range(4)],
             lambda *xs, axis=axis: np.concatenate(xs, axis), lambda *xs, axis=axis: torch.cat(xs, axis))
    case("layout/cast_u8_f32/1e6/f32", lambda: [whole(255, 10**6).astype(np.uint8)],
         lambda x: x.astype(np.float32), lambda x: x.to(torch.float32))
    for size, n in SIZES:
        case(f"alloc/zeros/{size}/f32", list, lambda n=n: np.zeros(n, np.float32), lambda n=n: torch.zeros(n))
        case(f"alloc/full/{size}/f32", list, lambda n=n: np.full(n, 1, np.float32), lambda n=n: torch.full((n,), 1.0))


# ---- random numbers, factorisations

def others():
    generator = np.random.default_rng(1)
    case("random/normal/1e6/f32", list, lambda: generator.standard_normal(10**6, dtype=np.float32), lambda: torch.randn(10**6))
    case("random/uniform/1e6/f32", list, lambda: generator.random(10**6, dtype=np.float32), lambda: torch.rand(10**6))

    def definite(n):
        a = double(n, n)
        return a @ a.T + n * np.eye(n)

    la, ta = np.linalg, library == "torch" and torch.linalg
    case("linalg/solve/1024/f64", lambda: [definite(1024), double(1024, 1)], la.solve, ta and ta.solve)
    case("linalg/cholesky/1024/f64", lambda: [definite(1024)], la.cholesky, ta and ta.cholesky)
    case("linalg/inv/512/f64", lambda: [definite(512)], la.inv, ta and ta.inv)
    case("linalg/qr/512/f64", lambda: [double(512, 512)], la.qr, ta and ta.qr)
    case("linalg/svd/256/f64", lambda: [double(256, 256)], la.svd, ta and ta.svd)
    case("linalg/eigh/256/f64", lambda: [definite(256)], la.eigh, ta and ta.eigh)
    case("fft/fft/2^20/c128", lambda: [double(1 << 20).astype(np.complex128)], np.fft.fft)
    case("fft/rfft/2^20/f64", lambda: [double(1 << 20)], np.fft.rfft)


# ---- dispatch

def dispatch():
    def thousand(name, operands, numpy, torch):
        f = numpy if library == "numpy" else torch

        def setup():
            xs = [ready(x) for x in operands()]
            times = range(1000)

            def run():
                for _ in times:
                    f(*xs)

            return run

        made("dispatch/" + name + "/f32", setup, setup, per=1000)

    def add(a, b):
        return a + b

    def table():
        return [single(100, 100)]

    thousand("scalar0d_add", lambda: [single(), single()], add, add)
    thousand("add10", lambda: [single(10), single(10)], add, add)
    thousand("add10_out", lambda: [single(10), single(10), single(10)], lambda a, b, o: np.add(a, b, out=o), lambda a, b, o: torch.add(a, b, out=o))
    thousand("add3x4_row", lambda: [single(3, 4), single(4)], add, add)
    thousand("sum10", lambda: [single(10)], lambda x: x.sum(), lambda x: x.sum())
    thousand("slice", table, lambda x: x[10:20, ::2], lambda x: x[10:20, ::2])
    thousand("reshape", table, lambda x: x.reshape(10, 1000), lambda x: x.reshape(10, 1000))
    thousand("getitem", table, lambda x: x[3, 4], lambda x: x[3, 4].item())
    thousand("matmul4x4", lambda: [single(4, 4), single(4, 4)], lambda a, b: a @ b, lambda a, b: a @ b)

    def recorded():
        a, b = ready(single(10)).requires_grad_(), ready(single(10))

        def run():
            for _ in range(1000):
                a + b

        return run

    def chain(count, f):
        def setup():
            a, b = ready(single(10)).requires_grad_(), ready(single(10))

            def run():
                a.grad = None
                x = a
                for _ in range(count):
                    x = f(x, b)
                x.backward(b)

            return run

        return setup

    made("dispatch/add10_record_grad/f32", torch=recorded, per=1000, gradients=True)
    made("dispatch/chain1000_add10_fwdbwd_per_op/f32", torch=chain(1000, add), per=1000, gradients=True)
    made("dispatch/chain1000_multanh10_fwdbwd_per_op/f32", torch=chain(500, lambda x, b: (x * b).tanh()), per=1000, gradients=True)


# ---- training

def training():
    def step(name, model, solver, inputs, targets, loss):
        def setup():
            net = model()
            optimizer, x, y = solver(net.parameters()), inputs(), targets()

            def run():
                optimizer.zero_grad(set_to_none=True)
                loss(net(x), y).backward()
                optimizer.step()

            return run

        made(f"e2e/{name}/f32", torch=setup, gradients=True)

    if library == "numpy":
        made("e2e/mlp_784_1000_1000_10_sgd/B100/f32", numpy=mlp_of_numpy)
        return

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.c1, self.c2 = (nn.Conv2d(64, 64, 3, padding=1, bias=False) for _ in range(2))
            self.b1, self.b2 = nn.BatchNorm2d(64), nn.BatchNorm2d(64)

        def forward(self, x):
            return F.relu(x + self.b2(self.c2(F.relu(self.b1(self.c1(x))))))

    class Characters(nn.Module):
        def __init__(self):
            super().__init__()
            self.table, self.cell, self.out = nn.Embedding(100, 64), nn.LSTM(64, 128), nn.Linear(128, 100)

        def forward(self, x):
            return self.out(self.cell(self.table(x))[0]).reshape(1600, 100)

    def sgd(parameters):
        return torch.optim.SGD(parameters, 0.01)

    def adam(parameters):
        return torch.optim.Adam(parameters, 1e-3)

    def floats(*shape):
        return lambda: ready(single(*shape))

    def labels(*shape):
        return lambda: ready(whole(10, *shape))

    step("mlp_784_1000_1000_10_sgd/B100",
         lambda: nn.Sequential(nn.Linear(784, 1000), nn.ReLU(), nn.Linear(1000, 1000), nn.ReLU(), nn.Linear(1000, 10)),
         sgd, floats(100, 784), labels(100), F.cross_entropy)
    step("mnist_convnet_adam/B64",
         lambda: nn.Sequential(nn.Conv2d(1, 32, 3), nn.ReLU(), nn.Conv2d(32, 64, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                               nn.Linear(9216, 128), nn.ReLU(), nn.Linear(128, 10)),
         adam, floats(64, 1, 28, 28), labels(64), F.cross_entropy)
    step("lenet5_adam/B64",
         lambda: nn.Sequential(nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 16, 5), nn.ReLU(),
                               nn.MaxPool2d(2), nn.Flatten(), nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
                               nn.Linear(84, 10)),
         adam, floats(64, 1, 28, 28), labels(64), F.cross_entropy)
    step("resnet_basicblock64_sgdm/16x64x56x56", Block, lambda parameters: torch.optim.SGD(parameters, 0.01, momentum=0.9),
         lambda: ready(single(16, 64, 56, 56)).requires_grad_(), floats(16, 64, 56, 56), F.mse_loss)
    step("transformer_layer256_adam/B8_T128", lambda: nn.TransformerEncoderLayer(256, 4, 1024, 0.0, batch_first=True),
         adam, floats(8, 128, 256), floats(8, 128, 256), F.mse_loss)
    step("charlstm128_adam/T50_B32", Characters, adam, lambda: ready(whole(100, 50, 32)), lambda: ready(whole(100, 1600)), F.cross_entropy)
    step("tiny_mlp_10_32_1_sgd/B16", lambda: nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 1)),
         sgd, floats(16, 10), floats(16, 1), F.mse_loss)


def mlp_of_numpy():
    sizes, rate = (784, 1000, 1000, 10), np.float32(0.01)
    weights = [single(m, n) * np.float32(0.03) for m, n in zip(sizes, sizes[1:])]
    biases = [np.zeros(n, np.float32) for n in sizes[1:]]
    x, labels, rows = single(100, 784), whole(10, 100), np.arange(100)

    def run():
        inputs, h = [], x
        for w, b in zip(weights, biases):
            inputs.append(h)
            z = h @ w + b
            h = np.maximum(z, 0)
        d = np.exp(z - z.max(-1, keepdims=True))
        d /= d.sum(-1, keepdims=True)
        d[rows, labels] -= 1
        d /= np.float32(100)
        for k in (2, 1, 0):
            below = d @ weights[k].T if k else None
            weights[k] -= rate * (inputs[k].T @ d)
            biases[k] -= rate * d.sum(0)
            if k:
                below *= inputs[k] > 0
                d = below

    return run


for group in (products, elementwise, broadcasting, reductions, networks, convolutions, recurrent, indexing, layout, others,
              dispatch, training):
    group()


# ---- answers

def median(values):
    return sorted(values)[len(values) // 2]


def timed(run, per, seconds):
    clock = time.perf_counter
    start = clock()
    run()
    once = clock() - start
    inner = max(1, min(int(seconds / 5 / max(once, 1e-9)), 10**6))
    samples, began = [], clock()
    while len(samples) < 3 or clock() - began < seconds:
        start = clock()
        for _ in range(inner):
            run()
        samples.append((clock() - start) / inner)
    return median(samples) / per * 1e9


def blas():
    """The kernels that NumPy's OpenBLAS chose."""
    with open("/proc/self/maps") as maps:
        paths = {line.split()[-1] for line in maps if re.search("openblas", line)}
    for path in paths:
        loaded = ctypes.CDLL(path)
        for symbol in ("scipy_openblas_get_corename64_", "scipy_openblas_get_corename", "openblas_get_corename64_", "openblas_get_corename"):
            try:
                name = getattr(loaded, symbol)
            except AttributeError:
                continue
            name.restype = ctypes.c_char_p
            return name().decode()
    return "unknown"


def about():
    facts = {"python": sys.version.split()[0], "numpy": np.__version__}
    if library == "torch":
        facts.update(torch=torch.__version__, instructions=torch.backends.cpu.get_cpu_capability())
    else:
        import scipy
        np.matmul(single(8, 8), single(8, 8))
        facts.update(scipy=scipy.__version__, openblas=blas())
    return facts


def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


def answer(words, state):
    command = words[0]
    if command == "about":
        return about()
    if command == "memory":
        return {"bytes": peak()}
    if command == "setup":
        state.clear()
        setup, per, gradients = cases.get(words[1], (None, 1, False))
        if setup is None:
            return {"known": False}
        if library == "torch":
            torch.set_grad_enabled(gradients)
        state["run"], state["per"] = setup(), per
        return {"known": True}
    if command == "time":
        return {"ns": timed(state["run"], state["per"], float(words[1]))}
    for _ in range(int(words[1])):
        state["run"]()
    return {}


if __name__ == "__main__":
    state = {}
    for line in sys.stdin:
        try:
            reply = answer(line.split(), state)
        except Exception as problem:
            reply = {"error": f"{type(problem).__name__}: {problem}"}
        print(json.dumps(reply), flush=True)
