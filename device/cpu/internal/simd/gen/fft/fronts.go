package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/gen/vec"
)

// fronts emits the first half of rows that are transformed alone.
func fronts() {
	for _, double := range []bool{false, true} {
		front(vec.Kind{Wide: true, Double: double}, 8)
		front(vec.Kind{Wide: true, Double: double}, 16)
	}
}

// front emits transforms of radix vectors, the products with factors, and the transposition, without memory in between.
// The transforms' numbers are columns of a row of complex numbers: those of a block fill two vectors, one of which may be
// in another row. 8 float32 fill half a vector: then there always is another row, whose results are in the same vectors.
func front(k vec.Kind, radix int) {
	name := fmt.Sprintf("front%d%s", radix, k.Suffix())
	TEXT(name, NOSPLIT, fmt.Sprintf("func(n int, x *%s, xStride, second int, y, w, lanes *%[1]s)", k.Elem()))
	Pragma("noescape")
	Doc(fmt.Sprintf("%s does n times %d transforms of %d numbers, multiplies and transposes them. Strides are in bytes.", name, k.Lanes(), radix))
	n, second := Load(Param("n"), GP64()), Load(Param("second"), GP64())
	x, y := addresses(k, "x", radix), Load(Param("y"), GP64())
	w, lanes := Load(Param("w"), GP64()), Load(Param("lanes"), GP64())
	other := x.moved(second)
	Label("blocks")
	f := &flow{Kind: k}
	re, im := make([]value, radix), make([]value, radix)
	f.transform(radix, func(j int) pair {
		a, b := f.load(x.at(j, 0)), f.load(other.at(j, 0))
		at := operand.Mem{Base: lanes}
		return pair{f.permute(at, a, b), f.permute(at.Offset(k.Bytes()), a, b)}
	}, func(i int, v pair) {
		if i > 0 {
			at := operand.Mem{Base: w, Disp: 2 * (i - 1) * k.Bytes()}
			v = f.product(v, pair{f.load(at), f.load(at.Offset(k.Bytes()))})
		}
		re[i], im[i] = v.re, v.im
	})
	for part, v := range [][]value{re, im} {
		if radix < k.Lanes() {
			for p, r := range f.transposedHalves(v) {
				f.store(r, operand.Mem{Base: y, Disp: (2*p + part) * k.Bytes()})
			}
			continue
		}
		perRow := radix / k.Lanes() // complex vectors of results
		for i := range perRow {
			for p, r := range transposedBy(k, v[i*k.Lanes():(i+1)*k.Lanes()], f.shuffle) {
				f.store(r, operand.Mem{Base: y, Disp: (2*(p*perRow+i) + part) * k.Bytes()})
			}
		}
	}
	f.emit()
	next := 2 * k.Bytes()
	if radix < k.Lanes() {
		next = k.Bytes()
	}
	for _, l := range []*lattice{x, other} {
		l.advance(operand.U32(next))
	}
	ADDQ(operand.U32(2*radix*k.Bytes()), y)
	ADDQ(operand.U32(2*(radix-1)*k.Bytes()), w)
	DECQ(n)
	JNZ(operand.LabelRef("blocks"))
	vec.Leave()
}

// transposedHalves transposes 8 vectors of 8 float32 of each of two rows. The four parts of 128 bits of the results are the
// first half of the first row and of the second, and the other halves.
func (f *flow) transposedHalves(v []value) []value {
	low, high := fours(v[:4], f.shuffle), fours(v[4:], f.shuffle)
	out := make([]value, 8)
	for c := range low {
		for half, control := range []uint8{0x88, 0xdd} {
			parts := func(ops ...operand.Op) { VSHUFF32X4(operand.U8(control), ops[0], ops[1], ops[2]) }
			out[4*half+c] = f.shuffle(parts, low[c], high[c])
		}
	}
	return out
}
