//go:build (amd64 || arm64) && !purego

package bytes

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// forms are the routines of an operation, by instruction level.
type forms struct{ avx2, avx512 func(n int, dst, a, b *byte) }

var byteForms = [operations]forms{
	And:             {andBytesAVX2, andBytesAVX512},
	Or:              {orBytesAVX2, orBytesAVX512},
	Xor:             {xorBytesAVX2, xorBytesAVX512},
	Add:             {addBytesAVX2, addBytesAVX512},
	Sub:             {subBytesAVX2, subBytesAVX512},
	Min:             {minBytesAVX2, minBytesAVX512},
	Max:             {maxBytesAVX2, maxBytesAVX512},
	MinSigned:       {minSignedBytesAVX2, minSignedBytesAVX512},
	MaxSigned:       {maxSignedBytesAVX2, maxSignedBytesAVX512},
	Equal:           {equalBytesAVX2, equalBytesAVX512},
	NotEqual:        {notEqualBytesAVX2, notEqualBytesAVX512},
	Less:            {lessBytesAVX2, lessBytesAVX512},
	LessEqual:       {lessEqualBytesAVX2, lessEqualBytesAVX512},
	LessSigned:      {lessSignedBytesAVX2, lessSignedBytesAVX512},
	LessEqualSigned: {lessEqualSignedBytesAVX2, lessEqualSignedBytesAVX512},
}

func runBytes(op Operation, dst, a, b *byte, n int) int { return byteForms[op].run(128, dst, a, b, n) }

func product64(dst, a, b *byte, n int) int {
	return forms{productAVX2F32, productAVX512F32}.run(4, dst, a, b, n)
}

func product128(dst, a, b *byte, n int) int {
	return forms{productAVX2F64, productAVX512F64}.run(4, dst, a, b, n)
}

// run calls the routine for the elements that fill whole groups, and returns their number. group is the number of
// elements that the AVX2 routine computes at a time; the AVX-512 routine computes twice as many.
//
// //go:noinline
//
//go:noinline
func (f forms) run(group int, dst, a, b *byte, n int) int {
	routine := f.avx2
	switch isa.Current() {
	case isa.Generic:
		return 0
	case isa.AVX512:
		routine, group = f.avx512, 2*group
	}
	if n &^= group - 1; n > 0 {
		routine(n, dst, a, b)
	}
	return n
}

func modulus64(dst, a *byte, n int) int {
	return moduli{modulusAVX2F32, modulusAVX512F32}.run(8, 4, dst, a, n)
}

func modulus128(dst, a *byte, n int) int {
	return moduli{modulusAVX2F64, modulusAVX512F64}.run(4, 8, dst, a, n)
}

// moduli are the routines for one type, by instruction level.
type moduli struct{ avx2, avx512 func(n int, dst, a *byte) }

// run calls the routine for whole groups, the last of which overlaps the one before it. group is as in forms.run, and part is
// the size of a result.
//
//go:noinline
func (m moduli) run(group, part int, dst, a *byte, n int) int {
	routine := m.avx2
	switch isa.Current() {
	case isa.Generic:
		return 0
	case isa.AVX512:
		routine, group = m.avx512, 2*group
	}
	if n < group {
		return 0
	}
	routine(n&^(group-1), dst, a)
	if rest := n - group; n&(group-1) != 0 {
		routine(group, (*byte)(unsafe.Add(unsafe.Pointer(dst), rest*part)), (*byte)(unsafe.Add(unsafe.Pointer(a), 2*rest*part)))
	}
	return n
}
