package fft_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/fft"
)

var random = rand.New(rand.NewPCG(5, 6))

func complexArray(shape ...int) *nd.Array {
	n := 1
	for _, d := range shape {
		n *= d
	}
	data := make([]complex128, n)
	for i := range data {
		data[i] = complex(random.NormFloat64(), random.NormFloat64())
	}
	return nd.FromSlice(data, shape...)
}

func realArray(shape ...int) *nd.Array { return ops.Real(complexArray(shape...)) }

// wide returns the elements as complex numbers.
func wide(x *nd.Array) []complex128 { return nd.ToSlice[complex128](x.AsType(dtype.Complex128)) }

func near(t *testing.T, what string, got, want *nd.Array, tolerance float64) {
	t.Helper()
	if !slices.Equal(got.Shape(), want.Shape()) {
		t.Fatalf("%s: shape %v, want %v", what, got.Shape(), want.Shape())
	}
	g, w := wide(got), wide(want)
	for i := range g {
		if !(cmplx.Abs(g[i]-w[i]) <= tolerance*(1+cmplx.Abs(w[i]))) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, g[i], w[i])
		}
	}
}

// sum is the definition, for one axis.
func sum(x []complex128, sign float64) []complex128 {
	y := make([]complex128, len(x))
	for k := range y {
		for j, z := range x {
			y[k] += z * cmplx.Rect(1, sign*2*math.Pi*float64(j*k%len(x))/float64(len(x)))
		}
	}
	return y
}

func TestFFTIsTheDefinition(t *testing.T) {
	for n := range 20 {
		if n == 0 {
			continue
		}
		x := complexArray(n)
		near(t, "FFT", fft.FFT(x), nd.FromSlice(sum(wide(x), -1)), 1e-12)
		near(t, "IFFT", fft.IFFT(x, fft.Options{Norm: "forward"}), nd.FromSlice(sum(wide(x), 1)), 1e-12)
	}
}

func TestInversesUndoTransforms(t *testing.T) {
	for _, norm := range []fft.Norm{"", "backward", "forward", "ortho"} {
		one, all := fft.Options{Norm: norm, Axis: ops.Over(1)}, fft.AxesOptions{Norm: norm}
		z := complexArray(3, 5, 4)
		near(t, "IFFT of FFT", fft.IFFT(fft.FFT(z, one), one), z, 1e-12)
		near(t, "IFFT2 of FFT2", fft.IFFT2(fft.FFT2(z, all), all), z, 1e-12)
		near(t, "IFFTN of FFTN", fft.IFFTN(fft.FFTN(z, all), all), z, 1e-12)
		for _, n := range []int{1, 2, 6, 7} {
			x := realArray(4, 3, n)
			back := fft.Options{Norm: norm, N: n}
			near(t, "IRFFT of RFFT", fft.IRFFT(fft.RFFT(x, fft.Options{Norm: norm}), back), x, 1e-12)
			near(t, "HFFT of IHFFT", fft.HFFT(fft.IHFFT(x, fft.Options{Norm: norm}), back), x, 1e-12)
			near(t, "IRFFT2 of RFFT2", fft.IRFFT2(fft.RFFT2(x, all), fft.AxesOptions{Norm: norm, S: []int{3, n}}), x, 1e-12)
			near(t, "IRFFTN of RFFTN", fft.IRFFTN(fft.RFFTN(x, all), fft.AxesOptions{Norm: norm, S: []int{4, 3, n}}), x, 1e-12)
		}
	}
}

func TestSmallTransforms(t *testing.T) {
	x := nd.FromSlice([]float64{1, 2, 3, 4})
	h := nd.FromSlice([]complex128{1 + 1i, 2 + 2i, 3 + 3i})
	for _, c := range []struct {
		what string
		got  *nd.Array
		want []complex128
	}{
		{"FFT", fft.FFT(x), []complex128{10, -2 + 2i, -2, -2 - 2i}},
		{"FFT cropped", fft.FFT(x, fft.Options{N: 2}), []complex128{3, -1}},
		{"FFT filled", fft.FFT(nd.FromSlice([]float64{1, 2, 3}), fft.Options{N: 4, Norm: "ortho"}), []complex128{3, -1 - 1i, 1, -1 + 1i}},
		{"RFFT", fft.RFFT(x), []complex128{10, -2 + 2i, -2}},
		{"RFFT of 3", fft.RFFT(x, fft.Options{N: 3}), []complex128{6, complex(-1.5, 0.8660254037844386)}},
		{"IRFFT", fft.IRFFT(h), []complex128{2, -1.5, 0, 0.5}},
		{"IRFFT to 3", fft.IRFFT(h, fft.Options{N: 3}), []complex128{5. / 3, complex(-1./3-2/math.Sqrt(3), 0), complex(-1./3+2/math.Sqrt(3), 0)}},
		{"IRFFT to 1", fft.IRFFT(h, fft.Options{N: 1}), []complex128{1}},
		{"HFFT", fft.HFFT(h), []complex128{8, 2, 0, -6}},
		{"IHFFT", fft.IHFFT(nd.FromSlice([]float64{0, 1, 2, 3, 4})), []complex128{2, complex(-0.5, -0.6881909602355868), complex(-0.5, -0.16245984811645317)}},
		{"FFTN twice along one axis", fft.FFTN(x, ops.Over(0, 0)), []complex128{4, 16, 12, 8}},
		{"FFTN along no axis", fft.FFTN(x, ops.Over()), []complex128{1, 2, 3, 4}},
	} {
		near(t, c.what, c.got, nd.FromSlice(c.want), 1e-11)
	}
}

func TestTransformsAlongAxes(t *testing.T) {
	x := complexArray(2, 3, 4)
	rows := fft.FFT(x.MoveAxis([]int{0}, []int{2})).MoveAxis([]int{2}, []int{0})
	near(t, "axis 0", fft.FFT(x, ops.Over(0)), rows, 1e-13)
	near(t, "axis -3", fft.FFT(x, ops.Over(-3)), rows, 1e-13)
	near(t, "axes 0 and 2", fft.FFT2(x, ops.Over(2, 0)), fft.FFT(rows), 1e-13)
	near(t, "lengths", fft.FFTN(x, fft.AxesOptions{S: []int{5, -1}}),
		fft.FFT(fft.FFT(x, fft.Options{N: 5, Axis: ops.Over(1)})), 1e-13)
	near(t, "flipped", fft.FFT(x.Flip(2)), fft.FFT(x.Flip(2).Copy()), 0)
	near(t, "broadcast", fft.FFT(x.Index(nd.At(1)).BroadcastTo(5, 3, 4)), fft.FFT(x.Index(nd.At(1))).BroadcastTo(5, 3, 4), 0)
}

func TestDTypes(t *testing.T) {
	for _, c := range []struct{ from, complex, real dtype.DType }{
		{dtype.Bool, dtype.Complex128, dtype.Float64}, {dtype.Int8, dtype.Complex128, dtype.Float64},
		{dtype.Uint64, dtype.Complex128, dtype.Float64}, {dtype.Float16, dtype.Complex64, dtype.Float16},
		{dtype.BFloat16, dtype.Complex64, dtype.BFloat16}, {dtype.Float32, dtype.Complex64, dtype.Float32},
		{dtype.Float64, dtype.Complex128, dtype.Float64}, {dtype.Complex64, dtype.Complex64, dtype.Float32},
		{dtype.Complex128, dtype.Complex128, dtype.Float64},
	} {
		x := nd.Ones([]int{2, 4}, c.from)
		for _, y := range []*nd.Array{fft.FFT(x), fft.IFFT(x), fft.FFTN(x)} {
			if y.DType() != c.complex {
				t.Errorf("%s becomes %s, want %s", c.from, y.DType(), c.complex)
			}
		}
		for _, y := range []*nd.Array{fft.IRFFT(x), fft.HFFT(x)} {
			if y.DType() != c.real {
				t.Errorf("%s becomes %s, want %s", c.from, y.DType(), c.real)
			}
		}
		if shifted := fft.FFTShift(x); shifted.DType() != c.from {
			t.Errorf("FFTShift of %s is %s", c.from, shifted.DType())
		}
	}
}

func TestEmptyBatches(t *testing.T) {
	if got := fft.FFT(nd.Zeros([]int{0, 3})).Shape(); !slices.Equal(got, []int{0, 3}) {
		t.Errorf("shape %v", got)
	}
	if got := fft.IRFFT(nd.Zeros([]int{0, 3}), fft.Options{N: 7}).Shape(); !slices.Equal(got, []int{0, 7}) {
		t.Errorf("shape %v", got)
	}
	near(t, "padding of an empty array", fft.RFFT(nd.Zeros([]int{0}), fft.Options{N: 3}), nd.Zeros([]int{2}), 0)
}

func TestRefusals(t *testing.T) {
	x, z := nd.Ones([]int{3}), complexArray(3)
	for what, f := range map[string]func(){
		"no axis":             func() { fft.FFT(nd.Ones(nil)) },
		"a scalar":            func() { fft.FFT(nd.Scalar(1.0)) },
		"axis out of range":   func() { fft.FFT(x, ops.Over(1)) },
		"nothing":             func() { fft.FFT(nd.Ones([]int{0})) },
		"a negative length":   func() { fft.IFFT(x, fft.Options{N: -1}) },
		"too short":           func() { fft.IRFFT(nd.Ones([]int{1})) },
		"an unknown norm":     func() { fft.FFT(x, fft.Options{Norm: "unit"}) },
		"complex to RFFT":     func() { fft.RFFT(z) },
		"complex to IHFFT":    func() { fft.IHFFT(z) },
		"too few axes":        func() { fft.FFT2(x) },
		"no axes":             func() { fft.RFFTN(x, ops.Over()) },
		"lengths and axes":    func() { fft.FFTN(x, fft.AxesOptions{Axes: ops.Over(0), S: []int{1, 2}}) },
		"no samples":          func() { fft.FFTFreq(0) },
		"frequencies as ints": func() { fft.FFTFreq(3, fft.FrequencyOptions{ArrayOptions: nd.ArrayOptions{DType: dtype.Int32}}) },
		"shift of no axis":    func() { fft.FFTShift(x, ops.Over(1)) },
		"no pairs":            func() { fft.FFTPairs(nd.Ones([]int{4, 3}), 1) },
		"pairs of complex":    func() { fft.FFTPairs(complexArray(4, 2), 1) },
		"too many dimensions": func() { fft.IFFTPairs(nd.Ones([]int{4, 2}), 2) },
	} {
		if nd.Catch(f) == nil {
			t.Errorf("%s: not refused", what)
		}
	}
}

func TestFrequencies(t *testing.T) {
	near(t, "even", fft.FFTFreq(4), nd.FromSlice([]float64{0, 0.25, -0.5, -0.25}), 0)
	near(t, "odd", fft.FFTFreq(5, fft.FrequencyOptions{D: 0.5}), nd.FromSlice([]float64{0, 0.4, 0.8, -0.8, -0.4}), 0)
	near(t, "one", fft.FFTFreq(1), nd.FromSlice([]float64{0}), 0)
	near(t, "half", fft.RFFTFreq(4), nd.FromSlice([]float64{0, 0.25, 0.5}), 0)
	near(t, "half of odd", fft.RFFTFreq(5, fft.FrequencyOptions{D: 2}), nd.FromSlice([]float64{0, 0.1, 0.2}), 0)
	single := fft.FFTFreq(3, fft.FrequencyOptions{ArrayOptions: nd.ArrayOptions{DType: dtype.Float32}})
	if single.DType() != dtype.Float32 {
		t.Errorf("dtype %s", single.DType())
	}
}

func TestShifts(t *testing.T) {
	near(t, "even", fft.FFTShift(fft.FFTFreq(4)), nd.FromSlice([]float64{-0.5, -0.25, 0, 0.25}), 0)
	for n := range 5 {
		x := realArray(n, 3, 4)
		near(t, "there and back", fft.IFFTShift(fft.FFTShift(x)), x, 0)
		only := ops.Over(-1, 0)
		near(t, "there and back", fft.IFFTShift(fft.FFTShift(x, only), only), x, 0)
	}
}

func TestPairsAreComplexNumbers(t *testing.T) {
	re, im := realArray(2, 3, 4), realArray(2, 3, 4)
	x := ops.Stack([]*nd.Array{re, im}, ops.Over(-1))
	z := ops.Add(re.AsType(dtype.Complex128), ops.Multiply(im, 1i))
	y := fft.FFT2(z)
	near(t, "FFTPairs", fft.FFTPairs(x, 2), ops.Stack([]*nd.Array{ops.Real(y), ops.Imag(y)}, ops.Over(-1)), 1e-13)
	for _, o := range []fft.PairsOptions{{}, {Normalized: true}} {
		near(t, "there and back", fft.IFFTPairs(fft.FFTPairs(x, 3, o), 3, o), x, 1e-13)
	}
	if got := fft.FFTPairs(x.AsType(dtype.Float32), 1).DType(); got != dtype.Float32 {
		t.Errorf("dtype %s", got)
	}
}

func TestOnTheReferenceDevice(t *testing.T) {
	dev, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	x := realArray(3, 7)
	near(t, "RFFT2", fft.RFFT2(x.To(dev)), fft.RFFT2(x).To(dev), 1e-13)
	near(t, "IRFFT", fft.IRFFT(x.To(dev)), fft.IRFFT(x).To(dev), 1e-13)
	pairs := realArray(5, 2)
	near(t, "FFTPairs", fft.FFTPairs(pairs.To(dev), 1), fft.FFTPairs(pairs, 1).To(dev), 1e-13)
}
