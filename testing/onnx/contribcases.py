"""The cases of contrib.py: attributes and inputs, drawn at random, of operators of the domain com.microsoft."""
import numpy as np

rng = np.random.default_rng(35)
CASES = {}  # by operator: functions that return (attributes, inputs, number of outputs) or a dict with further keys


def case(operator, times=6):
    def add(make):
        CASES.setdefault(operator, []).extend([make] * times)
        return make
    return add


def normal(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def pick(*values):
    return values[rng.integers(len(values))]


def chance():
    return bool(rng.integers(2))


def shape3():
    return int(rng.integers(1, 4)), int(rng.integers(1, 9)), int(rng.choice([4, 8, 16, 24]))


# Activations.
@case("Gelu")
def _():
    return {}, [normal(*shape3()) * 3], 1


@case("BiasGelu")
def _():
    x = normal(*shape3()) * 3
    return {}, [x, normal(x.shape[-1])], 1


@case("FastGelu")
def _():
    x = normal(*shape3()) * 3
    return {}, [x, normal(x.shape[-1]) if chance() else None], 1


@case("QuickGelu")
def _():
    return pick({}, {"alpha": 1.5}, {"alpha": 1.0}), [normal(*shape3()) * 3], 1


# Products.
@case("FusedMatMul", 24)
def _():
    m, k, n = (int(v) for v in rng.integers(1, 7, 3))
    batch = pick((), (2,), (2, 3))
    a, b = chance(), chance()
    ba = bb = 0
    if batch:
        ba, bb = int(chance()), int(chance())
    left, right = [*batch, m, k], [*batch, k, n]
    x, y = normal(*left), normal(*right)
    if a:
        x = np.swapaxes(x, -1, -2)
    if b:
        y = np.swapaxes(y, -1, -2)
    if ba:
        x = np.moveaxis(x, -2, 0)
    if bb:
        y = np.moveaxis(y, -2, 0)
    at = {"transA": int(a), "transB": int(b), "transBatchA": ba, "transBatchB": bb, "alpha": float(pick(1.0, 0.5, -2.0))}
    return at, [np.ascontiguousarray(x), np.ascontiguousarray(y)], 1


@case("FusedGemm", 12)
def _():
    m, k, n = (int(v) for v in rng.integers(1, 7, 3))
    a, b = int(chance()), int(chance())
    activation = pick("Relu", "Tanh", "Sigmoid", "LeakyRelu", "Elu", "HardSigmoid", "Softplus", "Softsign")
    at = {"transA": a, "transB": b, "alpha": 1.5, "beta": float(pick(1.0, 0.25)), "activation": activation}
    if activation in ("LeakyRelu", "Elu", "HardSigmoid"):
        at["activation_alpha"] = 0.3
    if activation == "HardSigmoid":
        at["activation_beta"] = 0.4
    bias = pick(None, normal(n), normal(m, n))
    return at, [normal(k, m) if a else normal(m, k), normal(n, k) if b else normal(k, n), bias], 1


@case("FusedConv", 12)
def _():
    group = pick(1, 2)
    activation = pick("Relu", "Tanh", "Sigmoid", "LeakyRelu", "Clip", "HardSigmoid")
    at = {"activation": activation, "group": group, "kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
    at.update(pick({}, {"strides": [2, 2]}))
    params = {"LeakyRelu": [0.2], "Clip": [-0.5, 0.75], "HardSigmoid": [0.3, 0.4]}.get(activation)
    if params:
        at["activation_params"] = params
    inputs = [normal(2, 4, 6, 7), normal(6, 4 // group, 3, 3), pick(None, normal(6))]
    if "strides" not in at and chance():
        inputs.append(normal(2, 6, 6, 7))
    return at, inputs, 1


@case("MatMulNBits", 40)
def _():
    bits = pick(2, 4, 4, 8)
    block = pick(16, 32, 64)
    k, n = pick(16, 48, 64, 100, 128), pick(1, 3, 8, 17)
    blocks = -(-k // block)
    form = pick("none", "packed", "float")
    zeros = None
    if form == "packed":
        zeros = rng.integers(0, 256, (n, -(-blocks * bits // 8))).astype(np.uint8)
    elif form == "float":
        zeros = (rng.random((n, blocks)) * (1 << bits)).astype(np.float32)
    if bits != 4 and form == "float":
        zeros = None
    groups = None
    if chance() and bits == 4 and form == "none":  # with groups, onnxruntime 1.32 takes 8 for zero points that are packed
        groups = rng.integers(0, blocks, k).astype(np.int32)
        groups = np.concatenate([groups, np.zeros(blocks * block - k, np.int32)])
    inputs = [normal(*pick((5, k), (2, 3, k), (1, k))), rng.integers(0, 256, (n, blocks, block * bits // 8)).astype(np.uint8),
              rng.random((n, blocks)).astype(np.float32) / 8, zeros, groups, pick(None, normal(n)) if groups is None else None]
    return {"attributes": {"K": k, "N": n, "bits": bits, "block_size": block, "accuracy_level": 1}, "inputs": inputs, "initializers": [1, 2, 3, 4, 5]}


@case("DynamicQuantizeMatMul", 12)
def _():
    k, n = 16, pick(4, 8)
    t = pick(np.int8, np.uint8)
    low, high = (-100, 100) if t == np.int8 else (0, 200)
    each = chance()
    scale = (rng.random(n if each else ()) / 64 + 0.01).astype(np.float32)
    zero = pick(None, rng.integers(low, high, scale.shape).astype(t))
    inputs = [normal(*pick((5, k), (2, 3, k))), rng.integers(low, high, (k, n)).astype(t), np.asarray(scale), zero, pick(None, normal(n))]
    return {}, inputs, 1


@case("MatMulIntegerToFloat", 12)
def _():
    k, n = 16, pick(4, 8)
    t = pick(np.int8, np.uint8)
    low, high = (-100, 100) if t == np.int8 else (0, 200)
    scale = (rng.random(n if chance() else ()) / 64 + 0.01).astype(np.float32)
    inputs = [rng.integers(0, 200, (2, 5, k)).astype(np.uint8), rng.integers(low, high, (k, n)).astype(t), np.float32(0.03), scale,
              pick(None, np.uint8(100)), pick(None, rng.integers(low, high, scale.shape).astype(t)), pick(None, normal(n))]
    return {}, inputs, 1


@case("QuantizeLinear", 8)
def _():
    t = pick(np.int8, np.uint8, np.int16, np.uint16)
    zero = np.array(pick(3, 7), t)
    if chance():
        scale, zeros = (rng.random(4) / 8 + 0.02).astype(np.float32), np.full(4, zero, t)
        return {"axis": 1}, [normal(2, 4, 5) * 4, scale, zeros], 1
    return {}, [normal(2, 4, 5) * 4, np.float32(0.05), zero], 1


@case("DequantizeLinear", 8)
def _():
    t = pick(np.int8, np.uint8, np.int16, np.uint16, np.int32)
    x = rng.integers(0, 100, (2, 4, 5)).astype(t)
    zero = np.array(0 if t == np.int32 else 3, t)
    if chance():
        return {"axis": 1}, [x, (rng.random(4) / 8 + 0.02).astype(np.float32), np.full(4, zero, t)], 1
    return {}, [x, np.float32(0.05), zero], 1


# Normalisations.
@case("SimplifiedLayerNormalization", 8)
def _():
    x = normal(*shape3())
    at = pick({}, {"epsilon": 1e-3}, {"axis": 2})
    return {"attributes": at, "inputs": [x, normal(x.shape[-1])], "outputs": pick(1, 2), "domain": ""}


@case("SkipLayerNormalization", 12)
def _():
    x = normal(*shape3())
    skip = pick(normal(*x.shape), normal(1, *x.shape[1:]), normal(*x.shape[1:]))
    inputs = [x, skip, normal(x.shape[2]), pick(None, normal(x.shape[2])), pick(None, normal(x.shape[2]))]
    return {"attributes": pick({}, {"epsilon": 1e-3}), "inputs": inputs, "outputs": [1, 0, 0, int(chance())]}


@case("SkipSimplifiedLayerNormalization", 12)
def _():
    x = normal(*shape3())
    inputs = [x, normal(*x.shape), normal(x.shape[2]), pick(None, normal(x.shape[2]))]
    return {"attributes": pick({}, {"epsilon": 1e-3}), "inputs": inputs, "outputs": [1, 0, 0, int(chance())]}


@case("EmbedLayerNormalization", 12)
def _():
    b, t, h = shape3()
    ids = rng.integers(0, 11, (b, t)).astype(np.int32)
    segments = rng.integers(0, 2, (b, t)).astype(np.int32) if chance() else None
    mask = (np.arange(t) < rng.integers(1, t + 1, (b, 1))).astype(np.int32) if chance() else None
    at = rng.integers(0, 12, (b, t)).astype(np.int32) if chance() else None
    inputs = [ids, segments, normal(11, h), normal(12, h), normal(2, h) if segments is not None else None, normal(h), normal(h), mask, at]
    return {"attributes": {"mask_index_type": 1}, "inputs": inputs, "outputs": [1, 1, 1]}


# Attention.
def mask_of(b, t, s, kinds):
    """Returns a mask that shows the first key to each query: scores of which all are near -10000 are rounded too coarsely to compare."""
    lengths = rng.integers(1, s + 1, b).astype(np.int32)
    mask = {"none": lambda: None, "lengths": lambda: lengths,
            "spans": lambda: np.concatenate([lengths, np.minimum(rng.integers(0, 3, b), lengths - 1)]).astype(np.int32),
            "keys": lambda: rng.integers(0, 2, (b, s)).astype(np.int32),
            "pairs": lambda: rng.integers(0, 2, (b, t, s)).astype(np.int32)}[pick(*kinds)]()
    if mask is not None and mask.ndim > 1:
        mask[..., 0] = 1
    return mask


@case("Attention", 60)
def _():
    b, t, n, d, i = int(rng.integers(1, 4)), int(rng.integers(1, 6)), pick(1, 2, 4), pick(4, 8), pick(6, 16)
    at = {"num_heads": n}
    past = pick(None, int(rng.integers(1, 4)))
    sizes = [n * d, n * d, n * d]
    if past is None and chance():
        sizes[2] = n * pick(4, 12)
        at["qkv_hidden_sizes"] = sizes
    s = t + (past or 0)
    if chance():
        at["unidirectional"] = 1
    if chance():
        at["scale"] = 0.3
    mask = mask_of(b, t, s, ["none", "lengths", "keys", "pairs"] + (["spans"] if "unidirectional" not in at else []))
    inputs = [normal(b, t, i), normal(i, sum(sizes)), pick(None, normal(sum(sizes))), mask, None if past is None else normal(2, b, n, past, d),
              pick(None, normal(pick(1, b), pick(1, n), t, s)) if past is None else None]
    return at, inputs, 2 if past is not None else 1


@case("QAttention", 20)
def _():
    b, t, n, d, i = int(rng.integers(1, 4)), int(rng.integers(1, 6)), pick(1, 2, 4), 8, 16
    past = pick(None, int(rng.integers(1, 4)))
    s = t + (past or 0)
    w = pick(np.int8, np.uint8)
    each = chance()
    zero = pick(None, np.uint8(120))
    scale = (rng.random(3 * n * d if each else ()) / 100 + 0.001).astype(np.float32)
    inputs = [rng.integers(0, 255, (b, t, i)).astype(np.uint8), rng.integers(0, 100, (i, 3 * n * d)).astype(w), normal(3 * n * d), np.float32(0.01),
              scale, mask_of(b, t, s, ["none", "lengths", "keys"]), zero, np.full(scale.shape, 3, w) if zero is not None else None,
              None if past is None else normal(2, b, n, past, d)]
    return {"attributes": {"num_heads": n, "unidirectional": int(chance())}, "inputs": inputs, "outputs": 2 if past is not None else 1, "initializers": [1, 4, 7]}


@case("MultiHeadAttention", 60)
def _():
    b, t, n, d, e = int(rng.integers(1, 4)), int(rng.integers(1, 6)), pick(1, 2, 4), pick(4, 8), pick(4, 12)
    at = {"num_heads": n}
    past = pick(None, None, int(rng.integers(1, 4)))
    length = t if past is not None else int(rng.integers(1, 7))
    if past is not None:
        e = d
    causal = chance()
    if causal:
        at["unidirectional"], length = 1, t
    s = length + (past or 0)
    key, value = normal(b, length, n * d), normal(b, length, n * e)
    bias = pick(None, normal(n * (2 * d + e)))
    if past is None and not causal and chance():
        key, value, bias = normal(b, n, length, d), normal(b, n, length, d), None
    if chance():
        at["scale"] = 0.3
    inputs = [normal(b, t, n * d), key, value, bias, mask_of(b, t, s, ["none", "keys"]), pick(None, normal(pick(1, b), pick(1, n), t, s)),
              None if past is None else normal(b, n, past, d), None if past is None else normal(b, n, past, e)]
    return at, inputs, 3 if past is not None else 1


def tables(count, width):
    angles = np.outer(np.arange(count), 1 / 100 ** (np.arange(width) / width))
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


@case("GroupQueryAttention", 80)
def _():
    kv = pick(1, 2)
    n, d = kv * pick(1, 2, 3), pick(16, 32)
    at = {"num_heads": n, "kv_num_heads": kv}
    first = chance()
    b, t = (int(rng.integers(1, 4)), int(rng.integers(1, 7))) if first else pick((1, int(rng.integers(1, 5))), (3, 1))
    past = 0 if first else int(rng.integers(2, 9))
    total = t + past
    valid = np.full(b, total)
    if b > 1:
        valid = rng.integers(1 if first else t, total + 1, b)
        valid[rng.integers(b)] = total
    cos = sin = None
    if chance():
        width = pick(8, d // 2)
        at["do_rotary"], at["rotary_interleaved"] = 1, int(chance())
        cos, sin = tables(32, width)
    if rng.integers(4) == 0:
        at["causal"] = 0
    elif chance():
        at["local_window_size"] = int(rng.integers(1, 5))
    if chance():
        at["softcap"] = 2.0
    if chance():
        at["scale"] = 0.4
    sink = pick(None, None, normal(n))
    if sink is None and rng.integers(4) == 0:
        at["smooth_softmax"] = 1
    if chance():
        qkv = [normal(b, t, (n + 2 * kv) * d), None, None]
    else:
        qkv = [normal(b, t, n * d), normal(b, t, kv * d), normal(b, t, kv * d)]
    bias = pick(None, None, normal(pick(1, b), pick(1, n), t, total))
    caches = [None, None] if first and chance() else [normal(b, kv, past, d), normal(b, kv, past, d)]
    positions = None
    if "do_rotary" in at and chance():  # of a first call, onnxruntime reads the first one alone
        positions = (int(rng.integers(0, 9)) + np.arange(t) + np.zeros((b, 1))).astype(np.int64)
    inputs = qkv + caches + [(valid - 1).astype(np.int32), np.array(total, np.int32), cos, sin, positions, bias, sink]
    return {"attributes": at, "inputs": inputs, "outputs": 3, "valid": valid}


@case("RotaryEmbedding", 16)
def _():
    b, t, n, d = int(rng.integers(1, 4)), int(rng.integers(1, 6)), pick(1, 2, 3), 16
    at = {"interleaved": int(chance())}
    width = d // 2
    x = normal(b, t, n * d)
    form = pick("flat", "heads", "part")
    if form == "heads":
        x = normal(b, n, t, d)
    if form == "part":
        width, at["num_heads"], at["rotary_embedding_dim"] = 4, n, 8
    at_ = np.array([3], np.int64) if chance() else rng.integers(0, 20, (b, t)).astype(np.int64)
    return at, [x, at_, *tables(32, width)], 1
