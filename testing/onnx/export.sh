#!/bin/sh
# Exports networks, and each model of an archive after importing it, and checks the files with onnx and onnxruntime.
#
#     testing/onnx/export.sh [MODELS.zip]
#
# PYTHON is a Python with onnx and onnxruntime; by default python3.
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/networks" "$folder/models" "$folder/again"
go build -o "$folder/export" ./testing/onnx/export
"$folder/export" "$folder/networks"
go run ./examples/digits -epochs 1 -export "$folder/networks/digits.onnx" > "$folder/log"
go test -count=1 -run Export ./examples/lenet ./examples/vae -export "$folder/networks" >> "$folder/log"
"$python" -c "import numpy, sys; numpy.savez(sys.argv[1], images=numpy.random.default_rng(1).random((5, 64), 'f'))" "$folder/digits.npz"
"$folder/export" "$folder/again" "$folder/networks/digits.onnx" "$folder/digits.npz"
"$python" testing/onnx/export.py "$folder/networks"
if [ $# -gt 0 ]; then
	"$python" testing/onnx/export.py -unpack "$1" "$folder/models"
	failed=0
	for model in "$folder"/models/*.onnx; do
		"$folder/export" "$folder/again" "$model" "${model%.onnx}.npz" || { echo "FAIL $(basename "$model")"; failed=1; }
	done
	"$python" testing/onnx/export.py "$folder/again"
	count=$(ls "$folder/models" | grep -c 'onnx$')
	[ "$count" -ge 78 ] || { echo "only $count models"; failed=1; }
	exit $failed
fi
