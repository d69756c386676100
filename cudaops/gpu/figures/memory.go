package main

import (
	"fmt"
	"time"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
	"github.com/ndgrad/ndgrad/nd/ops/normalize"
)

// copies measures the copies between host and device.
func (m *meter) copies() error {
	bytes := 64 << 20
	if m.small {
		bytes = 1 << 20
	}
	host := make([]byte, bytes)
	block := m.Alloc(bytes)
	defer m.Free(block)
	for name, f := range map[string]func(){
		"host to device": func() { m.CopyIn(block, 0, host) },
		"device to host": func() { m.CopyOut(host, block, 0) },
	} {
		took, err := m.wall(4, f)
		if err != nil {
			return err
		}
		m.print(name, "%.1f GB/s", rate(bytes, took))
	}
	return nil
}

// rate returns a rate in GB/s.
func rate(bytes int, took time.Duration) float64 { return float64(bytes) / took.Seconds() / 1e9 }

// bound is a kernel that is bound by memory: it reads and writes each byte of its operands once.
type bound struct {
	name  string
	least float64 // required share of the rate of a copy
	bytes int     // bytes that it moves per element
	make  func(x *nd.Array) (call func())
}

// bounds are functions of an array of float32, in rows of 1,024.
var bounds = []bound{
	{"copy of a view", 0.9, 8, func(x *nd.Array) func() {
		// consecutive rows with a gap, so that it is not a copy of contiguous memory
		wide := nd.Zeros([]int{x.Dim(0), x.Dim(1) + 32}, like(x)).Index(nd.All(), nd.Until(x.Dim(1)))
		return func() { wide.Assign(x) }
	}},
	{"add", 0.9, 12, func(x *nd.Array) func() {
		b, y := nd.Ones(x.Shape(), like(x)), nd.Zeros(x.Shape(), like(x))
		return func() { ops.Add(x, b, ops.Into(y)) }
	}},
	{"add of a row", 0.9, 8, func(x *nd.Array) func() {
		b, y := nd.Ones([]int{x.Dim(1)}, like(x)), nd.Zeros(x.Shape(), like(x))
		return func() { ops.Add(x, b, ops.Into(y)) }
	}},
	{"exp", 0.9, 8, func(x *nd.Array) func() {
		y := nd.Zeros(x.Shape(), like(x))
		return func() { ops.Exp(x, ops.Into(y)) }
	}},
	{"cast to float16", 0.9, 6, func(x *nd.Array) func() {
		y := nd.Zeros(x.Shape(), nd.ArrayOptions{DType: dtype.Float16, Device: x.Device()})
		return func() { y.Assign(x) }
	}},
	{"sum over all", 0.9, 4, func(x *nd.Array) func() { return released(func() *nd.Array { return ops.Sum(x) }) }},
	{"sum over rows", 0.9, 4, func(x *nd.Array) func() { return released(func() *nd.Array { return ops.Sum(x, ops.Over(1)) }) }},
	{"sum over columns", 0.9, 4, func(x *nd.Array) func() { return released(func() *nd.Array { return ops.Sum(x, ops.Over(0)) }) }},
	{"softmax", 0.9, 8, func(x *nd.Array) func() { return released(func() *nd.Array { return ops.Softmax(x) }) }},
	{"layer norm", 0.9, 8, func(x *nd.Array) func() {
		beta, gamma := nd.Zeros([]int{1, x.Dim(1)}, like(x)), nd.Ones([]int{1, x.Dim(1)}, like(x))
		return released(func() *nd.Array { return normalize.LayerNormalization(x, beta, gamma) })
	}},
	{"transposition", 0.8, 8, func(x *nd.Array) func() {
		y := nd.Zeros([]int{x.Dim(1), x.Dim(0)}, like(x))
		return func() { y.Assign(x.Transpose()) }
	}},
}

func like(x *nd.Array) nd.ArrayOptions { return nd.ArrayOptions{DType: x.DType(), Device: x.Device()} }

func released(f func() *nd.Array) func() { return func() { f().Release() } }

// kernels compares kernels that are bound by memory with copies of as many bytes. The calls alternate between operands,
// so that these come from memory and not from a cache, which has at most cached bytes.
func (m *meter) kernels() error {
	sizes, cached := []int{16 << 20, 64 << 20, 256 << 20}, 256<<20
	if m.small {
		sizes, cached = []int{1 << 18}, 1<<19
	}
	const columns = 1024
	for _, bytes := range sizes {
		sets := 1 + cached/bytes
		var xs []*nd.Array
		for range sets {
			xs = append(xs, nd.Ones([]int{bytes / 4 / columns, columns}, nd.ArrayOptions{DType: dtype.Float32, Device: m.Device}))
		}
		took, err := m.busy(2*sets, func(call int) { m.Stream().Copy(xs[call%sets], xs[(call+1)%sets]) })
		if err != nil {
			return err
		}
		copied := rate(2*bytes, took)
		size := fmt.Sprintf("%d KiB", bytes>>10)
		if bytes >= 1<<20 {
			size = fmt.Sprintf("%d MiB", bytes>>20)
		}
		m.print("copy, "+size, "%.0f GB/s read and written", copied)
		for _, b := range bounds {
			var calls []func()
			for _, x := range xs {
				calls = append(calls, b.make(x))
			}
			took, err := m.busy(2*sets, func(call int) { calls[call%sets]() })
			if err != nil {
				return err
			}
			reached := rate(b.bytes*bytes/4, took)
			m.print(b.name+", "+size, "%.0f GB/s, %.2f of a copy (required: %.1f)", reached, reached/copied, b.least)
		}
	}
	return nil
}
