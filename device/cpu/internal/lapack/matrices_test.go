package lapack

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/launchtest"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// decompositions are the factorisations of batches of n×n matrices, and the sizes of their results.
var decompositions = []struct {
	name    string
	kernel  func(*device.Launch)
	results func(n int) [][2]int // rows and columns; a vector has no columns
}{
	{"Cholesky", Cholesky, func(n int) [][2]int { return [][2]int{{n, n}} }},
	{"LU", LU, func(n int) [][2]int { return [][2]int{{n, n}, {n, 0}, {n, 0}} }},
	{"QR", QR, func(n int) [][2]int { return [][2]int{{n, n}, {n, n}} }},
	{"SVD", SVD, func(n int) [][2]int { return [][2]int{{n, n}, {n, 0}, {n, n}} }},
	{"Eigh", Eigh, func(n int) [][2]int { return [][2]int{{n, 0}, {n, n}} }},
}

// decompose runs a factorisation on symmetric matrices, and returns its results.
func decompose(which int, a []float64, batch, n int) [][]byte {
	d := decompositions[which]
	var operands []launchtest.Array
	for _, size := range d.results(n) {
		rows, columns := size[0], size[1]
		y := launchtest.New(make([]float64, batch*rows*max(columns, 1)), batch, rows, max(columns, 1))
		if columns == 0 {
			y.Strides[2] = 0
		}
		if d.name == "LU" && columns == 0 {
			y = launchtest.New(make([]int64, batch*rows), batch, rows, 1)
			y.Strides[2] = 0
		}
		operands = append(operands, y)
	}
	outputs := len(operands)
	l := launchtest.Launch([]int{batch, n, n}, append(operands, launchtest.New(a, batch, n, n))...)
	l.Outputs = outputs
	d.kernel(l)
	l.Recycle()
	var results [][]byte
	for _, y := range operands {
		results = append(results, y.Bytes)
	}
	return results
}

// positiveDefinite returns symmetric matrices with large diagonals.
func positiveDefinite(batch, n int) []float64 {
	rng := rand.New(rand.NewPCG(3, uint64(n)))
	a := make([]float64, batch*n*n)
	for b := range batch {
		for i := range n {
			for j := range i + 1 {
				v := rng.NormFloat64()
				a[(b*n+i)*n+j], a[(b*n+j)*n+i] = v, v
			}
			a[(b*n+i)*n+i] += 4 * float64(n)
		}
	}
	return a
}

// TestFactorisationsDoNotDependOnWorkers also varies the number of processors, as the matrix products within
// factorisations use their own goroutines.
func TestFactorisationsDoNotDependOnWorkers(t *testing.T) {
	for which, d := range decompositions {
		for _, shape := range [][2]int{{1, 150}, {40, 20}, {3, 70}} {
			batch, n := shape[0], shape[1]
			a := positiveDefinite(batch, n)
			var want [][]byte
			for _, count := range []int{1, 2, 4, 7} {
				workers.With(count, func() {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(count))
					got := decompose(which, a, batch, n)
					if want == nil {
						want = got
					}
					for k := range want {
						if !bytes.Equal(got[k], want[k]) {
							t.Errorf("%s of %d matrices of size %d: result %d differs with %d workers", d.name, batch, n, k, count)
						}
					}
				})
			}
		}
	}
}

// TestHardMatrices decomposes matrices of extreme size, with one element, and with equal rows: the results must exist
// and contain no NaN.
func TestHardMatrices(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	entries := map[string]func(i, j, n int) float64{
		"huge":       func(i, j, n int) float64 { return 1e150 * rng.NormFloat64() },
		"tiny":       func(i, j, n int) float64 { return 1e-300 * rng.NormFloat64() },
		"subnormal":  func(i, j, n int) float64 { return 1e-310 * float64(1+i+j) },
		"graded":     func(i, j, n int) float64 { return math.Pow(10, -float64(i+j)) },
		"mixed":      func(i, j, n int) float64 { return math.Ldexp(rng.NormFloat64(), rng.IntN(400)-200) },
		"ones":       func(i, j, n int) float64 { return 1 },
		"corner":     func(i, j, n int) float64 { return float64((i / (n - 1)) * (j / (n - 1))) },
		"nilpotent":  func(i, j, n int) float64 { return map[bool]float64{true: 1}[j == i+1] },
		"small gaps": func(i, j, n int) float64 { return map[bool]float64{true: 1 + 1e-15*float64(i)}[i == j] },
	}
	for name, entry := range entries {
		for _, n := range []int{2, 3, 10, 30} {
			a := make([]float64, n*n)
			for i := range n {
				for j := range n {
					a[i*n+j] = entry(i, j, n)
				}
			}
			for which, d := range decompositions {
				if d.name == "Cholesky" {
					continue
				}
				what := fmt.Sprintf("%s of a %s matrix of size %d", d.name, name, n)
				for k, result := range decompose(which, a, 1, n) {
					if d.name == "LU" && k > 0 {
						continue
					}
					for _, v := range floats(result) {
						if math.IsNaN(v) {
							t.Fatalf("%s: result %d contains NaN", what, k)
						}
					}
				}
			}
		}
	}
}

// floats returns the elements of a float64 result.
func floats(result []byte) []float64 {
	values := make([]float64, len(result)/8)
	a := launchtest.NewStrided(values, 0, broadcast.Strides([]int{len(values)}))
	copy(a.Bytes, result)
	return values
}
