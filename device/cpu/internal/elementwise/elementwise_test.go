package elementwise

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// TestOutputInPlaceOfAnInput runs programs whose output is one of their inputs, also with a later use of the input.
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
		Elementwise(l)
		l.Recycle()
		for i := range x {
			if x[i] != wantA[i] || y[i] != wantB[i] {
				t.Fatalf("%s: element %d: %g, %g, want %g, %g", c.program.Name, i, x[i], y[i], wantA[i], wantB[i])
			}
		}
	}
}

// TestRawInputs reads by index, in a loop with several axes, and at indices out of range.
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
	Elementwise(l)
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

// TestEveryOpcodeHasALoop checks that there is a loop for everything that programs may contain.
func TestEveryOpcodeHasALoop(t *testing.T) {
	for op := device.OpSelect; op < device.OpCount; op++ {
		for _, typ := range device.ComputeTypes {
			if (op == device.OpSelect || op.Accepts(typ)) && LoopOf(op, typ) == nil {
				t.Errorf("no loop for %v of %v", op, typ)
			}
		}
	}
}

// TestBlockBoundaries compares programs with the obvious loop, for lengths around the ends of blocks and rows.
func TestBlockBoundaries(t *testing.T) {
	p := launchtest.Compile(t, dtype.Float32, "T x, T y", "float64 out", "x*y + x")
	sizes := []int{1, 2, 7, 255, 256, 257, 1023, 1024, 1025, 2047, 2048, 2049, 5000}
	var loops [][]int
	for _, n := range sizes {
		loops = append(loops, []int{n}, []int{3, n}, []int{n, 3})
	}
	for _, loop := range loops {
		for _, layout := range []string{"flat", "padded", "broadcast", "transposed"} {
			t.Run(fmt.Sprint(loop, layout), func(t *testing.T) {
				strides := broadcast.Strides(loop)
				data := launchtest.Uniform(4 * (broadcast.Size(loop) + 10000))
				other := append([]int(nil), strides...)
				switch layout {
				case "padded":
					for k := range other {
						other[k] *= 2
					}
				case "broadcast":
					other[0] = 0
				case "transposed":
					other[0] = 1
					if len(loop) == 2 {
						other[1] = loop[0]
					}
				}
				out := make([]float64, broadcast.Size(loop))
				l := launchtest.Launch(loop, launchtest.New(out, loop...), launchtest.New(data, loop...), launchtest.NewStrided(data, 3, other))
				l.Program = p
				Elementwise(l)
				l.Recycle()
				index := make([]int, len(loop))
				for i, got := range out {
					x, y := data[i], data[3+broadcast.Dot(index, other)]
					if want := float64(float32(x*y) + x); got != want {
						t.Fatalf("element %v: %g, want %g", index, got, want)
					}
					broadcast.Next(index, loop)
				}
			})
		}
	}
}
