# ---- functions that programs call beside those of the other groups

def beyond():
    t = library == "torch" and torch
    sizes = (("1e3", 1000), ("1e6", 10**6))

    def one(name, operand, numpy=None, torch=None):
        case("beyond/" + name, lambda: [operand()], numpy, torch)

    def two(name, a, b, numpy=None, torch=None):
        case("beyond/" + name, lambda: [a(), b()], numpy, torch)

    def none(name, numpy=None, torch=None):
        case("beyond/" + name, list, numpy, torch)

    def truths(n):
        return lambda: rng.random(n) < 0.5

    beyond_products(one, two, t)
    beyond_layout(one, t)
    for size, n in sizes:
        beyond_counting(one, two, t, size, n)
        beyond_making(none, t, size, n)
        beyond_selecting(one, t, size, n, truths(n))
        beyond_arithmetic(one, two, t, size, n)
    generator = np.random.default_rng(1)
    none("choice_1000of/1e6/i64", lambda: generator.choice(10**6, 1000, replace=False))
    one("nonzero/1000x1000/f32", lambda: single(1000, 1000), np.nonzero, lambda x: torch.nonzero(x, as_tuple=True))
    one("partition_rows/1000x1000/f32", lambda: single(1000, 1000), lambda x: np.partition(x, 500, 1))
    one("sort_rows/1000x1000/i64", lambda: whole(1 << 40, 1000, 1000), lambda x: np.sort(x, 1), lambda x: torch.sort(x, 1))
    one("any_axis1/1000x1000/bool", lambda: np.zeros((1000, 1000), bool), lambda x: x.any(1), lambda x: x.any(1))
    for axis in (0, 1):
        one(f"sum_axis{axis}/1000x1000/i64", lambda: whole(1000, 1000, 1000), lambda x, axis=axis: x.sum(axis), lambda x, axis=axis: x.sum(axis))

    def embedding_backward():
        weights, at, gy = ready(single(50000, 256)).requires_grad_(), ready(whole(50000, 8192)), ready(single(8192, 256))
        return lambda: torch.autograd.grad(F.embedding(at, weights), weights, gy)

    made("beyond/embedding_backward/50000x256_take8192/f32", torch=embedding_backward, gradients=True)
    for rows, columns in ((10, 100), (100, 10000)):
        for name in ("cov", "corrcoef"):
            one(f"{name}/{rows}x{columns}/f64", lambda rows=rows, columns=columns: double(rows, columns), getattr(np, name), t and getattr(t, name))


def beyond_products(one, two, t):
    for name, make in (("f32", single), ("f64", double)):
        for batch, n in ((10000, 4), (5000, 8), (500, 32)):
            def operand(batch=batch, n=n, make=make):
                return make(batch, n, n)

            two(f"matmul/{batch}x{n}x{n}/{name}", operand, operand, np.matmul, t and t.matmul)
        one(f"det/100000x4x4/{name}", lambda make=make: make(100000, 4, 4), np.linalg.det, t and t.linalg.det)
    for name in ("bf16", "f16"):
        for n in (64, 256, 1024):
            def halves(n=n, name=name):
                kind = {"bf16": torch.bfloat16, "f16": torch.float16}[name]
                a, b = ready(single(n, n)).to(kind), ready(single(n, n)).to(kind)
                return lambda: a @ b

            made(f"beyond/matmul/{n}/{name}", torch=halves)
    for n in (4, 30):
        two(f"kron/{n}x{n}/f64", lambda n=n: double(n, n), lambda n=n: double(n, n), np.kron, t and t.kron)

    def convolve(a, v):
        return F.conv1d(a[None, None], v.flip(0)[None, None], padding=len(v) - 1)[0, 0]

    for name, n, m in (("1e3x11", 1000, 11), ("1e4x100", 10**4, 100), ("1e6x11", 10**6, 11), ("1e5x1000", 10**5, 1000)):
        two(f"convolve/{name}/f64", lambda n=n: double(n), lambda m=m: double(m), np.convolve, convolve)


def beyond_layout(one, t):
    modes = {"constant": "constant", "reflect": "reflect", "edge": "replicate", "wrap": "circular", "symmetric": None}
    for name, other in modes.items():
        def of_numpy(x, name=name):
            return np.pad(x, 3, name)

        def of_torch(x, other=other):
            return F.pad(x[None], (3, 3) * x.ndim, other)[0]

        one(f"pad_{name}/1e3/f32", lambda: single(1000), of_numpy, other and of_torch)
        one(f"pad_{name}/1000x1000/f32", lambda: single(1000, 1000), of_numpy,
            other and (lambda x, other=other: F.pad(x[None, None], (3, 3, 3, 3), other)[0, 0]))
    one("pad_reflect/32x3x224x224/f32", lambda: single(32, 3, 224, 224), lambda x: np.pad(x, ((0, 0), (0, 0), (3, 3), (3, 3)), "reflect"),
        lambda x: F.pad(x, (3, 3, 3, 3), "reflect"))

    def reverse(name, operand, axis):
        def setup():
            x = operand()
            if library == "torch":
                x = ready(x)
                return lambda: torch.flip(x, (axis,))
            x = np.flip(x, axis)
            return lambda: x.copy()

        made("beyond/reversed_copy/" + name, setup, setup)

    reverse("1e3/f32", lambda: single(1000), 0)
    reverse("1e6/f32", lambda: single(10**6), 0)
    reverse("1e6/f64", lambda: double(10**6), 0)
    reverse("columns_1000x1000/f32", lambda: single(1000, 1000), 1)
    reverse("rows_1000x1000/f32", lambda: single(1000, 1000), 0)
    for size, n in (("1e3", 1000), ("1e6", 10**6)):
        one(f"repeat2/{size}/f32", lambda n=n: single(n), lambda x: np.repeat(x, 2), lambda x: x.repeat_interleave(2))
    for axis in (0, 1):
        one(f"repeat3_axis{axis}/1000x1000/f32", lambda: single(1000, 1000), lambda x, axis=axis: np.repeat(x, 3, axis),
            lambda x, axis=axis: x.repeat_interleave(3, axis))
    for count, size, n in ((2, "1e3", 1000), (2, "1e6", 10**6), (3, "1e6", 10**6), (4, "1e6", 10**6)):
        case(f"beyond/stack_last{count}/{size}/f32", lambda count=count, n=n: [single(n) for _ in range(count)],
             lambda *xs: np.stack(xs, -1), lambda *xs: torch.stack(xs, -1))


def beyond_counting(one, two, t, size, n):
    one(f"histogram10/{size}/f64", lambda: double(n), np.histogram, lambda x: torch.histogram(x, 10))
    one(f"histogram100/{size}/f32", lambda: single(n), lambda x: np.histogram(x, 100), lambda x: torch.histogram(x, 100))
    one(f"bincount1000/{size}/i64", lambda: whole(1000, n), np.bincount, t and t.bincount)
    two(f"bincount1000_weights/{size}/f64", lambda: whole(1000, n), lambda: double(n), np.bincount, t and t.bincount)
    two(f"interp1000/{size}/f64", lambda: double(n), lambda: np.linspace(-1, 1, 1000), lambda x, p: np.interp(x, p, p))
    one(f"unique100/{size}/i64", lambda: whole(100, n), np.unique, t and t.unique)
    one(f"unique/{size}/f32", lambda: single(n), np.unique, t and t.unique)
    two(f"isin100/{size}/i64", lambda: whole(1000, n), lambda: whole(1000, 100), np.isin, t and t.isin)
    two(f"isin1000_wide/{size}/i64", lambda: whole(1 << 40, n), lambda: whole(1 << 40, 1000), np.isin, t and t.isin)


def beyond_making(none, t, size, n):
    none(f"arange/{size}/i64", lambda: np.arange(n), lambda: torch.arange(n))
    none(f"arange/{size}/f32", lambda: np.arange(n, dtype=np.float32), lambda: torch.arange(n, dtype=torch.float32))
    none(f"arange_step/{size}/f64", lambda: np.arange(0, n / 4, 0.25), lambda: torch.arange(0, n / 4, 0.25, dtype=torch.float64))
    none(f"linspace/{size}/f64", lambda: np.linspace(-1, 1, n), lambda: torch.linspace(-1, 1, n, dtype=torch.float64))
    none(f"linspace/{size}/f32", lambda: np.linspace(-1, 1, n, dtype=np.float32), lambda: torch.linspace(-1, 1, n))
    generator = np.random.default_rng(1)
    none(f"integers1000/{size}/i64", lambda: generator.integers(0, 1000, n), lambda: torch.randint(0, 1000, (n,)))
    none(f"integers1000/{size}/i32", lambda: generator.integers(0, 1000, n, np.int32), lambda: torch.randint(0, 1000, (n,), dtype=torch.int32))
    none(f"permutation/{size}/i64", lambda: generator.permutation(n), lambda: torch.randperm(n))
    none(f"choice_tenth/{size}/i64", lambda: generator.choice(n, n // 10, replace=False), lambda: torch.randperm(n)[:n // 10])


def beyond_selecting(one, t, size, n, truths):
    def wide():
        return whole(1 << 40, n)

    for name, make in (("f32", lambda: single(n)), ("f64", lambda: double(n)), ("i64", wide)):
        one(f"partition/{size}/{name}", make, lambda x: np.partition(x, n // 2))
        if name != "i64":
            one(f"argpartition/{size}/{name}", make, lambda x: np.argpartition(x, n // 2))
    one(f"median/{size}/f64", lambda: double(n), np.median, t and t.median)
    one(f"sort/{size}/i64", wide, np.sort, t and t.sort)
    one(f"sort1000/{size}/i64", lambda: whole(1000, n), np.sort, t and t.sort)
    one(f"sort/{size}/f64", lambda: double(n), np.sort, t and t.sort)
    one(f"nonzero/{size}/bool", truths, np.nonzero, t and t.nonzero)
    one(f"nonzero_few/{size}/bool", lambda: single(n) > 0.98, np.nonzero, t and t.nonzero)
    one(f"any/{size}/bool", lambda: np.zeros(n, bool), lambda x: x.any(), lambda x: x.any())
    one(f"all/{size}/bool", lambda: np.ones(n, bool), lambda x: x.all(), lambda x: x.all())


def beyond_arithmetic(one, two, t, size, n):
    for name, kind in (("c64", np.complex64), ("c128", np.complex128)):
        def complexes(kind=kind):
            return (single(n) + 1j * single(n)).astype(kind)

        two(f"multiply/{size}/{name}", complexes, complexes, np.multiply, t and t.mul)
        one(f"abs/{size}/{name}", complexes, np.abs, t and t.abs)
    for name, kind in (("i64", np.int64), ("i32", np.int32)):
        def numerators(kind=kind):
            return whole(1 << 30, n).astype(kind)

        two(f"floor_divide/{size}/{name}", numerators, lambda kind=kind: (whole(1000, n) + 1).astype(kind), np.floor_divide, t and t.floor_divide)
        one(f"floor_divide7/{size}/{name}", numerators, lambda x: x // 7, lambda x: x // 7)
