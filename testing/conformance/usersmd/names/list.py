"""Writes the public names of NumPy, of the array API standard and of torch, one a line, to text files beside itself.

    pip install numpy==2.4.6 array-api-strict==2.4 torch==2.15.0
    python list.py numpy.txt arrayapi.txt     # those files alone; all without arguments

A name is public that begins with no underscore and can be called; of ndarray also its attributes. Of the array API the
standard's own modules say in __all__ what is theirs. `a = b` means that a is the very object that b is.
"""
import inspect
import pathlib
import sys


def public(module, prefix, names=None, attributes=False):
    found = []
    for name in sorted(dir(module) if names is None else names):
        value = getattr(module, name)
        if not name.startswith("_") and (attributes or callable(value)):
            found.append((prefix + name, value))
    return found


def numpy():
    import numpy as np
    names = (public(np, "numpy.") + public(np.linalg, "numpy.linalg.") + public(np.fft, "numpy.fft.")
             + public(np.random.Generator, "numpy.random.Generator.") + public(np.ndarray, "numpy.ndarray.", attributes=True))
    return "numpy " + np.__version__, names


def arrayapi():
    import array_api_strict as xp
    xp.set_array_api_strict_flags(api_version="2024.12")
    names = []
    for module, prefix in [(xp, "array_api."), (xp.linalg, "array_api.linalg."), (xp.fft, "array_api.fft.")]:
        names += [(name, value) for name, value in public(module, prefix, module.__all__)
                  if not inspect.isclass(value) and not name.endswith("array_api_strict_flags")]
    return f"array API {xp.__array_api_version__}, as array-api-strict {xp.__version__} has it", names


def torch():
    import torch
    names = []
    for module, prefix in [(torch, "torch."), (torch.nn.functional, "torch.nn.functional."), (torch.linalg, "torch.linalg."),
                           (torch.fft, "torch.fft."), (torch.special, "torch.special.")]:
        names += public(module, prefix)
    return "torch " + torch.__version__.partition("+")[0], names


def aliases(names):
    """Names of objects that an earlier module has, or the same one under the name that the object calls itself."""
    first = {}
    for name, value in names:
        if getattr(value, "__name__", None) == name.rpartition(".")[2]:
            first.setdefault(id(value), name)
    for name, value in names:
        other = first.setdefault(id(value), name)
        yield name if other == name or "ndarray" in name else f"{name} = {other}"


for write in [numpy, arrayapi, torch]:
    file = write.__name__ + ".txt"
    if len(sys.argv) == 1 or file in sys.argv[1:]:
        of, names = write()
        text = f"# {of}; written by list.py\n" + "\n".join(aliases(names)) + "\n"
        pathlib.Path(__file__).with_name(file).write_text(text)
