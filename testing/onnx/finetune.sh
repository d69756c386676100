#!/usr/bin/env bash
# Compares the training of an imported network with PyTorch's (finetune.py). It is skipped, with the reason, if the Python has no torch.
#
#   [PYTHON=python3] testing/onnx/finetune.sh
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
if ! reason=$("$python" -c "import onnx, torch" 2>&1); then
  echo "skipped: ${reason##*$'\n'}"
  exit
fi
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
go build -o "$dir/finetune" ./testing/onnx/finetune
"$python" -W ignore testing/onnx/finetune.py "$dir/finetune" "$dir"
