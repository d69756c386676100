"""The Python side of torch.sh: see there."""
import collections
import math
import os
import subprocess
import sys
import warnings

import torch
from torch import nn

warnings.filterwarnings("ignore")
torch.set_num_threads(1)
folder, ours = sys.argv[1:3]


def run(*arguments):
    subprocess.run([ours, *map(str, arguments)], check=True)


def load(name, **options):
    return torch.load(os.path.join(folder, name), weights_only=True, **options)


class Links(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.fc = nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3), nn.Linear(3 * 4 * 4, 4)

    def forward(self, x):
        return self.fc(self.bn(self.conv(x)).flatten(1))


class Attention(nn.Module):
    """An attention to the first columns of the query, as key and value."""

    def __init__(self):
        super().__init__()
        self.inner = nn.MultiheadAttention(8, 2, kdim=5, vdim=5)

    def forward(self, x):
        return self.inner(x, x[..., :5], x[..., :5])[0]


def modules():
    """Yields names, modules, inputs, and functions that call the modules."""
    def plain(m, x):
        y = m(x)
        return y[0] if isinstance(y, tuple) else y

    twice = lambda m, x: m(x, x)
    self = lambda m, x: m(x, x, x)[0]
    images = torch.randn(3, 4, 7, 6)
    steps = torch.randn(4, 3, 8)
    yield "linear", nn.Linear(6, 5), torch.randn(3, 6), plain
    yield "conv", nn.Conv2d(4, 6, (3, 2), groups=2), images, plain
    yield "deconv", nn.ConvTranspose2d(4, 6, (3, 2), stride=2), images, plain
    yield "depth", nn.Conv1d(4, 8, 3, groups=4), torch.randn(2, 4, 9), plain
    yield "batch", nn.BatchNorm2d(4), images, plain
    yield "group", nn.GroupNorm(2, 4), images, plain
    yield "instance", nn.InstanceNorm2d(4, affine=True), images, plain
    yield "layer", nn.LayerNorm(8), steps, plain
    yield "layers", nn.LayerNorm((4, 7, 6)), images, plain
    yield "embed", nn.Embedding(7, 3), torch.randint(0, 7, (2, 5)), plain
    yield "prelu", nn.PReLU(), images, plain
    yield "prelus", nn.PReLU(4), images, plain
    yield "attention", nn.MultiheadAttention(8, 2, add_bias_kv=True), steps, self
    yield "attentions", Attention(), steps, plain
    yield "rnn", nn.RNN(8, 5, 2), steps, plain
    yield "lstm", nn.LSTM(8, 5, 3, bidirectional=True), steps, plain
    yield "gru", nn.GRU(8, 5, 2, bidirectional=True), steps, plain
    yield "gru1", nn.GRU(8, 5, bias=False), steps, plain
    yield "cell", nn.LSTMCell(8, 5), steps[0], plain
    yield "encoder", nn.TransformerEncoderLayer(8, 2, 16), steps, plain
    yield "decoder", nn.TransformerDecoderLayer(8, 2, 16), steps, twice
    whole = nn.Transformer(8, 2, 2, 1, 16)
    whole.encoder.norm = whole.decoder.norm = None
    yield "transformer", whole, steps, twice
    yield "links", Links(), torch.randn(2, 2, 6, 6), plain


def check_modules():
    made = {}
    for name, module, x, call in modules():
        with torch.no_grad():
            for tensor in module.state_dict().values():
                if tensor.is_floating_point():
                    tensor.copy_(torch.rand_like(tensor) - 0.25 if tensor.dim() > 1 else torch.rand_like(tensor) + 0.5)
            module.eval()
            torch.save({"input": x, "model": {"m." + key: v for key, v in strip(module).items()}}, os.path.join(folder, name + ".pt"))
            made[name] = module, x, call, call(module, x)
    run("module", folder, *made)
    for name, (module, x, call, want) in made.items():
        got = load(name + ".ours.pt")
        torch.testing.assert_close(got["output"], want, rtol=1e-5, atol=1e-5, msg=lambda text: f"{name}: {text}")
        state = {key.removeprefix("m."): v for key, v in got["model"].items()}
        keys = [key for key in strip(module) if not key.endswith("num_batches_tracked")]
        assert list(state) == keys, (name, list(state), keys)
        if isinstance(module, Attention):
            state = {"inner." + key: v for key, v in state.items()}
        with torch.no_grad():
            for tensor in module.state_dict().values():
                tensor.zero_()
            module.load_state_dict(state)
            torch.testing.assert_close(call(module, x), want, rtol=1e-5, atol=1e-5, msg=lambda text: f"{name}, written: {text}")
    print(f"ok: {len(made)} modules compute the same with parameters that torch and ndgrad wrote")


def strip(module):
    return {key.removeprefix("inner."): v for key, v in module.state_dict().items()}


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(1, 4, 3, bias=False), nn.BatchNorm2d(4)
        self.fc1, self.norm, self.act, self.fc2 = nn.Linear(4 * 3 * 3, 8), nn.LayerNorm(8), nn.PReLU(), nn.Linear(8, 3)

    def forward(self, x):
        h = nn.functional.max_pool2d(torch.relu(self.bn1(self.conv1(x))), 2)
        return self.fc2(self.act(self.norm(self.fc1(h.flatten(1)))))


OPTIMIZERS = {
    "SGD": lambda p: torch.optim.SGD(p, lr=0.05, weight_decay=1e-3),
    "momentum": lambda p: torch.optim.SGD(p, lr=0.02, momentum=0.9, weight_decay=1e-3),
    "Nesterov": lambda p: torch.optim.SGD(p, lr=0.02, momentum=0.8, nesterov=True),
    "Adam": lambda p: torch.optim.Adam(p, lr=1e-2, betas=(0.8, 0.99), eps=1e-6, weight_decay=1e-3),
    "AdamW": lambda p: torch.optim.AdamW(p, lr=1e-2, weight_decay=0.1),
    "RMSprop": lambda p: torch.optim.RMSprop(p, lr=1e-3, alpha=0.95, eps=1e-6),
    "Adagrad": lambda p: torch.optim.Adagrad(p, lr=1e-2, eps=1e-8),
    "Adadelta": lambda p: torch.optim.Adadelta(p, lr=0.5, rho=0.9),
}


def checkpoint(name, images, labels, step, model, optimizer):
    torch.save({"images": images, "labels": labels, "step": step, "model": model.state_dict(), "optimizer": optimizer.state_dict()},
               os.path.join(folder, name))


def train(model, optimizer, images, labels, first, steps):
    model.train()
    for i in range(first, first + steps):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images[i]), labels[i]).backward()
        optimizer.step()


def agree(text, model, state, tolerance=1e-5):
    for key, want in model.state_dict().items():
        if not key.endswith("num_batches_tracked"):
            torch.testing.assert_close(state[key], want, rtol=tolerance, atol=tolerance, msg=lambda m: f"{text}: {key}: {m}")


def check_training():
    """Trains 6 steps in torch, then 6 here and 6 there; and 4 more in torch from what was written here."""
    images, labels = torch.randn(16, 10, 1, 8, 8), torch.randint(0, 3, (16, 10))
    for name, make in OPTIMIZERS.items():
        model = Network()
        optimizer = make(model.parameters())
        train(model, optimizer, images, labels, 0, 6)
        checkpoint("start.pt", images, labels, 6, model, optimizer)
        run("train", os.path.join(folder, "start.pt"), os.path.join(folder, "ours.pt"), 6)
        train(model, optimizer, images, labels, 6, 6)
        got = load("ours.pt")
        agree(name, model, got["model"])
        back = Network()
        back.load_state_dict(got["model"])
        other = make(back.parameters())
        options = {key: v for key, v in other.state_dict()["param_groups"][0].items() if key != "params"}
        other.load_state_dict(got["optimizer"])
        for key, want in options.items():
            value = other.param_groups[0][key]
            value = tuple(value) if isinstance(value, list) else value
            assert value == want or isinstance(want, float) and math.isclose(value, want), (name, key, value, want)
        train(back, other, images, labels, 12, 4)
        train(model, optimizer, images, labels, 12, 4)
        agree(name + ", back in torch", model, back.state_dict())
    print(f"ok: trainings with {len(OPTIMIZERS)} optimizers continue here and in torch, to 1e-5")


DTYPES = "float32 float64 float16 bfloat16 int64 int32 int16 int8 uint8 bool complex64 complex128 uint16 uint32 uint64".split()


class Tied(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(3, 3), nn.Linear(3, 3)
        self.b.weight = self.a.weight
        self.register_buffer("k", torch.arange(3))
        self.scale = 2.0

    def forward(self, x):
        return self.b(self.a(x)) * torch.tensor([1.0, 2.0, 3.0]) * self.scale


def write_checkpoints():
    """Writes some 40 files, and yields their names and what they hold."""
    def of(name):
        x = torch.randn(3, 4, dtype=torch.float64) * 50
        return x > 0 if name == "bool" else x.abs().to(getattr(torch, name)) if name.startswith("uint") else x.to(getattr(torch, name))

    def save(name, value, **options):
        torch.save(value, os.path.join(folder, name), **options)
        return name, value

    for name in DTYPES:
        yield save(name + ".pt", {"x": of(name), "empty": of(name)[:0], "number": of(name)[0, 0]})
    everything = {name: of(name) for name in DTYPES}
    old = {name: x for name, x in everything.items() if name == "uint8" or not name.startswith("uint")}
    base = torch.randn(4, 6)
    views = {"b": base, "t": base.t(), "s": base[1:3, ::2], "e": base[:, :1].expand(4, 5), "z": torch.zeros(0, 3), "n": torch.tensor(2.5),
             "flat": base.view(-1)[5:9], "p": base.view(2, 2, 6).permute(2, 0, 1)}
    model = Network()
    states = {}
    for name, make in OPTIMIZERS.items():
        optimizer = make(model.parameters())
        train(model, optimizer, torch.randn(2, 10, 1, 8, 8), torch.randint(0, 3, (2, 10)), 0, 2)
        states[name] = optimizer.state_dict()
    around = {"epoch": 3, "loss": 0.25, "tag": "best", "none": None, "big": 2**70, "negative": -(2**40), "list": [1, 2.5, True, (3, torch.ones(2))],
              "ordered": collections.OrderedDict(a=1), 5: "number", "deep": {"er": {"still": torch.ones(1)}}, "size": torch.Size([2, 3]), "set": []}
    for name, state in states.items():
        yield save("checkpoint-" + name + ".pt", {"model": model.state_dict(), "optimizer": state, **around})
    for old_form in (False, True):
        form = {"_use_new_zipfile_serialization": not old_form}
        end = "-old.pt" if old_form else ".pt"
        yield save("dtypes" + end, old if old_form else everything, **form)
        yield save("views" + end, views, **form)
        yield save("tied" + end, Tied().state_dict(), **form)
        yield save("bare" + end, torch.randn(3), **form)
        yield save("parameter" + end, nn.Parameter(torch.randn(3)), **form)
        yield save("training" + end, {"model": model.state_dict(), "optimizer": states["Adam"], **around}, **form)
    for protocol in 3, 4:
        yield save(f"protocol{protocol}.pt", everything, pickle_protocol=protocol)
    if hasattr(torch.serialization, "set_crc32_options"):
        torch.serialization.set_crc32_options(False)
        yield save("unchecked.pt", everything)
        torch.serialization.set_crc32_options(True)
    yield save("list.pt", [torch.ones(2), {"a": torch.zeros(1)}, (torch.ones(1),)])
    for name, module in ("scripted.jit", torch.jit.script(Tied())), ("traced.jit", torch.jit.trace(model.eval(), torch.randn(1, 1, 8, 8))):
        module.save(os.path.join(folder, name))
        yield name, module


def flat(value, path=""):
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (list, tuple)) else ()
    if isinstance(value, torch.Tensor):
        yield path, value
    for key, item in items:
        yield from flat(item, f"{path}/{key}" if path else str(key))


def same(a, b):
    if isinstance(a, torch.Tensor):
        return isinstance(b, torch.Tensor) and a.dtype == b.dtype and a.shape == b.shape and torch.equal(bits(a), bits(b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b and type(a) is type(b)


def bits(x):
    x = x.detach().contiguous()
    return x.reshape(-1).view(torch.uint8) if x.dtype != torch.bool else x


def compare(name, want, attributes=None):
    run("copy", os.path.join(folder, name), os.path.join(folder, "copy.pt"))
    tensors = dict(flat(want))
    got = load("copy.pt")
    missing = [key for key in tensors if key not in got or not same(tensors[key], got[key])]
    more = [key for key in got if key not in tensors and not (attributes and same(got[key], attributes(key)))]
    assert not missing and not more, (name, missing, more)
    if not name.endswith((".jit", ".safetensors")):
        assert same(want, load("copy.pt.whole")), name
    assert list(load("copy.pt", mmap=True)) == list(got), name
    return len(tensors)


def compare_script(name):
    """Compares the tensors of a TorchScript archive, which are parameters, buffers, other attributes, and constants."""
    module = torch.jit.load(os.path.join(folder, name))

    def attribute(key):
        if key.startswith("constants/"):
            return load("copy.pt")[key]
        value = module
        for part in key.split("."):
            value = getattr(value, part)
        return value

    return compare(name, module.state_dict(), attribute)


def check_checkpoints():
    files = tensors = 0
    for name, want in write_checkpoints():
        tensors += compare_script(name) if name.endswith(".jit") else compare(name, want)
        files += 1
    run("copy", os.path.join(folder, "tied.pt"), os.path.join(folder, "copy.pt"))
    tied = load("copy.pt")
    assert tied["a.weight"].data_ptr() == tied["b.weight"].data_ptr()
    print(f"ok: {files} files of torch {torch.__version__}, {tensors} tensors, read here and written again")


def check_wheels(paths):
    """Reads the models in unpacked wheels."""
    for path in paths:
        name = os.path.basename(path)
        os.symlink(os.path.abspath(path), os.path.join(folder, name))
        if path.endswith(".jit"):
            count = compare_script(name)
        elif path.endswith(".safetensors"):
            try:
                from safetensors.torch import load_file
            except ImportError:
                print(f"skipped: {name}: no safetensors package")
                continue
            count = compare(name, load_file(path))
        else:
            count = compare(name, torch.load(path, weights_only=True, map_location="cpu"))
        print(f"ok: {name}, {count} tensors")


torch.manual_seed(0)
if len(sys.argv) > 3:
    check_wheels(sys.argv[3:])
else:
    check_modules()
    check_training()
    check_checkpoints()
