package lanes

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

func TestRoutines(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		routines[float32](t, 1e-4)
		routines[float64](t, 1e-12)
	})
}

// routines compares each routine with scalar loops.
func routines[T Float](t *testing.T, limit float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n int) []T {
		x := make([]T, n)
		for i := range x {
			x[i] = T(rng.NormFloat64())
		}
		return x
	}
	same := func(what string, got, want []T) {
		t.Helper()
		for i, v := range want {
			if !(math.Abs(float64(got[i]-v)) <= limit) && (got[i] == got[i] || v == v) {
				t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], v)
			}
		}
	}
	w := Width[T]()
	for range 60 {
		rows, columns := rng.IntN(6), rng.IntN(6)
		c := Rows[T]{draw(w * 50), 7 * w, w}
		if rng.IntN(3) == 0 {
			c.Row = 0
		}
		f, u := draw(w*14), Rows[T]{draw(w * 50), w, 7 * w}
		want := append([]T{}, c.Data...)
		for i := range rows {
			for j := range columns {
				for l := range w {
					want[i*c.Row+j*c.Column+l] -= f[2*i*w+l] * u.Data[i*u.Row+j*u.Column+l]
				}
			}
		}
		Subtract(rows, columns, c, f, 2*w, u)
		same("Subtract", c.Data, want)

		x, d := draw(w*20), draw(w)
		d[rng.IntN(w)] = 0
		want = append([]T{}, x...)
		for i := range rows {
			for l := range w {
				if d[l] != 0 {
					want[3*i*w+l] /= d[l]
				}
			}
		}
		Divide(rows, x, 3*w, d)
		same("Divide", x, want)

		n := 1 + rng.IntN(6)
		x[rng.IntN(len(x))], x[rng.IntN(len(x))] = T(math.NaN()), T(math.NaN())
		x[rng.IntN(w)] = x[3*w]
		index, found := make([]T, w), make([]T, w)
		for l := range w {
			best := math.Abs(float64(x[l]))
			for i := range n {
				if v := math.Abs(float64(x[3*i*w+l])); v > best || v != v && best == best {
					best, found[l] = v, T(i)
				}
			}
		}
		Largest(n, x, 3*w, index)
		same("Largest", index, found)

		y := draw(w * 20)
		wantX, wantY := append([]T{}, x...), append([]T{}, y...)
		for j := range columns {
			for l := range w {
				if index[l] == 1 {
					wantX[2*j*w+l], wantY[2*j*w+l] = y[2*j*w+l], x[2*j*w+l]
				}
			}
		}
		Exchange(columns, x, y, 2*w, index, 1)
		same("Exchange", x, wantX)
		same("Exchange", y, wantY)

		length := rng.IntN(50)
		a, row, factors := draw(6*53), draw(50)[:length], draw(20)
		want = append([]T{}, a...)
		for i := range rows {
			for j, v := range row {
				want[i*53+j] -= factors[3*i] * v
			}
		}
		SubtractOuter(rows, a, 53, factors, 3, row)
		same("SubtractOuter", a, want)
	}
}
