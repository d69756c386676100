package reduce

import (
	"bytes"
	"math/bits"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// bytesAtOnce bounds the number of bytes that one call of an integer routine processes.
const bytesAtOnce = 4 * atOnce

// IntegerRows combines each row into one value in dst. A row has n elements, n > 0; rows begin pitch elements apart.
// The operation is Sum, Max or Min.
func IntegerRows[T scalar.Integer](op Op, dst, a *T, rows, n, pitch int) {
	most := bytesAtOnce / int(unsafe.Sizeof(*a))
	for i := range rows {
		z, x := ahead(dst, i), row(a, i, n, pitch)
		*z = integerRow(op, x[:min(most, n)])
		for x = x[min(most, n):]; len(x) > 0; x = x[min(most, len(x)):] {
			*z = combined(op, *z, integerRow(op, x[:min(most, len(x))]))
		}
	}
}

// IntegerColumns combines rows into the n values at dst. A row has n elements; rows begin pitch elements apart. The
// operation is Sum, Max or Min.
func IntegerColumns[T scalar.Integer](op Op, dst, a *T, rows, n, pitch int) {
	most := bytesAtOnce / int(unsafe.Sizeof(*a))
	for i := range rows {
		z, x := unsafe.Slice(dst, n), row(a, i, n, pitch)
		for len(x) > 0 {
			k := min(most, len(x))
			integerColumn(op, z[:k], x[:k])
			z, x = z[k:], x[k:]
		}
	}
}

// FindInteger returns the index of the first of n elements that equals v, or n if there is none.
func FindInteger[T scalar.Integer](a *T, n int, v T) int {
	x, most := unsafe.Slice(a, n), bytesAtOnce/int(unsafe.Sizeof(v))
	for len(x) > most {
		if at := findInteger(x[:most], v); at < most {
			return n - len(x) + at
		}
		x = x[most:]
	}
	return n - len(x) + findInteger(x, v)
}

// Count returns how many elements have at least one of the given bits set.
func Count[T scalar.Integer](x []T, bits T) (count int) {
	most := bytesAtOnce / int(unsafe.Sizeof(bits))
	for ; len(x) > most; x = x[most:] {
		count += countPiece(x[:most], bits)
	}
	return count + countPiece(x, bits)
}

func combined[T scalar.Integer](op Op, a, b T) T {
	switch op {
	case Max:
		return max(a, b)
	case Min:
		return min(a, b)
	}
	return a + b
}

// plainIntegerRow combines with four values side by side.
func plainIntegerRow[T scalar.Integer](op Op, x []T) T {
	if op == Sum {
		return Total(x)
	}
	v0, v1, v2, v3 := x[0], x[0], x[0], x[0]
	if op == Max {
		for ; len(x) >= 4; x = x[4:] {
			v0, v1, v2, v3 = max(v0, x[0]), max(v1, x[1]), max(v2, x[2]), max(v3, x[3])
		}
		for _, w := range x {
			v0 = max(v0, w)
		}
		return max(v0, v1, v2, v3)
	}
	for ; len(x) >= 4; x = x[4:] {
		v0, v1, v2, v3 = min(v0, x[0]), min(v1, x[1]), min(v2, x[2]), min(v3, x[3])
	}
	for _, w := range x {
		v0 = min(v0, w)
	}
	return min(v0, v1, v2, v3)
}

func plainIntegerColumn[T scalar.Integer](op Op, z, x []T) {
	x = x[:len(z)]
	switch op {
	case Max:
		for k, w := range x {
			z[k] = max(z[k], w)
		}
	case Min:
		for k, w := range x {
			z[k] = min(z[k], w)
		}
	default:
		for k, w := range x {
			z[k] += w
		}
	}
}

func plainFindInteger[T scalar.Integer](x []T, v T) int {
	if x, ok := any(x).([]uint8); ok {
		if at := bytes.IndexByte(x, uint8(v)); at >= 0 {
			return at
		}
		return len(x)
	}
	for i, w := range x {
		if w == v {
			return i
		}
	}
	return len(x)
}

func plainCount[T scalar.Integer](x []T, bits T) (count int) {
	for _, v := range x {
		if v&bits != 0 {
			count++
		}
	}
	return count
}

// log2Size is the binary logarithm of the size of a type.
func log2Size[T scalar.Integer]() int {
	var v T
	return bits.TrailingZeros(uint(unsafe.Sizeof(v)))
}
