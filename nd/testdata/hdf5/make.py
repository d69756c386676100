"""Writes the files of this folder, with h5py: python make.py. The elements of a dataset count up from 0."""
import h5py
import numpy as np

x = np.arange(35, dtype="<i4").reshape(5, 7)
with h5py.File("chunks.h5", "w", libver="latest") as f:
    gzip = dict(compression="gzip")
    full = dict(compression="gzip", shuffle=True, fletcher32=True)
    for name, options in {
        "contiguous": {},
        "single": dict(chunks=(5, 7)),
        "single_gzip": dict(chunks=(5, 7), **gzip),
        "fixed": dict(chunks=(2, 3)),
        "fixed_all": dict(chunks=(2, 3), **full),
        "fixed_limits": dict(chunks=(2, 3), maxshape=(9, 20)),
        "growing": dict(chunks=(2, 3), maxshape=(None, 7)),
        "growing_second": dict(chunks=(2, 3), maxshape=(9, None)),
        "growing_gzip": dict(chunks=(1, 1), maxshape=(None, 11), **gzip),
        "tree": dict(chunks=(2, 3), maxshape=(None, None)),
        "tree_all": dict(chunks=(1, 1), maxshape=(None, None), **full),
        "sum": dict(chunks=(2, 3), fletcher32=True),
        "shuffle": dict(chunks=(3, 7), shuffle=True),
        "big": dict(chunks=(5, 2), dtype=">f8", **full),
    }.items():
        f.create_dataset(name, data=x, **options)
    dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    dcpl.set_chunk((2, 3))
    dcpl.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    d = h5py.h5d.create(f.id, b"implicit", h5py.h5t.STD_I32LE, h5py.h5s.create_simple((5, 7)), dcpl)
    d.write(h5py.h5s.ALL, h5py.h5s.ALL, x)
    dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    dcpl.set_layout(h5py.h5d.COMPACT)
    d = h5py.h5d.create(f.id, b"compact", h5py.h5t.STD_I32LE, h5py.h5s.create_simple((5, 7)), dcpl)
    d.write(h5py.h5s.ALL, h5py.h5s.ALL, x)
    z = np.array([1 + 2j, -3j], dtype="<c8")
    f["complex"] = z
    native = h5py.h5t.COMPLEX_IEEE_F32LE  # of HDF5 2
    d = h5py.h5d.create(f.id, b"native_complex", native, h5py.h5s.create_simple((2,)))
    d.write(h5py.h5s.ALL, h5py.h5s.ALL, z, mtype=native)
    long = np.arange(1100, dtype="<u2")
    f.create_dataset("long_fixed", data=long, chunks=(1,))  # two pages
    f.create_dataset("long_growing", data=long, chunks=(1,), maxshape=(None,))
    sparse = f.create_dataset("sparse", (140000,), "<i4", chunks=(1,), maxshape=(None,), fillvalue=-3)
    sparse[139998:139999] = 139998  # in a block of several pages
with h5py.File("old.h5", "w", libver="earliest", userblock_size=512) as f:
    f.create_dataset("tree", data=np.arange(150, dtype="<u1"), chunks=(1,), maxshape=(None,))  # a tree of two levels
    f.create_dataset("tree_all", data=x, chunks=(2, 3), compression="gzip", shuffle=True, fletcher32=True)
    f.create_dataset("gaps", (9, 9), "<f4", chunks=(4, 4), fillvalue=2.5)[4:6, 4:6] = 1
    f["alias"] = h5py.SoftLink("/tree")
    below = f.create_group("a/b")
    below["again"] = f["a"]
    f["lost"] = h5py.SoftLink("/nowhere")
    f["pair"] = np.zeros(2, dtype=[("a", "i4"), ("b", "f4")])
    f["names"] = ["ab", "ö", ""]
    f["empty"] = h5py.Empty("f4")
