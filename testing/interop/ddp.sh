#!/usr/bin/env bash
# Compares the gradients of train.Distributed with those of PyTorch's DistributedDataParallel (gloo), for the same weights and
# batches on 2 and 3 ranks, to 1e-6. It is skipped, with the reason, if there is no Python with PyTorch.
#
#   [PYTHON=python3] testing/interop/ddp.sh
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
if ! "$python" -c 'import torch.distributed, numpy; assert torch.distributed.is_available()' 2> /dev/null; then
  echo "skipped: $python has no PyTorch with torch.distributed; try: $python -m pip install torch numpy"
  exit 0
fi
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
for ranks in 2 3; do
  go run ./testing/interop/ddp -ranks $ranks -dir "$dir"
  "$python" -W ignore testing/interop/ddp.py $ranks "$dir/ddp.npz"
done
