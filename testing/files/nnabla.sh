#!/usr/bin/env bash
# Saves the recorded networks of NNabla with this library, as .nnp and .nntxt, and their parameters as .h5 and .protobuf, and compares what
# NNabla's own program nbla computes with these files. The program is in PyPI's wheel of nnabla 1.35.1, and needs no Python. The script is
# skipped, with the reason, where the wheel or the networks cannot be had.
#
#   [PYTHON=python3] [GOLDEN=../shared/golden] testing/files/nnabla.sh
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
networks=${GOLDEN:-../shared/golden}/files/nnp
if [ ! -d "$networks" ]; then
  echo "skipped: $networks is absent"
  exit 0
fi
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
if ! "$python" -m pip download -q --no-deps --only-binary=:all: --python-version 3.10 -d "$dir" nnabla==1.35.1; then
  echo "skipped: $python -m pip finds no nnabla 1.35.1 for this machine"
  exit 0
fi
(cd "$dir" && "$python" -m zipfile -e nnabla-*.whl wheel)
chmod +x "$dir/wheel/nnabla/bin/nbla"
export LD_LIBRARY_PATH="$dir/wheel/nnabla/bin:$dir/wheel/nnabla"
if ! "$dir/wheel/nnabla/bin/nbla" > /dev/null 2>&1; then
  if [ $? -ge 126 ]; then
    echo "skipped: nbla does not run on this machine"
    exit 0
  fi
fi
go run ./testing/files/nnabla -nbla "$dir/wheel/nnabla/bin/nbla" "$networks"
