package main

import (
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// launches measures calls with arrays of ten numbers: a chain of a thousand, and a call that is waited for.
func (m *meter) launches() error {
	options := nd.ArrayOptions{DType: dtype.Float32, Device: m.Device}
	x, y := nd.Ones([]int{10}, options), nd.Zeros([]int{10}, options)
	for _, f := range []struct {
		name, suffix string
		count        int
		call         func()
	}{
		{"an operation in a chain, with Out", " (required: 6)", 1000, func() { ops.Add(x, y, ops.Into(y)) }},
		{"an operation in a chain, with a new result", " (required: 6)", 1000, func() {
			next := ops.Multiply(y, x)
			y.Release()
			y = next
		}},
		{"an operation that is waited for", "", 1, func() { ops.Add(x, x, ops.Into(y)) }},
	} {
		took, err := m.wall(f.count, f.call)
		if err != nil {
			return err
		}
		m.print(f.name, "%.2f µs%s", float64(took.Nanoseconds())/1e3, f.suffix)
	}
	return nil
}

// first measures the time of a program's first results: of arithmetic, a function, a product and a sum. Opening the
// device, which comes before, counts too: it is measured from outside.
func (m *meter) first() error {
	begin := time.Now()
	x := nd.Ones([]int{100, 100}, nd.ArrayOptions{DType: dtype.Float32, Device: m.Device})
	y := ops.Mean(ops.MatMul(ops.Exp(ops.Add(x, x)), x))
	y.Float()
	m.print("first results, once the device is open", "%.2f s", time.Since(begin).Seconds())
	return nil
}
