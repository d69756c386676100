package eigen

import (
	"cmp"
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device/cpu/internal/blas"
)

// build returns a matrix of float64.
func build(n int, entry func(i, j int) float64) blas.Matrix[float64] {
	a := blas.New(make([]float64, n*n), n, n)
	for i := range n {
		for j := range n {
			a.Row(i)[j] = entry(i, j)
		}
	}
	return a
}

func nearValues(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i, v := range want {
		if !(math.Abs(got[i]-v) <= tolerance) {
			t.Errorf("%s: value %d is %.17g, want %.17g", what, i, got[i], v)
		}
	}
}

// TestKnownEigenvalues compares with closed forms, and with values of mpmath in 40 digits.
func TestKnownEigenvalues(t *testing.T) {
	difference := func(i, j int) float64 {
		switch i - j {
		case 0:
			return 2
		case 1, -1:
			return -1
		}
		return 0
	}
	for _, n := range []int{4, 40, 200} {
		values := make([]float64, n)
		var want []float64
		for k := range n {
			want = append(want, 2-2*math.Cos(float64(k+1)*math.Pi/float64(n+1)))
		}
		Hermitian[float64, float64](build(n, difference), values, blas.Matrix[float64]{})
		nearValues(t, "second differences", values, want, 1e-13)
		Hermitian[float64, float64](build(n, difference), values, build(n, difference))
		nearValues(t, "second differences, with vectors", values, want, 1e-13)
		Singular[float64, float64](build(n, difference), values, blas.Matrix[float64]{}, blas.Matrix[float64]{})
		slices.Reverse(want)
		nearValues(t, "second differences, singular values", values, want, 1e-13)
	}
	values := make([]float64, 21)
	wilkinson := func(i, j int) float64 {
		switch i - j {
		case 0:
			return math.Abs(float64(i - 10))
		case 1, -1:
			return 1
		}
		return 0
	}
	Hermitian[float64, float64](build(21, wilkinson), values, blas.Matrix[float64]{})
	nearValues(t, "Wilkinson's matrix", values[17:], []float64{9.2106786473048, 9.2106786473613, 10.746194182903322, 10.746194182903393}, 1e-12)
	hilbert := func(i, j int) float64 { return 1 / float64(i+j+1) }
	want := []float64{1.5670506910982307, 0.20853421861101333, 0.011407491623419806, 0.00030589804015119173, 3.2879287721718632e-6}
	Singular[float64, float64](build(5, hilbert), values[:5], blas.Matrix[float64]{}, blas.Matrix[float64]{})
	nearValues(t, "Hilbert's matrix", values, want, 1e-15)
	Singular[float64, float64](build(5, hilbert), values[:5], build(5, hilbert), build(5, hilbert))
	nearValues(t, "Hilbert's matrix, with vectors", values, want, 1e-15)
}

// TestExtremeSizes scales a matrix by numbers whose squares leave the range.
func TestExtremeSizes(t *testing.T) {
	n := 40
	entry := func(scale float64) func(i, j int) float64 {
		return func(i, j int) float64 { return scale * (math.Cos(float64(i*j)) + math.Cos(float64(i+j))) }
	}
	var want [2][]float64
	var wantGeneral []complex128
	for _, scale := range []float64{1, 1e150, 1e-150, 1e300, 1e-290} {
		hermitian, singular, general := make([]float64, n), make([]float64, n), make([]complex128, n)
		if !Hermitian[float64, float64](build(n, entry(scale)), hermitian, build(n, entry(1))) ||
			!Singular[float64, float64](build(n, entry(scale)), singular, build(n, entry(1)), build(n, entry(1))) ||
			!General(build(n, entry(scale)), general, build(n, entry(1))) {
			t.Fatalf("times %v: did not converge", scale)
		}
		slices.SortFunc(general, func(a, b complex128) int { return cmp.Compare(real(a), real(b)) })
		if scale == 1 {
			want, wantGeneral = [2][]float64{hermitian, singular}, general
		}
		for i := range n {
			for k, got := range [2][]float64{hermitian, singular} {
				if d := math.Abs(got[i]/scale - want[k][i]); !(d < 1e-12) {
					t.Errorf("times %v: value %d is %v, want %v", scale, i, got[i]/scale, want[k][i])
				}
			}
			if d := cmplx.Abs(general[i]/complex(scale, 0) - wantGeneral[i]); !(d < 1e-11) {
				t.Errorf("times %v: eigenvalue %d is %v, want %v", scale, i, general[i], wantGeneral[i])
			}
		}
	}
}

// TestKnownGeneralEigenvalues uses matrices with known eigenvalues: Kac's matrix and permutations.
func TestKnownGeneralEigenvalues(t *testing.T) {
	kac := func(n int) func(i, j int) float64 {
		return func(i, j int) float64 {
			switch i - j {
			case 1:
				return float64(i)
			case -1:
				return float64(n - j)
			}
			return 0
		}
	}
	values := make([]complex128, 12)
	General(build(12, kac(12)), values, build(12, kac(12)))
	slices.SortFunc(values, func(a, b complex128) int { return cmp.Compare(real(a), real(b)) })
	for k, v := range values {
		if want := complex(float64(2*k-11), 0); cmplx.Abs(v-want) > 1e-11 {
			t.Errorf("Kac's matrix: eigenvalue %d is %v, want %v", k, v, want)
		}
	}
	for _, n := range []int{5, 130} {
		values := make([]complex128, n)
		General(build(n, func(i, j int) float64 {
			if (i+1)%n == j {
				return 1
			}
			return 0
		}), values, build(n, kac(n)))
		for k, v := range values {
			power := complex128(1)
			for range n {
				power *= v
			}
			if cmplx.Abs(power-1) > 1e-11 {
				t.Errorf("a cyclic permutation of %d: eigenvalue %d is %v, whose power %d is %v", n, k, v, n, power)
			}
		}
	}
}

// TestNotFinite gives matrices with NaN and infinities.
func TestNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		make := func() blas.Matrix[float64] {
			return build(5, func(i, j int) float64 { return map[bool]float64{true: bad}[i == 3 && j == 1] })
		}
		values, complexValues := [5]float64{}, [5]complex128{}
		none := blas.Matrix[float64]{}
		if Hermitian[float64, float64](make(), values[:], none) || Singular[float64, float64](make(), values[:], none, none) || General(make(), complexValues[:], none) {
			t.Errorf("a matrix with %v has values", bad)
		}
	}
}
