"""The peers of bench/compare: the same cases in NumPy and PyTorch, timed on request.

The files of this folder, concatenated, are a program with arguments LIBRARY THREADS DEVICE MODELS. On a GPU LIBRARY is torch, or CuPy, to
which NumPy's functions forward its arrays. For LIBRARY onnxruntime the program has other cases, those of models.py. The program answers lines on standard input with lines of JSON:

  about            versions, the instructions used, the BLAS kernels of NumPy
  setup NAME       prepares a case: {"known": bool}
  time SECONDS     samples the prepared case for about SECONDS: {"ns": median of one operation}
  repeat N         runs the prepared case N times
  memory           {"bytes": the largest resident size so far}
"""
import ctypes
import importlib.util
import json
import math
import os
import re
import sys
import tempfile
import time
import warnings

library, threads, device = sys.argv[1], int(sys.argv[2]), sys.argv[3]
# Settings from the user's shell could slow the peer down. The number of threads must be set before the import.
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
    if device != "cpu":
        torch.set_default_device(device)
        torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = False  # as in ndgrad
elif library != "onnxruntime":
    from scipy import special
if library == "cupy":
    import cupy

    cupy.cuda.Device(int(device.removeprefix("cuda:"))).use()

rng = np.random.default_rng(0)
cases = {}  # name -> (setup, operations per call, needs gradients)


def there(x):
    """x on the GPU, if the library is CuPy."""
    return cupy.asarray(x) if library == "cupy" else x


def single(*shape, low=-1.0, high=1.0):
    return there(np.asarray(rng.random(shape, dtype=np.float32) * np.float32(high - low) + np.float32(low), np.float32))


def double(*shape, low=-1.0, high=1.0):
    return single(*shape, low=low, high=high).astype(np.float64)


def numbers(dtype):
    return double if dtype == "f64" else single


def whole(limit, *shape):
    return there(rng.integers(0, limit, shape))


def ready(x):
    """x as an array of the library."""
    if library == "torch" and isinstance(x, np.ndarray):
        return torch.from_numpy(x).to(device)
    return x


def wait():
    """waits for the GPU."""
    if device != "cpu":
        torch.cuda.synchronize() if library == "torch" else cupy.cuda.Device().synchronize()


def case(name, operands, numpy=None, torch=None, per=1, gradients=False):
    """A case: operands() makes arrays, and the library's function is timed on them."""
    f = torch if library == "torch" else numpy
    if f is None:
        return

    def setup():
        xs = [ready(x) for x in operands()]
        return lambda: f(*xs)

    cases[name] = setup, per, gradients


def made(name, torch=None, numpy=None, per=1, gradients=False):
    """A case whose setup returns what is timed."""
    f = torch if library == "torch" else numpy
    if f is not None:
        cases[name] = f, per, gradients
