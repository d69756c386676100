package ops_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// The tests below run random programs under a tape, with and without a scope, and compare what compare does, and gradients of first and
// second order.

// mostlyFloats makes most of the arrays floats of one dtype.
func mostlyFloats(choose source, xs []*nd.Array) []*nd.Array {
	t := numberTypes[choose(2)]
	for k, x := range xs {
		if choose(4) > 0 {
			xs[k] = x.AsType(t)
		}
	}
	return xs
}

// differentiated runs a program on its material under a tape, and returns everything that could be observed.
func differentiated(choose source, tape *grad.Tape, xs []*nd.Array, steps int) (seen [][]byte) {
	var slices [][]float32
	var watched []*nd.Array
	xs = append([]*nd.Array{}, xs...)
	made := make([]uint32, len(xs)) // versions
	for k, x := range xs {
		made[k] = x.Version()
		if x.DType().IsInexact() && choose(4) > 0 {
			xs[k] = tape.Watch(x)
			watched = append(watched, xs[k])
		}
	}
	observe := func(f func()) {
		if err := nd.Catch(f); err != nil {
			seen = append(seen, []byte(err.Error()))
		}
	}
	for range steps {
		observe(func() {
			y, read := step(choose, xs, &slices)
			if y != nil {
				xs, made = append(xs, y), append(made, y.Version())
				seen = append(seen, fmt.Append(nil, y.DType(), y.Shape()))
			}
			seen = append(seen, read)
		})
	}
	observe(func() {
		var ys []*nd.Array
		for len(ys) < 1+choose(2) {
			ys = append(ys, xs[len(xs)-1-choose(min(len(xs), 5))])
		}
		recorded := choose(3) > 0
		var gs []*nd.Array
		if recorded {
			gs = tape.VJPRecorded(ys, nil, watched...)
		} else {
			gs = tape.VJP(ys, nil, watched...)
		}
		for _, g := range gs {
			if g != nil && choose(3) > 0 {
				seen = append(seen, contents(g))
			}
		}
		if recorded {
			var sums []*nd.Array
			for _, g := range gs {
				if g != nil {
					sums = append(sums, ops.Square(g))
				}
			}
			for _, g := range tape.VJP(sums, nil, watched...) {
				if g != nil {
					seen = append(seen, contents(g))
				}
			}
		}
		for _, g := range gs {
			if g != nil {
				seen = append(seen, contents(g))
			}
		}
	})
	for k, x := range xs {
		seen = append(seen, contents(x), fmt.Append(nil, x.Version()-made[k]))
	}
	return seen
}

// compareGradients runs one program without a scope and in one.
func compareGradients(t *testing.T, name string, begin func() source, dev device.Device, rows, columns, steps int) {
	t.Helper()
	choose := begin()
	xs := mostlyFloats(choose, material(choose, dev, rows, columns))
	plain := differentiated(choose, grad.NewTape(), xs, steps)
	choose = begin()
	xs = mostlyFloats(choose, material(choose, dev, rows, columns))
	variables := make([]**nd.Array, 0, len(xs))
	for k := range xs {
		if k != 1 { // one array is from outside of the scope
			variables = append(variables, &xs[k])
		}
	}
	tape := grad.NewTape()
	for range 1 + steps%2 {
		var scoped [][]byte
		nd.TidyAll(func() {
			if steps%3 == 0 {
				tape = grad.NewTape()
			}
			scoped = differentiated(choose, tape, xs, steps)
			if steps%4 == 0 {
				tape.Reset()
			}
		}, variables...)
		tape.Reset()
		if len(plain) != len(scoped) {
			t.Fatalf("%s: %d observations, and %d in a scope", name, len(plain), len(scoped))
		}
		for k := range plain {
			if !bytes.Equal(plain[k], scoped[k]) {
				t.Fatalf("%s: observation %d of %d differs in a scope:\n%s\n%s", name, k, len(plain), difference(plain[k], scoped[k]), difference(scoped[k], plain[k]))
			}
		}
		choose = begin()
		xs = mostlyFloats(choose, material(choose, dev, rows, columns))
	}
}

// TestDeferredGradients compares random programs.
func TestDeferredGradients(t *testing.T) {
	programs := 800
	if testing.Short() {
		programs = 100
	}
	for seed := range programs {
		old := cpu.SetWorkers([]int{1, 2, 3, 5, 8}[seed%5])
		rows, columns := 3, 800
		switch {
		case seed%40 == 0: // reductions have several groups
			columns = 12000
		case seed%5 == 0:
			rows, columns = 300, 9
		}
		compareGradients(t, fmt.Sprint("program ", seed), func() source { return seeded(uint64(seed)) }, processor("cpu"), rows, columns, 4+seed%12)
		cpu.SetWorkers(old)
	}
}

// TestDeferredGradientsOnDevices is the same on all other devices.
func TestDeferredGradientsOnDevices(t *testing.T) {
	for _, name := range device.Names() {
		for seed := range programsOnDevices(20) {
			if name != "cpu" {
				compareGradients(t, fmt.Sprint(name, ", program ", seed), func() source { return seeded(uint64(seed)) }, processor(name), 3, 700, 4+seed%12)
			}
		}
	}
}
