package ops_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// Training normalises by the batch and updates running statistics, which then serve for single examples.
func ExampleBatchNormalization() {
	x := nd.FromSlice([]float64{1, 10, 3, 30}, 2, 2) // two examples of two channels
	mean, variance := nd.Zeros([]int{1, 2}), nd.Ones([]int{1, 2})
	y := ops.BatchNormalization(x, nil, nil, mean, variance, ops.BatchNormalizationOptions{DecayRate: new(0.5), Eps: new(0.0)})
	fmt.Println(y)
	fmt.Println(mean, variance)
	one := nd.FromSlice([]float64{1, 10}, 1, 2)
	fmt.Println(ops.BatchNormalization(one, nil, nil, mean, variance, ops.BatchNormalizationOptions{BatchStat: new(false), Eps: new(0.0)}))
	// Output:
	// [[-1. -1.]
	//  [ 1.  1.]]
	// [[ 1. 10.]] [[  1.5 100.5]]
	// [[0. 0.]]
}

func TestNormalizationsAreStandardized(t *testing.T) {
	x := ops.AddScalar(normal(4, dtype.Float64, 4, 6, 5), 1e6) // a mean that is large relative to the deviation
	none := new(0.0)
	for name, test := range map[string]struct {
		y    *nd.Array
		axes []int
	}{
		"batch":    {ops.BatchNormalization(x, nil, nil, nil, nil, ops.BatchNormalizationOptions{Eps: none}), []int{0, 2}},
		"layer":    {ops.LayerNormalization(x, nil, nil, ops.LayerNormalizationOptions{Eps: none}), []int{1, 2}},
		"instance": {ops.InstanceNormalization(x, nil, nil, ops.InstanceNormalizationOptions{Eps: none}), []int{2}},
		"weight":   {ops.WeightStandardization(x, ops.WeightStandardizationOptions{Eps: none}), []int{1, 2}},
		"group":    {ops.GroupNormalization(x, nil, nil, 3, ops.GroupNormalizationOptions{Eps: none}).Reshape(4, 3, 10), []int{2}},
	} {
		t.Run(name, func(t *testing.T) {
			mean, deviation := ops.Mean(test.y, ops.ReduceOptions{Axes: test.axes}), ops.Std(test.y, ops.VarOptions{Axes: test.axes})
			close64(t, mean, nd.ZerosLike(mean), 1e-9)
			close64(t, deviation, nd.OnesLike(deviation), 1e-9)
		})
	}
}

func TestRunningStatistics(t *testing.T) {
	x := nd.FromSlice([]float32{1, 2, 3, 6}, 4, 1)
	run := func(biased bool) (mean, variance *nd.Array) {
		mean, variance = nd.Zeros([]int{1, 1}), nd.Zeros([]int{1, 1})
		ops.BatchNormalization(x, nil, nil, mean, variance, ops.BatchNormalizationOptions{DecayRate: new(0.0), BiasedVariance: biased})
		return mean, variance
	}
	mean, variance := run(false)
	want(t, mean, "array([[3.]])")
	close64(t, variance, nd.FromSlice([]float64{14.0 / 3}, 1, 1), 1e-6)
	_, variance = run(true)
	want(t, variance, "array([[3.5]])")
	one := nd.Zeros([]int{1, 1})
	ops.BatchNormalization(nd.Zeros([]int{1, 1}), nil, nil, nil, one)
	want(t, one, "array([[0.]])")
	half := nd.Full([]int{2, 1}, 60000, nd.ArrayOptions{DType: dtype.Float16})
	want(t, ops.BatchNormalization(half, nil, nil, nil, nil), "array([[0.], [0.]], dtype=float16)")
}

func TestNormalizationGradients(t *testing.T) {
	x, beta, gamma := normal(5, dtype.Float64, 3, 4, 2), normal(6, dtype.Float64, 1, 4, 1), normal(7, dtype.Float64, 1, 4, 1)
	mean, variance := normal(8, dtype.Float64, 1, 4, 1), ops.Exp(normal(9, dtype.Float64, 1, 4, 1))
	g := normal(10, dtype.Float64, 4)
	for name, test := range map[string]struct {
		f  gradcheck.Function
		in []*nd.Array
	}{
		"BatchNormalization": {func(xs ...*nd.Array) *nd.Array { return ops.BatchNormalization(xs[0], xs[1], xs[2], nil, nil) }, []*nd.Array{x, beta, gamma}},
		"with given statistics": {func(xs ...*nd.Array) *nd.Array {
			return ops.BatchNormalization(xs[0], xs[1], xs[2], xs[3], xs[4], ops.BatchNormalizationOptions{BatchStat: new(false)})
		}, []*nd.Array{x, beta, gamma, mean, variance}},
		"through the statistics": {func(xs ...*nd.Array) *nd.Array {
			y, m, v := ops.BatchNormalizationWithStat(xs[0], nil, xs[1], nil, nil)
			return ops.Add(ops.Multiply(y, m), v)
		}, []*nd.Array{x, gamma}},
		"LayerNormalization": {func(xs ...*nd.Array) *nd.Array { return ops.LayerNormalization(xs[0], xs[1], xs[2]) }, []*nd.Array{x, beta, gamma}},
		"InstanceNormalization": {func(xs ...*nd.Array) *nd.Array {
			return ops.InstanceNormalization(xs[0], xs[1], xs[2], ops.InstanceNormalizationOptions{Eps: new(0.1)})
		}, []*nd.Array{x, beta, gamma}},
		"GroupNormalization":    {func(xs ...*nd.Array) *nd.Array { return ops.GroupNormalization(xs[0], xs[1], xs[2], 2) }, []*nd.Array{x, beta, gamma}},
		"WeightStandardization": {func(xs ...*nd.Array) *nd.Array { return ops.WeightStandardization(xs[0]) }, []*nd.Array{x}},
		"WeightNormalization": {func(xs ...*nd.Array) *nd.Array {
			return ops.WeightNormalization(xs[0], xs[1], ops.WeightNormalizationOptions{Dim: 1})
		}, []*nd.Array{x, g}},
		"NormNormalization": {func(xs ...*nd.Array) *nd.Array {
			return ops.NormNormalization(xs[0], ops.NormNormalizationOptions{P: new(3.0), Axes: ops.Over(1), Eps: new(0.1)})
		}, []*nd.Array{x}},
		"Normalize": {func(xs ...*nd.Array) *nd.Array { return ops.Normalize(xs[0]) }, []*nd.Array{x}},
		"LocalResponseNormalization": {func(xs ...*nd.Array) *nd.Array {
			return ops.LocalResponseNormalization(xs[0], ops.LocalResponseNormalizationOptions{N: 3, Alpha: new(0.5)})
		}, []*nd.Array{x}},
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.Check(t, test.f, test.in...)
			gradcheck.CheckSecondOrder(t, test.f, test.in...)
		})
	}
}

func TestFusedBatchNormalization(t *testing.T) {
	x, z := normal(11, dtype.Float64, 5, 3), normal(12, dtype.Float64, 5, 3)
	plain := ops.ReLU(ops.Add(ops.BatchNormalization(x, nil, nil, nil, nil), z))
	close64(t, ops.FusedBatchNormalization(x, nil, nil, nil, nil, z), plain, 0)
	mean := nd.Zeros([]int{1, 3})
	refuses(t, "of the shape of x", func() { ops.FusedBatchNormalization(x, nil, nil, mean, nil, nd.Zeros([]int{5, 1})) })
	close64(t, mean, nd.ZerosLike(mean), 0) // it panicked before anything was written
}

func TestSpectralNorm(t *testing.T) {
	w := ops.Add(nd.FromSlice([]float64{3, 0, 0, 0, 1, 0}, 2, 3), nd.Scalar(0))
	u := nd.FromSlice([]float64{1, 1}, 2)
	y := ops.SpectralNorm(w, u, ops.SpectralNormOptions{Itr: 30})
	close64(t, y, ops.MulScalar(w, 1.0/3), 1e-9)
	close64(t, u, nd.FromSlice([]float64{1, 0}, 2), 1e-9)
	before := nd.FromSlice([]float64{1, 1}, 2)
	ops.SpectralNorm(w, before, ops.SpectralNormOptions{Test: true})
	want(t, before, "array([1., 1.])")
	_, g := gradOf(func(w *nd.Array) *nd.Array { return ops.SpectralNorm(w, u) }, w)
	if math.IsNaN(nd.Value[float64](ops.Sum(g))) {
		t.Errorf("gradient %v", g)
	}
}

func TestNormalizationRefuses(t *testing.T) {
	x, stat := nd.Zeros([]int{4, 3}), nd.Zeros([]int{1, 3})
	refuses(t, "floats of shape (1, 3)", func() { ops.BatchNormalization(x, nil, nil, nd.Zeros([]int{3}), nil) })
	refuses(t, "broadcast to the array", func() { ops.BatchNormalization(x, nd.Zeros([]int{2}), nil, nil, nil) })
	refuses(t, "needs a mean and a variance", func() {
		ops.BatchNormalization(x, nil, nil, stat, nil, ops.BatchNormalizationOptions{BatchStat: new(false)})
	})
	refuses(t, "the batch has no statistics", func() {
		ops.BatchNormalizationWithStat(x, nil, nil, stat, stat, ops.BatchNormalizationOptions{BatchStat: new(false)})
	})
	refuses(t, "must not be recorded", func() {
		grad.ValueAndGrad(func(xs ...*nd.Array) *nd.Array { return ops.BatchNormalization(x, nil, nil, xs[0], nil) })(stat)
	})
	refuses(t, "axis 2", func() { ops.BatchNormalization(x, nil, nil, nil, nil, ops.Over(2)) })
	refuses(t, "do not divide", func() { ops.GroupNormalization(x, nil, nil, 2) })
	refuses(t, "broadcast to the array", func() { ops.LayerNormalization(x, nil, nd.Zeros([]int{2, 4, 3})) })
	refuses(t, "complex", func() {
		ops.LayerNormalization(nd.Zeros([]int{2, 2}, nd.ArrayOptions{DType: dtype.Complex64}), nil, nil)
	})
	refuses(t, "one real norm", func() { ops.WeightNormalization(x, nd.Zeros([]int{3})) })
	refuses(t, "positive power", func() { ops.NormNormalization(x, ops.NormNormalizationOptions{P: new(0.0)}) })
	refuses(t, "positive number", func() { ops.LocalResponseNormalization(x, ops.LocalResponseNormalizationOptions{N: -1}) })
	refuses(t, "want a float u", func() { ops.SpectralNorm(x, nd.Zeros([]int{3})) })
}
