package gemm

import (
	"runtime"
	"unsafe"
)

// Pairs is one element of a factor that holds two signed 16-bit integers of consecutive steps along k, the first in the
// low bits. The product of two Pairs is the sum of the two products. The sums, c and d have 32 bits and wrap.
type Pairs uint32

// Quads holds four bytes of consecutive steps along k in the same way: signed in b; in a signed if SignedQuads is true,
// else unsigned. Quads need the VNNI instructions (see package isa).
type Quads uint32

// MatrixQuads holds four bytes in the same way, of the signs that Block.Signs gives. They need AMX (see package isa), which reads groups
// of a that are contiguous along k: they are never packed.
type MatrixQuads uint32

// Integers is a type of groups of integers.
type Integers interface{ Pairs | Quads | MatrixQuads }

// Group is a type of groups of small numbers.
type Group interface{ Integers | BFloats }

// SignedQuads says that both factors of SDOT are signed.
const SignedQuads = runtime.GOARCH == "arm64"

// Signs says which factors have signed bytes.
type Signs int

// The factors.
const (
	SignedA Signs = 1 << iota
	SignedB
)

// PacksA reports whether the routines read a packed a, which those for MatrixQuads do not.
func PacksA[T Element]() bool {
	_, ok := any(*new(T)).(MatrixQuads)
	return !ok
}

// isFloat reports whether T is a float. It is a constant in every instance.
func isFloat[T Element]() bool {
	half := T(1)
	half /= 2
	return half != 0
}

// adders returns the functions that add the product of two groups to a sum, and two sums; each is nil if the elements' own
// arithmetic does that. signs are those of MatrixQuads.
func adders[T Element](signs Signs) (addProduct func(sum, a, b T) T, add func(x, y T) T) {
	if isFloat[T]() {
		return nil, nil
	}
	switch any(*new(T)).(type) {
	case Pairs:
		return func(sum, a, b T) T { return sum + T(multiplyPairs(Pairs(a), Pairs(b))) }, nil
	case Quads:
		if signs = SignedB; SignedQuads {
			signs |= SignedA
		}
		return func(sum, a, b T) T { return sum + T(multiplyQuads(Quads(a), Quads(b), signs)) }, nil
	case MatrixQuads:
		return func(sum, a, b T) T { return sum + T(multiplyQuads(Quads(a), Quads(b), signs)) }, nil
	case BFloats:
		return func(sum, a, b T) T { return T(addBFloats(BFloats(sum), BFloats(a), BFloats(b))) },
			func(x, y T) T { return T(sumOfBFloats(BFloats(x), BFloats(y))) }
	}
	return nil, nil
}

func multiplyPairs(a, b Pairs) Pairs {
	low, high := int32(int16(a))*int32(int16(b)), int32(int16(a>>16))*int32(int16(b>>16))
	return Pairs(low + high)
}

func multiplyQuads(a, b Quads, signs Signs) Quads {
	var sum int32
	for shift := 0; shift < 32; shift += 8 {
		x, y := int32(uint8(a>>shift)), int32(uint8(b>>shift))
		if signs&SignedA != 0 {
			x = int32(int8(x))
		}
		if signs&SignedB != 0 {
			y = int32(int8(y))
		}
		sum += x * y
	}
	return Quads(sum)
}

// flip returns the mask that converts between signed and unsigned elements of a group: XOR with it swaps the upper and
// the lower half of the range.
func flip[T Group](flipped bool) T {
	if !flipped {
		return 0
	}
	return signs[T]()
}

// signs returns a mask of the highest bit of each element.
func signs[T Group]() T {
	if each[T]() == 2 {
		v := uint32(0x80008000)
		return T(v)
	}
	v := uint32(0x80808080)
	return T(v)
}

// each returns the number of elements in a group.
func each[T Group]() int {
	switch any(T(0)).(type) {
	case Quads, MatrixQuads:
		return 4
	}
	return 2
}

// part returns a mask of all bits of the first n elements of a group.
func part[T Group](n int) T { return 1<<(n*32/each[T]()) - 1 }

// CopyGroups copies n contiguous elements to groups. The last group is padded with zeros. If flipped, signed elements
// become unsigned elements that are larger by half the range, and unsigned elements become signed ones.
func CopyGroups[T Group](dst []T, src unsafe.Pointer, n int, flipped bool) {
	each, change := each[T](), flip[T](flipped)
	whole := n / each
	copyAll(dst[:whole], src, change)
	if rest := n % each; rest > 0 {
		dst[whole] = lastGroup[T](unsafe.Add(src, whole*4), 4/each, rest) ^ change&part[T](rest)
	}
}

// copyAll copies whole groups and flips bits of each.
func copyAll[T Group](dst []T, src unsafe.Pointer, change T) {
	done := changeAll(dst, src, change)
	for i, v := range unsafe.Slice((*T)(src), len(dst))[done:] {
		if Reorders[T]() {
			v = v<<16 | v>>16
		}
		dst[done+i] = v ^ change
	}
}

// Flip changes the elements of groups as CopyGroups does if flipped.
func Flip[T Integers](groups unsafe.Pointer, bytes int) {
	copyAll(unsafe.Slice((*T)(groups), bytes/4), groups, flip[T](true))
}

// lastGroup reads n elements that are stride bytes apart.
func lastGroup[T Group](src unsafe.Pointer, stride, n int) (v T) {
	for i := range n {
		at := unsafe.Add(src, i*stride)
		switch {
		case Reorders[T]():
			v |= T(*(*uint16)(at)) << (16 - 16*i)
		case each[T]() == 2:
			v |= T(*(*uint16)(at)) << (16 * i)
		default:
			v |= T(*(*uint8)(at)) << (8 * i)
		}
	}
	return v
}

// Interleave makes groups from matrix columns. A group holds the elements of one column from several consecutive rows;
// the elements of a row are contiguous. The last groups are padded with zeros if rows are missing. Strides are in
// bytes: dstStep is the distance between the groups of one set of rows and those of the next, line the distance between
// rows. If flipped, the elements change as in CopyGroups.
func Interleave[T Group](dst unsafe.Pointer, dstStep int, src unsafe.Pointer, line, columns, rows int, flipped bool) {
	each, change := each[T](), flip[T](flipped)
	size := 4 / each
	whole := rows / each
	for from := 0; from < whole; from += linePiece {
		interleaveRows(unsafe.Add(dst, from*dstStep), dstStep, unsafe.Add(src, from*each*line), line, columns, min(linePiece, whole-from), change)
	}
	if rest := rows % each; rest > 0 {
		last := unsafe.Slice((*T)(unsafe.Add(dst, whole*dstStep)), columns)
		for j := range last {
			last[j] = lastGroup[T](unsafe.Add(src, whole*each*line+j*size), line, rest) ^ change&part[T](rest)
		}
	}
}

// interleaveRows makes complete groups: down the rows if there are few columns, otherwise along the columns.
func interleaveRows[T Group](dst unsafe.Pointer, dstStep int, src unsafe.Pointer, line, columns, steps int, change T) {
	each := each[T]()
	lanes, size, done := 8*each, 4/each, 0
	switch vectors := columns / lanes; {
	case vectors == 0:
	case vectors <= 2:
		for range vectors {
			done += interleave(unsafe.Add(dst, done*4), dstStep, unsafe.Add(src, done*size), each*line, line, steps, change)
		}
	default:
		for i := range steps {
			n := interleave(unsafe.Add(dst, i*dstStep), 32*each, unsafe.Add(src, i*each*line), 32, line, vectors, change)
			done = n * vectors
		}
	}
	for i := range steps {
		to := unsafe.Slice((*T)(unsafe.Add(dst, i*dstStep)), columns)
		for j := done; j < columns; j++ {
			to[j] = lastGroup[T](unsafe.Add(src, i*each*line+j*size), line, each) ^ change
		}
	}
}

// Ones sets the first n elements of dst's groups to 1 and the rest to 0.
func Ones[T Integers](dst []T, n int) {
	one := signs[T]() >> (32/each[T]() - 1)
	for i := range dst {
		dst[i] = one & part[T](min(each[T](), n-i*each[T]()))
	}
}
