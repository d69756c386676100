"""Writes the small files of this folder, with which fuzzing begins, with h5py: python make.py."""
import h5py
import numpy as np

x = np.arange(12, dtype="<i2").reshape(3, 4)
every = dict(compression="gzip", shuffle=True, fletcher32=True)


def make(name, low="latest", **options):
    return h5py.File(name + ".h5", "w", libver=(low, "latest"), **options)


with make("fixed") as f:
    f.create_dataset("x", data=x, chunks=(2, 3), **every)
with make("growing") as f:
    f.create_dataset("x", data=x, chunks=(1, 1), maxshape=(None, 4))
with make("tree2") as f:
    f.create_dataset("x", data=x, chunks=(1, 2), maxshape=(None, None), **every)
with make("single") as f:
    f.create_dataset("x", data=x, chunks=(3, 4), compression="gzip")
with make("links") as f:
    for k in range(12):
        f[f"name{k}"] = h5py.SoftLink("/") if k % 2 else h5py.SoftLink("name0")
with make("attributes") as f:
    for k in range(10):
        f.attrs[f"a{k}"] = k if k % 2 else "text"
with make("oldgroup", "earliest") as f:
    f["g/x"] = np.float32(1)
    f["g/up"] = f["g"]
    f["soft"] = h5py.SoftLink("/g/x")
    f.attrs["a"] = [True, False]
with make("oldchunks", "earliest", userblock_size=512) as f:
    f.create_dataset("x", data=x, chunks=(2, 3), maxshape=(None, 9), fillvalue=3, **every)
with make("texts", "v108") as f:
    f["fixed"] = np.array([b"ab", b"c"])
    f["variable"] = ["ab", "ö", ""]
    f["empty"] = h5py.Empty("f4")
    f["type"] = np.dtype("<f8")
    f["z"] = np.array([1j], dtype="<c8")
