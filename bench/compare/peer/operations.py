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
    for name, f, sizes in (
        ("affine", lambda x, w, b: torch.addmm(b, x, w), ((1600, 256, 1024),)),
        ("affine_relu", lambda x, w, b: torch.relu_(torch.addmm(b, x, w)),
         ((64, 64, 64), (256, 256, 256), (512, 512, 512), (1600, 256, 1024), (4096, 64, 256))),
        ("affine_gelu", lambda x, w, b: torch.nn.functional.gelu(torch.addmm(b, x, w)), ((1600, 256, 1024),)),
    ):
        for m, k, n in sizes:
            case(f"matmul/{name}/{m}x{k}x{n}/f32", lambda m=m, k=k, n=n: [single(m, k), single(k, n), single(n)], torch=f)
    for dtype in ("int32", "int64", "int16", "int8", "uint8"):
        for n in (64, 256, 512):
            case(f"matmul_int/square/{n}/{dtype}", lambda n=n, t=dtype: [whole(100, n, n).astype(t), whole(100, n, n).astype(t)], numpy=np.matmul)
        case(f"matmul_int/matvec/2048/{dtype}", lambda t=dtype: [whole(100, 2048, 2048).astype(t), whole(100, 2048).astype(t)], numpy=np.matmul)
    for n in (512, 1024):
        case(f"matmul/int8_to_int32/{n}", lambda n=n: [whole(256, n, n).astype(np.int8), whole(256, n, n).astype(np.int8)],
             torch=lambda a, b: torch._int_mm(a, b))
    case("matmul/dot/1e6/f32", lambda: [single(10**6), single(10**6)], numpy=np.dot, torch=lambda a, b: torch.dot(a, b))


# ---- elementwise

SIZES = (("1e3", 1000), ("1e4", 10**4), ("1e5", 10**5), ("1e6", 10**6), ("1.6e7", 16 * 10**6))  # most of ndgrad's cases use fewer


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
