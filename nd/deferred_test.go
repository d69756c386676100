package nd_test

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// long is a number of elements from which on results are deferred.
const long = 5000

// TestScopesJoinFunctions: a scope stores nothing but what is kept or read, and computes it by one launch.
func TestScopesJoinFunctions(t *testing.T) {
	x, v := nd.Full([]int{long}, 1.0), nd.Zeros([]int{long})
	step := func() {
		nd.TidyAll(func() {
			v = ops.Subtract(v, ops.Multiply(ops.Sin(x), 0.1))
			x = ops.Add(x, ops.Multiply(v, 0.1))
		}, &x, &v)
	}
	e := nd.Explain(step)
	if total := e.Total(); len(e) != 1 || len(total.Funcs) != 5 || total.Read != 2*8*long || total.Written != 2*8*long {
		t.Errorf("a step:\n%v", e)
	}
	e = nd.Explain(func() {
		nd.Tidy(x, func(x *nd.Array) *nd.Array { return ops.Sum(ops.Square(ops.Subtract(x, 1))) })
	})
	if total := e.Total(); len(e) != 1 || len(total.Funcs) != 3 || total.Read != 8*long || total.Written != 8 {
		t.Errorf("a sum:\n%v", e)
	}
	e = nd.Explain(func() {
		nd.Tidy(x, func(x *nd.Array) *nd.Array { return ops.Sum(ops.Exp(ops.Subtract(x, 1))) })
	})
	if len(e) != 2 || len(e[0].Funcs) != 2 || e[0].Why != "needed by ops.Sum" {
		t.Errorf("a sum of exponentials, which would be computed twice if they are read again:\n%v", e)
	}
}

// TestScopesJoinRolledArrays: rolled arrays are operands of the program that reads them, and are not stored.
func TestScopesJoinRolledArrays(t *testing.T) {
	x := nd.ArangeInt(0, long, 1).Reshape(50, 100)
	var y *nd.Array
	e := nd.Explain(func() {
		nd.TidyAll(func() {
			rows := ops.Roll(x, -1, ops.Over(0))
			y = ops.Add(ops.Roll(rows, 1, ops.Over(1)), ops.Multiply(ops.Roll(x, 2, ops.Over(1)), 1000))
		}, &x, &y)
	})
	if len(e) != 1 || e[0].Written != 8*long {
		t.Errorf("a sum of rolled arrays:\n%v", e)
	}
	for _, c := range [][3]int{{0, 0, 199 + 1000*98}, {49, 1, 0 + 1000*4999}, {7, 50, 849 + 1000*748}} {
		if got := y.Float(c[0], c[1]); got != float64(c[2]) {
			t.Errorf("element %d, %d is %v, want %d", c[0], c[1], got, c[2])
		}
	}
	e = nd.Explain(func() {
		_ = nd.Tidy(x, func(x *nd.Array) *nd.Array { return ops.Sum(ops.Roll(x, 1, ops.Over(0))) })
	})
	if len(e) != 2 {
		t.Errorf("the sum of a rolled array, which is stored:\n%v", e)
	}
}

// TestScopesJoin16BitFloats: a value that is not stored is rounded as a store rounds it.
func TestScopesJoin16BitFloats(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
		x := nd.Full([]int{long}, 0.1, nd.ArrayOptions{DType: dt})
		f := func(x *nd.Array) *nd.Array { return ops.Subtract(ops.Multiply(ops.Exp(x), x), ops.Sqrt(x)) }
		var y *nd.Array
		e := nd.Explain(func() { y = nd.Tidy(x, f) })
		if len(e) != 1 || e[0].Read != 2*long || e[0].Written != 2*long || y.Float(long-1) != f(x).Float(long-1) {
			t.Errorf("%s: %v, want %v, by\n%v", dt, y.Float(long-1), f(x).Float(long-1), e)
		}
	}
}

// TestSignsOf16BitNaN: a NaN keeps its sign when it is stored as a 16-bit float, and when a scope rounds it instead.
func TestSignsOf16BitNaN(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16} {
		for _, n := range []int{1, 17, 100, long} {
			values, want := make([]float64, n), make([]bool, n)
			for i := range values {
				want[i] = i%3 == 0
				values[i] = math.NaN()
				if !want[i] {
					values[i] = math.Copysign(values[i], -1)
				}
			}
			x := nd.FromSlice(values).AsType(dt)
			f := func(x *nd.Array) *nd.Array { return ops.SignBit(ops.Negative(x)) }
			if got := nd.ToSlice[bool](f(x)); !slices.Equal(got, want) {
				t.Errorf("%s, %d elements: %v, want %v", dt, n, got[:min(n, 6)], want[:min(n, 6)])
			}
			if got := nd.ToSlice[bool](nd.Tidy(x, f)); !slices.Equal(got, want) {
				t.Errorf("%s, %d elements, in a scope: %v, want %v", dt, n, got[:min(n, 6)], want[:min(n, 6)])
			}
		}
	}
}

// TestScopesRoundOnce converts numbers that lie just above the middle between two bfloat16 (float16), and that float32 rounds to the middle.
func TestScopesRoundOnce(t *testing.T) {
	for half, middle := range map[dtype.DType]float64{dtype.BFloat16: 0x1010001, dtype.Float16: 0x1002001p-12} {
		for _, dt := range []dtype.DType{dtype.Int32, dtype.Uint32, dtype.Int64, dtype.Uint64, dtype.Float64, dtype.Complex128} {
			if half == dtype.Float16 && dt.IsInteger() {
				continue // integers that float32 rounds are infinite in float16
			}
			x := nd.Full([]int{long}, middle, nd.ArrayOptions{DType: dt})
			convert := func() *nd.Array { return ops.Add(x, 0).AsType(half) }
			want, got := convert(), (*nd.Array)(nil)
			nd.TidyAll(func() { got = convert() }, &x, &got)
			if a, b := nd.ToSlice[float64](want.AsType(dtype.Float64)), nd.ToSlice[float64](got.AsType(dtype.Float64)); !slices.Equal(a, b) {
				t.Errorf("%v to %v: %v, and in a scope %v", dt, half, a[0], b[0])
			} else if !(a[0] > middle) {
				t.Errorf("%v to %v: %v becomes %v", dt, half, middle, a[0])
			}
		}
	}
}

// TestPendingOperandsOfWrites: a function that writes into an existing array computes its pending operands, unless they read that array.
func TestPendingOperandsOfWrites(t *testing.T) {
	w, g := nd.Full([]int{long}, 3.0), nd.Full([]int{long}, 2.0)
	step := func(x **nd.Array) nd.Explanation {
		return nd.Explain(func() {
			nd.TidyAll(func() { ops.Subtract(w, ops.Multiply(*x, 0.5), ops.Into(w)) }, &w, &g)
		})
	}
	if e := step(&g); len(e) != 1 || len(e[0].Funcs) != 2 || e[0].Written != 8*long || w.Float(long-1) != 2 {
		t.Errorf("w = %v after\n%v", w.Float(long-1), e)
	}
	if e := step(&w); len(e) != 2 || w.Float(long-1) != 1 {
		t.Errorf("w = %v after\n%v", w.Float(long-1), e)
	}
}

// TestPendingArraysAreReadByMany: several goroutines may read a pending array, and write to its operand after that.
func TestPendingArraysAreReadByMany(t *testing.T) {
	x, c := nd.Full([]int{long}, 1.0), nd.Full([]int{long}, 2.0)
	nd.TidyAll(func() {
		y := ops.Add(x, c)
		z := ops.Multiply(y, c)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				if a, b := y.Float(17), z.Float(long-1); a != 3 || b != 6 {
					t.Errorf("%v and %v, want 3 and 6", a, b)
				}
			})
		}
		group.Wait()
		w := ops.Add(x, c)
		group.Go(func() { nd.Fill(c, 0) })
		group.Wait()
		if got := w.Float(5); got != 3 {
			t.Errorf("%v, want 3: an operand was read after it was overwritten", got)
		}
	}, &x)
}

// TestScopesShareOperands: scopes of several goroutines read the same array late.
func TestScopesShareOperands(t *testing.T) {
	w := nd.Full([]int{long}, 2.0)
	var group sync.WaitGroup
	for k := range 4 {
		group.Go(func() {
			x := nd.Full([]int{long}, float64(k))
			for range 50 {
				nd.TidyAll(func() { x = ops.Divide(ops.Multiply(ops.Add(x, w), w), w) }, &x)
			}
			if got := x.Float(3); got != float64(k)+100 {
				t.Errorf("%v, want %v", got, k+100)
			}
		})
	}
	group.Wait()
}

// TestDeferredEscapes: arrays that leave a scope are computed, whatever way they leave it.
func TestDeferredEscapes(t *testing.T) {
	arena := nd.NewArena()
	defer arena.Release()
	x := nd.Full([]int{long}, 1.0)
	var adopted, view *nd.Array
	fails := func() {
		defer func() { recover() }()
		nd.TidyAll(func() {
			y := ops.Add(x, x)
			adopted = arena.Adopt(y)
			view = arena.Adopt(y.Index(nd.Span(10, 20)))
			panic("the scope ends")
		}, &x)
	}
	fails()
	if adopted.Float(3) != 2 || view.Float(0) != 2 || x.Float(3) != 1 {
		t.Errorf("%v, %v and %v", adopted.Float(3), view.Float(0), x.Float(3))
	}
}

// TestPendingOperandsComeFirst: a block that only a pending operand reads is free before the result of the function that needs the operand is
// allocated.
func TestPendingOperandsComeFirst(t *testing.T) {
	cpu, err := device.Get("cpu")
	if err != nil {
		t.Fatal(err)
	}
	dev := &blockCounter{Device: cpu}
	x := nd.Ones([]int{100, 100}, nd.ArrayOptions{Device: dev})
	nd.TidyAll(func() {
		product := ops.MatMul(x, x)
		twice := ops.Multiply(product, 2)
		product.Release()
		if y := ops.MatMul(twice, x); dev.most > 3 || y.Float(0, 0) != 20000 {
			t.Errorf("%d blocks at a time, want 3; the result is %v", dev.most, y.Float(0, 0))
		}
	}, &x)
}

// blockCounter is a device that counts blocks. The host cannot see its memory.
type blockCounter struct {
	device.Device
	blocks, most int
}

func (d *blockCounter) Name() string                      { return "counter" }
func (d *blockCounter) Bytes(device.Memory) []byte        { return nil }
func (d *blockCounter) Wrap([]byte) (device.Memory, bool) { return device.Memory{}, false }
func (d *blockCounter) Flat(*device.Program) device.Flat  { return nil }

func (d *blockCounter) Alloc(bytes int) device.Memory {
	d.blocks++
	d.most = max(d.most, d.blocks)
	return d.Device.Alloc(bytes)
}

func (d *blockCounter) Free(m device.Memory) {
	d.blocks--
	d.Device.Free(m)
}
