package named_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/vision"
)

// TestChainerNets checks the layers of each net. ResNets of 50, 101 and 152 layers have 6, 23 and 36 blocks in stage
// res4.
func TestChainerNets(t *testing.T) {
	vgg, google := one[vision.Net](t, "chainer.links.VGG16Layers"), one[vision.Net](t, "chainer.links.GoogLeNet")
	equal(t, "layers of VGG16", vgg.Layers()[:7], []string{"conv1_1", "conv1_2", "pool1", "conv2_1", "conv2_2", "pool2", "conv3_1"})
	equal(t, "number of layers of VGG16", len(vgg.Layers()), 13+5+3+1)
	equal(t, "layers of GoogLeNet", google.Layers()[:7], []string{"conv1", "pool1", "conv2_reduce", "conv2", "pool2", "inception_3a", "inception_3b"})

	blocks := func(net vision.Net, want int) {
		t.Helper()
		s := nn.NewScope()
		net.Features(s, nd.Zeros([]int{0, 3, 32, 32}), "res4")
		equal(t, "blocks", len(namesOf(s.Sub("res4").Children())), want)
	}
	blocks(one[vision.Net](t, "chainer.links.ResNet50Layers"), 6)
	blocks(one[vision.Net](t, "chainer.links.ResNet101Layers"), 23)
	blocks(one[vision.Net](t, "chainer.links.ResNet152Layers"), 36)
	blocks(one[vision.Net](t, "chainer.links.model.vision.resnet.ResNetLayers", with{"n_layers": 50}), 6)
	refused(t, "34", "chainer.links.model.vision.resnet.ResNetLayers", with{"n_layers": 34})
}

// decided sets the weights of a net's last layer to zeros, and its biases so that class 7 is three times as probable as
// any other. The probabilities then are the same for all images.
func decided(s *nn.Scope, last string) *nn.Scope {
	biases := nd.Zeros([]int{1000})
	biases.Assign(nd.Scalar(math.Log(3)), nd.At(7))
	for _, p := range s.Sub(last).All() {
		nd.Fill(p.Value(), 0)
	}
	s.Set(last+"/b", biases)
	return s
}

func probable(t *testing.T, what string, y *nd.Array, images int) {
	t.Helper()
	equal(t, what+": shape", y.Shape(), []int{images, 1000})
	for i := range images {
		if p, q := y.Float(i, 7), y.Float(i, 8); math.Abs(p-3.0/1002) > 1e-6 || math.Abs(q-1.0/1002) > 1e-6 {
			t.Errorf("%s: %v and %v", what, p, q)
		}
	}
}

func TestChainerNetsCompute(t *testing.T) {
	image := nd.Full([]int{30, 40, 3}, uint8(100))
	s := nn.NewScope()
	google := vision.GoogLeNet()
	google.Features(s, nd.Zeros([]int{0, 3, 224, 224}), "prob")
	decided(s, "loss3_fc")
	ys := call(t, "chainer.links.GoogLeNet.__call__", google.Prepare(image).Reshape(1, 3, 224, 224), []string{"pool5", "prob"}, in(s)).Values
	equal(t, "pool5", ys[0].(*nd.Array).Shape(), []int{1, 1024, 1, 1})
	probable(t, "prob", ys[1].(*nd.Array), 1)
	probable(t, "predict", one[*nd.Array](t, "chainer.links.GoogLeNet.predict", []*nd.Array{image, image}, false, in(s)), 2)

	s = nn.NewScope()
	res := vision.ResNet50()
	small := with{"layers": []string{"pool1", "res2"}, "size": []int{20, 12}}
	ys = call(t, "chainer.links.model.vision.resnet.ResNetLayers.extract", []*nd.Array{image}, small, in(s)).Values
	x := res.Prepare(image, vision.PrepareOptions{Size: []int{20, 12}}).Reshape(1, 3, 12, 20)
	for i, want := range res.Features(s, x, "pool1", "res2") {
		equal(t, fmt.Sprint("extract ", i), ys[i], want)
		equal(t, "shape", want.Shape(), [][]int{{1, 64, 3, 5}, {1, 256, 3, 5}}[i])
	}
	if y := ys[0].(*nd.Array); !slices.ContainsFunc(nd.ToSlice[float32](y.Ravel()), func(v float32) bool { return v > 0 }) {
		t.Errorf("pool1 is %v", y)
	}
}

// TestChainerVGGPredicts has a net with 400 MB of weights in one layer. They are zeros, which takes less time than draws.
func TestChainerVGGPredicts(t *testing.T) {
	if testing.Short() {
		t.Skip("computes with VGG16")
	}
	s := nn.NewScope()
	s.Set("fc6/W", nd.Zeros(nil).BroadcastTo(4096, 25088))
	s.Set("fc7/W", nd.Zeros(nil).BroadcastTo(4096, 4096))
	vision.VGG16().Features(s, nd.Zeros([]int{0, 3, 224, 224}), "prob")
	decided(s, "fc8")
	image := nd.Full([]int{30, 40, 3}, uint8(100))
	probable(t, "predict", one[*nd.Array](t, "chainer.links.VGG16Layers.predict", []*nd.Array{image}, false, in(s)), 1)
}
