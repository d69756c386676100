#!/usr/bin/env bash
# Copies HDF5 files with this library, plain and compressed, and compares the copies with the originals in h5py: the recorded files, if they are
# there, and files that h5py makes here, with every index of chunks, limits of axes, 20,000 objects, and 200 MB. h5dump and h5stat read the copies,
# too, where they are installed (Debian: hdf5-tools). It is skipped, with the reason, where there is no Python with h5py.
#
#   [PYTHON=python3] [GOLDEN=../shared/golden] testing/files/hdf5.sh
set -eu
cd "$(dirname "$0")/../.."
python=${PYTHON:-python3}
golden=${GOLDEN:-../shared/golden}
if ! "$python" -c 'import h5py' 2> /dev/null; then
  echo "skipped: $python has no h5py; try: $python -m pip install h5py"
  exit 0
fi
dir=$(mktemp -d)
trap 'rm -r "$dir"' EXIT
mkdir "$dir/original" "$dir/plain" "$dir/packed"
go build -o "$dir/hdf5" ./testing/files/hdf5

"$python" - "$dir/original" << 'PYTHON'
import itertools, sys
import h5py
import numpy as np

folder = sys.argv[1]
rng = np.random.default_rng(31)

# chunks: each format, limits of axes, filters, layouts with gaps
for low in ["earliest", "v108", "v110", "v112", "v114", "latest"]:
    with h5py.File(f"{folder}/chunks_{low}.h5", "w", libver=(low, "latest")) as f:
        limits = {"none": None, "first": (None, 17), "second": (11, None), "both": (None, None), "large": (100, 90), "same": (7, 13)}
        packers = {"raw": {}, "gzip": dict(compression="gzip"), "all": dict(compression="gzip", shuffle=True, fletcher32=True),
                   "sum": dict(fletcher32=True), "shuffle": dict(shuffle=True)}
        for (limit, most), (packer, filters), chunk in itertools.product(limits.items(), packers.items(), [(2, 3), (7, 13), (1, 13), (5, 1)]):
            x = rng.integers(-1000, 1000, (7, 13)).astype(rng.choice(["<i2", ">i4", "<f8", "u1"]))
            name = f"{limit}/{packer}/{chunk[0]}x{chunk[1]}"
            if limit in ("large", "both", "first"):
                d = f.create_dataset(name, (7, 13), x.dtype, maxshape=most, chunks=chunk, fillvalue=9, **filters)
                d[1:5, 2:9] = x[1:5, 2:9]  # the rest is filled
                if limit == "both":
                    d.resize((9, 6))
            else:
                f.create_dataset(name, data=x, maxshape=most, chunks=chunk, **filters)
        # long enough for trees of several levels, pages of arrays, and super blocks
        long = np.arange(9000, dtype="<i4")
        for limit, most in {"fixed": None, "free": (None,), "more": (20000,)}.items():
            for packer, filters in {"raw": {}, "gzip": dict(compression="gzip")}.items():
                f.create_dataset(f"long/{limit}/{packer}", data=long, maxshape=most, chunks=(2,), **filters)
        sparse = f.create_dataset("long/sparse", (200000,), "<i4", maxshape=(None,), chunks=(3,))
        sparse[150000:150010] = 7
        sparse = f.create_dataset("long/sparse_fixed", (60000,), "<i4", chunks=(3,), fillvalue=-1)
        sparse[55000:55010] = 7
        f.create_dataset("wide", data=rng.standard_normal((3, 400000)), chunks=(1, 100000), compression="gzip")
        f.create_dataset("box", data=rng.standard_normal((9, 10, 11, 12)), chunks=(4, 3, 11, 5), compression="gzip")

# many members, with the order of creation and without, attributes of every storage
for low, track in itertools.product(["earliest", "v108", "latest"], [False, True]):
    with h5py.File(f"{folder}/many_{low}_{track}.h5", "w", libver=(low, "latest"), track_order=track) as f:
        for k in rng.permutation(3000):
            name = f"g{k % 7}"
            g = f[name] if name in f else f.create_group(name, track_order=track)
            g.create_dataset(f"name{'x' * (k % 50)}{k}", data=k)
        x = f.create_dataset("x", data=[1.5], track_order=track)
        for k in rng.permutation(200):
            x.attrs[f"a{k}"] = [f"text {k}", "b"] if k % 3 == 0 else np.arange(k)
        f.attrs["empty"] = h5py.Empty("f8")
        f.create_dataset("texts", data=np.array([f"{k}" * (k % 9) for k in range(5000)], dtype=object), dtype=h5py.string_dtype())
        f.create_dataset("fixed", data=np.array([b"a", b"bcd", b""]), chunks=(2,), compression="gzip")
        space = h5py.h5t.C_S1.copy(); space.set_size(6); space.set_strpad(h5py.h5t.STR_SPACEPAD)
        d = h5py.h5d.create(f.id, b"spaces", space, h5py.h5s.create_simple((2,)))
        d.write(h5py.h5s.ALL, h5py.h5s.ALL, np.array([b"ab", b"a b"], dtype="S6"))

with h5py.File(f"{folder}/objects.h5", "w", libver="latest") as f:
    for k in range(20000):
        f[f"layer{k}"] = np.float32(k)
with h5py.File(f"{folder}/large.h5", "w") as f:  # 200 chunks, when compressed
    f["x"] = np.repeat(rng.standard_normal((100, 5000)).astype("f4"), 100, axis=1)
    f["row"] = rng.integers(0, 9, (1, 3_000_000), dtype="i8")
with h5py.File(f"{folder}/user.h5", "w", userblock_size=2048, libver="latest") as f:
    f["x"] = np.arange(5)
PYTHON
if [ -d "$golden/files/hdf5" ]; then
  cp "$golden"/files/hdf5/*.h5 "$dir/original"
  find "$golden/nnabla_files" "$golden/chainer_files" -name '*.h5' -exec cp {} "$dir/original" \;
else
  echo "skipped: the recorded files, which are not in $golden/files/hdf5"
fi
chmod u+w "$dir"/original/*
"$dir/hdf5" "$dir"/original/*.h5 "$dir/plain" 2> "$dir/left"
"$dir/hdf5" -compress "$dir"/original/*.h5 "$dir/packed" 2> /dev/null

"$python" - "$dir" << 'PYTHON'
import glob, os, sys
import h5py
import numpy as np

folder = sys.argv[1]
counts = {}

def readable(t):
    """whether ndgrad reads elements of an HDF5 type"""
    if isinstance(t, h5py.h5t.TypeStringID):
        return "text"
    if isinstance(t, h5py.h5t.TypeCompoundID):
        return "array" if t.dtype.kind == "c" else None
    if isinstance(t, (h5py.h5t.TypeIntegerID, h5py.h5t.TypeFloatID, h5py.h5t.TypeEnumID)):
        return "array"
    return None

def texts(v):
    return [s.decode() if isinstance(s, bytes) else s for s in np.asarray(v, dtype=object).ravel()]

def same(what, kind, a, b):
    if isinstance(a, h5py.Empty):
        ok = isinstance(b, h5py.Empty)
    elif kind == "text":
        ok = np.shape(a) == np.shape(b) and texts(a) == texts(b)
    else:
        a, b = np.asarray(a), np.asarray(b)
        ok = a.shape == b.shape and a.dtype.newbyteorder("=") == b.dtype.newbyteorder("=") and a.tobytes() == b.astype(a.dtype).tobytes()
    if not ok:
        sys.exit(f"{what}: {a!r} became {b!r}")

def value(d):
    t = d.id.get_type()
    if isinstance(t, h5py.h5t.TypeStringID):
        return d.asstr()[()] if d.shape is not None else d[()]
    return d[()]

def attributes(what, a, b):
    n = 0
    for name in a.attrs:
        aid = a.attrs.get_id(name)
        kind = readable(aid.get_type())
        if kind is None or np.prod(aid.shape or [0]) * aid.get_type().get_size() > 65000:  # ndgrad writes at most 64 KiB
            continue
        same(f"{what}@{name}", kind, a.attrs[name], b.attrs[name])
        n += 1
    if n != len(b.attrs):
        sys.exit(f"{what}: {len(b.attrs)} attributes, want {n}")
    counts["attributes"] = counts.get("attributes", 0) + n

def walk(what, a, b, above):
    members = list(a)
    kept = []
    for name in members:
        try:
            x = a[name]
        except (KeyError, OSError, RuntimeError):
            continue
        path = f"{what}/{name}"
        if isinstance(x, h5py.Datatype):
            continue
        if isinstance(x, h5py.Dataset):
            kind = readable(x.id.get_type())
            if kind is None or x.compression == "lzf":
                continue
            if x.id.get_create_plist().get_nfilters() and x.id.get_create_plist().get_filter(0)[0] > 3:
                continue
            same(path, kind, value(x), value(b[name]))
            counts["datasets"] = counts.get("datasets", 0) + 1
            if "/packed/" in b.file.filename and x.shape is not None and x.size > 1 and kind == "array" and b[name].compression != "gzip":
                sys.exit(f"{path} is not compressed")
        elif x.id.__hash__() not in above:
            walk(path, x, b[name], above | {x.id.__hash__()})
        kept.append(name)
        attributes(path, x, b[name])
    if kept != list(b):
        sys.exit(f"{what}: members {list(b)[:9]}, want {kept[:9]}")

for path in sorted(glob.glob(folder + "/original/*.h5")):
    for form in ["plain", "packed"]:
        with h5py.File(path) as a, h5py.File(f"{folder}/{form}/{os.path.basename(path)}") as b:
            walk(os.path.basename(path) + ":", a, b, {a["/"].id.__hash__()})
            attributes(path, a, b)
    counts["files"] = counts.get("files", 0) + 1
print(f"ok: h5py {h5py.__version__} (HDF5 {h5py.version.hdf5_version}) finds the same in copies, plain and compressed, of", ", ".join(f"{n} {k}" for k, n in counts.items()))
PYTHON

if ! command -v h5dump > /dev/null; then
  echo "skipped: no h5dump; try: apt-get install hdf5-tools"
  exit 0
fi
for file in "$dir"/plain/*.h5 "$dir"/packed/*.h5; do
  case $file in
    */large.h5) h5dump -H "$file" > /dev/null ;;
    *) h5dump "$file" > /dev/null ;;
  esac
  h5stat "$file" > /dev/null
done
echo "ok: $(h5dump --version | tr -d '\n') and h5stat read the copies"
