#!/usr/bin/env bash
# Compares fitted models of scikit-learn, exported by skl2onnx, with scikit-learn's predictions (sklearn.py). It is skipped, with the
# reason, if there is no Python with the packages and none can be had.
#
#   [PYTHON=python3] [VENV=FOLDER] testing/onnx/sklearn.sh [MODEL…]
set -eu
cd "$(dirname "$0")/../.."
. testing/onnx/python.sh
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
go build -o "$dir/run" ./testing/onnx/run
if ! python=$(python_with skl2onnx,pandas scikit-learn==1.9.1 skl2onnx==1.20.0 onnx==1.23.2 pandas 2> "$dir/reason"); then
  echo "skipped: $(tail -n 1 "$dir/reason")"
  exit
fi
"$python" testing/onnx/sklearn.py "$dir/run" "$@"
