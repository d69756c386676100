package vision

import (
	"slices"

	"github.com/ndgrad/ndgrad/internal/options"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
)

// ExtractOptions are the options of [Net.Extract].
type ExtractOptions struct {
	// Layers are the names of the layers whose results are returned; nil means "fc7" for VGG16, "pool5" for the others.
	Layers []string
	// PrepareOptions define how images are resized; with KeepSize all images must have the same size.
	PrepareOptions
}

// Extract returns the results of layers, in the order of their names, for images. Each result has one row per image.
// Extract prepares the images, see [Net.Prepare], and calls [Net.Features].
// Chainer: links.VGG16Layers.extract, links.GoogLeNet.extract, links.model.vision.resnet.ResNetLayers.extract.
func (n Net) Extract(s *nn.Scope, images []*nd.Array, opts ...ExtractOptions) []*nd.Array {
	const fn nd.Func = "Net.Extract"
	o := options.Read(fn, opts)
	if o.Layers == nil {
		o.Layers = []string{n.output}
	}
	prepared := n.prepareAll(fn, images, o.PrepareOptions)
	for _, x := range prepared {
		if !broadcast.Equal(x.Shape(), prepared[0].Shape()) {
			panic(fn.Errorf(images, "want images of one size, or without KeepSize"))
		}
	}
	x := ops.Stack(prepared)
	defer x.Release()
	return n.features(fn, s, x, o.Layers)
}

// PredictOptions are the options of [Net.Predict].
type PredictOptions struct {
	// NoOversample predicts from the centre of the image only. It is Chainer's oversample=False.
	NoOversample bool
}

// Predict returns the probabilities of the classes for images, shape (len(images), 1000). It prepares an image, see
// [Net.Prepare], in the size 256 × 256. The probabilities are the mean over ten parts of 224 × 224: the corners, the
// centre, and their mirror images.
//
// Predict computes ten parts at a time, so that the memory does not depend on the number of images. It refuses a scope
// that trains.
// Chainer: links.VGG16Layers.predict, links.GoogLeNet.predict, links.model.vision.resnet.ResNetLayers.predict.
func (n Net) Predict(s *nn.Scope, images []*nd.Array, opts ...PredictOptions) *nd.Array {
	const fn nd.Func = "Net.Predict"
	o := options.Read(fn, opts)
	if s.Training() {
		panic(fn.Errorf(images, "a scope that trains: predict with the scope itself, not with a view of Watch"))
	}
	const parts = 10
	var crops []*nd.Array
	for _, x := range n.prepareAll(fn, images, PrepareOptions{Size: []int{256, 256}}) {
		centre := crop(x, 16, 16)
		if o.NoOversample {
			crops = append(crops, centre)
			continue
		}
		for _, part := range []*nd.Array{crop(x, 0, 0), crop(x, 0, 32), crop(x, 32, 0), crop(x, 32, 32), centre} {
			crops = append(crops, part, part.Flip(2))
		}
	}
	var results []*nd.Array
	for batch := range slices.Chunk(crops, parts) {
		x := ops.Stack(batch)
		y := n.features(fn, s, x, nil)[0]
		x.Release()
		if !o.NoOversample {
			y = mean(y)
		}
		results = append(results, y)
	}
	all := ops.Concatenate(results, ops.Over(0))
	for _, y := range results {
		y.Release()
	}
	return all
}

// mean returns the mean of the rows of y, one row, and releases y.
func mean(y *nd.Array) *nd.Array {
	defer y.Release()
	return ops.Mean(y, ops.Over(0).KeepDims())
}

// crop returns the 224 × 224 part of an image that begins at top, left.
func crop(x *nd.Array, top, left int) *nd.Array {
	return x.Index(nd.All(), nd.Span(top, top+224), nd.Span(left, left+224))
}

func (n Net) prepareAll(fn nd.Func, images []*nd.Array, o PrepareOptions) []*nd.Array {
	if len(images) == 0 {
		panic(fn.Errorf(nil, "no images"))
	}
	prepared := make([]*nd.Array, len(images))
	for i, image := range images {
		prepared[i] = n.prepare(fn, image, o)
	}
	return prepared
}
