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


# ---- random numbers, FFT

def others():
    generator = np.random.default_rng(1)
    case("random/normal/1e6/f32", list, lambda: generator.standard_normal(10**6, dtype=np.float32), lambda: torch.randn(10**6))
    case("random/uniform/1e6/f32", list, lambda: generator.random(10**6, dtype=np.float32), lambda: torch.rand(10**6))


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
