package normalize_test

import (
	"strings"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/testing/assert"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// TestGather: two processes with the same x have the statistics of x, and its variance is corrected for twice as many elements.
func TestGather(t *testing.T) {
	twice := func(s *nd.Array) *nd.Array { return ops.Stack([]*nd.Array{s, s}) }
	for _, dt := range []dtype.DType{dtype.Float64, dtype.Float32, dtype.Float16, dtype.BFloat16} {
		rtol := map[dtype.DType]float64{dtype.Float64: 1e-12, dtype.Float32: 1e-5, dtype.Float16: 2e-3, dtype.BFloat16: 1e-2}[dt]
		x := random.Normal(nd.NewRand(1), 3, 2, []int{4, 3, 5}).AsType(dt).Transpose(2, 1, 0)
		beta, gamma := random.Normal(nd.NewRand(2), 0, 1, []int{1, 3, 1}).AsType(dt), random.Normal(nd.NewRand(3), 1, 1, []int{1, 3, 1}).AsType(dt)
		mean, variance := nd.Zeros([]int{1, 3, 1}, dt), nd.Zeros([]int{1, 3, 1}, dt)
		o := normalize.BatchNormalizationOptions{Gather: twice, DecayRate: new(0.0)}
		y, m, v := normalize.BatchNormalizationWithStat(x, beta, gamma, mean, variance, o)
		wantY, wantM, wantV := normalize.BatchNormalizationWithStat(x, beta, gamma, nil, nil)
		assert.AllClose(t, y, wantY, rtol, rtol)
		assert.AllClose(t, m, wantM, rtol, rtol)
		assert.AllClose(t, v, wantV, rtol, rtol)
		assert.AllClose(t, mean, m, rtol, rtol)
		assert.AllClose(t, variance, ops.Multiply(v, 40.0/39), rtol, rtol)
		if y.DType() != dt || m.DType() != dt || v.DType() != dt {
			t.Errorf("%s: %s, %s, %s", dt, y.DType(), m.DType(), v.DType())
		}
	}
	x := random.Normal(nd.NewRand(1), 3, 2, []int{4, 3}, dtype.Float64)
	beta, gamma := nd.Ones([]int{1, 3}), nd.Full([]int{1, 3}, 2.0)
	gradcheck.CheckSecondOrder(t, func(in ...*nd.Array) *nd.Array {
		return normalize.BatchNormalization(in[0], in[1], in[2], nil, nil, normalize.BatchNormalizationOptions{Gather: twice})
	}, x, beta, gamma)

	mean := nd.Zeros([]int{1, 3})
	err := nd.Catch(func() {
		normalize.BatchNormalization(x, beta, gamma, mean, nil, normalize.BatchNormalizationOptions{Gather: func(s *nd.Array) *nd.Array { return s }})
	})
	if err == nil || !strings.Contains(err.Error(), "normalize.BatchNormalization: Gather returned an array of shape (3, 1, 3) for one of shape (3, 1, 3)") {
		t.Errorf("error %v", err)
	}
	assert.Equal(t, mean, nd.Zeros([]int{1, 3}))
}
