package gemm

import (
	"math"
	"slices"
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// BFloats is one element of a factor that holds two bfloat16 of consecutive steps along k, the first in the upper half. The
// sums, c and d are float32, in the order of k. BFloats need MultipliesBFloats.
//
// The instruction, VDPBF16PS, is two fused multiplications and additions, of the upper halves first. So the sums are those of
// float32, to the last bit, except that it replaces numbers below 2^-126 by 0: see Magnitudes.
type BFloats uint32

// Reorders reports whether groups hold their elements in another order than memory does.
func Reorders[T Element]() bool {
	_, ok := any(*new(T)).(BFloats)
	return ok
}

// addBFloats adds the products of two groups to a sum. The product of two bfloat16 has 16 bits, so that float32 does not round
// it.
func addBFloats(sum, a, b BFloats) BFloats {
	s := float(sum)
	s += float32(float(a&0xffff0000) * float(b&0xffff0000))
	s += float32(float(a<<16) * float(b<<16))
	return BFloats(math.Float32bits(s))
}

func sumOfBFloats(x, y BFloats) BFloats { return BFloats(math.Float32bits(float(x) + float(y))) }

func float(x BFloats) float32 { return math.Float32frombits(uint32(x)) }

// MultipliesBFloats reports whether the processor has products of BFloats, and adds them as addBFloats does. That the first call
// finds out, in some 20 µs: what the makers say of the order and of roundings leaves room.
func MultipliesBFloats() bool {
	if !isa.BF16() {
		return false
	}
	bfloats.check.Do(func() { bfloats.agree = bfloatsAgree() })
	return bfloats.agree
}

var bfloats struct {
	check sync.Once
	agree bool
}

// bfloatsAgree compares the sums of a tile with those of plainStrip. Their terms differ in magnitude so much that most
// additions round; the first row's sums overflow, and the second row's terms are as small as Magnitudes permits.
func bfloatsAgree() bool {
	const rows, columns, steps = 12, 32, 8
	var a [steps * rows]BFloats
	var b [steps * columns]BFloats
	state := uint32(1)
	random := func(exponent uint32) (v uint32) {
		state = state*1664525 + 1013904223
		return state>>16&0x807f | (exponent+state>>12&15)<<7
	}
	const middle = 119 // of the random exponents, the least
	for i := range a {
		exponent := uint32(middle)
		switch i % rows {
		case 0:
			exponent = mostExponents - middle - 2*15
		case 1:
			exponent = leastExponents - middle
		}
		a[i] = BFloats(random(exponent)<<16 | random(exponent))
	}
	for i := range b {
		b[i] = BFloats(random(middle)<<16 | random(middle))
	}
	var got, want [rows * columns]uint32
	s := strip{
		rows: rows, tiles: 1, k: steps, a: unsafe.Pointer(&a[0]), aLine: 4, aDepth: 4 * rows, b: unsafe.Pointer(&b[0]), bDepth: 4 * columns,
		c: unsafe.Pointer(&got[0]), cLine: 4 * columns,
	}
	plain := s
	plain.c = unsafe.Pointer(&want[0])
	multiplyStrip[BFloats](&s, columns)
	plainStrip[BFloats](&plain, columns)
	return got == want
}

// Magnitudes bounds the magnitudes of bfloat16 numbers, by the largest of their bits without the sign, and by the largest of these
// bits negated, which says the least but 0. The numbers are distributed over 32 lanes. The zero value is for no numbers.
type Magnitudes struct{ low, high [32]uint16 }

// Bound includes n contiguous bfloat16.
func (m *Magnitudes) Bound(src unsafe.Pointer, n int) {
	done := boundAll(m, src, n)
	for _, v := range unsafe.Slice((*uint16)(src), n)[done:] {
		v &= 0x7fff
		m.low[0], m.high[0] = max(m.low[0], -v), max(m.high[0], v)
	}
}

// Join includes the numbers of others.
func (m *Magnitudes) Join(others *Magnitudes) {
	for i := range m.low {
		m.low[i], m.high[i] = max(m.low[i], others.low[i]), max(m.high[i], others.high[i])
	}
}

// exponents returns the least exponent of numbers other than 0 and the largest, as they are stored: 0 below 2^-126, 255 of
// infinities and NaN, 512 for the least of no numbers.
func (m *Magnitudes) exponents() (least, most int) {
	return (1<<16 - int(slices.Max(m.low[:]))) >> 7, int(slices.Max(m.high[:]) >> 7)
}

// The sums of two stored exponents between which products are exact in float32, and sums of products are 0 or at least 2^-126: all
// are multiples of the product of the last bits of the smallest factors, 2^(least-2·127-2·7). Products of the largest factors
// are below 2^(most-2·127+2).
const (
	leastExponents = 2*127 + 2*7 - 126
	mostExponents  = 2*127 - 2 + 128
)

// Exact reports whether the sums of products of factors with such magnitudes are those of float32, in the order of BFloats.
func Exact(a, b *Magnitudes) bool {
	aLeast, aMost := a.exponents()
	bLeast, bMost := b.exponents()
	return min(aLeast, bLeast) > 0 && aLeast+bLeast >= leastExponents && max(aMost, bMost) < 255 && aMost+bMost <= mostExponents
}
