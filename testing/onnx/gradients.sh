#!/usr/bin/env bash
# Compares gradients of models with central differences: of the real models of models.sh on its inputs, and of all models in the archive
# models.zip of the recorded results. What cannot be had is skipped, with the reason.
#
#   [PYTHON=python3] [VENV=FOLDER] [WHEELS=FOLDER] [MODELS=models.zip] testing/onnx/gradients.sh [MODEL…]
#
# fetch.sh fetches the models.
set -eu
cd "$(dirname "$0")/../.."
. testing/onnx/python.sh
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
archive=${MODELS:-../shared/golden/files/onnx/models.zip}
if ! python=$(python_with numpy,onnx,onnxruntime onnx==1.23.2 onnxruntime==1.32.0 numpy 2> "$dir/reason"); then
  echo "skipped: $(tail -n 1 "$dir/reason")"
  exit
fi
export PYTHON=$python
testing/onnx/fetch.sh "$dir/models"
"$python" -W ignore testing/onnx/models.py -cases "$dir/cases" "$dir/models" "$@"
go test -count=1 -v -timeout 30m -run 'TestGradientsOfModels$' ./nn/onnx -models "$dir/cases"
if [ -e "$archive" ] && [ $# -eq 0 ]; then
  go test -count=1 -v -timeout 60m -run 'TestGradientsOfModels$' ./nn/onnx -models "$(realpath "$archive")"
fi
