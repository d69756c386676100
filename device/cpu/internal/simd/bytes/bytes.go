package bytes

import "unsafe"

// Operation is what Bytes does. Comparisons make bytes that are 0 or 1.
type Operation int

// The operations, of bytes without a sign or with one.
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

// Bytes works on the first of n bytes, of which there are few thousands, and returns how many that were. dst may be a or
// b.
func Bytes(op Operation, dst, a, b unsafe.Pointer, n int) (done int) {
	return runBytes(op, (*byte)(dst), (*byte)(a), (*byte)(b), n)
}

// Not inverts the bits of mask in the first of n bytes, and returns in how many.
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

// Product64 and Product128 multiply the first of n complex numbers, of which there are few thousands, and return how many
// that were. dst may be a or b.
func Product64(dst, a, b unsafe.Pointer, n int) (done int) {
	return product64((*byte)(dst), (*byte)(a), (*byte)(b), n)
}

func Product128(dst, a, b unsafe.Pointer, n int) (done int) {
	return product128((*byte)(dst), (*byte)(a), (*byte)(b), n)
}
