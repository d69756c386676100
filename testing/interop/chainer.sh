#!/usr/bin/env bash
# Hands a training over between this library and Chainer: a snapshot of package train's trainer is loaded by Chainer 7.8.1, which trains
# on, and the other way round; both ends are compared with trainings that stayed at home, to 1e-5. It is skipped, with the reason, where
# there is no Python with Chainer.
#
#   [PYTHON=python3] testing/interop/chainer.sh
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
if ! "$python" -W ignore -c 'import chainer' 2> /dev/null; then
  echo "skipped: $python has no Chainer; try, with Python 3.11 or before: $python -m pip install 'numpy<1.24' 'setuptools<70' wheel &&" \
    "$python -m pip install --no-build-isolation chainer==7.8.1"
  exit 0
fi
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
ours() { go run ./testing/interop/trainer -dir "$dir" "$@"; }
theirs() { "$python" -W ignore testing/interop/trainer.py "$dir" "$@"; }
for optimizer in sgd momentum adam adagrad rmsprop smorms3; do
  ours -optimizer $optimizer -init
  ours -optimizer $optimizer -out ours
  theirs $optimizer ours/snapshot_iter_9 ours-theirs
  theirs $optimizer - theirs
  ours -optimizer $optimizer -resume theirs/snapshot_iter_9 -out theirs-ours
  "$python" - "$dir" $optimizer << 'PYTHON'
import sys
import numpy as np

folder, optimizer = sys.argv[1:]
whole = np.load(folder + "/ours/final.npz")
for path in ("ours-theirs", "theirs", "theirs-ours"):
    final = np.load(folder + "/" + path + "/final.npz")
    assert sorted(final.files) == sorted(whole.files), (path, final.files)
    for name in whole.files:
        np.testing.assert_allclose(final[name], whole[name], rtol=1e-5, atol=1e-5, err_msg=path + " " + name)
print(f"ok: {optimizer}: {len(whole.files)} parameters agree after 22 updates, whoever made them")
PYTHON
done
