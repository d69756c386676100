// Package torch reads and writes what torch.save writes: a pickle of dicts, lists, numbers and tensors, and beside it the
// storages, which hold the elements of the tensors. A tensor is a strided view of a storage. The package knows no arrays
// of this library.
//
// A file is a zip archive with members data.pkl, data/0, data/1, … (PyTorch 1.6 and later; a TorchScript archive has
// constants.pkl and constants/0, … too), or pickles and storages one after the other (before 1.6).
//
// A pickle is a program that can call any function of Python. This reader knows the instructions and the classes that
// tensors, dicts, lists and numbers need. It refuses all others by name, and never runs anything.
package torch
