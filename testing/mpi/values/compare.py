"""Computes with mpi4py what testing/mpi/values computed: mpirun -n N python compare.py FOLDER"""

import sys

import numpy as np
from mpi4py import MPI

world = MPI.COMM_WORLD
rank, size = world.Get_rank(), world.Get_size()
given = np.load(f"{sys.argv[1]}/{rank}.npz")
dtypes = [name[2:] for name in given.files if name.startswith("x_")]
compared = 0


def check(name, got, want, exact=True):
    global compared
    same = np.array_equal(got, want) if exact else np.allclose(got, want, rtol=1e-6)
    if not same:
        print(f"rank {rank}: {name} differs: {got[:4]} and {want[:4]}", flush=True)
        world.Abort(1)
    compared += 1


for dtype in dtypes:
    x = given["x_" + dtype]
    total = np.empty_like(x)
    world.Allreduce(x, total)
    check("fast_" + dtype, given["fast_" + dtype], total, exact=x.dtype.kind in "iu")
    check("ordered_" + dtype, given["ordered_" + dtype], total, exact=x.dtype.kind in "iu")
    every = np.empty((size, *x.shape), x.dtype)
    world.Allgather(x, every)
    for i in range(size):
        check(f"gathered{i}_{dtype}", given[f"gathered{i}_{dtype}"], every[i])
    ordered = every[0].copy()
    for i in range(1, size):
        ordered += every[i]  # in the order of the ranks: the same bits
    check("in order: " + dtype, given["ordered_" + dtype], ordered)
    y = x.copy()
    world.Bcast(y, size - 1)
    check("bcast_" + dtype, given["bcast_" + dtype], y)
if rank == 0:
    print(f"mpi4py with {MPI.Get_library_version().splitlines()[0].split(',')[0]}: {compared} arrays of {size} ranks agree")
