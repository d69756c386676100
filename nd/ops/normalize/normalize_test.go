package normalize_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// Training normalises by the batch and updates running statistics, which then serve for single examples.
func ExampleBatchNormalization() {
	x := nd.FromSlice([]float64{1, 10, 3, 30}, 2, 2) // two examples of two channels
	mean, variance := nd.Zeros([]int{1, 2}), nd.Ones([]int{1, 2})
	y := normalize.BatchNormalization(x, nil, nil, mean, variance, normalize.BatchNormalizationOptions{DecayRate: new(0.5), Eps: new(0.0)})
	fmt.Println(y)
	fmt.Println(mean, variance)
	one := nd.FromSlice([]float64{1, 10}, 1, 2)
	fmt.Println(normalize.BatchNormalization(one, nil, nil, mean, variance, normalize.BatchNormalizationOptions{BatchStat: new(false), Eps: new(0.0)}))
	// Output:
	// [[-1. -1.]
	//  [ 1.  1.]]
	// [[ 1. 10.]] [[  1.5 100.5]]
	// [[0. 0.]]
}

func TestNormalizationsAreStandardized(t *testing.T) {
	x := ops.Add(opstest.Normal(4, dtype.Float64, 4, 6, 5), 1e6) // a mean that is large relative to the deviation
	none := new(0.0)
	for name, test := range map[string]struct {
		y    *nd.Array
		axes []int
	}{
		"batch":    {normalize.BatchNormalization(x, nil, nil, nil, nil, normalize.BatchNormalizationOptions{Eps: none}), []int{0, 2}},
		"layer":    {normalize.LayerNormalization(x, nil, nil, normalize.LayerNormalizationOptions{Eps: none}), []int{1, 2}},
		"instance": {normalize.InstanceNormalization(x, nil, nil, normalize.InstanceNormalizationOptions{Eps: none}), []int{2}},
		"weight":   {normalize.WeightStandardization(x, normalize.WeightStandardizationOptions{Eps: none}), []int{1, 2}},
		"group":    {normalize.GroupNormalization(x, nil, nil, 3, normalize.GroupNormalizationOptions{Eps: none}).Reshape(4, 3, 10), []int{2}},
	} {
		t.Run(name, func(t *testing.T) {
			mean, deviation := ops.Mean(test.y, ops.ReduceOptions{Axes: test.axes}), ops.Std(test.y, ops.VarOptions{Axes: test.axes})
			opstest.Close(t, mean, nd.ZerosLike(mean), 1e-9)
			opstest.Close(t, deviation, nd.OnesLike(deviation), 1e-9)
		})
	}
}

func TestRunningStatistics(t *testing.T) {
	x := nd.FromSlice([]float32{1, 2, 3, 6}, 4, 1)
	run := func(biased bool) (mean, variance *nd.Array) {
		mean, variance = nd.Zeros([]int{1, 1}), nd.Zeros([]int{1, 1})
		normalize.BatchNormalization(x, nil, nil, mean, variance, normalize.BatchNormalizationOptions{DecayRate: new(0.0), BiasedVariance: biased})
		return mean, variance
	}
	mean, variance := run(false)
	opstest.Repr(t, mean, "array([[3.]])")
	opstest.Close(t, variance, nd.FromSlice([]float64{14.0 / 3}, 1, 1), 1e-6)
	_, variance = run(true)
	opstest.Repr(t, variance, "array([[3.5]])")
	one := nd.Zeros([]int{1, 1})
	normalize.BatchNormalization(nd.Zeros([]int{1, 1}), nil, nil, nil, one)
	opstest.Repr(t, one, "array([[0.]])")
	half := nd.Full([]int{2, 1}, 60000, dtype.Float16)
	opstest.Repr(t, normalize.BatchNormalization(half, nil, nil, nil, nil), "array([[0.], [0.]], dtype=float16)")
}

func TestNormalizationGradients(t *testing.T) {
	x, beta, gamma := opstest.Normal(5, dtype.Float64, 3, 4, 2), opstest.Normal(6, dtype.Float64, 1, 4, 1), opstest.Normal(7, dtype.Float64, 1, 4, 1)
	mean, variance := opstest.Normal(8, dtype.Float64, 1, 4, 1), ops.Exp(opstest.Normal(9, dtype.Float64, 1, 4, 1))
	g := opstest.Normal(10, dtype.Float64, 4)
	for name, test := range map[string]struct {
		f  gradcheck.Function
		in []*nd.Array
	}{
		"BatchNormalization": {func(xs ...*nd.Array) *nd.Array { return normalize.BatchNormalization(xs[0], xs[1], xs[2], nil, nil) }, []*nd.Array{x, beta, gamma}},
		"with given statistics": {func(xs ...*nd.Array) *nd.Array {
			return normalize.BatchNormalization(xs[0], xs[1], xs[2], xs[3], xs[4], normalize.BatchNormalizationOptions{BatchStat: new(false)})
		}, []*nd.Array{x, beta, gamma, mean, variance}},
		"through the statistics": {func(xs ...*nd.Array) *nd.Array {
			y, m, v := normalize.BatchNormalizationWithStat(xs[0], nil, xs[1], nil, nil)
			return ops.Add(ops.Multiply(y, m), v)
		}, []*nd.Array{x, gamma}},
		"LayerNormalization": {func(xs ...*nd.Array) *nd.Array { return normalize.LayerNormalization(xs[0], xs[1], xs[2]) }, []*nd.Array{x, beta, gamma}},
		"InstanceNormalization": {func(xs ...*nd.Array) *nd.Array {
			return normalize.InstanceNormalization(xs[0], xs[1], xs[2], normalize.InstanceNormalizationOptions{Eps: new(0.1)})
		}, []*nd.Array{x, beta, gamma}},
		"GroupNormalization":    {func(xs ...*nd.Array) *nd.Array { return normalize.GroupNormalization(xs[0], xs[1], xs[2], 2) }, []*nd.Array{x, beta, gamma}},
		"WeightStandardization": {func(xs ...*nd.Array) *nd.Array { return normalize.WeightStandardization(xs[0]) }, []*nd.Array{x}},
		"WeightNormalization": {func(xs ...*nd.Array) *nd.Array {
			return normalize.WeightNormalization(xs[0], xs[1], ops.Over(1))
		}, []*nd.Array{x, g}},
		"NormNormalization": {func(xs ...*nd.Array) *nd.Array {
			return normalize.NormNormalization(xs[0], normalize.NormNormalizationOptions{P: new(3.0), Axes: ops.Over(1), Eps: new(0.1)})
		}, []*nd.Array{x}},
		"Normalize": {func(xs ...*nd.Array) *nd.Array { return normalize.Normalize(xs[0]) }, []*nd.Array{x}},
		"LocalResponseNormalization": {func(xs ...*nd.Array) *nd.Array {
			return normalize.LocalResponseNormalization(xs[0], normalize.LocalResponseNormalizationOptions{N: 3, Alpha: new(0.5)})
		}, []*nd.Array{x}},
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.Check(t, test.f, test.in...)
			gradcheck.CheckSecondOrder(t, test.f, test.in...)
		})
	}
}

func TestFusedBatchNormalization(t *testing.T) {
	x, z := opstest.Normal(11, dtype.Float64, 5, 3), opstest.Normal(12, dtype.Float64, 5, 3)
	plain := ops.ReLU(ops.Add(normalize.BatchNormalization(x, nil, nil, nil, nil), z))
	opstest.Close(t, normalize.FusedBatchNormalization(x, nil, nil, nil, nil, z), plain, 0)
	mean := nd.Zeros([]int{1, 3})
	opstest.Refuses(t, "of the shape of x", func() { normalize.FusedBatchNormalization(x, nil, nil, mean, nil, nd.Zeros([]int{5, 1})) })
	opstest.Close(t, mean, nd.ZerosLike(mean), 0) // it panicked before anything was written
}

func TestFusedBatchNormalizationWithStat(t *testing.T) {
	x, z := opstest.Normal(11, dtype.Float64, 3, 5).T(), opstest.Normal(12, dtype.Float64, 5, 3)
	running := nd.Zeros([]int{1, 3}, dtype.Float64)
	y, mean, variance := normalize.FusedBatchNormalizationWithStat(x, nil, nil, running, nil, z)
	opstest.Close(t, y, normalize.FusedBatchNormalization(x, nil, nil, nil, nil, z), 0)
	_, wantMean, wantVariance := normalize.BatchNormalizationWithStat(x, nil, nil, nil, nil)
	opstest.Close(t, mean, wantMean, 0)
	opstest.Close(t, variance, wantVariance, 0)
	opstest.Close(t, running, ops.Multiply(mean, 0.1), 1e-15)
	gradcheck.CheckSecondOrder(t, func(xs ...*nd.Array) *nd.Array {
		y, mean, variance := normalize.FusedBatchNormalizationWithStat(xs[0], nil, nil, nil, nil, xs[1])
		return ops.Add(ops.Multiply(y, mean), ops.Square(variance))
	}, x, z)
	before := running.Copy()
	opstest.Refuses(t, "of the shape of x", func() {
		normalize.FusedBatchNormalizationWithStat(x, nil, nil, running, nil, nd.Zeros([]int{5, 1}))
	})
	opstest.Refuses(t, "normalize.FusedBatchNormalizationWithStat: without BatchStat", func() {
		normalize.FusedBatchNormalizationWithStat(x, nil, nil, running, running, z, normalize.BatchNormalizationOptions{BatchStat: new(false)})
	})
	opstest.Close(t, running, before, 0)
}

func TestSpectralNorm(t *testing.T) {
	w := ops.Add(nd.FromSlice([]float64{3, 0, 0, 0, 1, 0}, 2, 3), 0)
	u := nd.FromSlice([]float64{1, 1}, 2)
	y := normalize.SpectralNorm(w, u, normalize.SpectralNormOptions{Itr: 30})
	opstest.Close(t, y, ops.Multiply(w, 1.0/3), 1e-9)
	opstest.Close(t, u, nd.FromSlice([]float64{1, 0}, 2), 1e-9)
	before := nd.FromSlice([]float64{1, 1}, 2)
	normalize.SpectralNorm(w, before, normalize.SpectralNormOptions{Test: true})
	opstest.Repr(t, before, "array([1., 1.])")
	_, g := opstest.ValueAndGrad(func(w *nd.Array) *nd.Array { return normalize.SpectralNorm(w, u) }, w)
	if math.IsNaN(nd.Value[float64](ops.Sum(g))) {
		t.Errorf("gradient %v", g)
	}
}

func TestNormalizationRefuses(t *testing.T) {
	x, stat := nd.Zeros([]int{4, 3}), nd.Zeros([]int{1, 3})
	opstest.Refuses(t, "floats of shape (1, 3)", func() { normalize.BatchNormalization(x, nil, nil, nd.Zeros([]int{3}), nil) })
	opstest.Refuses(t, "broadcast to the array", func() { normalize.BatchNormalization(x, nd.Zeros([]int{2}), nil, nil, nil) })
	opstest.Refuses(t, "needs a mean and a variance", func() {
		normalize.BatchNormalization(x, nil, nil, stat, nil, normalize.BatchNormalizationOptions{BatchStat: new(false)})
	})
	opstest.Refuses(t, "the batch has no statistics", func() {
		normalize.BatchNormalizationWithStat(x, nil, nil, stat, stat, normalize.BatchNormalizationOptions{BatchStat: new(false)})
	})
	opstest.Refuses(t, "must not be recorded", func() {
		grad.ValueAndGrad(func(xs ...*nd.Array) *nd.Array { return normalize.BatchNormalization(x, nil, nil, xs[0], nil) })(stat)
	})
	opstest.Refuses(t, "axis 2", func() { normalize.BatchNormalization(x, nil, nil, nil, nil, ops.Over(2)) })
	opstest.Refuses(t, "do not divide", func() { normalize.GroupNormalization(x, nil, nil, 2) })
	opstest.Refuses(t, "broadcast to the array", func() { normalize.LayerNormalization(x, nil, nd.Zeros([]int{2, 4, 3})) })
	opstest.Refuses(t, "complex", func() {
		normalize.LayerNormalization(nd.Zeros([]int{2, 2}, dtype.Complex64), nil, nil)
	})
	opstest.Refuses(t, "one real norm", func() { normalize.WeightNormalization(x, nd.Zeros([]int{3})) })
	opstest.Refuses(t, "positive power", func() { normalize.NormNormalization(x, normalize.NormNormalizationOptions{P: new(0.0)}) })
	opstest.Refuses(t, "positive number", func() { normalize.LocalResponseNormalization(x, normalize.LocalResponseNormalizationOptions{N: -1}) })
	opstest.Refuses(t, "want a float u", func() { normalize.SpectralNorm(x, nd.Zeros([]int{3})) })
}

// TestRMSNormalization uses 16-bit floats whose squares overflow, and parts of several axes.
func TestRMSNormalization(t *testing.T) {
	x := nd.FromSlice([]float64{300, 400, 0, 0}, 2, 2)
	half := normalize.RMSNormalization(x.AsType(dtype.Float16), nil)
	if half.DType() != dtype.Float16 {
		t.Errorf("%s of float16", half.DType())
	}
	opstest.Close(t, half.AsType(dtype.Float64), nd.FromSlice([]float64{0.6 * 1.4142, 0.8 * 1.4142, 0, 0}, 2, 2), 1e-3)
	y := opstest.Normal(1, dtype.Float64, 2, 3, 4)
	opstest.Close(t, normalize.RMSNormalization(y, nil, ops.Over(1, 2)), normalize.RMSNormalization(y.Reshape(2, 12), nil).Reshape(2, 3, 4), 1e-14)
}

// TestRMSNormalizationOfSmallNumbers has mean squares near the default eps of a 16-bit dtype: x/√x² is 1, and with
// integers and zeros it is what float32 gives.
func TestRMSNormalizationOfSmallNumbers(t *testing.T) {
	for _, dt := range []dtype.DType{dtype.Float16, dtype.BFloat16, dtype.Float32, dtype.Float64} {
		x := nd.Full([]int{4}, 1./16, dt)
		opstest.Close(t, normalize.RMSNormalization(x, nil).AsType(dtype.Float64), nd.Ones([]int{4}), 1e-4)
		eps := 0x1p-23
		if dt == dtype.Float64 {
			eps = 0x1p-52
		}
		small := nd.FromSlice([]float64{0x1p-13, 0}).AsType(dt) // a mean square of 2⁻²⁷
		want := nd.FromSlice([]float64{0x1p-13 / math.Sqrt(0x1p-27+eps), 0})
		opstest.Close(t, normalize.RMSNormalization(small, nil).AsType(dtype.Float64), want, 4e-3)
	}
}
