// Package data brings examples to a training: the order in which they come, and batches of them, ahead of time where that pays, so
// that a training that was stopped in the middle of an epoch goes on with the very next batch.
//
//	sampler := data.NewSampler(x.Dim(0), 64, data.SamplerOptions{Shuffle: rng.Split()})
//	batches := data.NewLoader(sampler, data.Rows(x, labels))
//	for batches.Position().Epoch < epochs {
//		batch, err := batches.Next() // batch[0] are rows of x, batch[1] of labels
//		…
//	}
//
// What is not an array in memory is a [Dataset]: examples of any type, read one by one. [Slice], [Items], [Images] and [LabeledImages] are
// data sets; [Map], [Zip], [ZipNamed], [Concat], [Sub], [Split] and [CrossValidation] make new ones of others. [Examples] makes batches of
// them by a function, such as a method of [Collate], and a [Prefetcher] makes these in several goroutines:
//
//	train, test := data.SplitRandom(data.LabeledImages(list, data.ImageOptions{Root: folder}), 5000, rng.Split())
//	load := data.Examples(train, data.Collate{Device: gpu}.Tuples)
//	batches := data.NewPrefetcher(data.NewSampler(train.Len(), 64), workers, ahead, load)
//	defer batches.Close()
//
// [LoadMNIST], [LoadCIFAR10], [LoadCIFAR100] and [LoadPTB] read well-known sets from the files in which they come, and say what to fetch
// where these are missing: nothing here downloads.
package data
