package main

import (
	"image"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/examples/internal/digits"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ndimage"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/data"
	"github.com/ndgrad/ndgrad/nn/optim"
)

const (
	codes     = 8 // length of an image's code
	hidden    = 256
	batchSize = 64
	rate      = 1e-3
)

// encode returns the mean and the logarithm of the variance of each image's code.
func encode(s *nn.Scope, x *nd.Array) (mean, lnVar *nd.Array) {
	h := ops.ReLU(nn.Affine(s.Sub("encode/1"), x, hidden))
	return nn.Affine(s.Sub("encode/mean"), h, codes), nn.Affine(s.Sub("encode/lnvar"), h, codes)
}

// decode returns the logits of the pixels of images from their codes.
func decode(s *nn.Scope, z *nd.Array) *nd.Array {
	h := ops.ReLU(nn.Affine(s.Sub("decode/1"), z, hidden))
	return nn.Affine(s.Sub("decode/2"), h, digits.Pixels)
}

// minusBound is minus the evidence lower bound of a batch, an image: how badly codes that are drawn for the images tell their pixels, and
// how far their distributions are from the standard normal one. (Kingma and Welling 2013, "Auto-encoding variational Bayes")
func minusBound(s *nn.Scope, x *nd.Array) *nd.Array {
	mean, lnVar := encode(s, x)
	noise := random.Normal(s.Rand(), 0, 1, mean.Shape(), nd.ArrayOptions{DType: mean.DType(), Device: mean.Device()})
	defer noise.Release() // the tape does not own it, since it does not depend on the parameters
	z := ops.Add(mean, ops.Multiply(noise, ops.Exp(ops.Multiply(lnVar, float32(0.5)))))
	missed := ops.Sum(loss.SigmoidCrossEntropy(decode(s, z), x))
	far := ops.Sum(loss.GaussianKLDivergence(mean, lnVar))
	return ops.Divide(ops.Add(missed, far), float32(x.Dim(0)))
}

// train makes the given number of passes over the images, and calls onEpoch with the mean loss after each.
func train(params *nn.Scope, x *nd.Array, epochs int, seed uint64, onEpoch func(epoch int, loss float64)) error {
	rng := nd.NewRand(seed)
	batches := data.NewLoader(data.NewSampler(x.Dim(0), batchSize, data.SamplerOptions{Shuffle: rng.Split()}), data.Rows(x))
	noise := rng.Split()
	opt := optim.NewAdam(optim.AdamOptions{LR: rate})
	tape := grad.NewTape()
	defer tape.Release()
	sum, count := 0.0, 0
	for batches.Position().Epoch < epochs {
		batch, err := batches.Next()
		if err != nil {
			return err
		}
		model := params.Watch(tape, nn.WatchOptions{Rand: noise})
		l := minusBound(model, tape.Arena().Own(batch[0]))
		opt.Update(optim.GradientsOf(model, l))
		sum, count = sum+l.Float(), count+1
		tape.Reset()
		if at := batches.Position(); at.NewEpoch {
			onEpoch(at.Epoch, sum/float64(count))
			sum, count = 0, 0
		}
	}
	return nil
}

// samples decodes codes from the standard normal distribution into new images.
func samples(params *nn.Scope, n int, rng *nd.Rand, dev device.Device) *nd.Array {
	z := random.Normal(rng, 0, 1, []int{n, codes}, nd.ArrayOptions{DType: dtype.Float32, Device: dev})
	return ops.Sigmoid(decode(params, z))
}

// reconstructed returns the images that are decoded from the means of the images' codes.
func reconstructed(params *nn.Scope, x *nd.Array) *nd.Array {
	mean, _ := encode(params, x)
	return ops.Sigmoid(decode(params, mean))
}

// grid draws images (n, 64) in a grid with the given number of columns, dark on light, each pixel a square of several
// dots.
func grid(x *nd.Array, columns int) image.Image {
	const dots, gap = 5, 1
	rows := x.Dim(0) / columns
	x = ops.Pad(x.Reshape(-1, digits.Side, digits.Side), [][2]int{{0, 0}, {gap, gap}, {gap, gap}})
	tile := digits.Side + 2*gap
	x = x.Reshape(rows, columns, tile, tile).Transpose(0, 2, 1, 3).Reshape(rows*tile, columns*tile)
	x = ops.Repeat(ops.Repeat(x, dots, ops.Over(0)), dots, ops.Over(1))
	return ndimage.To(ops.Subtract(1, x))
}
