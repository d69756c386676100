#!/usr/bin/env bash
# Trains on Fashion-MNIST from Debian's package dataset-fashion-mnist for five epochs, which takes a minute, and fails if the test
# accuracy stays below 0.89. It is skipped if the data set is missing.
#
#   examples/lenet/fashion.sh [DIR]
set -eu
cd "$(dirname "$0")/../.."
dir=${1:-/usr/share/datasets/fashion-mnist}
if ! ls "$dir"/train-images-idx3-ubyte* > /dev/null 2>&1; then
  echo "skipped: $dir has no Fashion-MNIST; on Debian: apt-get install dataset-fashion-mnist"
  exit 0
fi
go run ./examples/lenet -data "$dir" -epochs 5 | tee /dev/stderr | tail -1 |
  awk '{ if ($NF < 0.89) { print "FAILED: the test accuracy is below 0.89"; exit 1 } print "ok" }'
