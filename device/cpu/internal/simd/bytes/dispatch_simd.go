//go:build (amd64 || arm64) && !purego

package bytes

import "github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"

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
