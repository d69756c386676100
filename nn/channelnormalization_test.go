package nn_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nn"
	"github.com/ndgrad/ndgrad/nn/initializer"
)

// normalizedRuns normalises runs of elements, and scales and shifts them by gamma and beta of the channel.
func normalizedRuns(x []float64, run, positions, example int, gamma, beta []float64) (y, means, variances []float64) {
	for start := 0; start < len(x); start += run {
		mean, variance := 0.0, 0.0
		for _, v := range x[start : start+run] {
			mean += v / float64(run)
		}
		for _, v := range x[start : start+run] {
			variance += (v - mean) * (v - mean) / float64(run)
		}
		means, variances = append(means, mean), append(variances, variance)
		for k := start; k < start+run; k++ {
			c := k % example / positions
			y = append(y, (x[k]-mean)/math.Sqrt(variance+1e-5)*gamma[c]+beta[c])
		}
	}
	return y, means, variances
}

func TestInstanceNormalizationAgainstLoops(t *testing.T) {
	s, x := float64s(), waves(2, 3, 2, 2)
	nn.InstanceNormalization(s, x)
	if got := s.Get("instance_normalization/gamma").Shape(); !cmp.Equal(got, []int{1, 3, 1, 1}) {
		t.Fatalf("gamma has the shape %v", got)
	}
	vary(s)
	gamma, beta := floats(s.Get("instance_normalization/gamma")), floats(s.Get("instance_normalization/beta"))
	want, means, variances := normalizedRuns(floats(x), 4, 4, 12, gamma, beta)
	y, mean, variance := nn.InstanceNormalizationWithStat(s, x)
	closeTo(t, "y", y, want, 1e-12)
	closeTo(t, "the mean", mean, means, 1e-12)
	closeTo(t, "the variance", variance, variances, 1e-12)
	closeTo(t, "y alone", nn.InstanceNormalization(s, x), want, 1e-12)
	last := x.MoveAxis([]int{1}, []int{-1})
	channelLast := float64s()
	o := nn.InstanceNormalizationOptions{ChannelAxis: ops.Over(-1)}
	nn.InstanceNormalization(channelLast, last, o)
	vary(channelLast)
	closeTo(t, "with the channels last", nn.InstanceNormalization(channelLast, last, o).MoveAxis([]int{-1}, []int{1}), want, 1e-12)
	checkGradients(t, s, func(s *nn.Scope, xs []*nd.Array) *nd.Array { return nn.InstanceNormalization(s, xs[0]) }, x)
}

func TestGroupNormalizationAgainstLoops(t *testing.T) {
	s, x := float64s(), waves(2, 4, 3)
	nn.GroupNormalization(s, x, 2)
	if got := s.Get("group_normalization/beta").Shape(); !cmp.Equal(got, []int{1, 4, 1}) {
		t.Fatalf("beta has the shape %v", got)
	}
	vary(s)
	gamma, beta := floats(s.Get("group_normalization/gamma")), floats(s.Get("group_normalization/beta"))
	want, means, variances := normalizedRuns(floats(x), 6, 3, 12, gamma, beta)
	y, mean, variance := nn.GroupNormalizationWithStat(s, x, 2)
	closeTo(t, "y", y, want, 1e-12)
	closeTo(t, "the mean", mean, means, 1e-12)
	closeTo(t, "the variance", variance, variances, 1e-12)
	closeTo(t, "y alone", nn.GroupNormalization(s, x, 2), want, 1e-12)
	checkGradients(t, s, func(s *nn.Scope, xs []*nd.Array) *nd.Array { return nn.GroupNormalization(s, xs[0], 2) }, x)
}

func TestChannelNormalizationOptions(t *testing.T) {
	x := waves(2, 4, 3)
	s := nn.NewScope()
	y := nn.InstanceNormalization(s, x, nn.InstanceNormalizationOptions{NoScale: true})
	nn.GroupNormalization(s, x, 4, nn.GroupNormalizationOptions{NoBias: true, ParamInit: map[string]initializer.Initializer{"gamma": initializer.Constant(3)}})
	if got, want := s.Names(), []string{"instance_normalization/beta", "group_normalization/gamma"}; !cmp.Equal(got, want) {
		t.Errorf("the parameters are %q, want %q", got, want)
	}
	closeTo(t, "gamma", s.Get("group_normalization/gamma"), []float64{3, 3, 3, 3}, 0)
	if y.DType() != dtype.Float32 {
		t.Errorf("a model of float32 computes in %s", y.DType())
	}
	none := nn.NewScope()
	refused(t, "axis", func() { nn.InstanceNormalization(none, x, nn.InstanceNormalizationOptions{ChannelAxis: ops.Over(3)}) })
	refused(t, "twice", func() { nn.InstanceNormalization(none, x, nn.InstanceNormalizationOptions{BatchAxis: ops.Over(1)}) })
	refused(t, "want an array", func() { nn.InstanceNormalization(none, nd.Scalar(2)) })
	refused(t, "3 groups of 4 channels", func() { nn.GroupNormalization(none, x, 3) })
	refused(t, "0 groups", func() { nn.GroupNormalization(none, x, 0) })
	refused(t, `ParamInit of "mean"`, func() {
		nn.GroupNormalization(none, x, 2, nn.GroupNormalizationOptions{ParamInit: map[string]initializer.Initializer{"mean": nil}})
	})
	if len(none.Names()) != 0 {
		t.Errorf("refused calls created %q", none.Names())
	}
}

func TestFusedBatchNormalization(t *testing.T) {
	x, z := waves(3, 2, 2), ops.Cos(waves(3, 2, 2))
	tape := grad.NewTape()
	defer tape.Release()
	fused, plain := nn.NewScope(), nn.NewScope()
	for _, residual := range []*nd.Array{z, nil} {
		for _, train := range []bool{true, false} {
			a, b := fused, plain
			if train {
				a, b = fused.Watch(tape), plain.Watch(tape)
			}
			want := nn.BatchNormalization(b, x)
			if residual != nil {
				want = ops.Add(want, residual.AsType(dtype.Float32))
			}
			got := nn.FusedBatchNormalization(a, x, residual)
			if got.DType() != dtype.Float32 {
				t.Errorf("a model of float32 computes in %s", got.DType())
			}
			closeTo(t, "y", got, floats(ops.ReLU(want)), 1e-6)
			if fingerprint(fused) != fingerprint(plain) {
				t.Error("the statistics differ from those of BatchNormalization")
			}
		}
	}
	s := nn.NewScope()
	refused(t, "z of the shape of x", func() { nn.FusedBatchNormalization(s, x, waves(3, 2)) })
	refused(t, "twice", func() { nn.FusedBatchNormalization(s, x, z, nn.BatchNormalizationOptions{Axes: ops.Over(1, 1)}) })
	refused(t, `ParamInit of "std"`, func() {
		nn.FusedBatchNormalization(s, x, z, nn.BatchNormalizationOptions{ParamInit: map[string]initializer.Initializer{"std": nil}})
	})
	if len(s.Names()) != 0 {
		t.Errorf("refused calls created %q", s.Names())
	}
}
