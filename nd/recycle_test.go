package nd_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// sizes are numbers of float64s whose memory lies in the header, comes from a pool, or from a shelf.
var sizes = []int{5, 100, 6_000}

// churn releases and allocates memory for n elements, and writes another number to it.
func churn(n int) {
	for range 3 {
		a, b := nd.Full([]int{n}, -1.0), nd.Full([]int{n}, -2.0)
		b.Release()
		c := nd.Full([]int{n}, -3.0)
		a.Release()
		c.Release()
	}
}

// intact fails if an element of x, or of the slice that Data returned, is not v.
func intact(t *testing.T, what string, data []float64, v float64) {
	t.Helper()
	for i, got := range data {
		if got != v {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got, v)
		}
	}
}

// TestMemoryIsNotReusedWhileSeen releases what may be released, allocates, and checks what is still in use.
func TestMemoryIsNotReusedWhileSeen(t *testing.T) {
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			x := nd.Full([]int{n}, 1.0)
			view, reshaped := x.Flip(), x.Reshape(n, 1)
			x.Release()
			reshaped.Release()
			x.Release()
			churn(n)
			intact(t, "a view", nd.ToSlice[float64](view), 1)

			y := nd.Full([]int{n}, 2.0)
			data := nd.Data[float64](y)
			y.Release()
			churn(n)
			intact(t, "Data", data, 2)

			host := make([]float64, n)
			w := nd.Wrap(host)
			nd.Fill(w, 3)
			w.Release()
			churn(n)
			intact(t, "Wrap", host, 3)

			a := nd.NewArena()
			z := nd.Full([]int{n}, 2.0)
			kept := a.Keep(ops.Square(a.Adopt(z)))
			alias := a.Keep(ops.Square(a.Adopt(z)).Reshape(n))
			a.Release()
			churn(n)
			intact(t, "an adopted array", nd.ToSlice[float64](z), 2)
			intact(t, "a kept one", nd.ToSlice[float64](kept), 4)
			intact(t, "a kept view", nd.ToSlice[float64](alias), 4)
			runtime.KeepAlive(data)
		})
	}
}

// TestTapeHoldsWhatItClaims releases operands and results before the gradient reads them.
func TestTapeHoldsWhatItClaims(t *testing.T) {
	for _, n := range sizes {
		tape := grad.NewTape()
		x, w := tape.Watch(nd.Full([]int{n}, 3.0)), nd.Full([]int{n}, 5.0)
		product := ops.Multiply(x, w)
		y := ops.Square(product)
		w.Release()
		product.Release()
		churn(n)
		g := tape.Keep(tape.Gradient(y, x)[0])
		tape.Reset()
		churn(n)
		intact(t, "the gradient of (5x)²", nd.ToSlice[float64](g), 150)
		if !x.IsReleased() || !y.IsReleased() {
			t.Error("Reset released nothing")
		}
	}
}

func TestReleasedArraysStayReleased(t *testing.T) {
	for _, n := range sizes {
		x := nd.Full([]int{n}, 1.0)
		x.Release()
		y := nd.Full([]int{n}, 2.0) // probably on the same memory
		x.Release()
		churn(n)
		intact(t, "an array after a double release of another", nd.ToSlice[float64](y), 2)
		refused(t, func() { ops.Square(x) }, "released", "nd.Full")
		refused(t, func() { ops.Square(y, ops.Into(x)) }, "released")
		refused(t, func() { x.Reshape(-1) }, "released")
	}
}

// TestConcurrentReaders runs goroutines that read one array and make, release or drop their own results, while the GC
// runs.
func TestConcurrentReaders(t *testing.T) {
	stop, collected := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(collected)
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	x := nd.Full([]int{6_000}, 2.0)
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(7, uint64(worker)))
			shift := nd.Scalar(worker)
			for range 60 {
				part := x.Index(nd.Until(1 + r.IntN(6_000)))
				y := ops.Add(part, shift)
				z := ops.Multiply(y, part)
				if r.IntN(2) == 0 {
					y.Release()
				}
				if r.IntN(2) == 0 {
					part.Release()
				}
				intact(t, "x(x+i)", nd.ToSlice[float64](z), float64(2*(2+worker)))
				if r.IntN(3) > 0 {
					z.Release()
				}
			}
		})
	}
	wg.Wait()
	close(stop)
	<-collected
	intact(t, "x", nd.ToSlice[float64](x), 2)
}
