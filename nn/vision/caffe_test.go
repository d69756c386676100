package vision

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/internal/wire"
)

func TestCaffeNames(t *testing.T) {
	for _, test := range []struct {
		net     Net
		ours    string
		inCaffe string
	}{
		{VGG16(), "conv5_3/W", "conv5_3/W"},
		{GoogLeNet(), "conv1/b", "conv1/7x7_s2/b"},
		{GoogLeNet(), "conv2_reduce/W", "conv2/3x3_reduce/W"},
		{GoogLeNet(), "inc4e/proj5/W", "inception_4e/5x5_reduce/W"},
		{GoogLeNet(), "inc5b/projp/b", "inception_5b/pool_proj/b"},
		{GoogLeNet(), "loss1_conv/W", "loss1/conv/W"},
		{GoogLeNet(), "loss2_fc1/W", "loss2/fc/W"},
		{GoogLeNet(), "loss2_fc2/W", "loss2/classifier/W"},
		{GoogLeNet(), "loss3_fc/b", "loss3/classifier/b"},
		{ResNet50(), "conv1/b", "conv1/b"},
		{ResNet50(), "bn1/avg_var", "bn_conv1/avg_var"},
		{ResNet50(), "bn1/gamma", "scale_conv1/W"},
		{ResNet50(), "bn1/N", ""},
		{ResNet50(), "res2/a/conv4/W", "res2a_branch1/W"},
		{ResNet50(), "res4/b5/bn2/beta", "scale4f_branch2b/bias/b"},
		{ResNet101(), "res2/b2/conv3/W", "res2c_branch2c/W"},
		{ResNet101(), "res4/b22/bn1/avg_mean", "bn4b22_branch2a/avg_mean"},
		{ResNet152(), "res3/b7/bn3/gamma", "scale3b7_branch2c/W"},
		{ResNet152(), "res5/b1/conv1/W", "res5b_branch2a/W"},
		{ResNet152(), "fc6/W", "fc1000/W"},
	} {
		if got := test.net.caffeName(test.ours); got != test.inCaffe {
			t.Errorf("%s: %s is %q, want %q", test.net.name, test.ours, got, test.inCaffe)
		}
	}
}

// The messages of a .caffemodel file, as far as the test writes them.
type (
	netMessage struct {
		Layer []*layerMessage `pb:"100"`
	}
	layerMessage struct {
		Name   string         `pb:"1"`
		Type   string         `pb:"2"`
		Bottom []string       `pb:"3"`
		Top    []string       `pb:"4"`
		Blobs  []*blobMessage `pb:"7"`
	}
	blobMessage struct {
		Data  wire.Numbers[float32] `pb:"5,packed"`
		Shape *shapeMessage         `pb:"7"`
	}
	shapeMessage struct {
		Dim []int64 `pb:"1,packed"`
	}
)

// caffeFile writes the parameters of a net without batch normalisation, under Caffe's names.
func caffeFile(t *testing.T, file string, n Net, params *nn.Scope) {
	t.Helper()
	layers := map[string]*layerMessage{}
	var m netMessage
	for name, p := range params.All() {
		at := strings.LastIndex(n.caffeName(name), "/")
		layer, last := n.caffeName(name)[:at], n.caffeName(name)[at+1:]
		l := layers[layer]
		if l == nil {
			l = &layerMessage{Name: layer, Type: "Convolution", Bottom: []string{"data"}, Top: []string{layer}, Blobs: make([]*blobMessage, 2)}
			if p.Value().Rank() == 2 {
				l.Type = "InnerProduct"
			}
			layers[layer] = l
			m.Layer = append(m.Layer, l)
		}
		b := &blobMessage{Data: wire.NumbersOf(nd.Data[float32](p.Value())), Shape: &shapeMessage{}}
		for _, n := range p.Value().Shape() {
			b.Shape.Dim = append(b.Shape.Dim, int64(n))
		}
		l.Blobs[map[string]int{"W": 0, "b": 1}[last]] = b
	}
	data, err := wire.Marshal(&m)
	if err == nil {
		err = os.WriteFile(file, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestConvertCaffe(t *testing.T) {
	if testing.Short() {
		t.Skip("reads and writes 54 MB")
	}
	net, params := GoogLeNet(), nn.NewScope()
	net.Features(params, nd.Zeros([]int{0, 3, 224, 224}), net.Layers()...)
	scale := 0
	for _, p := range params.All() {
		scale++
		p.Value().Assign(nd.Scalar(math.Sqrt(float64(scale))))
	}
	dir := t.TempDir()
	from, to := filepath.Join(dir, "bvlc_googlenet.caffemodel"), filepath.Join(dir, "bvlc_googlenet.npz")
	caffeFile(t, from, net, params)
	if err := net.ConvertCaffe(from, to); err != nil {
		t.Fatal(err)
	}
	read := nn.NewScope()
	if err := nn.Load(to, read); err != nil {
		t.Fatal(err)
	}
	for name, p := range params.All() {
		got := read.Get(name)
		if got == nil || got.Size() != p.Value().Size() || got.Ravel().Float(0) != p.Value().Ravel().Float(0) {
			t.Errorf("%s is %v, want %v", name, got, p.Value())
		}
	}
	other := filepath.Join(dir, "other.npz")
	if err := VGG16().ConvertCaffe(from, other); err == nil || !strings.Contains(err.Error(), `has no parameter "conv1_1/W"`) {
		t.Errorf("GoogLeNet's file as VGG16: error %v", err)
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("a file was written beside the error")
	}
}
