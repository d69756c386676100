package nd_test

import (
	"runtime"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// lentSize is a number of float64s whose block is on loan: it comes back when the GC finds it unreachable.
const lentSize = 40_000

// reuse runs the GC, and allocates and overwrites memory of the size of arrays on loan: a block that came back too
// early is overwritten.
func reuse() {
	for range 2 {
		runtime.GC()
		var taken []*nd.Array
		for range 3 {
			taken = append(taken, nd.Full([]int{lentSize}, -1.0))
		}
		taken[0].Release()
	}
}

//go:noinline
func lentArray(v float64) *nd.Array { return nd.Full([]int{lentSize}, v) }

// TestDroppedMemoryIsNotReusedWhileSeen drops headers without Release, and checks the memory that is still reachable.
func TestDroppedMemoryIsNotReusedWhileSeen(t *testing.T) {
	look := func(what string, see func() (data func() []float64), want float64) {
		t.Helper()
		data := see() // the headers that see made are unreachable
		reuse()
		values := data()
		for _, i := range []int{0, len(values) / 2, len(values) - 1} {
			if values[i] != want {
				t.Errorf("%s: element %d is %v, want %v", what, i, values[i], want)
			}
		}
	}
	slice := func(x *nd.Array) func() []float64 { return func() []float64 { return nd.ToSlice[float64](x) } }

	look("an array", func() func() []float64 { return slice(lentArray(1)) }, 1)
	look("a view", func() func() []float64 { return slice(lentArray(2).Flip()) }, 2)
	look("a part", func() func() []float64 { return slice(lentArray(3).Index(nd.Until(10))) }, 3)
	look("what came of an array", func() func() []float64 { return slice(ops.Add(lentArray(1), lentArray(3))) }, 4)
	look("Data", func() func() []float64 {
		data := nd.Data[float64](lentArray(5))
		return func() []float64 { return data }
	}, 5)
	look("a part of Data", func() func() []float64 {
		data := nd.Data[float64](lentArray(6))[lentSize/2:]
		return func() []float64 { return data }
	}, 6)
	look("Data of a view, of which the base is dropped", func() func() []float64 {
		data := nd.Data[float64](lentArray(7).Index(nd.From(5)))
		return func() []float64 { return data }
	}, 7)
	look("Data that another goroutine has", func() func() []float64 {
		data := make(chan []float64, 1)
		go func(x *nd.Array) { data <- nd.Data[float64](x) }(lentArray(8))
		return func() []float64 { return <-data }
	}, 8)
	look("Data of a released array", func() func() []float64 {
		x := lentArray(9)
		data := nd.Data[float64](x)
		x.Release()
		return func() []float64 { return data }
	}, 9)
	look("Wrap", func() func() []float64 {
		host := make([]float64, lentSize)
		nd.Fill(nd.Wrap(host), 10)
		return func() []float64 { return host }
	}, 10)
	look("a gradient", func() func() []float64 {
		tape := grad.NewTape()
		x := tape.Watch(lentArray(3))
		y := ops.Multiply(ops.Square(x), lentArray(2))
		g := tape.Gradient(y, x)[0] // the tape is dropped too
		return slice(g)
	}, 12)
	look("what a tape claims", func() func() []float64 {
		tape := grad.NewTape()
		x := tape.Watch(lentArray(3))
		y := ops.Sum(ops.Multiply(ops.Square(x), lentArray(2)))
		return func() []float64 { return nd.ToSlice[float64](tape.Gradient(y, x)[0]) }
	}, 12)
	look("what an arena kept", func() func() []float64 {
		a := nd.NewArena()
		y := a.Keep(ops.Square(a.Adopt(lentArray(4))))
		a.Release()
		return slice(y)
	}, 16)
	look("what a panic left", func() func() []float64 {
		x := lentArray(17)
		refused(t, func() { ops.Take(x, nd.FromSlice([]int64{lentSize})) }, "ops.Take")
		return slice(x)
	}, 17)
}

// TestKernelsHoldTheirOperands drops the headers of a launch while the kernel runs.
func TestKernelsHoldTheirOperands(t *testing.T) {
	const fn nd.Func = "test.Copy"
	run := func() (y *nd.Array) {
		y = lentArray(0)
		l := fn.Launch(y.Device(), y.Shape())
		l.Write(y)
		l.Read(lentArray(21))
		l.Run(func(d device.Device, l *device.Launch) {
			reuse()
			d.Copy(l)
		})
		return y
	}
	intact(t, "the result", nd.ToSlice[float64](run()), 21)
}
