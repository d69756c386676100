package sweeps

import (
	"fmt"
	"testing"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/grad"
	"github.com/ndgrad/ndgrad/testing/conformance/catalogue"
)

// TestSweepGradientDTypes converts all float and complex arguments to every such dtype, and some to another one than the
// rest. The gradient of an argument must have its dtype.
func TestSweepGradientDTypes(t *testing.T) {
	sweep(t, func(s *subject) error {
		for to := dtype.Float16; to < dtype.Count; to++ {
			if err := s.gradientDTypes(to, to); err != nil {
				return fmt.Errorf("arguments of %s: %w", to, err)
			}
		}
		if err := s.gradientDTypes(dtype.Float32, dtype.Float64); err != nil {
			return fmt.Errorf("arguments of float32 and float64: %w", err)
		}
		return nil
	})
}

// gradientDTypes converts the first float argument to one dtype and all others to another. It compares the dtypes of the
// gradients with those of the arguments.
func (s *subject) gradientDTypes(first, others dtype.DType) error {
	tape := grad.NewTape()
	defer tape.Release()
	var watched []*nd.Array
	o := s.call(setting{edit: func(path string, x *nd.Array) *nd.Array {
		if !x.DType().IsInexact() || s.fn.Row.MayWrite(path) {
			return x
		}
		to := first
		if watched != nil {
			to = others
		}
		x = tape.Watch(x.AsType(to))
		watched = append(watched, x)
		return x
	}})
	if o.err != nil {
		return nil // TestSweepDTypes reports faults
	}
	var ys []*nd.Array
	for _, y := range s.outputs(o) {
		if y != nil && y.DType().IsInexact() {
			ys = append(ys, y)
		}
	}
	gs, err := catalogue.Try(func() []*nd.Array { return tape.VJP(ys, make([]*nd.Array, len(ys)), watched...) })
	if err != nil {
		if _, refused := err.(*catalogue.Refusal); refused {
			return nil
		}
		return err
	}
	for i, g := range gs {
		if g != nil && g.DType() != watched[i].DType() {
			return fmt.Errorf("a gradient of %s for an argument of %s", g.DType(), watched[i].DType())
		}
	}
	return nil
}
