package loss_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
)

// A label that is no class is refused by all losses, negative ones too, and the error names the label.
func TestErrorsNameTheLabel(t *testing.T) {
	reference, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	for _, dev := range []device.Device{nil, reference} {
		on := nd.ArrayOptions{Device: dev}
		x, w := nd.Ones([]int{2, 4}, on), nd.Ones([]int{4, 3}, on)
		features, good := nd.Ones([]int{2, 3}, on), nd.Zeros([]int{2, 2}, nd.ArrayOptions{DType: dtype.Int64, Device: dev})
		labels := func(v ...int) *nd.Array { return nd.FromSlice(v).To(x.Device()) }
		const ignoring, only = "want one of the classes 0 to 3, or -1 to ignore it", "want one of the classes 0 to 3 "
		for _, c := range []struct {
			want    string
			compute func(t *nd.Array)
		}{
			{ignoring, func(t *nd.Array) { loss.SoftmaxCrossEntropy(x, t) }},
			{ignoring, func(t *nd.Array) {
				loss.SoftmaxCrossEntropy(x, t, loss.CrossEntropyOptions{Smoothing: 0.1})
			}},
			{ignoring, func(t *nd.Array) { loss.CategoricalCrossEntropy(x, t) }},
			{ignoring, func(t *nd.Array) {
				loss.CategoricalCrossEntropy(x, t, loss.CrossEntropyOptions{Weight: x.Index(nd.At(0))})
			}},
			{ignoring, func(t *nd.Array) { loss.CategoricalNLL(x, t) }},
			{"or 255 to ignore it", func(t *nd.Array) { loss.CategoricalNLL(x, t, loss.CrossEntropyOptions{Ignore: new(255)}) }},
			{only, func(t *nd.Array) { loss.MultiMargin(x, t) }},
			{ignoring, func(t *nd.Array) { loss.NegativeSampling(features, t, w, good) }},
			{only, func(t *nd.Array) { loss.BlackOut(features, t, w, good) }},
		} {
			opstest.Refuses(t, c.want, func() { c.compute(labels(0, 9)) })
			opstest.Refuses(t, "[1] is 9", func() { c.compute(labels(3, 9)) })
			opstest.Refuses(t, "[0] is -7", func() { c.compute(labels(-7, 3)) })
			opstest.Refuses(t, " is 4: ", func() { c.compute(labels(2, 4)) })
		}
		opstest.Refuses(t, "loss.SoftmaxCrossEntropy: t[1] is 9: "+ignoring+" [operands: float64(2, 4) int64(2,)]",
			func() { loss.SoftmaxCrossEntropy(x, labels(3, 9)) })
		opstest.Refuses(t, "t[1, 0] is 9: ", func() { loss.SoftmaxCrossEntropy(x, labels(3, 9).ExpandDims(1)) })
		opstest.Refuses(t, "loss.NegativeSampling: samples[1, 0] is -1: "+only, func() { loss.NegativeSampling(features, labels(0, 1), w, labels(0, 1, -1, 0).Reshape(2, 2)) })
		opstest.Refuses(t, "loss.BlackOut: samples[0, 1] is 4: "+only, func() { loss.BlackOut(features, labels(0, 1), w, labels(0, 4, 1, 0).Reshape(2, 2)) })
		opstest.Refuses(t, "loss.MultiLabelMargin: t[0, 1] is 4: "+only, func() { loss.MultiLabelMargin(x, labels(1, 4, -1, 9, -1, 9, 9, 9).Reshape(2, 4)) })
		opstest.Refuses(t, "ops.Embedding: indices[0, 1] is 4: want the index of one of 4 rows", func() { ops.Embedding(labels(-4, 4).Reshape(1, 2), w) })
		opstest.Refuses(t, "ops.Embedding: indices[1] is -5: ", func() { ops.Embedding(labels(-9, -5), w, ops.EmbeddingOptions{IgnoreLabel: new(-9)}) })
		opstest.Refuses(t, "ops.EmbeddingBag: indices[0, 1] is 4: ", func() { ops.EmbeddingBag(labels(0, 4).Reshape(1, 2), w) })
	}
	// Labels of a narrow dtype that does not hold the number of classes.
	if y := loss.CategoricalNLL(nd.Zeros([]int{1, 300}), nd.FromSlice([]uint8{255})); y.Size() != 1 || y.Float(0, 0) != 0 {
		t.Errorf("%v", y)
	}
}
