package named_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn/caffe"
)

// TestCaffeFunction runs a network of two layers, of which one can be disabled.
func TestCaffeFunction(t *testing.T) {
	net := one[*caffe.Net](t, "chainer.links.caffe.CaffeFunction", filepath.Join("..", "filesdata", "chainer_files", "caffe", "old_format.caffemodel"))
	x := vector(1, -2).Reshape(1, 2, 1, 1).BroadcastTo(1, 2, 5, 5)
	run := func(disable ...any) *nd.Array {
		return one[*nd.Array](t, "chainer.links.caffe.CaffeFunction.__call__", net, map[string]*nd.Array{"data": x}, []any{"conv1"}, disable)
	}
	w, b := net.Params().Get("conv1/W"), net.Params().Get("conv1/b")
	for channel, got := range nd.ToSlice[float64](run("relu1").Index(nd.At(0), nd.All(), nd.At(0), nd.At(0)).Ravel()) {
		want := b.Float(channel)
		for i := range 4 {
			want += w.Float(channel, 0, i/2, i%2) - 2*w.Float(channel, 1, i/2, i%2)
		}
		if d := got - want; d > 1e-5 || d < -1e-5 {
			t.Errorf("channel %d without relu1 is %v, want %v", channel, got, want)
		}
	}
	if low := nd.ToSlice[float64](run().Ravel()); min(low[0], low[16], low[32]) < 0 {
		t.Errorf("conv1 after relu1, in place, is %v", low)
	}
	refused(t, `the blob "fc9" cannot be computed`, "chainer.links.caffe.CaffeFunction.__call__", net, map[string]*nd.Array{"data": x}, []any{"fc9"})
	refused(t, "no such file", "chainer.links.caffe.CaffeFunction", filepath.Join(t.TempDir(), "none.caffemodel"))
}

// TestConvertCaffemodels converts a file of another net; nn/vision has the test of a whole file.
func TestConvertCaffemodels(t *testing.T) {
	from, to := filepath.Join("..", "filesdata", "chainer_files", "caffe", "old_format.caffemodel"), filepath.Join(t.TempDir(), "a.npz")
	refused(t, `no parameter "conv1/7x7_s2/W", which is "conv1/W" of GoogLeNet`, "chainer.links.GoogLeNet.convert_caffemodel_to_npz", from, to)
	refused(t, `no parameter "conv1_1/W"`, "chainer.links.VGG16Layers.convert_caffemodel_to_npz", from, to)
	refused(t, `"conv1/W" has shape (3, 2, 2, 2), "conv1/W" of ResNet50 has (64, 3, 7, 7)`,
		"chainer.links.model.vision.resnet.ResNetLayers.convert_caffemodel_to_npz", from, to, 50)
	if _, err := os.Stat(to); err == nil {
		t.Error("a file was written beside the errors")
	}
}
