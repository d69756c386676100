package sweeps

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
	"github.com/ndgrad/ndgrad/testing/conformance/runner"
)

// mostPeak is the largest peak of memory, relative to the operands and results, that a call may have, besides
// smallPeak bytes. A function may have several temporary arrays of its result's size, but none that grows as a product
// of the operands' sizes. An element of operands and results counts as 8 bytes at least, since indices and sums of narrow
// elements are as wide.
const mostPeak, smallPeak = 12, 1 << 16

// higherPeak are the functions that need more, with the factor and the reason.
var higherPeak = map[string]struct {
	most   float64
	reason string
}{
	"torch.linalg.matrix_exp":                  {32, "it computes in float64, and its gradient with matrices of twice the size"},
	"torch.linalg.householder_product":         {48, "a tape holds the product after each reflection"},
	"chainer.functions.simplified_dropconnect": {24, "a mask of all weights for each example"},
	"numpy.polyfit":                            {100, "the powers of the points and their gradients, for few coefficients"},
}

// TestSweepPeak calls every function with its largest case, whose arguments are repeated along all axes if the function
// accepts that, and compares the largest sum of live blocks with the size of operands and results, without gradients and
// with gradients.
func TestSweepPeak(t *testing.T) {
	dev := &gauge{Device: mustDevice(t, "cpu")}
	needed := map[string]float64{}
	sweep(t, func(s *subject) error {
		times := s.growth()
		for _, gradients := range [][]string{nil, s.differentiable()} {
			whole, peak, err := s.peakOn(dev, times, gradients)
			if err != nil || peak <= mostPeak*whole+smallPeak {
				continue // refusals are the concern of other sweeps
			}
			ratio := float64(peak) / float64(whole)
			if name := s.c.Function; ratio <= higherPeak[name].most {
				needed[name] = ratio
				continue
			}
			return fmt.Errorf("repeated %d times, gradients of %q: a peak of %d bytes for %d bytes of operands and results, %.1f times as many",
				times, gradients, peak, whole, ratio)
		}
		return nil
	})
	if *sweepOnly != "" {
		return
	}
	for name := range higherPeak {
		if needed[name] == 0 {
			t.Errorf("%s needs no higher peak than others", name)
		}
	}
}

// gauge is the CPU under another name. It records the size of the live blocks that were allocated since forget, and the
// largest sum of these sizes.
type gauge struct {
	device.Device
	sync.Mutex
	sizes      map[unsafe.Pointer]int
	live, peak int
}

// Name returns "gauge".
func (*gauge) Name() string { return "gauge" }

// Alloc counts the block.
func (d *gauge) Alloc(bytes int) device.Memory {
	m := d.Device.Alloc(bytes)
	if m.Size == 0 {
		return m
	}
	d.Lock()
	defer d.Unlock()
	d.sizes[m.Handle] = m.Size
	d.live += m.Size
	d.peak = max(d.peak, d.live)
	return m
}

// Free removes the block from the count.
func (d *gauge) Free(m device.Memory) {
	d.Lock()
	d.live -= d.sizes[m.Handle]
	delete(d.sizes, m.Handle)
	d.Unlock()
	d.Device.Free(m)
}

// forget starts a new count.
func (d *gauge) forget() {
	d.Lock()
	defer d.Unlock()
	d.sizes, d.live, d.peak = map[unsafe.Pointer]int{}, 0, 0
}

// differentiable lists the arguments that may have gradients.
func (s *subject) differentiable() []string {
	var paths []string
	for path, x := range s.plain.args {
		if x.DType().IsInexact() && !s.fn.Row.MayWrite(path) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// growth returns how often the arguments can be repeated along each axis.
func (s *subject) growth() int {
	const most = 100_000 // elements
	for _, times := range []int{16, 8, 4, 2} {
		total := 0
		for _, x := range s.plain.args {
			if !x.IsScalar() {
				total += broadcast.Product(append(repeatsOf(x, times), x.Size())...)
			}
		}
		if total > most {
			continue
		}
		if o := s.call(setting{fresh: true, edit: func(_ string, x *nd.Array) *nd.Array { return repeated(x, times) }}); o.err == nil {
			return times
		}
	}
	return 1
}

// repeatsOf returns how often x is repeated along each axis: axes of length 1, which may broadcast, stay.
func repeatsOf(x *nd.Array, times int) []int {
	reps := slices.Repeat([]int{times}, x.Rank())
	for axis, n := range x.Shape() {
		if n < 2 {
			reps[axis] = 1
		}
	}
	return reps
}

// repeated returns x repeated along all axes that are longer than 1.
func repeated(x *nd.Array, times int) *nd.Array {
	if times == 1 || x.IsScalar() || x.Rank() == 0 {
		return x
	}
	return ops.Tile(x, repeatsOf(x, times)...)
}

// peakOn calls the function, and returns the size of operands, parameters, results and gradients, and the peak.
func (s *subject) peakOn(dev *gauge, times int, gradients []string) (whole, peak int, err error) {
	dev.forget()
	scope, err := s.scope(dev, nil, true)
	if err != nil {
		return 0, 0, err
	}
	how := catalogue.CallOptions{Device: dev, Gradients: gradients, Scope: scope}
	for call := range 2 {
		if call == 0 && scope == nil {
			continue // only a parametric function has something to create
		}
		named, err := runner.Arguments(s.f, s.fn, runner.WithMode(s.fn, s.c), func(_ string, x *nd.Array) *nd.Array {
			return catalogue.OnDevice(repeated(x, times), dev)
		})
		if err != nil {
			return 0, 0, err
		}
		dev.peak = dev.live
		result, err := s.fn.Call(nil, named, how)
		if err != nil {
			return 0, 0, err
		}
		whole, peak = bytesOf(named), dev.peak
		if scope != nil {
			for _, p := range scope.All() {
				whole += bytesOf(p.Value())
			}
		}
		for _, v := range result.Values {
			whole += bytesOf(v)
			releaseArrays(v)
		}
		for _, g := range result.Gradients {
			whole += bytesOf(g)
			g.Release()
		}
		for _, x := range result.Arguments {
			x.Release()
		}
		releaseArrays(named)
	}
	return whole, peak, nil
}

// bytesOf returns the size of the arrays among results.
func bytesOf(v any) (n int) {
	eachArray(v, func(x *nd.Array) {
		if x != nil && !x.IsReleased() && !x.IsScalar() {
			n += x.Size() * max(8, x.DType().Size())
		}
	})
	return n
}

// TestGauge checks that a temporary array counts while it lives.
func TestGauge(t *testing.T) {
	dev := &gauge{Device: mustDevice(t, "cpu")}
	dev.forget()
	x := nd.Ones([]int{1000}, nd.ArrayOptions{Device: dev})
	y := ops.Square(x)
	y.Release()
	z := ops.Square(x)
	if size := x.Size() * 8; dev.live < 2*size || dev.peak >= 3*size {
		t.Errorf("%d bytes are live, the peak is %d, for two arrays of %d bytes", dev.live, dev.peak, size)
	}
	z.Release()
	x.Release()
	if dev.live != 0 {
		t.Errorf("%d bytes are left", dev.live)
	}
}
