#!/usr/bin/env bash
# Compares the tags of the structs that nn/internal/wire reads and writes (numbers, types, packing and, for texts, names of fields) with the
# definitions in PyPI's chainer (caffe_pb2) and nnabla (nnabla_pb2). The packages are neither installed nor run. A part is skipped, with the
# reason, if its package cannot be had, and everything if Python has neither venv nor protobuf.
#
#   [PYTHON=python3] testing/files/messages.sh
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
# Chainer's setup.py, which pip runs to learn its version, needs an old setuptools.
if ! { "$python" -m venv "$dir/venv" && "$dir/venv/bin/pip" install -q 'setuptools<70' wheel protobuf; } > "$dir/pip.txt" 2>&1; then
  echo "skipped: $(tail -n 1 "$dir/pip.txt")"
  exit 0
fi

# compare PACKAGE MODULE FOLDER exact|loose PAIR… compares the structs in FOLDER with the module, which the package has.
compare() {
  local package=$1 module=$2 folder=$3
  shift 3
  if ! "$dir/venv/bin/pip" download -q --no-deps --no-build-isolation -d "$dir/$package" ${OPTIONS:-} "$package" > "$dir/pip.txt" 2>&1; then
    echo "skipped: $package: $(grep -v '^$' "$dir/pip.txt" | tail -n 1)"
    return
  fi
  "$python" - "$dir/$package" "$module" << 'PYTHON'
import glob, os, sys, tarfile, zipfile

folder, module = sys.argv[1:]
for path in glob.glob(folder + "/*"):
    archive = zipfile.ZipFile(path) if path.endswith(".whl") else tarfile.open(path)
    names = archive.namelist() if path.endswith(".whl") else archive.getnames()
    name = next(n for n in names if n.endswith("/" + module))
    content = archive.read(name) if path.endswith(".whl") else archive.extractfile(name).read()
    with open(os.path.join(folder, module), "wb") as f:
        f.write(content)
PYTHON
  go run ./testing/files/messages "$folder" > "$dir/structs.json"
  echo "$package:"
  "$dir/venv/bin/python" testing/files/messages.py "$dir/structs.json" "$dir/$package/$module" "$@"
}

# InnerProductParameter.transpose is a field of later versions of Caffe.
compare chainer==7.8.1 caffe_pb2.py nn/caffe loose netParameter=NetParameter +InnerProductParameter.6
# The last versions of nnabla have wheels for older versions of Python only.
OPTIONS='--only-binary=:all: --python-version 3.10' compare nnabla==1.35.1 nnabla_pb2.py nn/nnabla exact \
  contents=NNablaProtoBuf optimizer=Optimizer network=Network executor=Executor
