package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// rows holds the addresses of up to 16 rows at equal distances.
type rows struct {
	base    []reg.GPVirtual       // of row 0 and of row 8
	strides map[int]reg.GPVirtual // multiples of the distance, by the factor
}

// rowsFrom prepares the addresses of n rows. The registers stay unchanged until the rows advance.
func rowsFrom(base, stride reg.Register, n int) rows {
	r := rows{base: []reg.GPVirtual{base.(reg.GPVirtual)}, strides: map[int]reg.GPVirtual{1: stride.(reg.GPVirtual)}}
	if n > 8 {
		far := GP64()
		LEAQ(operand.Mem{Base: base, Index: stride, Scale: 8}, far)
		r.base = append(r.base, far)
	}
	for _, factor := range []int{3, 5, 7} {
		if factor < n {
			r.strides[factor] = GP64()
		}
	}
	if m, ok := r.strides[3]; ok {
		LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 2}, m)
	}
	if m, ok := r.strides[5]; ok {
		LEAQ(operand.Mem{Base: stride, Index: stride, Scale: 4}, m)
		LEAQ(operand.Mem{Base: m, Index: stride, Scale: 2}, r.strides[7])
	}
	return r
}

// row returns an address in row i, disp bytes from its start.
func (r rows) row(i, disp int) operand.Mem {
	m := operand.Mem{Base: r.base[i/8], Disp: disp}
	if k := i % 8; k != 0 {
		odd, scale := k, 1
		for odd%2 == 0 {
			odd, scale = odd/2, scale*2
		}
		m.Index, m.Scale = r.strides[odd], uint8(scale)
	}
	return m
}

// advance moves along the rows.
func (r rows) advance(bytes operand.Op) {
	for _, base := range r.base {
		ADDQ(bytes, base)
	}
}

// skip moves on by n rows, 4 or a multiple of 8.
func (r rows) skip(n int) {
	for _, base := range r.base {
		for left := n; left > 0; left -= 8 {
			LEAQ(operand.Mem{Base: base, Index: r.strides[1], Scale: uint8(min(left, 8))}, base)
		}
	}
}
