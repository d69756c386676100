package main

import (
	"fmt"
	"runtime"

	"github.com/ndgrad/ndgrad/cudaops"
	"github.com/ndgrad/ndgrad/cudaops/internal/drv"
	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/dtype"
	"github.com/ndgrad/ndgrad/nd/ops"
)

// numbers are cuBLAS' numbers for an element type and for the type of sums.
var numbers = map[dtype.DType][2]int32{
	dtype.Float32: {drv.Real32, drv.Sums32}, dtype.Float64: {drv.Real64, drv.Sums64}, dtype.Float16: {drv.Real16, drv.Sums32}, dtype.BFloat16: {drv.RealB16, drv.Sums32},
}

// products measures products of square matrices, by the library and by a direct call of cuBLAS if it is found.
func (m *meter) products() error {
	sizes, elements := []int{512, 1024, 2048, 4096}, 1<<24
	if m.small {
		sizes, elements = []int{64}, 0
	}
	for _, t := range []dtype.DType{dtype.Float32, dtype.Float64, dtype.Float16, dtype.BFloat16} {
		for _, n := range sizes {
			options := nd.ArrayOptions{DType: t, Device: m.Device}
			a, b, c := nd.Full([]int{n, n}, 0.5, options), nd.Full([]int{n, n}, 0.25, options), nd.Zeros([]int{n, n}, options)
			count := max(3, elements/(n*n))
			flops := 2 * float64(n) * float64(n) * float64(n)
			took, err := m.busy(count, func(int) { ops.MatMul(a, b, ops.Into(c)) })
			if err != nil {
				return err
			}
			text := fmt.Sprintf("%.0f GFLOP/s", flops/took.Seconds()/1e9)
			direct, err := m.direct(a, b, c)
			if err != nil {
				return err
			}
			if direct != nil {
				alone, err := m.busy(count, func(int) { direct() })
				if err != nil {
					return err
				}
				text += fmt.Sprintf(", %.2f of cuBLAS called directly (required from 1024 on: 0.97)", alone.Seconds()/took.Seconds())
			}
			m.print(fmt.Sprintf("%s product, %d×%d", t, n, n), "%s", text)
		}
	}
	return nil
}

// workspace is as much memory as the library gives cuBLAS.
const workspace = 32 << 20

// direct returns a call of cuBLAS that multiplies square matrices, or nil without cuBLAS.
func (m *meter) direct(a, b, c *nd.Array) (func(), error) {
	context, err := drv.Primary(m.Ordinal())
	if err != nil {
		return nil, err
	}
	blas, err := context.NewBLAS(drv.Stream(m.Stream().Handle()))
	if err != nil {
		return nil, nil // no cuBLAS is found
	}
	room := nd.Zeros([]int{workspace}, nd.ArrayOptions{DType: dtype.Uint8, Device: m.Device})
	if err := blas.Fix(cudaops.Address(room), workspace); err != nil {
		return nil, err
	}
	n := int32(a.Dim(0))
	number := numbers[a.DType()]
	g := &drv.Gemm{Type: number[0], TypeC: number[0], Compute: number[1], M: n, N: n, K: n, LDA: n, LDB: n, LDC: n, Batch: 1}
	g.A, g.B, g.C = cudaops.Address(b), cudaops.Address(a), cudaops.Address(c) // cuBLAS is column-major
	return func() {
		if err := blas.Multiply(g); err != nil {
			panic(err)
		}
		runtime.KeepAlive(room)
	}, nil
}
