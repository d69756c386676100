package random_test

import (
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/internal/opstest"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/testing/assert"
)

func TestInto(t *testing.T) {
	for name, draw := range map[string]func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array{
		"random.Uniform": func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
			return random.Uniform(rng, 0, 1, shape, opts...)
		},
		"random.Normal": func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
			return random.Normal(rng, 1, 2, shape, opts...)
		},
		"random.Exponential": func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
			return random.Exponential(rng, 3, shape, opts...)
		},
		"random.Gamma": func(rng *nd.Rand, shape []int, opts ...nd.ArrayOption) *nd.Array {
			return random.Gamma(rng, 2, 1, shape, opts...)
		},
	} {
		whole := nd.Zeros([]int{3, 4}, dtype.Float32)
		out := whole.T().Index(nd.All().By(2)) // not contiguous
		if y := draw(nd.NewRand(5), nil, ops.Into(out)); y != out {
			t.Errorf("%s does not return the output", name)
		}
		assert.Equal(t, out, draw(nd.NewRand(5), []int{2, 3}, dtype.Float32))
		assert.Equal(t, whole.Index(nd.All(), nd.At(1)), nd.Zeros([]int{3}, dtype.Float32))
		draw(nd.NewRand(5), []int{2, 3}, ops.Into(out), dtype.Float32)
		opstest.Refuses(t, name+": shape (3, 2): want that of Out", func() { draw(nd.NewRand(5), []int{3, 2}, ops.Into(out)) })
		opstest.Refuses(t, name+": dtype float64: want that of Out", func() { draw(nd.NewRand(5), nil, ops.Into(out), dtype.Float64) })
		opstest.Refuses(t, name+": dtype int64: want a float dtype", func() { draw(nd.NewRand(5), nil, ops.Into(nd.Zeros([]int{2}, dtype.Int64))) })
		opstest.Refuses(t, name+": strides [0] repeat elements", func() { draw(nd.NewRand(5), nil, ops.Into(nd.Ones([]int{1}).BroadcastTo(2))) })
	}
	opstest.Refuses(t, "nd.Zeros", func() { nd.Zeros([]int{2}, ops.Into(nd.Zeros([]int{2}))) })
}
