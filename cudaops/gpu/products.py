"""Times products of square matrices by cuBLAS, which CuPy or PyTorch call. Beside them stand those of the command figures."""

import statistics
import sys
import time


def library():
    """Returns how to make a matrix and how to wait, of what is installed."""
    try:
        import cupy

        return (
            "CuPy",
            lambda n, t, v: cupy.full((n, n), v, dtype=t),
            cupy.matmul,
            cupy.cuda.Device().synchronize,
        )
    except ImportError:
        pass
    try:
        import torch
    except ImportError:
        sys.exit("neither CuPy nor PyTorch is installed")
    torch.backends.cuda.matmul.allow_tf32 = False
    return (
        "PyTorch",
        lambda n, t, v: torch.full((n, n), v, dtype=getattr(torch, t), device="cuda"),
        lambda a, b, out: torch.matmul(a, b, out=out),
        torch.cuda.synchronize,
    )


def main():
    name, full, matmul, wait = library()
    for t in "float32", "float64", "float16":
        for n in 512, 2048, 4096:
            a, b, c = full(n, t, 0.5), full(n, t, 0.25), full(n, t, 0)
            times = []
            for _ in range(8):
                wait()
                begin = time.perf_counter()
                for _ in range(3):
                    matmul(a, b, out=c)
                wait()
                times.append((time.perf_counter() - begin) / 3)
            rate = 2 * n**3 / statistics.median(times[1:]) / 1e9
            print(f"{t} {n}×{n}, cuBLAS by {name}\t{rate:.0f} GFLOP/s")


main()
