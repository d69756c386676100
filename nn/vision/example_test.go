package vision_test

import (
	"fmt"
	"image"
	"image/color"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ndimage"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/nn/optim"
	"github.com/ndgrad/ndgrad/nn/vision"
)

// The results of two layers describe two images. Without a file the parameters are untrained.
func ExampleNet_Extract() {
	params := nn.NewScope()
	images := []*nd.Array{
		ndimage.From(image.NewGray(image.Rect(0, 0, 40, 30))),
		ndimage.From(image.NewNRGBA(image.Rect(0, 0, 64, 64))),
	}
	small := vision.PrepareOptions{Size: []int{48, 32}}
	features := vision.GoogLeNet().Extract(params, images, vision.ExtractOptions{Layers: []string{"conv1", "conv2"}, PrepareOptions: small})
	fmt.Println(features[0].Shape(), features[1].Shape())
	fmt.Println(params.Names())
	// Output:
	// [2 64 16 24] [2 192 8 12]
	// [conv1/W conv1/b conv2_reduce/W conv2_reduce/b conv2/W conv2/b]
}

// Pixels become planes of blue, green and red, minus the means of these colours.
func ExampleNet_Prepare() {
	img := image.NewRGBA(image.Rect(0, 0, 1, 2))
	img.Set(0, 0, color.RGBA{R: 110, G: 120, B: 130, A: 255})
	img.Set(0, 1, color.RGBA{R: 210, G: 220, B: 230, A: 255})
	x := vision.GoogLeNet().Prepare(ndimage.From(img), vision.PrepareOptions{KeepSize: true})
	fmt.Println(x.Shape(), nd.ToSlice[float32](x))
	// Output: [3 2 1] [26 126 3 103 -13 87]
}

// A new layer learns to separate two kinds of images by features of a fixed net.
func Example_fineTuning() {
	net := vision.VGG16()
	classify := func(s *nn.Scope, x *nd.Array) *nd.Array {
		h := net.Features(s.Sub("net").Fixed(), x, "pool2")[0]
		return link.Linear{OutSize: 2}.Apply(s.Sub("classes"), h)
	}
	dark := net.Prepare(nd.Full([]int{8, 8}, uint8(20)), vision.PrepareOptions{KeepSize: true})
	light := net.Prepare(nd.Full([]int{8, 8}, uint8(200)), vision.PrepareOptions{KeepSize: true})
	x, t := ops.Stack([]*nd.Array{dark, light}), nd.FromSlice([]int{0, 1}, 2, 1)

	params, tape, opt := nn.NewScope(), grad.NewTape(), optim.NewAdam(optim.AdamOptions{LR: 0.01})
	for range 20 {
		model := params.Watch(tape)
		opt.Update(optim.GradientsOf(model, ops.Mean(loss.SoftmaxCrossEntropy(classify(model, x), t))))
		tape.Reset()
	}
	fmt.Println(ops.ArgMax(classify(params, x), ops.Over(1)))
	// Output: [0 1]
}
