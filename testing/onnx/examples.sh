#!/usr/bin/env bash
# Runs the programs in examples that need real models: ocr reads a page that its test has drawn, and server tells kinds of files apart.
# What cannot be had is skipped, with the reason.
#
#   [PYTHON=python3] [WHEELS=FOLDER] testing/onnx/examples.sh
set -eu
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
testing/onnx/fetch.sh "$dir/models" magika rapidocr
if [ -d "$dir/models/rapidocr_onnxruntime/models" ]; then
  go test -count=1 -run TestReads -v ./examples/ocr -models "$dir/models/rapidocr_onnxruntime/models"
else
  echo "skipped: ocr"
fi
if model=$(ls -d "$dir"/models/magika/models/standard_*); then
  go test -count=1 -run TestMagika ./examples/server -model "$model"
else
  echo "skipped: server"
fi
