// Package archive saves and restores named values: parameters, optimizers, streams of random numbers, the state of a
// whole training. One method serves both directions, so that saving and restoring use the same names:
//
//	func (t *training) Archive(a *archive.Archive) {
//		a.Object("params", t.params)
//		a.Object("optimizer", t.opt.Of(t.params))
//		a.Object("rng", archive.Stream(t.rng))
//		a.Int("updates", &t.updates)
//	}
//
//	err := archive.Save("model.npz", t)
//	err = archive.Load("model.npz", t)
//
// Save writes a file completely or not at all, and the same values always give identical bytes. Load restores a file
// completely or not at all: it compares the file with all requested values before anything changes.
//
// The extension chooses the format. In .npz, NumPy's format, a value is an array with its name, such as
// "params/fc1/affine/W", and a text is an array of str. In .safetensors numbers are 0-d tensors, and texts are
// metadata. In .h5, the HDF5 format, arrays and texts are datasets in groups, such as "params/fc1/affine/W", and numbers
// are 0-d. In .pt or .pth, PyTorch's format, a file is a dict of tensors and texts; Load also reads dicts in dicts, as
// folders, lists, and numbers. A name without extension means .npz, too: Chainer names its snapshots so.
//
// Files of other programs have other names. LoadOptions.Rename and LoadOptions.Convert translate them, and
// LoadOptions.Report says what did not match.
package archive
