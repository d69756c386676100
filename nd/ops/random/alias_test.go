package random_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops/random"
	"github.com/ndgrad/ndgrad/testing/assert"
)

func TestWalkerAlias(t *testing.T) {
	many := make([]float64, 300)
	for k := range many {
		many[k] = float64(k%7) * math.Exp(float64(k%11))
	}
	for _, weights := range [][]float64{{1}, {0, 3, 0}, {0.1, 0.2, 0.3, 0.4}, {5, 1, 1, 7, 2}, {1e308, 1e308, 2e307}, {5e-324, 5e-324}, many} {
		w := random.NewWalkerAlias(nd.FromSlice(weights))
		if w.Len() != len(weights) {
			t.Errorf("%d numbers, want %d", w.Len(), len(weights))
		}
		const rows, columns = 100, 500
		y := w.Sample(nd.NewRand(1), []int{rows, columns})
		if y.DType() != dtype.Int64 {
			t.Errorf("drawn are %s", y.DType())
		}
		assert.Equal(t, y, w.Sample(nd.NewRand(1), []int{rows, columns}))
		counts, sum := make([]float64, len(weights)), 0.0
		for _, k := range nd.ToSlice[int64](y) {
			counts[k]++
		}
		for _, v := range weights {
			sum += v / weights[len(weights)/2]
		}
		for k, v := range weights {
			p := v / weights[len(weights)/2] / sum
			if n := float64(rows * columns); v == 0 && counts[k] > 0 || math.Abs(counts[k]-n*p) > 3+5*math.Sqrt(n*p*(1-p)) {
				t.Errorf("of %d weights, number %d: drawn %v times of %v, its probability is %v", len(weights), k, counts[k], n, p)
			}
		}
	}
	counts := random.NewWalkerAlias(nd.FromSlice([]int{0, 0, 7, 0}))
	assert.Equal(t, counts.Sample(nd.NewRand(1), []int{3}), nd.FromSlice([]int{2, 2, 2}))
	if y := counts.Sample(nd.NewRand(1), []int{2, 0}); y.Size() != 0 || y.Dim(0) != 2 {
		t.Errorf("of shape (2, 0) %v", y)
	}
}

func TestWalkerAliasOnDevices(t *testing.T) {
	p := nd.FromSlice([]float64{1, 2, 3})
	ref, err := device.Get("ref")
	if err != nil {
		t.Skip(err)
	}
	w := random.NewWalkerAlias(p)
	there := w.To(ref)
	if y := there.Sample(nd.NewRand(1), []int{9}); y.Device() != ref {
		t.Errorf("drawn on %s", y.Device().Name())
	} else {
		assert.Equal(t, y, w.Sample(nd.NewRand(1), []int{9}))
	}
	if w.To(p.Device()) != w || there.To(ref) != there {
		t.Error("a sampler that is there is copied")
	}
}

func TestWalkerAliasRefuses(t *testing.T) {
	for _, p := range [][]float64{{}, {0, 0}, {1, -1}, {1, math.NaN()}, {1, math.Inf(1)}} {
		assert.Raises(t, "random.NewWalkerAlias", func() { random.NewWalkerAlias(nd.FromSlice(p)) })
	}
	assert.Raises(t, "one axis", func() { random.NewWalkerAlias(nd.Ones([]int{2, 2})) })
	assert.Raises(t, "real", func() { random.NewWalkerAlias(nd.Ones([]int{2}, dtype.Complex64)) })
	assert.Raises(t, "nil", func() { random.NewWalkerAlias(nil) })
	w := random.NewWalkerAlias(nd.Ones([]int{2}))
	assert.Raises(t, "WalkerAlias.Sample", func() { w.Sample(nd.NewRand(1), []int{-1}) })
	w.Release()
	assert.Raises(t, "released", func() { w.Sample(nd.NewRand(1), []int{1}) })
	w = random.NewWalkerAlias(nd.Ones([]int{2}))
	assert.Raises(t, "no stream of random numbers", func() { w.Sample(nil, []int{1}) })
}

func ExampleWalkerAlias() {
	w := random.NewWalkerAlias(nd.FromSlice([]float64{1, 0, 3}))
	counts := [3]int{}
	for _, k := range nd.ToSlice[int64](w.Sample(nd.NewRand(1), []int{4000})) {
		counts[k]++
	}
	fmt.Println(counts[0] < 1100, counts[1], counts[2] > 2900)
	// Output: true 0 true
}
