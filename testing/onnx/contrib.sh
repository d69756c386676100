#!/usr/bin/env bash
# Compares the operators of onnxruntime's own domain with onnxruntime, on random inputs and attributes (contrib.py). It is skipped, with
# the reason, if there is no Python with onnxruntime and none can be had.
#
#   [PYTHON=python3] [VENV=FOLDER] testing/onnx/contrib.sh [OPERATOR…]
set -eu
cd "$(dirname "$0")/../.."
. testing/onnx/python.sh
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
go build -o "$dir/run" ./testing/onnx/run
if ! python=$(python_with numpy,onnx,onnxruntime onnx==1.23.2 onnxruntime==1.32.0 2> "$dir/reason"); then
  echo "skipped: $(tail -n 1 "$dir/reason")"
  exit
fi
"$python" testing/onnx/contrib.py "$dir/run" "$@"
