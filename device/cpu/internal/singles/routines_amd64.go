//go:build !purego

package singles

import "github.com/ndgrad/ndgrad/device/cpu/internal/isa"

var bytesAVX2 = [operations]func(n int, dst, a, b *byte){
	And:             andBytesAVX2,
	Or:              orBytesAVX2,
	Xor:             xorBytesAVX2,
	Add:             addBytesAVX2,
	Sub:             subBytesAVX2,
	Min:             minBytesAVX2,
	Max:             maxBytesAVX2,
	MinSigned:       minSignedBytesAVX2,
	MaxSigned:       maxSignedBytesAVX2,
	Equal:           equalBytesAVX2,
	NotEqual:        notEqualBytesAVX2,
	Less:            lessBytesAVX2,
	LessEqual:       lessEqualBytesAVX2,
	LessSigned:      lessSignedBytesAVX2,
	LessEqualSigned: lessEqualSignedBytesAVX2,
}

var bytesAVX512 = [operations]func(n int, dst, a, b *byte){
	And:             andBytesAVX512,
	Or:              orBytesAVX512,
	Xor:             xorBytesAVX512,
	Add:             addBytesAVX512,
	Sub:             subBytesAVX512,
	Min:             minBytesAVX512,
	Max:             maxBytesAVX512,
	MinSigned:       minSignedBytesAVX512,
	MaxSigned:       maxSignedBytesAVX512,
	Equal:           equalBytesAVX512,
	NotEqual:        notEqualBytesAVX512,
	Less:            lessBytesAVX512,
	LessEqual:       lessEqualBytesAVX512,
	LessSigned:      lessSignedBytesAVX512,
	LessEqualSigned: lessEqualSignedBytesAVX512,
}

// What routines work on at once.
const (
	groupAVX2, groupAVX512     = 128, 256 // bytes
	numbersAVX2, numbersAVX512 = 4, 8     // complex numbers
)

//go:noinline
func runBytes(op Operation, dst, a, b *byte, n int) int {
	switch isa.Current() {
	case isa.AVX512:
		if n &^= groupAVX512 - 1; n > 0 {
			bytesAVX512[op](n, dst, a, b)
		}
		return n
	case isa.AVX2:
		if n &^= groupAVX2 - 1; n > 0 {
			bytesAVX2[op](n, dst, a, b)
		}
		return n
	}
	return 0
}

//go:noinline
func product64(dst, a, b *byte, n int) int {
	switch isa.Current() {
	case isa.AVX512:
		if n &^= numbersAVX512 - 1; n > 0 {
			productAVX512F32(n, dst, a, b)
		}
		return n
	case isa.AVX2:
		if n &^= numbersAVX2 - 1; n > 0 {
			productAVX2F32(n, dst, a, b)
		}
		return n
	}
	return 0
}

//go:noinline
func product128(dst, a, b *byte, n int) int {
	switch isa.Current() {
	case isa.AVX512:
		if n &^= numbersAVX512 - 1; n > 0 {
			productAVX512F64(n, dst, a, b)
		}
		return n
	case isa.AVX2:
		if n &^= numbersAVX2 - 1; n > 0 {
			productAVX2F64(n, dst, a, b)
		}
		return n
	}
	return 0
}
