package sample

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/twin"
)

// TestPlanes compares corners, sums and products with what Corners finds along both axes, bit for bit. It loads corners in both ways.
func TestPlanes(t *testing.T) {
	twin.Levels(t, func(t *testing.T) {
		for _, amd := range []bool{false, true} {
			restore := isa.TuneForAMD(amd)
			rng := rand.New(rand.NewPCG(9, 10))
			for n := range 70 {
				checkPlane(t, rng, n)
			}
			checkPlane(t, rng, PlanePoints)
			isa.TuneForAMD(restore)
		}
	})
}

func checkPlane(t *testing.T, rng *rand.Rand, n int) {
	t.Helper()
	p := Plane{Rows: 1 + rng.IntN(9), Columns: 2 + rng.IntN(8)}
	p.Stride = p.Columns + rng.IntN(3)
	x := make([]float32, p.Rows*p.Stride)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	if rng.IntN(3) == 0 {
		x[rng.IntN(len(x))] = float32(math.Inf(1))
	}
	plane := unsafe.Pointer(&x[0])
	if rng.IntN(2) == 0 {
		plane, p.Stride = unsafe.Pointer(&x[(p.Rows-1)*p.Stride]), -p.Stride
	}
	room := roundedUp(n)
	locations, offsets, weights, slopes := [2][]float32{}, [2][]int{}, [2][]float32{}, [2][]float32{}
	for axis, count := range []int{p.Rows, p.Columns} {
		odd := []float32{float32(math.NaN()), float32(math.Inf(1)), -1e30, -1e-30, -1e-8, float32(math.Copysign(0, -1)), -1, float32(count - 1), float32(count)}
		wide := make([]float64, room)
		for i := range n {
			v := rng.Float32()*float32(count+3) - 2
			if rng.IntN(4) == 0 {
				v = odd[rng.IntN(len(odd))]
			}
			locations[axis], wide[i] = append(locations[axis], v), float64(v)
		}
		stride := []int{p.Stride, 1}[axis]
		offsets[axis], weights[axis], slopes[axis] = make([]int, 2*room), make([]float32, 2*room), make([]float32, 2*room)
		Corners(n, wide, Axis{Last: count - 1, Stride: stride}, offsets[axis], weights[axis], slopes[axis], room)
	}
	var table PlaneTable
	var found [4][4 * PlanePoints]float32 // weights, slopes, sums of products
	w := PlaneWeights{Weights: &found[0]}
	if rng.IntN(2) == 0 {
		w.RowSlopes, w.ColumnSlopes = &found[1], &found[2]
	}
	table.Corners(p, locations[0], locations[1], w)
	y := make([]float32, n+1)
	numbers, wantNumbers := table.Sums(y[:n], plane, w.Weights), true
	factors := make([]float32, n)
	for i := range factors {
		factors[i] = float32(rng.NormFloat64())
		for c := range 4 {
			found[3][c*PlanePoints+i] = factors[i] / 3
		}
	}
	table.Collect(&found[3], factors, plane)
	var distances [4 * PlanePoints]int
	table.Offsets(n, &distances)
	for i := range n {
		total := float32(math.Copysign(0, -1)) // which changes no first product
		for c := range 4 {
			row, column := c&1*room+i, c>>1*room+i
			at := offsets[0][row] + offsets[1][column]
			v := *(*float32)(unsafe.Add(plane, 4*at))
			want := [4]float32{weights[0][row] * weights[1][column], slopes[0][row] * weights[1][column], weights[0][row] * slopes[1][column]}
			if w.RowSlopes == nil {
				want[1], want[2] = 0, 0
			}
			want[3] = factors[i]/3 + float32(factors[i]*v)
			for k, want := range want {
				if got := found[k][c*PlanePoints+i]; table.At(c, i) != at || distances[c*PlanePoints+i] != 4*at || !sameBits(got, want) {
					t.Fatalf("point %d of %d, corner %d at (%v, %v) of %+v: element %d with number %d %v, want %d with %v",
						i, n, c, locations[0][i], locations[1][i], p, table.At(c, i), k, got, at, want)
				}
			}
			total += float32(want[0] * v)
		}
		if !sameBits(y[i], total) {
			t.Fatalf("sum %d of %d: %v, want %v", i, n, y[i], total)
		}
		wantNumbers = wantNumbers && total == total
	}
	if numbers != wantNumbers || y[n] != 0 {
		t.Fatalf("%d sums: none is NaN: %v, want %v; the element behind them is %v", n, numbers, wantNumbers, y[n])
	}
}

// sameBits reports whether two numbers have the same bits, or both are NaN.
func sameBits(a, b float32) bool {
	return a != a && b != b || math.Float32bits(a) == math.Float32bits(b)
}
