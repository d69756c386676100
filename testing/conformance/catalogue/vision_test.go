package catalogue

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
)

// TestVisionRows checks that the rows of nets accept what Chainer's methods accept: lists of images and of layers, and
// no size.
func TestVisionRows(t *testing.T) {
	image := nd.Full([]int{6, 8, 3}, uint8(100))
	for _, c := range []struct {
		name  string
		args  passed
		shape []int
	}{
		{"chainer.links.model.vision.vgg.prepare", passed{"image": image, "size": nil}, []int{3, 6, 8}},
		{"chainer.links.model.vision.resnet.prepare", passed{"image": image, "size": []int{20, 10}}, []int{3, 10, 20}},
		{"chainer.links.model.vision.googlenet.prepare", passed{"image": image}, []int{3, 224, 224}},
		{"chainer.links.VGG16Layers.__call__", passed{"x": nd.Zeros([]int{2, 3, 6, 8}), "layers": []string{"conv1_1", "pool1"}, "test": true}, []int{2, 64, 3, 4}},
		{"chainer.links.VGG16Layers.extract", passed{"images": []*nd.Array{image}, "layers": []string{"conv1_2"}, "size": nil}, []int{1, 64, 6, 8}},
		{"chainer.links.GoogLeNet.extract", passed{"images": []*nd.Array{image, image}, "layers": []string{"conv1"}, "size": []int{6, 4}}, []int{2, 64, 2, 3}},
		{"chainer.links.model.vision.resnet.ResNetLayers.__call__", passed{"x": nd.Zeros([]int{0, 3, 224, 224})}, []int{0, 1000}},
	} {
		got, err := callRow(c.name, c.args)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if shape := got[len(got)-1].Shape(); !slices.Equal(shape, c.shape) {
			t.Errorf("%s: shape %v, want %v", c.name, shape, c.shape)
		}
	}
	r, err := Call("chainer.links.model.vision.resnet.ResNetLayers.predict", nil, passed{"images": []*nd.Array{image}, "oversample": false},
		CallOptions{Evaluation: true})
	if err != nil {
		t.Fatal(err)
	}
	if y := r.Values[0].(*nd.Array); !slices.Equal(y.Shape(), []int{1, 1000}) {
		t.Errorf("predict: shape %v", y.Shape())
	}
}
