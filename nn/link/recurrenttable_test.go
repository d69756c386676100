package link_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/link"
	"github.com/ndgrad/ndgrad/testing/assert"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// step is a call of a link with operands of some shapes. The operands from index labels on are integers below 3.
type step struct {
	name   string
	shapes [][]int
	labels int
	call   func(s *nn.Scope, in []*nd.Array) []*nd.Array
}

// list returns each result once.
func list(y *nd.Array, more ...*nd.Array) []*nd.Array {
	all := []*nd.Array{y}
	for _, x := range more {
		if x != nil && !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}

// stated calls a link with a state twice.
func stated(apply func(s *nn.Scope, x *nd.Array, st *nn.State) *nd.Array) func(s *nn.Scope, in []*nd.Array) []*nd.Array {
	return func(s *nn.Scope, in []*nd.Array) []*nd.Array {
		st := new(nn.State)
		first := apply(s, in[0], st)
		between := *st
		second := apply(s, in[1], st)
		return list(first, second, between.C, st.C, between.H, st.H)
	}
}

// links returns calls of all links.
func links() []step { return append(steps(), layers()...) }

// steps returns calls of all recurrent links, and of the links that are losses of labels.
func steps() []step {
	plain, stateful := [][]int{{3, 4}}, [][]int{{3, 4}, {3, 4}}
	unsorted := [][]int{{2, 3}, {4, 3}, {1, 3}, {4, 3}}
	lstm := link.NStepLSTM{NLayers: 2, OutSize: 2, Dropout: 0.5}
	ofH := func(apply func(s *nn.Scope, hx *nd.Array, xs []*nd.Array) (hy *nd.Array, ys []*nd.Array)) step {
		return step{shapes: append([][]int{{2, 4, 2}}, unsorted...), labels: 9, call: func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			hy, ys := apply(s, in[0], in[1:])
			return list(hy, ys...)
		}}
	}
	named := func(name string, c step) step {
		c.name = name
		return c
	}
	one := link.NStepLSTM{NLayers: 1, OutSize: 2}
	tree := link.Branch(link.Leaf(1), link.Branch(link.Leaf(0), link.Leaf(2)))
	sampler := random.NewWalkerAlias(nd.FromSlice([]int{3, 1, 2}))
	return []step{
		{"LSTM", stateful, 9, stated(link.LSTM{OutSize: 2}.Apply)},
		{"LSTM of fewer rows", [][]int{{3, 4}, {2, 4}}, 9, stated(link.LSTM{OutSize: 2, InSize: 4}.Apply)},
		{"StatefulPeepholeLSTM", stateful, 9, stated(link.StatefulPeepholeLSTM{OutSize: 2}.Apply)},
		{"StatefulZoneoutLSTM", stateful, 9, stated(link.StatefulZoneoutLSTM{OutSize: 2, HRatio: new(0.25)}.Apply)},
		{"StatefulGRU", stateful, 9, stated(link.StatefulGRU{OutSize: 2}.Apply)},
		{"StatelessLSTM", [][]int{{3, 2}, {3, 2}, {3, 4}}, 9, func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			c, h := link.StatelessLSTM{OutSize: 2}.Apply(s, in[0], in[1], in[2])
			return list(c, h)
		}},
		{"GRU", [][]int{{3, 2}, {3, 4}}, 9, func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			return list(link.GRU{NUnits: 2}.Apply(s, in[0], in[1]))
		}},
		{"ChildSumTreeLSTM", [][]int{{3, 2}, {3, 2}, {3, 2}, {3, 2}, {3, 4}}, 9, func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			c, h := link.ChildSumTreeLSTM{OutSize: 2}.Apply(s, in[:2], in[2:4], in[4])
			return list(c, h)
		}},
		{"NaryTreeLSTM", [][]int{{3, 2}, {3, 2}, {3, 2}, {3, 4}}, 9, func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			c, h := link.NaryTreeLSTM{OutSize: 2}.Apply(s, []*nd.Array{in[0], in[1]}, []*nd.Array{nil, in[2]}, in[3])
			return list(c, h)
		}},
		{"NStepLSTM", append([][]int{{2, 4, 2}, {2, 4, 2}}, unsorted...), 9, func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			hy, cy, ys := lstm.Apply(s, in[0], in[1], in[2:])
			return list(hy, append(ys, cy)...)
		}},
		{"NStepBiLSTM", unsorted, 9, func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			hy, cy, ys := link.NStepBiLSTM(lstm).Apply(s, nil, nil, in)
			return list(hy, append(ys, cy)...)
		}},
		named("NStepGRU", ofH(link.NStepGRU(lstm).Apply)), named("NStepBiGRU", ofH(link.NStepBiGRU(one).Apply)),
		named("NStepRNNTanh", ofH(link.NStepRNNTanh(lstm).Apply)), named("NStepBiRNNTanh", ofH(link.NStepBiRNNTanh(one).Apply)),
		named("NStepRNNReLU", ofH(link.NStepRNNReLU(lstm).Apply)), named("NStepBiRNNReLU", ofH(link.NStepBiRNNReLU(one).Apply)),
		{"BinaryHierarchicalSoftmax", append(plain, []int{3}), 1, func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			return list(link.BinaryHierarchicalSoftmax{Tree: tree}.Apply(s, in[0], in[1]))
		}},
		{"NegativeSampling", append(plain, []int{3}, []int{3, 2}), 1, func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			l := link.NegativeSampling{Sampler: sampler, SampleSize: 2, Reduce: "no", Samples: in[2]}
			each := l.Apply(s, in[0], in[1])
			l.Reduce = "sum"
			return list(each, l.Apply(s, in[0], in[1]))
		}},
		{"BlackOut", append(plain, []int{3}, []int{3, 2}), 1, func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			return list(link.BlackOut{Sampler: sampler, SampleSize: 2, Samples: in[2]}.Apply(s, in[0], in[1]))
		}},
		{"CRF1d", [][]int{{3, 3}, {2, 3}, {3}, {2}}, 2, func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			l := link.CRF1d{NLabel: 3}
			mean := l.Apply(s, in[:2], in[2:])
			l.Reduce = "no"
			return list(mean, l.Apply(s, in[:2], in[2:]))
		}},
		{"CRF1d.Argmax", [][]int{{3, 3}, {2, 3}}, 2, func(s *nn.Scope, in []*nd.Array) []*nd.Array {
			score, path := link.CRF1d{NLabel: 3}.Argmax(s, in)
			return list(score, path...)
		}},
	}
}

// normals draws float64 numbers.
func normals(seed uint64, shape ...int) *nd.Array {
	return random.Normal(nd.NewRand(seed), 0, 1, shape)
}

// doubles returns a scope of float64.
func doubles() *nn.Scope {
	return nn.NewScope(nn.ScopeOptions{DType: dtype.Float64, Rand: nd.NewRand(5)})
}

// operands returns random numbers, and labels.
func (c *step) operands(like nd.ArrayOptions) []*nd.Array {
	var in []*nd.Array
	for k, shape := range c.shapes {
		x := random.Normal(nd.NewRand(uint64(k)), 0, 1, shape, like)
		if k >= c.labels {
			x = random.Integers(nd.NewRand(uint64(k)), 0, 3, shape, nd.ArrayOptions{Device: like.Device})
		}
		in = append(in, x)
	}
	return in
}

// varied sets all trained parameters to different values, because zeros would hide an error.
func varied(s *nn.Scope) {
	seed := uint64(100)
	for _, p := range s.Trained() {
		seed++
		p.Value().Assign(normals(seed, p.Value().Shape()...))
	}
}

// Gradients of operands and parameters agree with differences, also through random draws, and with non-contiguous
// operands.
func TestGradientsOfLinks(t *testing.T) {
	for _, c := range links() {
		s, in := doubles(), c.operands(nd.ArrayOptions{DType: dtype.Float64})
		results := c.call(s, in)
		varied(s)
		var names []string
		for name := range s.Trained() {
			names = append(names, name)
		}
		floats := min(c.labels, len(in))
		for k := range results {
			f := func(xs ...*nd.Array) *nd.Array {
				given := map[string]*nd.Array{}
				for i, name := range names {
					given[name] = xs[floats+i]
				}
				model := s.Watch(grad.NewTape(), nn.WatchOptions{Rand: nd.NewRand(3)}).With(given)
				return c.call(model, append(slices.Clone(xs[:floats]), in[floats:]...))[k]
			}
			xs := slices.Clone(in[:floats])
			for i, x := range xs {
				xs[i] = x.T().Copy().T()
			}
			for _, name := range names {
				xs = append(xs, s.Get(name))
			}
			if f(xs...).DType() == dtype.Float64 {
				t.Run(fmt.Sprint(c.name, k), func(t *testing.T) { gradcheck.Checker{Together: true}.Check(t, f, xs...) })
			}
		}
	}
}

// Links compute in the dtype of their parameters. Without draws, training and evaluation agree.
func TestDTypesOfLinks(t *testing.T) {
	for _, c := range links() {
		single, double := nn.NewScope(), doubles()
		in := c.operands(nd.ArrayOptions{DType: dtype.Float64})
		c.call(double, in)
		varied(double)
		for name, p := range double.All() {
			single.Set(name, p.Value().AsType(dtype.Float32))
		}
		want := c.call(double, in)
		for k, y := range c.call(single, in) {
			if y.DType().IsFloat() && y.DType() != dtype.Float32 {
				t.Errorf("%s: result %d is %s, want float32", c.name, k, y.DType())
			}
			if !assert.AllClose(t, y, want[k], 1e-3, 1e-4) {
				t.Errorf("%s: result %d", c.name, k)
			}
		}
	}
}

// An invalid call is refused with an error, before a parameter is created, and before anything is drawn.
func TestRefusedOperandsOfLinks(t *testing.T) {
	odd := map[string]*nd.Array{"nil": nil, "a scalar": nd.Scalar(2)}
	for _, dt := range []dtype.DType{dtype.Float32, dtype.Complex64, dtype.Int32, dtype.Bool} {
		for _, shape := range [][]int{{}, {0}, {3}, {5}, {2, 0}, {0, 4}, {3, 9}, {3, 0, 4}, {2, 4, 9}, {2, 4, 2, 2}} {
			odd[fmt.Sprint(dt, shape)] = nd.Ones(shape, dt)
		}
	}
	for _, dt := range []dtype.DType{dtype.Float32, dtype.Complex64} {
		for _, c := range links() {
			for k := range c.shapes {
				for kind, x := range odd {
					in := c.operands(nd.ArrayOptions{DType: dtype.Float32})
					in[k] = x
					params, rng := nn.NewScope(nn.ScopeOptions{DType: dt}), nd.NewRand(1)
					err := nd.Catch(func() { c.call(params.Watch(grad.NewTape(), nn.WatchOptions{Rand: rng}), in) })
					if refusal := new(nd.Error); err != nil && !errors.As(err, &refusal) {
						t.Errorf("%s with %s as operand %d: %v", c.name, kind, k, err)
					}
					twice := strings.HasPrefix(c.name, "LSTM") || strings.HasPrefix(c.name, "Stateful") // and the second call may be refused
					if names := params.Names(); err != nil && names != nil && !twice {
						t.Errorf("%s with %s as operand %d: created %q before %v", c.name, kind, k, names, err)
					}
					if dt.IsComplex() && err == nil {
						t.Errorf("%s: complex parameters are not refused", c.name)
					}
				}
			}
		}
	}
}

// counted is the CPU under another name. It knows the blocks that were allocated and not released.
type counted struct {
	device.Device
	sync.Mutex
	out map[unsafe.Pointer]bool
}

func (*counted) Name() string { return "counted" }

func (d *counted) Alloc(bytes int) device.Memory {
	m := d.Device.Alloc(bytes)
	if m.Size > 0 {
		d.Lock()
		defer d.Unlock()
		d.out[m.Handle] = true
	}
	return m
}

func (d *counted) Free(m device.Memory) {
	d.Lock()
	delete(d.out, m.Handle)
	d.Unlock()
	d.Device.Free(m)
}

// The tape of its parameters owns what a link computes, and no other memory remains.
func TestLinksLeaveNothing(t *testing.T) {
	cpu, err := device.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range links() {
		dev := &counted{Device: cpu, out: map[unsafe.Pointer]bool{}}
		in := c.operands(nd.ArrayOptions{DType: dtype.Float32, Device: dev})
		params, tape := nn.NewScope(nn.ScopeOptions{Device: dev}), grad.NewTape()
		train := func() []*nd.Array { return c.call(params.Watch(tape, nn.WatchOptions{Rand: nd.NewRand(1)}), in) }
		results := train()
		tape.Reset()
		for k, y := range results {
			if !y.IsReleased() {
				t.Errorf("%s: result %d is not the tape's", c.name, k)
			}
		}
		for round := range 2 {
			clear(dev.out)
			for _, y := range c.call(params, in) {
				y.Release()
			}
			if len(dev.out) > 0 {
				t.Errorf("%s: evaluation %d leaves %d blocks", c.name, round, len(dev.out))
			}
			clear(dev.out)
			y := train()
			tape.Gradient(ops.Sum(y[0]))
			if tape.Reset(); len(dev.out) > 0 {
				t.Errorf("%s: step of training %d leaves %d blocks", c.name, round, len(dev.out))
			}
		}
		for k, x := range in {
			if x.IsReleased() {
				t.Errorf("%s: operand %d is released", c.name, k)
			}
		}
	}
}
