// Package data provides the examples of a training: it chooses their order and makes batches of them, ahead of time if
// wanted. A training that was stopped in the middle of an epoch continues with the batch that would have come next.
//
//	sampler := data.NewSampler(x.Dim(0), 64, data.SamplerOptions{Shuffle: rng.Split()})
//	batches := data.NewLoader(sampler, data.Rows(x, labels))
//	for batches.Position().Epoch < epochs {
//		batch, err := batches.Next() // batch[0] are rows of x, batch[1] of labels
//		…
//	}
//
// Examples that are not arrays in memory form a [Dataset]: examples of any type, read one by one. [Slice], [Items],
// [Images] and [LabeledImages] are data sets; [Map], [Zip], [ZipNamed], [Concat], [Sub], [Split] and [CrossValidation]
// make new ones from others. [Examples] makes batches of them by a function, such as a method of [Collate], and a
// [Prefetcher] does so in several goroutines:
//
//	train, test := data.SplitRandom(data.LabeledImages(list, data.ImageOptions{Root: folder}), 5000, rng.Split())
//	load := data.Examples(train, data.Collate{Device: gpu}.Tuples)
//	batches := data.NewPrefetcher(data.NewSampler(train.Len(), 64), workers, ahead, load)
//	defer batches.Close()
//
// [LoadMNIST], [LoadCIFAR10], [LoadCIFAR100] and [LoadPTB] read well-known sets from their original files. If files are
// missing, the error says what to get: this package downloads nothing.
package data
