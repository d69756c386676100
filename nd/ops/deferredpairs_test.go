package ops_test

import (
	"bytes"
	"flag"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// The test below runs every function after every other, with and without a scope. With the flag -pairs, under the tag late, it runs all
// pairs in all dtypes and layouts, otherwise a sample.

var allPairs = flag.Bool("pairs", false, "compare all pairs of functions with and without a scope, and as many random programs on other devices as on the CPU, instead of samples")

// link is a function of x. It may also read w, which has the dtype of x, or another, and a shape that broadcasts to that of x.
type link struct {
	name string
	call func(x, w *nd.Array) *nd.Array
}

// links returns the elementwise functions of the catalogue, and what may come before or after them in a chain.
func links() (all []link) {
	type unary = func(x *nd.Array, opts ...ops.UfuncOption) *nd.Array
	type binary = func(a, b *nd.Array, opts ...ops.UfuncOption) *nd.Array
	known := map[string]bool{}
	for _, row := range catalogue.Rows() {
		name := row.Name()[strings.LastIndexByte(row.Name(), '.')+1:]
		if known[name] {
			continue
		}
		switch f := reflect.ValueOf(row.Func); {
		case f.Type() == reflect.TypeFor[unary]():
			f := f.Interface().(unary)
			all = append(all, link{name, func(x, _ *nd.Array) *nd.Array { return f(x) }})
		case f.Type() == reflect.TypeFor[binary]():
			f := f.Interface().(binary)
			all = append(all, link{name + "(x, w)", func(x, w *nd.Array) *nd.Array { return f(x, w) }},
				link{name + "(w, x)", func(x, w *nd.Array) *nd.Array { return f(w, x) }})
		default:
			continue
		}
		known[name] = true
	}
	for _, dt := range numberTypes[2:] {
		all = append(all, link{"as " + dt.String(), func(x, _ *nd.Array) *nd.Array { return x.AsType(dt) }})
	}
	return append(all, []link{
		{"scalar", func(x, _ *nd.Array) *nd.Array { return ops.Multiply(ops.Add(x, 1), 3) }},
		{"float scalar", func(x, _ *nd.Array) *nd.Array { return ops.Subtract(0.1, x) }},
		{"self", func(x, _ *nd.Array) *nd.Array { return ops.Multiply(x, x) }},
		{"twice", func(x, w *nd.Array) *nd.Array { return ops.Add(ops.Maximum(x, w), ops.Minimum(x, w)) }},
		{"where", func(x, w *nd.Array) *nd.Array { return ops.Where(ops.Less(x, w), x, w) }},
		{"where of integers", func(x, w *nd.Array) *nd.Array {
			return ops.Where(ops.Less(nd.ArangeInt(0, x.Size(), 1, nd.ArrayOptions{Device: x.Device()}).Reshape(x.Shape()...), 20), x, w)
		}},
		{"option Where", func(x, w *nd.Array) *nd.Array { return ops.Add(x, w, ops.UfuncOptions{Where: x.AsType(dtype.Bool)}) }},
		{"Out", func(x, w *nd.Array) *nd.Array {
			y := nd.Zeros(x.Shape(), nd.ArrayOptions{DType: x.DType(), Device: x.Device()})
			return ops.Add(x, w, ops.Into(y))
		}},
		{"Out of another dtype", func(x, w *nd.Array) *nd.Array {
			y := nd.Zeros(x.Shape(), nd.ArrayOptions{DType: dtype.Float64, Device: x.Device()})
			return ops.Add(x, w, ops.Into(y))
		}},
		{"into w", func(x, w *nd.Array) *nd.Array {
			y := ops.Add(w, w)
			ops.Add(w, 1, ops.Into(w))
			return ops.Add(ops.Subtract(x, w), y)
		}},
		{"assign", func(x, w *nd.Array) *nd.Array {
			y := x.Copy()
			y.Assign(w)
			return ops.Add(x, y)
		}},
		{"slice", func(x, _ *nd.Array) *nd.Array { return x.Index(nd.All(), nd.From(1)) }},
		{"flip", func(x, _ *nd.Array) *nd.Array { return x.Flip() }},
		{"transpose", func(x, _ *nd.Array) *nd.Array { return x.T() }},
		{"reshape", func(x, _ *nd.Array) *nd.Array { return x.Reshape(-1) }},
		{"row", func(x, _ *nd.Array) *nd.Array { return ops.Add(x, x.Index(nd.At(0))) }},
		{"stencil", func(x, _ *nd.Array) *nd.Array {
			return ops.Subtract(x.Index(nd.All(), nd.From(1)), x.Index(nd.All(), nd.Until(-1)))
		}},
		{"roll", func(x, _ *nd.Array) *nd.Array { return ops.Roll(x, 3, ops.Over(-1)) }},
		{"roll of both axes", func(x, _ *nd.Array) *nd.Array { return ops.Roll(x, []int{1, -2}, ops.Over(0, 1)) }},
		{"neighbours", func(x, _ *nd.Array) *nd.Array {
			row := ops.Roll(x, 1, ops.Over(0))
			return ops.Add(ops.Add(ops.Roll(row, -1, ops.Over(1)), ops.Roll(row, 1, ops.Over(1))), ops.Add(x, ops.Roll(x, -1, ops.Over(0))))
		}},
		{"pad", func(x, _ *nd.Array) *nd.Array { return ops.Pad(x, [][2]int{{1, 0}, {0, 2}}) }},
		{"concatenate", func(x, _ *nd.Array) *nd.Array { return ops.Concatenate([]*nd.Array{x, x}) }},
		{"cumsum", func(x, _ *nd.Array) *nd.Array { return ops.CumSum(x, ops.Over(-1)) }},
		{"softmax", func(x, _ *nd.Array) *nd.Array { return ops.Softmax(x) }},
		{"centred", func(x, _ *nd.Array) *nd.Array { return ops.Subtract(x, ops.Mean(x, ops.Over(-1).KeepDims())) }},
		{"sum", func(x, _ *nd.Array) *nd.Array { return ops.Sum(x) }},
		{"sum of columns", func(x, _ *nd.Array) *nd.Array { return ops.Sum(x, ops.Over(0)) }},
		{"sum of rows", func(x, _ *nd.Array) *nd.Array { return ops.Sum(x, ops.Over(1).KeepDims()) }},
		{"mean", func(x, _ *nd.Array) *nd.Array { return ops.Mean(x) }},
		{"prod", func(x, _ *nd.Array) *nd.Array { return ops.Prod(x, ops.Over(1)) }},
		{"max", func(x, _ *nd.Array) *nd.Array { return ops.Max(x) }},
		{"nanmin", func(x, _ *nd.Array) *nd.Array { return ops.NanMin(x, ops.Over(0)) }},
		{"all", func(x, _ *nd.Array) *nd.Array { return ops.All(x) }},
		{"count", func(x, _ *nd.Array) *nd.Array { return ops.CountNonzero(x) }},
		{"norm", func(x, _ *nd.Array) *nd.Array { return ops.Norm(x) }},
		{"var", func(x, _ *nd.Array) *nd.Array { return ops.Var(x, ops.Over(-1)) }},
		{"argmax", func(x, _ *nd.Array) *nd.Array { return ops.ArgMax(x) }},
		{"sort", func(x, _ *nd.Array) *nd.Array { return ops.Sort(x) }},
		{"matmul", func(x, _ *nd.Array) *nd.Array { return ops.MatMul(x, x.T()) }},
	}...)
}

// chain is the program of a case: it computes one function of the result of another.
type chain struct {
	first, second link
	dtype         dtype.DType
	layout        int
	workers       int
}

func (c chain) String() string {
	return fmt.Sprintf("%s, then %s, of %s, layout %d, %d workers", c.first.name, c.second.name, c.dtype, c.layout, c.workers)
}

const layouts = 5

// pairMaterial returns the operands of the pairs of a dtype and layout. other is independent of them.
func pairMaterial(dev device.Device, dt dtype.DType, layout, rows, columns int) (x, w, other *nd.Array) {
	choose := seeded(uint64(dt)<<8 | uint64(layout))
	random := func(dt dtype.DType, shape ...int) *nd.Array {
		values := make([]float64, broadcast.Size(shape))
		for i := range values {
			values[i] = float64(choose(2001)-1000) / 250
			if choose(40) == 0 {
				values[i] = specialValues[choose(len(specialValues))]
			}
		}
		return nd.FromSlice(values, shape...).AsType(dt).To(dev)
	}
	other = random(dtype.Float64, rows, columns)
	switch layout {
	case 0:
		return random(dt, rows, columns), random(dt, rows, columns), other
	case 1:
		return random(dt, rows, columns), random(dt, columns), other
	case 2:
		return random(dt, rows, columns).CopyFortran(), random(dt, rows, 1), other
	case 3: // every second element, and an operand of another dtype
		return random(dt, rows, 2*columns).Index(nd.All(), nd.All().By(2)), random(numberTypes[choose(len(numberTypes))]), other
	}
	return random(dt, 1, columns), random(dt, rows, columns), other
}

// results are what is kept of a program: its result, and, if the form is not 0, its intermediate result, and another result of the shape
// if the form is 2.
type results [3]*nd.Array

func (c chain) run(x, w, other *nd.Array, form int, kept *results) error {
	return nd.Catch(func() {
		y := c.first.call(x, w)
		if form > 0 {
			kept[1] = y
		}
		if form > 1 {
			kept[2] = ops.Exp(other)
		}
		kept[0] = c.second.call(y, w)
	})
}

// compare runs the program without a scope and in one.
func (c chain) compare(t *testing.T, x, w, other *nd.Array, form int) {
	t.Helper()
	w0, w1 := w.Copy(), w.Copy() // functions may write to them
	var plain, scoped results
	want := c.run(x, w0, other, form, &plain)
	var got error
	nd.TidyAll(func() { got = c.run(x, w1, other, form, &scoped) }, &x, &w1, &other, &scoped[0], &scoped[1], &scoped[2])
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v: %v, and in a scope %v", c, want, got)
		return
	}
	for k, y := range append(scoped[:], w1) {
		z := append(plain[:], w0)[k]
		if y == nil && z == nil {
			continue
		}
		if a, b := contents(z), contents(y); !bytes.Equal(a, b) {
			t.Errorf("%v, form %d: result %d differs in a scope:\n%s\n%s", c, form, k, difference(a, b), difference(b, a))
		}
	}
}

// TestDeferredPairs compares pairs of functions.
func TestDeferredPairs(t *testing.T) {
	if *allPairs {
		comparePairs(t, processor("cpu"), 3, 67, 1) // with AVX-512 a handler takes up to 64 numbers
	} else {
		comparePairs(t, processor("cpu"), 3, 701, 4000)
	}
}

// TestDeferredPairsOnDevices is the same on all other devices.
func TestDeferredPairsOnDevices(t *testing.T) {
	for _, name := range device.Names() {
		if name != "cpu" {
			comparePairs(t, processor(name), 3, 701, 40000)
		}
	}
}

// comparePairs compares one in so many pairs of functions.
func comparePairs(t *testing.T, dev device.Device, rows, columns, one int) {
	all := links()
	if len(all) < 200 {
		t.Fatalf("only %d functions", len(all))
	}
	workers := []int{1, 2, 3, 5, 8}
	defer cpu.SetWorkers(cpu.SetWorkers(1))
	for k, dt := range numberTypes[2:] {
		t.Run(dt.String(), func(t *testing.T) {
			for layout := range layouts {
				x, w, other := pairMaterial(dev, dt, layout, rows, columns)
				for i, first := range all {
					for j, second := range all {
						n := ((k*layouts+layout)*len(all)+i)*len(all) + j
						if n*7919%one != 0 {
							continue
						}
						c := chain{first, second, dt, layout, workers[(i+j)%len(workers)]}
						cpu.SetWorkers(c.workers)
						c.compare(t, x, w, other, (i+j+k+layout)%3)
					}
				}
			}
		})
	}
}
