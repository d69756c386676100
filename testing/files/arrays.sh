#!/usr/bin/env bash
# Exchanges arrays with the safetensors and MXNet packages of PyPI: what they write is read here and written again, and they read it. Each
# part is skipped, with the reason, if there is no Python with the package.
#
#   [PYTHON=python3] testing/files/arrays.sh
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
go build -o "$dir/copyarrays" ./testing/files/copyarrays

if ! "$python" -c 'import numpy, safetensors.numpy' 2> "$dir/reason"; then
  echo "skipped: safetensors: $(tail -n 1 "$dir/reason"); try: $python -m pip install numpy safetensors"
else
  "$python" - "$dir" << 'PYTHON'
import json, subprocess, sys
import numpy as np
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

folder = sys.argv[1]
rng = np.random.default_rng(0)
arrays = {}
for name in "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool complex64".split():
    values = rng.integers(0, 2, (3, 4)) if name == "bool" else rng.standard_normal((3, 4)) * 50
    if name.startswith("uint"):
        values = np.abs(values)
    arrays[name] = values.astype(name)
    arrays[name + "/empty"], arrays[name + "/number"] = arrays[name][:0].copy(), np.array(arrays[name][0, 0])


def check(read, want):
    subprocess.run([folder + "/copyarrays", read, folder + "/ours.safetensors"], check=True)
    got = load_file(folder + "/ours.safetensors")
    assert set(got) == set(want), (sorted(got), sorted(want))
    for name, x in want.items():
        assert got[name].dtype == x.dtype and got[name].shape == x.shape and got[name].tobytes() == x.tobytes(), name


try:
    save_file(arrays, folder + "/theirs.safetensors", metadata={"format": "np"})
except Exception:  # versions before 0.6 know no complex numbers
    arrays = {name: x for name, x in arrays.items() if not name.startswith("complex")}
    save_file(arrays, folder + "/theirs.safetensors", metadata={"format": "np"})
check(folder + "/theirs.safetensors", arrays)
with safe_open(folder + "/ours.safetensors", framework="np") as f:
    assert f.metadata() == {"format": "np"}
names = sorted(arrays)
shards = {"model-1.safetensors": names[::2], "model-2.safetensors": names[1::2]}
for shard, part in shards.items():
    save_file({name: arrays[name] for name in part}, folder + "/" + shard)
index = {"metadata": {"total_size": sum(x.nbytes for x in arrays.values())}, "weight_map": {name: shard for shard, part in shards.items() for name in part}}
with open(folder + "/model.safetensors.index.json", "w") as f:
    json.dump(index, f)
check(folder + "/model.safetensors.index.json", arrays)
np.savez(folder + "/theirs.npz", **{name.replace("/", "-"): x for name, x in arrays.items()})
check(folder + "/theirs.npz", {name.replace("/", "-"): x for name, x in arrays.items()})
print(f"ok: {len(arrays)} arrays of safetensors, of two shards and of .npz are read here, and written again")
PYTHON
fi

if ! "$python" -W ignore -c 'import mxnet' 2> "$dir/reason"; then
  echo "skipped: MXNet: $(tail -n 1 "$dir/reason"); try, with Python 3.8: $python -m pip install 'numpy<1.24' mxnet==1.9.1"
else
  "$python" -W ignore - "$dir" << 'PYTHON'
import subprocess, sys
import mxnet as mx
import numpy as np

folder = sys.argv[1]
mx.npx.set_np()
mx.util.set_np_shape(2)  # for all threads: only then MXNet 1.9 reads arrays of version 2 beside those of version 3
rng = np.random.default_rng(0)
arrays = {}
for name in "float16 float32 float64 int8 int32 int64 uint8 bool".split():
    arrays[name] = mx.np.array((rng.standard_normal((3, 4)) * 50).astype(name), dtype=name)
    arrays[name + "/empty"], arrays[name + "/number"] = arrays[name][:0], arrays[name][0, 0]


def check(read, want):
    subprocess.run([folder + "/copyarrays", read, folder + "/ours.params"], check=True)
    got = mx.npx.load(folder + "/ours.params")
    assert set(got) == set(want), sorted(got)
    for name, x in want.items():
        assert got[name].dtype == x.dtype and got[name].shape == x.shape and got[name].asnumpy().tobytes() == x.asnumpy().tobytes(), name


mx.npx.save(folder + "/theirs.params", arrays)
check(folder + "/theirs.params", arrays)
net = mx.gluon.nn.Dense(3, in_units=4)
net.initialize()
net.save_parameters(folder + "/gluon.params")
check(folder + "/gluon.params", {name: p.data() for name, p in net.collect_params().items()} if mx.__version__ >= "2" else mx.npx.load(folder + "/gluon.params"))
print(f"ok: {len(arrays)} arrays of MXNet {mx.__version__} are read here, and written again")
PYTHON
fi
