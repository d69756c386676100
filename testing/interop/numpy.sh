#!/usr/bin/env bash
# Loads what nn/archive writes in NumPy, and in the safetensors package where that is there too: a checkpoint of examples/lenet, with
# parameters, an optimizer, streams and counters, and the parameters of examples/vae. It is skipped, with the reason, where there is no Python with NumPy.
#
#   [PYTHON=python3] testing/interop/numpy.sh
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
if ! "$python" -c 'import numpy' 2> /dev/null; then
  echo "skipped: $python has no NumPy; try: $python -m pip install numpy safetensors"
  exit 0
fi
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
go run ./examples/lenet -epochs 1 -checkpoint "$dir/lenet.npz" > /dev/null
go run ./examples/vae -epochs 1 -out "$dir" > /dev/null
go run ./testing/interop/convert "$dir/vae.npz" "$dir/vae.safetensors"
"$python" - "$dir" << 'PYTHON'
import sys
import numpy as np

folder = sys.argv[1]
saved = np.load(folder + "/lenet.npz")  # allow_pickle is off: all are plain arrays
params = {name.removeprefix("params/"): saved[name] for name in saved.files if name.startswith("params/")}
assert set(params) >= {"conv1/conv/W", "conv1/bn/mean", "fc4/affine/b"}, sorted(params)
for name, x in params.items():
    assert x.dtype == np.float32 and x.flags.c_contiguous and np.isfinite(x).all(), name
    if "/bn/mean" not in name and "/bn/var" not in name:
        assert saved[f"optimizer/{name}/mean"].shape == x.shape, name
        assert saved[f"optimizer/{name}/t"] == saved["updates"], name
order = saved["batches/_order"]
assert sorted(order) == list(range(1437)) and saved["batches/epoch"] == 1 and saved["batches/is_new_epoch"].dtype == bool
assert saved["dropout/state"].dtype == np.uint8
print(f"ok: NumPy {np.__version__} loads a checkpoint of {len(saved.files)} values")

try:
    from safetensors.numpy import load_file
except ImportError:
    print("skipped: no safetensors package")
else:
    want, got = np.load(folder + "/vae.npz"), load_file(folder + "/vae.safetensors")
    assert set(got) == set(want.files), sorted(got)
    assert all(np.array_equal(got[name], want[name]) for name in got)
    print(f"ok: safetensors loads {len(got)} arrays")
PYTHON
