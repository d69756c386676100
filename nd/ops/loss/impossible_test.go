package loss_test

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/loss"
)

// TestImpossibleEvents: an event that is neither expected nor possible, with 0·log 0 in the formula, counts nothing, in
// values and gradients. The same holds for a square that leaves the range, of float32 here, and has a factor of 0 or is
// subtracted from another one.
func TestImpossibleEvents(t *testing.T) {
	inf, ln2 := math.Inf(1), math.Ln2
	row := func(v ...float64) *nd.Array { return nd.FromSlice(v, 1, len(v)) }
	for _, test := range []struct {
		name   string
		f      func(x, t *nd.Array) *nd.Array
		x, t   *nd.Array
		y      []float64
		gx, gt []float64
	}{
		{"KLDivergence", func(x, t *nd.Array) *nd.Array { return loss.KLDivergence(x, t) },
			opstest.Vector(-inf, -ln2), opstest.Vector(0.0, 1), []float64{0, ln2}, []float64{0, -1}, []float64{0, 1 + ln2}},
		{"KLDivergence of logarithms", func(x, t *nd.Array) *nd.Array {
			return loss.KLDivergence(x, t, loss.KLDivergenceOptions{Log: true})
		}, opstest.Vector(-inf, -ln2, -1), opstest.Vector(-inf, 0.0, -inf), []float64{0, ln2, 0}, []float64{0, -1, 0}, []float64{0, 1 + ln2, 0}},
		{"SoftmaxCrossEntropy", func(x, t *nd.Array) *nd.Array { return loss.SoftmaxCrossEntropy(x, t) },
			row(-inf, 0, 0), row(0, 0.5, 0.5), []float64{ln2}, []float64{0, 0, 0}, []float64{0, ln2, ln2}},
		{"CategoricalNLL", func(x, t *nd.Array) *nd.Array { return loss.CategoricalNLL(x, t) },
			row(-inf, -ln2, -ln2), row(0, 0.5, 0.5), []float64{ln2}, []float64{0, -0.5, -0.5}, []float64{0, ln2, ln2}},
		{"SigmoidCrossEntropy", func(x, t *nd.Array) *nd.Array { return loss.SigmoidCrossEntropy(x, t) },
			opstest.Vector(-inf, inf), opstest.Vector(0.0, 1), []float64{0, 0}, []float64{0, 0}, nil},
		{"SigmoidCrossEntropy with PosWeight", func(x, t *nd.Array) *nd.Array {
			return loss.SigmoidCrossEntropy(x, t, loss.SigmoidCrossEntropyOptions{PosWeight: nd.Scalar(2)})
		}, opstest.Vector(-inf, inf), opstest.Vector(0.0, 1), []float64{0, 0}, []float64{0, 0}, nil},
		{"BernoulliNLL", func(x, t *nd.Array) *nd.Array { return loss.BernoulliNLL(t, x) },
			opstest.Vector(-inf, inf, 0), opstest.Vector(0.0, 1, 0.25), []float64{0, 0, ln2}, []float64{0, 0, 0.25}, []float64{inf, -inf, 0}},
		{"Contrastive", func(x, t *nd.Array) *nd.Array {
			return loss.Contrastive(x.Reshape(-1, 1), nd.ZerosLike(x).Reshape(-1, 1), t)
		}, opstest.Vector(0x1p100, 0x1p-100, 3), opstest.Vector(0.0, 0, 1), []float64{0, 0.5, 4.5}, []float64{0, -1, 3}, nil},
		{"Triplet", func(x, t *nd.Array) *nd.Array {
			return loss.Triplet(nd.ZerosLike(x).Reshape(-1, 1), x.Reshape(-1, 1), t.Reshape(-1, 1))
		}, opstest.Vector(0x1p100, 1), opstest.Vector(0x1p101, 1), []float64{0, 0.2}, []float64{0, 2}, []float64{0, -2}},
		{"GaussianNLL", func(x, t *nd.Array) *nd.Array { return loss.GaussianNLL(t, nd.ZerosLike(t), x) },
			opstest.Vector(0x1p8, 0), opstest.Vector(0x1p70, 1), []float64{0x1p7 + math.Log(2*math.Pi)/2, (1 + math.Log(2*math.Pi)) / 2}, []float64{0.5, 0}, nil},
		{"PoissonNLL", func(x, t *nd.Array) *nd.Array { return loss.PoissonNLL(x, t) },
			opstest.Vector(-inf, 0), opstest.Vector(0.0, 2), []float64{0, 1}, []float64{0, -1}, []float64{0, 0}},
		{"PoissonNLL of rates", func(x, t *nd.Array) *nd.Array {
			return loss.PoissonNLL(x, t, loss.PoissonNLLOptions{Rate: true, Eps: new(0.0)})
		}, opstest.Vector(0.0, 1), opstest.Vector(0.0, 2), []float64{0, 1}, []float64{1, -1}, []float64{0, 0}},
	} {
		for _, dt := range []dtype.DType{dtype.Float64, dtype.Float32} {
			tape := grad.NewTape()
			x, target := tape.Watch(test.x.AsType(dt)), tape.Watch(test.t.AsType(dt))
			y := test.f(x, target)
			expect := func(what string, got *nd.Array, want []float64) {
				t.Helper()
				for i, v := range nd.ToSlice[float64](got.Detach().AsType(dtype.Float64)) {
					if want != nil && !(math.Abs(v-want[i]) <= 1e-6*max(1, math.Abs(v))) && v != want[i] {
						t.Errorf("%s in %s: %s is %v, want %v", test.name, dt, what, got, want)
						return
					}
				}
			}
			expect("the loss", y, test.y)
			for _, differentiate := range []func(y *nd.Array, xs ...*nd.Array) []*nd.Array{tape.Gradient, tape.GradientRecorded} {
				g := differentiate(y, x, target)
				expect("the gradient of x", g[0], test.gx)
				if test.gt != nil {
					expect("the gradient of t", g[1], test.gt)
				}
			}
			tape.Release()
		}
	}
}

// TestIgnoredRowsHideInfinities: no number of an ignored row reaches a gradient, recorded or not.
func TestIgnoredRowsHideInfinities(t *testing.T) {
	tape := grad.NewTape()
	defer tape.Release()
	x := tape.Watch(nd.FromSlice([]float64{math.Inf(1), 0, math.NaN(), 0, 0, 0}, 3, 2))
	y := loss.SoftmaxCrossEntropy(x, opstest.Vector[int64](-1, -1, 1))
	for _, differentiate := range []func(y *nd.Array, xs ...*nd.Array) []*nd.Array{tape.Gradient, tape.GradientRecorded} {
		for k, v := range nd.ToSlice[float64](differentiate(y, x)[0].Detach()) {
			if want := []float64{0, 0, 0, 0, 0.5, -0.5}[k]; v != want {
				t.Errorf("gradient number %d is %v, want %v", k, v, want)
			}
		}
	}
}
