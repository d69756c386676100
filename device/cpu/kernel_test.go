package cpu

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/copying"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/index"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/reduce"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func TestSmallKernelsDoNotAllocate(t *testing.T) {
	if launchtest.Race {
		t.Skip("pools forget things at random under the race detector")
	}
	const n = 10
	x, y, z := launchtest.New(launchtest.Uniform(n), n), launchtest.New(launchtest.Uniform(n), n), launchtest.New(make([]float32, n), n)
	loop := []int{n}
	add := launchtest.Compile(t, dtype.Float32, "T x, T y", "T out", "x+y")
	scale := launchtest.Compile(t, dtype.Float32, "T x", "T out", "x*s")
	fused := launchtest.Compile(t, dtype.Float32, "T x, T y", "T out", "x*y - 2*x")
	sum := launchtest.NewStrided(make([]float32, 1), 0, []int{0})
	matrixLoop, matrix := []int{2, 2, 4}, launchtest.NewStrided(make([]float32, 4), 0, []int{2, 1, 0})
	left, right := launchtest.NewStrided(launchtest.Uniform(8), 0, []int{4, 0, 1}), launchtest.NewStrided(launchtest.Uniform(8), 0, []int{0, 1, 2})
	for _, c := range []struct {
		name string
		run  func()
	}{
		{"add", func() {
			l := launchtest.Launch(loop, z, x, y)
			l.Program = add
			elementwise.Elementwise(l)
			l.Recycle()
		}},
		{"scale", func() {
			l := launchtest.Launch(loop, z, x)
			l.Program = scale
			elementwise.Elementwise(l)
			l.Recycle()
		}},
		{"fused", func() {
			l := launchtest.Launch(loop, z, x, y)
			l.Program = fused
			elementwise.Elementwise(l)
			l.Recycle()
		}},
		{"sum", func() {
			l := launchtest.Launch(loop, sum, x, y)
			l.Program, l.Reduced, l.Combine = add, 1, device.CombineSum
			reduce.Reduce(l)
			l.Recycle()
		}},
		{"matmul", func() {
			l := launchtest.Launch(matrixLoop, matrix, left, right)
			matmul.MatMul(l)
			l.Recycle()
		}},
		{"copy", func() {
			l := launchtest.Launch(loop, z, x)
			copying.Copy(l)
			l.Recycle()
		}},
	} {
		if n := testing.AllocsPerRun(200, c.run); n != 0 {
			t.Errorf("%s of %d elements allocates %g times", c.name, len(x.Bytes)/4, n)
		}
	}
}

// TestOutputInPlaceOfAnInput runs programs that write where they read, also with a later use of the input.
func TestOutputInPlaceOfAnInput(t *testing.T) {
	const n = 3000
	two, err := device.Source{Name: "two", Inputs: "float64 x, float64 y", Outputs: "float64 a, float64 b",
		Body: "a = x + y; b = x*a"}.Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	exchange, err := device.Source{Name: "exchange", Inputs: "float64 x, float64 y", Outputs: "float64 a, float64 b",
		Body: "a = y; b = x"}.Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		program *device.Program
		want    func(x, y float64) (a, b float64)
	}{
		{two, func(x, y float64) (float64, float64) { return x + y, float64(x * (x + y)) }},
		{exchange, func(x, y float64) (float64, float64) { return y, x }},
	} {
		x, y := launchtest.Widened(launchtest.Uniform(n)), launchtest.Widened(launchtest.Uniform(n + 1))[:n]
		wantA, wantB := make([]float64, n), make([]float64, n)
		for i := range x {
			wantA[i], wantB[i] = c.want(x[i], y[i])
		}
		a, b := launchtest.New(x, n), launchtest.New(y, n)
		l := launchtest.Launch([]int{n}, a, b, a, b)
		l.Program, l.Outputs = c.program, 2
		elementwise.Elementwise(l)
		l.Recycle()
		for i := range x {
			if x[i] != wantA[i] || y[i] != wantB[i] {
				t.Fatalf("%s: element %d: %g, %g, want %g, %g", c.program.Name, i, x[i], y[i], wantA[i], wantB[i])
			}
		}
	}
}

// TestSumIsAccurate sums numbers whose naive sum in float32 is off by far more than pairwise summation may be.
func TestSumIsAccurate(t *testing.T) {
	p := launchtest.Compile(t, dtype.Float32, "T x", "T out", "x")
	const n = 1 << 20
	data := make([]float32, n)
	exact := new(big.Float).SetPrec(200)
	for i := range data {
		data[i] = 0.1 + float32(i%7)*0.01
		exact.Add(exact, big.NewFloat(float64(data[i])))
	}
	want, _ := exact.Float64()
	for _, c := range []struct {
		name    string
		loop    []int
		strides []int
	}{{"all", []int{n}, []int{1}}, {"one column of two", []int{2, n / 2}, []int{1, 2}}} {
		out := make([]float32, 2)
		strides := []int{0}
		if len(c.loop) == 2 {
			strides = []int{1, 0}
		}
		l := launchtest.Launch(c.loop, launchtest.NewStrided(out, 0, strides), launchtest.NewStrided(data, 0, c.strides))
		l.Program, l.Reduced, l.Combine = p, 1, device.CombineSum
		reduce.Reduce(l)
		l.Recycle()
		got := float64(out[0]) + float64(out[1])
		if rel := math.Abs(got-want) / want; rel > 1e-6 {
			t.Errorf("%s: %.9g, want %.9g: off by %g", c.name, got, want, rel)
		}
	}
}

func TestReduceFinishesWithPost(t *testing.T) {
	p := launchtest.Compile(t, dtype.Float64, "T x", "T out", "x*s")
	post, err := device.Source{Name: "post", Inputs: "float64 v", Scalars: "float64 d", Outputs: "float64 out", Body: "sqrt(v)/d"}.Compile(nil)
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{1, 2, 3, 10, 20, 30}
	out := make([]float64, 2)
	l := launchtest.Launch([]int{2, 3}, launchtest.NewStrided(out, 0, []int{1, 0}), launchtest.New(x, 2, 3))
	l.Program, l.Post, l.Reduced, l.Combine = p, post, 1, device.CombineSum
	l.Scalars[0].Re, l.Scalars[1].Re = 6, 2
	reduce.Reduce(l)
	l.Recycle()
	if out[0] != 3 || out[1] != math.Sqrt(360)/2 {
		t.Errorf("got %v", out)
	}
}

func TestIndicesAreCheckedFirst(t *testing.T) {
	out := make([]float32, 5000)
	indices := make([]int64, 5000)
	indices[4000], indices[4500] = 3, -9
	for name, kernel := range map[string]func(*device.Launch){"gather": index.Gather, "scatter": index.Scatter} {
		l := launchtest.Launch([]int{5000}, launchtest.New(out, 5000), launchtest.NewStrided([]float32{1, 2, 3}, 0, []int{0}), launchtest.New(indices, 5000))
		l.Axes[0] = device.IndexAxis{Stride: 1, Size: 3}
		if name == "scatter" {
			l.Operands[0].Strides[0] = 0
		}
		func() {
			defer func() {
				var e *device.IndexError
				if err, ok := recover().(error); !ok || !errors.As(err, &e) || e.Index != 3 || e.Size != 3 {
					t.Errorf("%s: panic %v", name, err)
				}
			}()
			kernel(l)
			t.Errorf("%s: no panic", name)
		}()
		for i, v := range out {
			if v != 0 {
				t.Fatalf("%s wrote element %d before it failed", name, i)
			}
		}
	}
}

func TestMemory(t *testing.T) {
	d := processor{}
	for _, n := range []int{0, 1, 7, 8, 100_001} {
		m := d.Alloc(n)
		if m.IsNil() || m.Size != n || len(d.Bytes(m)) != n || uintptr(m.Handle)%8 != 0 {
			t.Errorf("Alloc(%d) gives %v", n, m)
		}
		d.Free(m)
	}
	host := []byte{1, 2, 3, 4}
	m, ok := d.Wrap(host)
	if !ok || unsafe.SliceData(d.Bytes(m)) != unsafe.SliceData(host) {
		t.Error("Wrap copies")
	}
	d.CopyIn(m, 1, []byte{9, 8})
	got := make([]byte, 3)
	d.CopyOut(got, m, 1)
	if string(host) != "\x01\x09\x08\x04" || string(got) != "\x09\x08\x04" {
		t.Errorf("copied %v, %v", host, got)
	}
	absurd := []int{-1, math.MinInt}
	if strconv.IntSize == 64 { // a 32-bit address space may have room for 2 GiB
		absurd = append(absurd, math.MaxInt, math.MaxInt/2)
	}
	for _, n := range absurd {
		func() {
			defer func() {
				var e *device.OutOfMemory
				if err, ok := recover().(error); !ok || !errors.As(err, &e) || e.Bytes != n {
					t.Errorf("Alloc(%d): panic %v", n, err)
				}
			}()
			d.Alloc(n)
			t.Errorf("Alloc(%d): no panic", n)
		}()
	}
}

// TestRawInputs reads by position, in a loop of several axes, and beyond the ends.
func TestRawInputs(t *testing.T) {
	p := launchtest.Compile(t, dtype.Float32, "raw T x, int32 y", "float64 out", "x[n - 2 - i] + s*y + i")
	const rows, columns = 70, 41
	x, y, out := launchtest.Uniform(rows*columns), make([]int32, columns), make([]float64, rows*columns)
	for i := range y {
		y[i] = int32(i)
	}
	l := launchtest.Launch([]int{rows, columns}, launchtest.New(out, rows, columns), launchtest.New(x, rows*columns).Raw(), launchtest.NewStrided(y, 0, []int{0, 1}))
	l.Program = p
	l.Scalars[0].Re = 100
	elementwise.Elementwise(l)
	l.Recycle()
	for i, got := range out {
		var element float32
		if k := rows*columns - 2 - i; k >= 0 {
			element = x[k]
		}
		if want := float64(element) + 100*float64(i%columns) + float64(i); math.Abs(got-want) > 1e-3 {
			t.Fatalf("element %d: %g, want %g", i, got, want)
		}
	}
}

// TestEveryOpcodeHasALoop holds the table to what programs may contain.
func TestEveryOpcodeHasALoop(t *testing.T) {
	for op := device.OpSelect; op < device.OpCount; op++ {
		for _, typ := range device.ComputeTypes {
			if (op == device.OpSelect || op.Accepts(typ)) && elementwise.Loops[op][typ] == nil {
				t.Errorf("no loop for %v of %v", op, typ)
			}
		}
	}
}

func TestRegistered(t *testing.T) {
	d, err := device.Get("cpu")
	if err != nil || d.Name() != "cpu" || d.Synchronize() != nil {
		t.Fatalf("device %v, %v", d, err)
	}
}
