package main

import (
	"math"
	"testing"

	"github.com/ndgrad/ndgrad/device"
	_ "github.com/ndgrad/ndgrad/device/ref"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/assert"
	"github.com/ndgrad/ndgrad/testing/gradcheck"
)

// matrix is a matrix that is not contiguous.
func matrix() *nd.Array { return nd.Linspace(-2, 3, 15).Reshape(5, 3).T().Index(nd.All().By(-1)) }

func TestGradients(t *testing.T) {
	for name, f := range map[string]gradcheck.Function{
		"Gaussian":  func(xs ...*nd.Array) *nd.Array { return Gaussian(xs[0], nd.Scalar(0.3), nd.Scalar(1.7)) },
		"CubicRoot": func(xs ...*nd.Array) *nd.Array { return CubicRoot(xs[0]) },
		"MovingSum": func(xs ...*nd.Array) *nd.Array { return MovingSum(xs[0], 2) },
	} {
		t.Run(name, func(t *testing.T) {
			gradcheck.Check(t, f, matrix())
			gradcheck.CheckSecondOrder(t, f, matrix())
		})
	}
	gradcheck.Check(t, func(xs ...*nd.Array) *nd.Array { return Gaussian(xs[0], xs[1], xs[2]) },
		matrix(), nd.FromSlice([]float64{-1, 0.5, 2}, 3, 1), nd.FromSlice([]float64{0.5, 2}, 2, 1, 1))
}

func TestValues(t *testing.T) {
	ref, err := device.Get("ref")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []*nd.Array{nd.FromSlice([]float32{1, 2, 3, 4}), nd.FromSlice([]float32{1, 2, 3, 4}).To(ref)} {
		assert.Equal(t, MovingSum(x, 3), nd.FromSlice([]float32{6, 9}))
		assert.Equal(t, MovingSum(x, 1), x)
		assert.Equal(t, MovingSum(x.Index(nd.All().By(-1)).AsType(dtype.Float16), 2), nd.FromSlice([]float32{7, 5, 3}).AsType(dtype.Float16))
	}
	assert.Equal(t, CubicRoot(nd.FromSlice([]float64{2, -30, 0})), nd.FromSlice([]float64{1, -3, 0}))
	if got := nd.Value[float64](Gaussian(nd.Scalar(3.0), nd.Scalar(1.0), nd.Scalar(2.0))); math.Abs(got-math.Exp(-0.5)) > 1e-15 {
		t.Errorf("Gaussian is %v", got)
	}
	if err := nd.Catch(func() { MovingSum(matrix(), 6) }); err == nil {
		t.Error("a width above the length is accepted")
	}
}
