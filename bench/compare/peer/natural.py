# ---- whole programs, written without regard to memory

def natural():
    def program(name, numpy=None, torch=None, gradients=False):
        for form in ("", "/scope", "/released"):  # ndgrad has three forms, Python has one
            made(name + form, torch=torch, numpy=numpy, gradients=gradients)

    def chains(n, kind=None):
        def setup():
            a, b, c = ready(single(n)), ready(single(n)), ready(single(n))
            if kind:
                a, b, c = (x.to(getattr(torch, kind)) for x in (a, b, c))
            tanh = np.tanh if library == "numpy" else torch.tanh
            return lambda: tanh(a * b + c) * a - b

        return setup

    for size, n in SIZES:
        program(f"chain/five/{size}/f32", chains(n), chains(n))
    program("chain/five/1e6/f16", torch=chains(10**6, "float16"))
    program("chain/five/1e6/bf16", torch=chains(10**6, "bfloat16"))
    program("natural/newton/1e5/f64", newton)
    program("natural/life/512x512/i32", lives)
    program("natural/kmeans/50000x32_k16/f32", clusters)
    program("natural/mcmc/1000x20/f64", chain_of_samples)
    program("natural/pendulums_rk4/1e4/f64", pendulums)
    program("natural/image_edges/512x512x3/f32", images)
    program("natural/mlp_784_512_10_sgd/B100/f32", lambda: mlp_of_numpy(784, 512, 10), perceptron, gradients=True)


def newton():
    c = double(10**5, low=1, high=100)
    x = c

    def run():
        nonlocal x
        x = x - (x * x * x - c) / (3 * x * x)

    return run


def lives():
    g = (single(512, 512) > 0.4).astype(np.int32)

    def run():
        nonlocal g
        n = np.zeros_like(g)
        for i in (-1, 0, 1):
            for j in (-1, 0, 1):
                if i != 0 or j != 0:
                    n = n + np.roll(np.roll(g, i, 0), j, 1)
        g = ((n == 3) | ((g == 1) & (n == 2))).astype(np.int32)

    return run


def clusters():
    x, centres, numbered = single(50000, 32), single(16, 32), np.arange(16)

    def run():
        nonlocal centres
        distance = (x * x).sum(1, keepdims=True) - 2 * (x @ centres.T) + (centres * centres).sum(1)
        member = (distance.argmin(1)[:, None] == numbered).astype(np.float32)
        centres = (member.T @ x) / np.maximum(member.sum(0), 1)[:, None]

    return run


def chain_of_samples():
    x, t = double(1000, 20), (single(1000) > 0).astype(np.float64)
    beta, last = np.zeros(20), -math.inf

    def run():
        nonlocal beta, last
        proposed = beta + rng.normal(0, 0.05, 20)
        z = x @ proposed
        likelihood = (t * z - np.log1p(np.exp(z))).sum()
        if math.log(rng.random()) < likelihood - last:
            beta, last = proposed, likelihood

    return run


def pendulums():
    h, q, p = 0.01, double(10**4), double(10**4)

    def motion(q, p):
        return p, -np.sin(q)

    def mean(k1, k2, k3, k4):
        return (k1 + 2 * k2 + 2 * k3 + k4) / 6

    def run():
        nonlocal q, p
        q1, p1 = motion(q, p)
        q2, p2 = motion(q + h / 2 * q1, p + h / 2 * p1)
        q3, p3 = motion(q + h / 2 * q2, p + h / 2 * p2)
        q4, p4 = motion(q + h * q3, p + h * p3)
        q, p = q + h * mean(q1, q2, q3, q4), p + h * mean(p1, p2, p3, p4)

    return run


def images():
    image = single(512, 512, 3)
    weights = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]

    def blurred(image, axis):
        widths = [(0, 0)] * 3
        widths[axis] = (2, 2)
        padded = np.pad(image, widths, mode="edge")
        n, total = image.shape[axis], np.zeros_like(image)
        for k, w in enumerate(weights):
            total = total + w * (padded[k:k + n] if axis == 0 else padded[:, k:k + n])
        return total

    def run():
        b = blurred(blurred(image, 0), 1)
        gx = (b[:-2, 2:] + 2 * b[1:-1, 2:] + b[2:, 2:]) - (b[:-2, :-2] + 2 * b[1:-1, :-2] + b[2:, :-2])
        gy = (b[2:, :-2] + 2 * b[2:, 1:-1] + b[2:, 2:]) - (b[:-2, :-2] + 2 * b[:-2, 1:-1] + b[:-2, 2:])
        return np.sqrt(gx * gx + gy * gy)

    return run


def perceptron():
    net = nn.Sequential(nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 10))
    optimizer, x, y = torch.optim.SGD(net.parameters(), 0.01), ready(single(100, 784)), ready(whole(10, 100))

    def run():
        optimizer.zero_grad(set_to_none=True)
        F.cross_entropy(net(x), y).backward()
        optimizer.step()

    return run
