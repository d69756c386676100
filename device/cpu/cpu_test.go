package cpu_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/copying"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/matmul"
	"github.com/ndgrad/ndgrad/device/cpu/internal/reduce"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

func TestSmallKernelsDoNotAllocate(t *testing.T) {
	if launchtest.Race {
		t.Skip("pools drop items at random under the race detector")
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
		n := testing.AllocsPerRun(200, c.run)
		for try := 0; n != 0 && try < 5; try++ { // other goroutines, such as those of a GC cycle, may allocate meanwhile
			n = testing.AllocsPerRun(200, c.run)
		}
		if n != 0 {
			t.Errorf("%s of %d elements allocates %g times", c.name, len(x.Bytes)/4, n)
		}
	}
}

func TestRegistered(t *testing.T) {
	d, err := device.Get("cpu")
	if err != nil || d.Name() != "cpu" || d.Synchronize() != nil {
		t.Fatalf("device %v, %v", d, err)
	}
}
