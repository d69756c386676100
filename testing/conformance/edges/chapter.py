"""What the scripts beside this one record with: chapters of calls, their results and their arguments."""
import json
import os
import warnings
import zlib

import numpy as np

warnings.simplefilter("ignore")
np.seterr(all="ignore")

INTEGERS = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
REALS = ["bool"] + INTEGERS + ["float16", "float32", "float64"]
ALL = REALS + ["complex64", "complex128"]
EVERY = os.environ.get("EVERY") == "1"


def values(dtype, shape, start=0):
    """Small numbers, none of them negative, of which neighbours differ."""
    n = int(np.prod(shape, dtype=int))
    x = np.array([[1, 0, 2, 5, 3, 1, 4][(i + start) % 7] for i in range(n)], dtype=np.float64)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        x = x % 2
    elif dtype.kind == "f":
        x = x / 2
    elif dtype.kind == "c":
        x = x / 2 + 1j * np.roll(x, 1)
    return x.astype(dtype).reshape(shape)


class Chapter:
    """A file of cases and one of their arrays, each of which is written once."""

    system, version = "numpy", np.__version__

    def __init__(self, name, per_function):
        self.name, self.per_function, self.cases = name, per_function, {}

    def case(self, function, call, /, writes=(), places=1, **args):
        """Notes a call with the arguments that a row of the catalogue names; NumPy gets the first ones by their places."""
        text = function + repr(sorted((k, repr(v), getattr(v, "dtype", "")) for k, v in args.items()))
        self.cases.setdefault(function, {})[zlib.crc32(text.encode())] = (call, writes, places, args)

    def save(self):
        arrays, keys, lines = {}, {}, []

        def key(x):
            x = np.asarray(x)
            same = (x.dtype.str, x.shape, x.tobytes())
            if same not in keys:
                keys[same] = "a%d" % len(keys)
                arrays[keys[same]] = np.ascontiguousarray(x).reshape(x.shape)
            return keys[same]

        def plain(v):
            if isinstance(v, (np.ndarray, np.generic)):
                return {"array": key(v)}
            if isinstance(v, slice):
                return {"slice": [v.start, v.stop, v.step]}
            if isinstance(v, np.dtype):
                return {"dtype": v.name}
            if isinstance(v, (list, tuple)):
                if v and all(isinstance(x, np.ndarray) for x in v):
                    return {"arrays": [key(x) for x in v]}
                return [plain(x) for x in v]
            if isinstance(v, complex):
                return {"complex": [v.real, v.imag]}
            if isinstance(v, float) and not np.isfinite(v):
                return {"float": str(v)}
            return v

        for function, cases in self.cases.items():
            chosen = sorted(cases)[: None if EVERY else self.per_function]
            for number, code in enumerate(chosen):
                call, writes, places, args = cases[code]
                case = {"id": "%s-%d" % (function.split(".", 1)[1], number), "function": function}
                case["args"] = {name: plain(v) for name, v in args.items()}
                copies = {name: duplicate(v) for name, v in args.items()}
                written = {name: at(copies, name) for name in writes}
                try:
                    named = list(copies.items())
                    result = call(*[v for _, v in named[:places]], **dict(named[places:]))
                except Exception as e:
                    case.update(outputs=[], error=True, error_type=type(e).__name__)
                else:
                    results = [] if result is None else list(result) if isinstance(result, (tuple, list)) else [result]
                    results = [np.asarray(x) for x in results]
                    case["outputs"] = [key(x) for x in results]
                    if writes:
                        case["mutated"] = {name: key(x) for name, x in written.items()}
                    types = [x.dtype for x in results] + [x.dtype for x in written.values()] + [v for v in args.values() if isinstance(v, np.dtype)]
                    types += [v.dtype for name, v in args.items() if isinstance(v, np.ndarray) and name != "out"]
                    eps = [np.finfo(t).eps for t in types if t.kind in "fc"]
                    if eps:
                        case["rtol"] = case["atol"] = float("%.0e" % (16 * max(eps)))
                lines.append(json.dumps(case, separators=(",", ":")))
        out = os.environ.get("OUT", os.path.join(os.path.dirname(os.path.abspath(__file__)), self.system))
        os.makedirs(out, exist_ok=True)
        head = '{"system":"%s","version":"%s","function":"edges: %s","cases":[\n' % (self.system, self.version, self.name)
        with open(os.path.join(out, self.name + ".json"), "w") as f:
            f.write(head + ",\n".join(lines) + "\n]}\n")
        np.savez_compressed(os.path.join(out, self.name + ".npz"), **arrays)


def duplicate(v):
    """A copy of an array, or of the arrays in a list."""
    if isinstance(v, (list, tuple)):
        return type(v)(duplicate(x) for x in v)
    return v.copy() if isinstance(v, np.ndarray) else v


def at(args, path):
    """The argument that a path such as out, or out[1], names."""
    name, _, place = path.partition("[")
    return args[name][int(place[:-1])] if place else args[name]


def given(**args):
    """The arguments that are not None."""
    return {name: v for name, v in args.items() if v is not None}
