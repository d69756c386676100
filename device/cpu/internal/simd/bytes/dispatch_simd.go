//go:build (amd64 || arm64) && !purego

package bytes

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// byLevel are the routines of an operation, by instruction level.
type byLevel[F any] struct{ avx2, avx512 F }

// current returns the routine for the current level, and the number of elements that it computes at a time: group for AVX2, twice as
// many for AVX-512, and 0 if there is no routine.
func (f byLevel[F]) current(group int) (routine F, size int) {
	switch isa.Current() {
	case isa.Generic:
		return routine, 0
	case isa.AVX512:
		return f.avx512, 2 * group
	}
	return f.avx2, group
}

// forms are the routines of an operation of two operands.
type forms = byLevel[func(n int, dst, a, b *byte)]

// moduli are the routines for one type.
type moduli = byLevel[func(n int, dst, a *byte)]

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

func runBytes(op Operation, dst, a, b *byte, n int) int { return run(byteForms[op], 128, dst, a, b, n) }

func product64(dst, a, b *byte, n int) int {
	return run(forms{productAVX2F32, productAVX512F32}, 4, dst, a, b, n)
}

func product128(dst, a, b *byte, n int) int {
	return run(forms{productAVX2F64, productAVX512F64}, 4, dst, a, b, n)
}

// run calls the routine for the elements that fill whole groups, and returns their number. group is as in current.
//
//go:noinline
func run(f forms, group int, dst, a, b *byte, n int) int {
	routine, group := f.current(group)
	if n &^= group - 1; group == 0 || n == 0 {
		return 0
	}
	routine(n, dst, a, b)
	return n
}

func modulus64(dst, a *byte, n int) int {
	return runModulus(moduli{modulusAVX2F32, modulusAVX512F32}, 8, 4, dst, a, n)
}

func modulus128(dst, a *byte, n int) int {
	return runModulus(moduli{modulusAVX2F64, modulusAVX512F64}, 4, 8, dst, a, n)
}

// runModulus calls the routine for whole groups, the last of which overlaps the one before it. group is as in current, and part is
// the size of a result.
//
//go:noinline
func runModulus(m moduli, group, part int, dst, a *byte, n int) int {
	routine, group := m.current(group)
	if group == 0 || n < group {
		return 0
	}
	routine(n&^(group-1), dst, a)
	if rest := n - group; n&(group-1) != 0 {
		routine(group, (*byte)(unsafe.Add(unsafe.Pointer(dst), rest*part)), (*byte)(unsafe.Add(unsafe.Pointer(a), 2*rest*part)))
	}
	return n
}

// remainders computes the elements that fill whole vectors, and returns their number.
//
//go:noinline
func remainders(dst, a []uint64, divisor, reciprocal uint64) int {
	n := len(a) &^ 7
	if n == 0 || isa.Current() < isa.AVX512 {
		return 0
	}
	remaindersAVX512(n, &dst[0], &a[0], divisor, reciprocal)
	return n
}
