package cudaops

import (
	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/broadcast"
)

// MatMul stores the product a·b, or a·b + d, in c. It uses cuBLAS if cuBLAS supports the product, otherwise the
// library's own kernels. Post is a launch of its own.
func (d *Device) MatMul(l *device.Launch) {
	d.enter(l)
	if broadcast.Size(l.Shape[:l.Rank-1]) != 0 && !d.multiply(l) {
		d.multiplyOwn(matrices(l))
	}
	if l.Post != nil {
		l.ApplyPost(l.Rank-1, d.Elementwise)
	}
}

// matrices returns a MatMul as a product.
func matrices(l *device.Launch) *product {
	axes := l.Rank - 3
	p := &product{launch: l, batch: l.Shape[:axes], outerI: l.Shape[axes], columns: l.Shape[axes+1], outerK: l.Shape[axes+2],
		window: [3]windowAxis{noWindow, noWindow, noWindow}}
	of := func(k, i, j int) factor {
		o := &l.Operands[k]
		return factor{operand: o, batch: o.Strides[:axes], i: [4]int{o.Strides[i]}, j: o.Strides[j], k: [4]int{o.Strides[axes+2]}}
	}
	i, j := axes, axes+1
	p.a, p.b = of(1, i, j), of(2, i, j)
	if p.columns > p.outerI { // tiles have no more columns than rows: compute cᵀ = bᵀ·aᵀ
		i, j = j, i
		p.a, p.b = of(2, i, j), of(1, i, j)
		p.outerI, p.columns = p.columns, p.outerI
	}
	p.c = of(0, i, j)
	if l.N > 3 {
		p.d = of(3, i, j)
	}
	return p
}
