package runner

import (
	"fmt"
	"math"

	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/testing/golden"
)

// checkMoments checks draws with the field expect: mean and std within 5 standard errors, no value below min or above
// max. The recorded draws are from another generator; only their number is used.
func (t *trial) checkMoments(c *golden.Case, want golden.Object) error {
	xs, err := t.resultArrays(1)
	if err != nil {
		return err
	}
	if len(c.Outputs) != 1 {
		return fmt.Errorf("%d outputs are recorded, want 1", len(c.Outputs))
	}
	drawn, err := t.file.Array(c.Outputs[0])
	if err != nil {
		return err
	}
	if xs[0].DType() != dtype.Float32 || fmt.Sprint(xs[0].Shape()) != fmt.Sprint(drawn.Shape()) {
		return fmt.Errorf("%s of shape %v, want float32 of shape %v", xs[0].DType(), xs[0].Shape(), drawn.Shape())
	}
	values := realParts(xs[0])
	number := func(name string, without float64) float64 {
		v, _ := want.Get(name)
		if f, ok := golden.Float(v); ok {
			return f
		}
		return without
	}
	if err := allBetween(values, number("min", math.Inf(-1)), number("max", math.Inf(1))); err != nil {
		return err
	}
	n := float64(len(values))
	mean, std := number("mean", math.NaN()), number("std", math.NaN())
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
		squares += (v - mean) * (v - mean)
	}
	if off := math.Abs(sum/n - mean); !(off <= 5*std/math.Sqrt(n)) {
		return fmt.Errorf("the mean is %v, want %v within %v", sum/n, mean, 5*std/math.Sqrt(n))
	}
	if got := math.Sqrt(squares / n); !(math.Abs(got-std) <= 5*std/math.Sqrt(2*n)) {
		return fmt.Errorf("the standard deviation is %v, want %v within %v", got, std, 5*std/math.Sqrt(2*n))
	}
	return nil
}
