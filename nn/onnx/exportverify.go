package onnx

import (
	"fmt"
	"math"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/broadcast"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// verify runs the file on the inputs and compares the outputs with those of the function.
func (o *ExportOptions) verify(data []byte, f exportedFunc, inputs []*nd.Array) error {
	file, err := Read(data)
	if err != nil {
		return fmt.Errorf("the file cannot be read: %w", err)
	}
	m, err := file.Model()
	if err != nil {
		return fmt.Errorf("the file cannot be run: %w", err)
	}
	all := [][]*nd.Array{inputs}
	if o.Batch {
		n := max(batchOf(inputs), 2)
		all = append(all, withBatch(inputs, n+1), withBatch(inputs, 2*n+3))
	}
	for _, in := range all {
		given := map[string]*nd.Array{}
		for k, x := range in {
			given[nameOf(o.Inputs, k, len(in), "input")] = x
		}
		var want, got []*nd.Array
		if err := nd.Catch(func() { want, got = f(o.Params, in), m.Call(given) }); err != nil {
			return err
		}
		for k, y := range want {
			if err := sameOutput(got[k], y); err != nil {
				return fmt.Errorf("the file gives another output %q for inputs of shape %s: %w", m.Outputs()[k], broadcast.FormatShape(in[0].Shape()), err)
			}
		}
	}
	return nil
}

// sameOutput compares an output of the file with that of the function, within rounding errors of some operations.
func sameOutput(got, want *nd.Array) error {
	if !broadcast.Equal(got.Shape(), want.Shape()) || got.DType() != want.DType() {
		return fmt.Errorf("%s%s, want %s%s", got.DType(), broadcast.FormatShape(got.Shape()), want.DType(), broadcast.FormatShape(want.Shape()))
	}
	tolerance := 0.0
	switch want.DType() {
	case dtype.Float64:
		tolerance = 1e-8
	case dtype.Float32:
		tolerance = 1e-3
	case dtype.Float16, dtype.BFloat16:
		tolerance = 3e-2
	}
	a, b := nd.ToSlice[float64](got.AsType(dtype.Float64)), nd.ToSlice[float64](want.AsType(dtype.Float64))
	scale := 0.0
	for _, v := range b {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			scale = max(scale, math.Abs(v))
		}
	}
	for i := range b {
		if a[i] != b[i] && math.Float64bits(a[i]) != math.Float64bits(b[i]) && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) && !(math.Abs(a[i]-b[i]) <= tolerance*scale) {
			return fmt.Errorf("element %d is %g, want %g", i, a[i], b[i])
		}
	}
	return nil
}
