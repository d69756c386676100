package catalogue

import (
	"fmt"
	"runtime"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nn/data"
)

const (
	fromFolder = "the files are read from a folder; nothing is downloaded"
	fromStream = "the order comes from a random stream, which replaces the seed"
)

// datasetRows is the chapter of data sets and the batches that are read from them.
var datasetRows = []Row{
	{Signature: "chainer.dataset.DatasetMixin(self, index)", Func: data.Select[any], Note: "any type with the methods Len and At is a data.Dataset"},
	{Signature: "chainer.dataset.DatasetMixin.__getitem__(self, index)", Func: data.Select[any], Note: "always a list; Dataset.At returns one example"},
	{Signature: "chainer.dataset.DatasetMixin.__len__(self)", Func: data.Dataset[any].Len},
	{Signature: "chainer.dataset.DatasetMixin.get_example(self, i)", Func: data.Dataset[any].At},
	{Signature: "chainer.datasets.TupleDataset(*datasets)", Func: data.Zip[any]},
	{Signature: "chainer.datasets.DictDataset(**datasets)", Func: data.ZipNamed[any]},
	{Signature: "chainer.datasets.SubDataset(dataset, start, finish, order=None)", Func: data.Sub[any]},
	{Signature: "chainer.datasets.TransformDataset(dataset, transform)", Func: data.Map[any, any]},
	{Signature: "chainer.datasets.split_dataset(dataset, split_at, order=None)", Func: data.Split[any]},
	{Signature: "chainer.datasets.split_dataset_random(dataset, first_size, seed=None)", Func: data.SplitRandom[any],
		Ignores: []string{"seed"}, Random: true, Note: fromStream},
	{Signature: "chainer.datasets.get_cross_validation_datasets(dataset, n_fold, order=None)", Func: data.CrossValidation[any]},
	{Signature: "chainer.datasets.get_cross_validation_datasets_random(dataset, n_fold, seed=None)", Func: data.CrossValidationRandom[any],
		Ignores: []string{"seed"}, Random: true, Note: fromStream},
	{Signature: "chainer.dataset.concat_examples(batch, device=None, padding=None)", Func: concatExamples},
	{Signature: "chainer.dataset.to_device(device, x)", Func: toDevice},

	{Signature: "chainer.datasets.ImageDataset(paths, root='.', dtype=numpy.float32)", Func: imageDataset},
	{Signature: "chainer.datasets.LabeledImageDataset(pairs, root='.', dtype=numpy.float32, label_dtype=numpy.int32)", Func: labeledImageDataset},
	{Signature: "chainer.datasets.get_mnist(folder, withlabel=True, ndim=1, scale=1.0, dtype=numpy.float32, label_dtype=numpy.int32)",
		Func: func(folder string, labels bool, ndim int, scale float64, dt, of dtype.DType) ([]*nd.Array, error) {
			return pixelsOf(data.LoadMNIST, folder, labels, of, data.PixelOptions{NDim: ndim, Scale: &scale, DType: dt})
		}, Note: fromFolder},
	{Signature: "chainer.datasets.get_cifar10(folder, withlabel=True, ndim=3, scale=1.0)",
		Func: func(folder string, labels bool, ndim int, scale float64) ([]*nd.Array, error) {
			return pixelsOf(data.LoadCIFAR10, folder, labels, dtype.Int32, data.PixelOptions{NDim: ndim, Scale: &scale})
		}, Note: fromFolder},
	{Signature: "chainer.datasets.get_cifar100(folder, withlabel=True, ndim=3, scale=1.0)",
		Func: func(folder string, labels bool, ndim int, scale float64) ([]*nd.Array, error) {
			load := func(folder string, train bool) (x, t *nd.Array, err error) { return data.LoadCIFAR100(folder, train) }
			return pixelsOf(load, folder, labels, dtype.Int32, data.PixelOptions{NDim: ndim, Scale: &scale})
		}, Note: fromFolder},
	{Signature: "chainer.datasets.get_ptb_words(folder)", Func: data.LoadPTB, Note: fromFolder},
	{Signature: "chainer.datasets.get_ptb_words_vocabulary(self)", Func: (*data.Vocabulary).IDs, Note: "for the words that data.LoadPTB returns"},
	{Signature: "chainer.dataset.cache_or_load_file(path, creator, loader)", Func: data.CacheOrLoad[any]},

	{Signature: "chainer.dataset.Iterator(self)", Func: data.Batches[any].Position, Note: "its result has epoch, epoch_detail, previous_epoch_detail and is_new_epoch"},
	{Signature: "chainer.dataset.Iterator.__next__(self)", Func: data.Batches[any].Next, Note: "StopIteration is io.EOF"},
	{Signature: "chainer.dataset.Iterator.finalize(self)", Func: data.Batches[any].Close},
	{Signature: "chainer.dataset.Iterator.serialize(self, serializer)", Func: data.Batches[any].Archive},
	{Signature: "chainer.iterators.SerialIterator(dataset, batch_size, repeat=True, shuffle=True)",
		Func: func(d data.Dataset[any], batch int, repeat, shuffle bool, rng *nd.Rand) data.Batches[any] {
			return data.NewLoader(samplerOf(d, batch, repeat, shuffle, rng), data.Examples(d, listOf))
		}},
	{Signature: "chainer.iterators.MultiprocessIterator(dataset, batch_size, repeat=True, shuffle=True, n_processes=None, n_prefetch=1, shared_mem=None)",
		Func: func(d data.Dataset[any], batch int, repeat, shuffle bool, workers *int, ahead int, rng *nd.Rand) data.Batches[any] {
			if workers == nil {
				workers = new(runtime.GOMAXPROCS(0))
			}
			return data.NewPrefetcher(samplerOf(d, batch, repeat, shuffle, rng), *workers, ahead, data.Examples(d, listOf))
		}, Ignores: []string{"shared_mem"}},
}

func samplerOf(d data.Dataset[any], batch int, repeat, shuffle bool, rng *nd.Rand) *data.Sampler {
	o := data.SamplerOptions{Once: !repeat}
	if shuffle {
		o.Shuffle = rng
	}
	return data.NewSampler(d.Len(), batch, o)
}

// listOf makes a batch the list of its examples.
func listOf(examples []any) any { return examples }

// concatExamples finds from the first example whether the examples are arrays, tuples or dictionaries. The padding is
// one number for all, or one for each tuple index or dictionary key.
func concatExamples(batch []any, dev device.Device, padding any) (any, error) {
	c, err := collateWith(padding)
	if err != nil {
		return nil, err
	}
	if c.Device = dev; len(batch) == 0 {
		return c.Arrays(nil), nil
	}
	switch batch[0].(type) {
	case *nd.Array:
		return collated(c.Arrays, batch)
	case []*nd.Array:
		return collated(c.Tuples, batch)
	}
	return collated(c.Dicts, batch)
}

func collateWith(padding any) (c data.Collate, err error) {
	number := func(v any) float64 {
		f, ok := asFloat(plainNumber(v))
		if !ok {
			err = fmt.Errorf("padding of %s: want a number, or one for each item or name", Describe(v))
		}
		return f
	}
	switch p := padding.(type) {
	case nil:
	case []any:
		c.Paddings = converted(p, number)
	case map[string]any:
		c.NamedPaddings = map[string]float64{}
		for name, v := range p {
			c.NamedPaddings[name] = number(v)
		}
	default:
		c.Padding = new(number(p))
	}
	return c, err
}

// collated collates examples of the same type.
func collated[E, B any](collate func([]E) B, batch []any) (any, error) {
	examples, err := allOf[E](batch)
	if err != nil {
		return nil, err
	}
	return collate(examples), nil
}

func toDevice(dev device.Device, x *nd.Array) *nd.Array {
	if dev == nil {
		return x
	}
	return x.To(dev)
}

// imageDataset takes a list of paths, or the path of a file with such a list.
func imageDataset(paths any, root string, dt dtype.DType) (data.Dataset[*nd.Array], error) {
	var list []string
	var err error
	switch p := paths.(type) {
	case string:
		list, err = data.ListImages(p)
	case []any:
		list, err = allOf[string](p)
	}
	if err != nil {
		return nil, err
	}
	return data.Images(list, data.ImageOptions{Root: root, DType: dt}), nil
}

// labeledImageDataset takes a list of pairs of a path and a label, or the path of a file with such a list.
func labeledImageDataset(pairs any, root string, dt, of dtype.DType) (data.Dataset[[]*nd.Array], error) {
	var list []data.LabeledImage
	var err error
	switch p := pairs.(type) {
	case string:
		list, err = data.ListLabeledImages(p)
	case []any:
		list = converted(p, func(v any) data.LabeledImage {
			image, ok := labeledImage(v)
			if !ok && err == nil {
				err = fmt.Errorf("pair %v: want a path and a label", v)
			}
			return image
		})
	}
	if err != nil {
		return nil, err
	}
	return data.LabeledImages(list, data.ImageOptions{Root: root, DType: dt, LabelDType: of}), nil
}

// labeledImage converts a pair of a path and a label.
func labeledImage(v any) (image data.LabeledImage, ok bool) {
	pair, _ := v.([]any)
	if len(pair) != 2 {
		return image, false
	}
	path, isPath := pair[0].(string)
	label, isLabel := asInt(pair[1])
	return data.LabeledImage{Path: path, Label: label}, isPath && isLabel
}

// pixelsOf reads the training and the test images of a data set, with their labels if these are needed.
func pixelsOf(load func(folder string, train bool) (images, labels *nd.Array, err error), folder string, labels bool, of dtype.DType, o data.PixelOptions) ([]*nd.Array, error) {
	part := func(train bool) ([]*nd.Array, error) {
		x, t, err := load(folder, train)
		if err != nil {
			return nil, err
		}
		if labels {
			return []*nd.Array{data.Pixels(x, o), t.AsType(of)}, nil
		}
		return []*nd.Array{data.Pixels(x, o)}, nil
	}
	train, err := part(true)
	if err != nil {
		return nil, err
	}
	test, err := part(false)
	return append(train, test...), err
}
