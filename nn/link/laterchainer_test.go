package link_test

import (
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/testing/assert"
)

// These options came with later versions of Chainer.

// TestGroups compares links in two groups with two links, each of half the channels.
func TestGroups(t *testing.T) {
	x := ops.Sin(nd.Arange(0, 2*4*5*6, 1)).Reshape(2, 4, 5, 6)
	halves := ops.Split(x, 2, ops.Over(1))
	dilate := []int{2, 1}
	for name, c := range map[string]struct {
		whole, half link.Layer
		shape       []int
	}{
		"Convolution2D": {link.Convolution2D{OutChannels: 6, KSize: []int{2, 3}, Dilate: dilate, Groups: 2},
			link.Convolution2D{OutChannels: 3, KSize: []int{2, 3}, Dilate: dilate}, []int{6, 2, 2, 3}},
		"ConvolutionND": {link.ConvolutionND{Ndim: 2, OutChannels: 6, KSize: []int{2, 3}, Dilate: dilate, Groups: 2},
			link.ConvolutionND{Ndim: 2, OutChannels: 3, KSize: []int{2, 3}, Dilate: dilate}, []int{6, 2, 2, 3}},
		"Deconvolution2D": {link.Deconvolution2D{OutChannels: 6, KSize: []int{2, 3}, Dilate: dilate, Groups: 2, OutSize: []int{8, 8}, NoBias: true},
			link.Deconvolution2D{OutChannels: 3, KSize: []int{2, 3}, Dilate: dilate, OutSize: []int{8, 8}, NoBias: true}, []int{4, 3, 2, 3}},
		"DeconvolutionND": {link.DeconvolutionND{Ndim: 2, OutChannels: 6, KSize: []int{2, 3}, Dilate: dilate, Groups: 2, NoBias: true},
			link.DeconvolutionND{Ndim: 2, OutChannels: 3, KSize: []int{2, 3}, Dilate: dilate, NoBias: true}, []int{4, 3, 2, 3}},
	} {
		s := doubles()
		y := c.whole.Apply(s, x)
		if w := s.Get("W"); !slices.Equal(w.Shape(), c.shape) {
			t.Errorf("%s: W has shape %v, want %v", name, w.Shape(), c.shape)
		}
		var parts []*nd.Array
		for k, w := range ops.Split(s.Get("W"), 2) {
			parts = append(parts, c.half.Apply(given(map[string]*nd.Array{"W": w, "b": nd.Zeros([]int{3})}), halves[k]))
		}
		assert.AllClose(t, y, ops.Concatenate(parts, ops.Over(1)), 1e-12, 1e-12)
	}
}

func TestLinearOfBatchAxes(t *testing.T) {
	x, s := ops.Cos(nd.Arange(0, 24, 1)).Reshape(2, 3, 2, 2), doubles()
	y := link.Linear{OutSize: 5, NBatchAxes: 2}.Apply(s, x)
	assert.AllClose(t, y, link.Linear{OutSize: 5}.Apply(s, x.Reshape(6, 4)).Reshape(2, 3, 5), 1e-12, 0)
	assert.Raises(t, "examples with at least one axis", func() { link.Linear{OutSize: 5, NBatchAxes: 4}.Apply(doubles(), x) })
	assert.Raises(t, "NBatchAxes -1", func() { link.Linear{OutSize: 5, NBatchAxes: -1}.Apply(doubles(), x) })
}

// TestBatchNormalizationAxis normalises over other axes than those by default.
func TestBatchNormalizationAxis(t *testing.T) {
	x := ops.Sin(nd.Arange(0, 24, 1)).Reshape(4, 2, 3)
	apply := func(l link.BatchNormalization, x *nd.Array) (y *nd.Array, s *nn.Scope) {
		s = doubles()
		return l.Apply(s.Watch(grad.NewTape()), x).Detach(), s
	}
	last, s := apply(link.BatchNormalization{Axis: ops.Over(1, 0)}, x)
	usual, u := apply(link.BatchNormalization{}, x.MoveAxis([]int{-1}, []int{1}))
	assert.AllClose(t, last.MoveAxis([]int{-1}, []int{1}), usual, 1e-12, 1e-12)
	assert.AllClose(t, s.Get("avg_var"), u.Get("avg_var"), 1e-12, 0)
	if shape := s.Get("gamma").Shape(); !slices.Equal(shape, []int{3}) {
		t.Errorf("gamma has shape %v", shape)
	}
	apart, s := apply(link.BatchNormalization{Axis: ops.Over(1), Size: []int{4, 3}}, x)
	if shape := s.Get("beta").Shape(); !slices.Equal(shape, []int{4, 3}) {
		t.Errorf("beta has shape %v", shape)
	}
	assert.AllClose(t, ops.Mean(apart, ops.Over(1)), nd.Zeros([]int{4, 3}), 0, 1e-12)
	for text, l := range map[string]link.BatchNormalization{
		"Axis":                           {Axis: ops.Over(3)},
		"the axes besides Axis":          {Axis: ops.Over(0, 1, 2)},
		"want those of Size [4]":         {Axis: ops.Over(0, 1), Size: []int{4}},
		"begin with the axes of Size [3": {Size: []int{3}},
	} {
		assert.Raises(t, text, func() { l.Apply(doubles(), x) })
	}
}
