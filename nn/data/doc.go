// Package data brings examples to a training: the order in which they come, and batches of them, ahead of time where that pays, so
// that a training that was stopped in the middle of an epoch goes on with the very next batch.
//
//	sampler := data.NewSampler(x.Dim(0), 64, data.SamplerOptions{Shuffle: rng.Split()})
//	batches := data.NewLoader(sampler, data.Rows(x, labels))
//	for batches.Position().Epoch < epochs {
//		batch, err := batches.Next() // batch[0] are rows of x, batch[1] of labels
//		…
//	}
package data
