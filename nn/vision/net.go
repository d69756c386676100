package vision

import (
	"slices"
	"strings"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nn"
)

// Net is a network for images. [VGG16], [GoogLeNet], [ResNet50], [ResNet101] and [ResNet152] return a Net. Its methods
// take a scope that has the parameters.
type Net struct {
	name   string
	layers []layer
	mean   [3]float32 // blue, green and red, over the images that the net was trained on
	output string     // the default layer of Extract
}

// layer is a named layer of a net.
type layer struct {
	name  string
	from  string // the layer whose result is the input; "": the layer before, or the images
	steps steps
	// side returns the length of an axis of the result from that of the input, below 1 if the input does not fit; nil
	// means the same length.
	side func(n int) int
}

// Layers returns the names of the layers, in the order in which they are computed. It is Chainer's available_layers.
func (n Net) Layers() []string {
	names := make([]string, len(n.layers))
	for i, l := range n.layers {
		names[i] = l.name
	}
	return names
}

// Apply returns the probabilities of the 1000 classes of ImageNet for prepared images, see [Net.Prepare]: x (B, 3, 224,
// 224) gives (B, 1000). See [Net.Features].
func (n Net) Apply(s *nn.Scope, x *nd.Array) *nd.Array { return n.features("Net.Apply", s, x, nil)[0] }

// Features returns the results of layers, in the order of the names; no names mean "prob", the probabilities. It
// computes only the layers that these need, and releases intermediate results. The result of a layer includes the
// nonlinearity after it: "conv1" is not negative.
//
// x is (B, 3, H, W), a batch of prepared images, see [Net.Prepare]. Features refuses other sizes than 224 if a needed
// layer has weights that depend on the size: see the nets. It refuses a name that the net does not have.
//
// Parameters are created in the scope on first use, so that the scope lacks the parameters of layers that were never
// needed. An empty batch creates them without any computation:
//
//	net.Features(s, nd.Zeros([]int{0, 3, 224, 224}), net.Layers()...)
//
// Chainer: links.VGG16Layers.__call__, links.GoogLeNet.__call__, links.model.vision.resnet.ResNetLayers.__call__.
func (n Net) Features(s *nn.Scope, x *nd.Array, names ...string) []*nd.Array {
	return n.features("Net.Features", s, x, names)
}

func (n Net) features(fn nd.Func, s *nn.Scope, x *nd.Array, names []string) []*nd.Array {
	fn.Check(x)
	plan := n.plan(fn, x, names)
	plan.fits(s, x)
	return plan.run(s, x)
}

// plan says which layers are computed for the requested results.
type plan struct {
	fn     nd.Func
	net    Net
	wanted []int // indices of the requested layers, in the order of the request
	from   []int // the index of each layer's input layer; -1: the images
	last   []int // the last layer that reads a layer's result, or the layer itself if none does; -1 if the layer is not needed
}

func (n Net) plan(fn nd.Func, x *nd.Array, names []string) *plan {
	if len(names) == 0 {
		names = []string{"prob"}
	}
	p := &plan{fn: fn, net: n, from: make([]int, len(n.layers)), last: slices.Repeat([]int{-1}, len(n.layers))}
	for _, name := range names {
		at := n.indexOf(name)
		if at < 0 {
			panic(fn.Errorf([]*nd.Array{x}, "%s has no layer %q: want one of %s", n.name, name, strings.Join(n.Layers(), ", ")))
		}
		p.wanted = append(p.wanted, at)
		p.last[at] = at
	}
	for i := len(n.layers) - 1; i >= 0; i-- {
		p.from[i] = i - 1
		if from := n.layers[i].from; from != "" {
			p.from[i] = n.indexOf(from)
		}
		if at := p.from[i]; p.last[i] >= 0 && at >= 0 {
			p.last[at] = max(p.last[at], i)
		}
	}
	return p
}

func (n Net) indexOf(name string) int {
	return slices.IndexFunc(n.layers, func(l layer) bool { return l.name == name })
}

// fits checks that images have three channels, and that no needed layer has an empty result.
func (p *plan) fits(s *nn.Scope, x *nd.Array) {
	if x.DType().IsComplex() || s.DType().IsComplex() {
		panic(p.fn.Errorf([]*nd.Array{x}, "parameters of dtype %s: want real ones, and real numbers", s.DType()))
	}
	if x.Rank() != 4 || x.Dim(1) != 3 {
		panic(p.fn.Errorf([]*nd.Array{x}, "want images of shape (B, 3, H, W)"))
	}
	for axis := 2; axis < 4; axis++ {
		sides := make([]int, len(p.last))
		for i, l := range p.net.layers {
			if p.last[i] < 0 {
				continue
			}
			n := x.Dim(axis)
			if at := p.from[i]; at >= 0 {
				n = sides[at]
			}
			if l.side != nil {
				n = l.side(n)
			}
			if n < 1 {
				panic(p.fn.Errorf([]*nd.Array{x}, "layer %q of %s does not fit images of %d × %d: want 224 × 224",
					l.name, p.net.name, x.Dim(3), x.Dim(2)))
			}
			sides[i] = n
		}
	}
}

// run computes the layers.
func (p *plan) run(s *nn.Scope, x *nd.Array) []*nd.Array {
	results := make([]*nd.Array, len(p.last))
	for i, l := range p.net.layers {
		if p.last[i] < 0 {
			continue
		}
		in, at := x, p.from[i]
		if at >= 0 {
			in = results[at]
		}
		results[i] = l.steps.apply(s, in)
		if at >= 0 && p.last[at] == i && !slices.Contains(p.wanted, at) {
			in.Release()
		}
	}
	features := make([]*nd.Array, len(p.wanted))
	for k, at := range p.wanted {
		features[k] = results[at]
	}
	return features
}
