#!/usr/bin/env bash
# Makes the corpus of ONNX's own node cases (corpus.py, of PyPI's onnx 1.23.2), runs it here and through onnxruntime, and prints a table
# by operator. It fails if it finds fewer than 1,884 cases, or if fewer than 1,865 pass here; it is skipped, with the reason, if there is
# no Python with the packages and none can be had.
#
#   [PYTHON=python3] [VENV=FOLDER] testing/onnx/corpus.sh
set -eu
cd "$(dirname "$0")/../.."
. testing/onnx/python.sh
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
if ! python=$(python_with numpy,onnx,onnxruntime onnx==1.23.2 onnxruntime==1.32.0 numpy 2> "$dir/reason"); then
  echo "skipped: $(tail -n 1 "$dir/reason")"
  exit
fi
mkdir -p "$dir/files/onnx"
"$python" -W ignore testing/onnx/corpus.py "$dir/files/onnx"
go run ./testing/conform -golden "$dir/files/onnx" -report "$dir/report.tsv" > "$dir/log" || true # the table says what fails
[ -s "$dir/report.tsv" ] || { cat "$dir/log"; exit 1; }
"$python" -W ignore testing/onnx/corpuscheck.py "$dir/files/onnx/corpus.zip" "$dir/report.tsv"
