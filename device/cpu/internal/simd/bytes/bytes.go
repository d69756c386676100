package bytes

import "unsafe"

// Operation is an operation of Bytes on two bytes. A comparison gives 0 or 1.
type Operation int

// The operations. Those that depend on the sign are for uint8; those with Signed in the name are for int8.
const (
	And Operation = iota
	Or
	Xor
	Add
	Sub
	Min
	Max
	MinSigned
	MaxSigned
	Equal
	NotEqual
	Less
	LessEqual
	LessSigned
	LessEqualSigned
	operations
)

// Bytes stores the results of an operation for the leading bytes of two arrays of n bytes, and returns their number. n
// is at most some thousands, because the call cannot be preempted. dst may be a or b.
func Bytes(op Operation, dst, a, b unsafe.Pointer, n int) (done int) {
	return runBytes(op, (*byte)(dst), (*byte)(a), (*byte)(b), n)
}

// Not stores the leading bytes of n, XORed with mask, and returns their number. The mask is 1, for bools, or 0xff.
func Not(mask byte, dst, a unsafe.Pointer, n int) (done int) {
	masks := &allBits
	if mask == 1 {
		masks = &lastBits
	}
	for done < n {
		part := runBytes(Xor, (*byte)(unsafe.Add(dst, done)), (*byte)(unsafe.Add(a, done)), &masks[0], min(len(masks), n-done))
		if part == 0 {
			break
		}
		done += part
	}
	return done
}

var allBits, lastBits = filled(0xff), filled(1)

func filled(b byte) (all [1024]byte) {
	for i := range all {
		all[i] = b
	}
	return all
}

// Product64 multiplies the leading pairs of n numbers of complex64, at most some thousands, and returns how many. dst may be
// a or b.
func Product64(dst, a, b unsafe.Pointer, n int) (done int) {
	return product64((*byte)(dst), (*byte)(a), (*byte)(b), n)
}

// Product128 is Product64 for complex128.
func Product128(dst, a, b unsafe.Pointer, n int) (done int) {
	return product128((*byte)(dst), (*byte)(a), (*byte)(b), n)
}

// Modulus64 computes the moduli of the leading of n numbers of complex64, at most some thousands, and returns how many: all, or
// none if n is small. dst and a do not overlap.
func Modulus64(dst, a, _ unsafe.Pointer, n int) (done int) {
	return modulus64((*byte)(dst), (*byte)(a), n)
}

// Modulus128 is Modulus64 for complex128.
func Modulus128(dst, a, _ unsafe.Pointer, n int) (done int) {
	return modulus128((*byte)(dst), (*byte)(a), n)
}

// Remainders computes the leading numbers of a modulo a divisor, which is not 0, and returns how many. The reciprocal is
// ⌊(2⁶⁴-1)/divisor⌋. There are at most some thousands. dst may be a.
func Remainders(dst, a []uint64, divisor, reciprocal uint64) (done int) {
	return remainders(dst, a, divisor, reciprocal)
}
