#!/usr/bin/env bash
# Runs the scripts of this folder, all with one Python, even where one fails; it exits with the number of scripts that failed. What
# cannot be had is skipped, with the reason.
#
#   [PYTHON=python3] [VENV=FOLDER] [WHEELS=FOLDER] [MODELS=models.zip] testing/onnx/all.sh [-quick]
#
# -quick leaves out what takes more than a minute: the corpus, scikit-learn, the large models and their exports.
set -u
cd "$(dirname "$0")/../.."
. testing/onnx/python.sh
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
quick=${1:-}
modules=numpy,onnx,onnxruntime packages=(onnx==1.23.2 onnxruntime==1.32.0 numpy)
if [ "$quick" != -quick ]; then
  modules=$modules,skl2onnx,pandas packages+=(scikit-learn==1.9.1 skl2onnx==1.20.0 pandas)
fi
if ! python=$(python_with "$modules" "${packages[@]}" 2> "$dir/reason"); then
  echo "skipped: $(tail -n 1 "$dir/reason")"
  exit
fi
export PYTHON=$python WHEELS=${WHEELS:-$dir/wheels}
failed=0
# script NAME ARGUMENTS… runs a script beside this one.
script() {
  printf '\n-- %s\n' "$1"
  testing/onnx/"$@" || { echo "FAILED: $1"; failed=$((failed + 1)); }
}
script contrib.sh
script examples.sh
if [ "$quick" != -quick ]; then
  models=${MODELS:-../shared/golden/files/onnx/models.zip}
  script finetune.sh
  script corpus.sh
  script sklearn.sh
  script models.sh
  script gradients.sh
  if [ -e "$models" ]; then script export.sh "$models"; else script export.sh; fi
fi
exit $failed
