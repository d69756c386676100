// Package archive saves and restores what is made of named values: parameters, optimizers, streams of random numbers, a whole training.
// One method serves both directions, so that what is written is what is read:
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
// A file appears whole or not at all, and the same values always make the same bytes. A file is restored whole or not at all, too: what it
// has is checked against all that is asked for before anything changes.
//
// The extension says how a file is laid out. In .npz, NumPy's format, a value is an array of its name, such as "params/fc1/affine/W", and
// a text an array of str. In .safetensors numbers are tensors without axes, and texts are metadata. A name without extension is .npz's
// too: Chainer calls its snapshots so.
package archive
