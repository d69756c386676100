package matvec

import "unsafe"

// Float is an element type.
type Float interface{ float32 | float64 }

// rows is the number of rows that a routine reads at once.
const rows = 4

// piece bounds the number of elements of a row that one routine call reads: the goroutine cannot be preempted during
// the call.
const piece = 1 << 13

// Both stores in sums the inner products of rows of a matrix with x, and adds to y the sum of the rows' multiples by
// factors: sums = A·x and y += Aᵀ·factors, with one pass over A. The rows have len(x) elements and are stride elements
// apart, from a[0] on; there are len(sums) of them.
func Both[T Float](sums, y, a []T, stride int, x, factors []T) {
	for i := 0; i < len(sums); {
		n := rowsFrom(i, len(sums))
		passes[T]{both, n * stride}.over(sums[i:], y, a[i*stride:], x, factors[i:])
		i += max(n*rows, 1)
	}
}

// Dots stores in sums the inner products of rows with x: sums = A·x.
func Dots[T Float](sums, a []T, stride int, x []T) {
	for i := 0; i < len(sums); {
		n := rowsFrom(i, len(sums))
		passes[T]{dots, n * stride}.over(sums[i:], nil, a[i*stride:], x, nil)
		i += max(n*rows, 1)
	}
}

// Axpys adds to y the sum of multiples of rows: y += Aᵀ·factors. The rows have len(y) elements.
func Axpys[T Float](y, a []T, stride int, factors []T) {
	for i := 0; i < len(factors); {
		n := rowsFrom(i, len(factors))
		passes[T]{axpys, n * stride}.over(nil, y, a[i*stride:], nil, factors[i:])
		i += max(n*rows, 1)
	}
}

// rowsFrom returns 1 if there are four rows from row i on, else 0: then one row is read alone.
func rowsFrom(i, all int) int {
	if all-i >= rows {
		return 1
	}
	return 0
}

// what a pass computes
type kind int

const (
	both kind = iota
	dots
	axpys
)

// passes are the passes over four rows with a stride, or over a single row, for which the stride is 0: it is then read
// four times, of which only the first counts.
type passes[T Float] struct {
	kind   kind
	stride int
}

func (p passes[T]) over(sums, y, a, x, factors []T) {
	many := rows
	if p.stride == 0 {
		many = 1
	}
	var f, s [rows]T
	if p.kind != dots {
		copy(f[:], factors[:many])
	}
	if p.kind != axpys {
		clear(sums[:many])
	}
	n := max(len(x), len(y))
	for at := 0; at < n; at += piece {
		size := min(piece, n-at)
		var from, to unsafe.Pointer
		if p.kind != axpys {
			from = unsafe.Pointer(&x[at])
		}
		if p.kind != dots {
			to = unsafe.Pointer(&y[at])
		}
		_ = a[at+size-1+(rows-1)*p.stride]
		pass[T](p.kind, size, unsafe.Pointer(&a[at]), p.stride*int(unsafe.Sizeof(s[0])), from, to, unsafe.Pointer(&f), unsafe.Pointer(&s))
		for i := range sums[:min(many, len(sums))] {
			sums[i] += s[i]
		}
	}
}

// Rotate replaces x by c·x + s·y and y by c·y - s·x.
func Rotate[T Float](x, y []T, c, s T) {
	y = y[:len(x)]
	for at := 0; at < len(x); at += piece {
		rotatePiece(x[at:min(at+piece, len(x))], y[at:], c, s)
	}
}

// Reflect subtracts s = x + p·y + q·z times t, u and w from x, y and z, which have the same length. The factors are p, q, t, u
// and w.
func Reflect[T Float](x, y, z []T, factors *[5]T) {
	y, z = y[:len(x)], z[:len(x)]
	for at := 0; at < len(x); at += piece {
		end := min(at+piece, len(x))
		reflectPiece(x[at:end], y[at:end], z[at:end], factors)
	}
}

// plainReflect is the reference for the routines of Reflect.
func plainReflect[T Float](x, y, z []T, f *[5]T) {
	for i, v := range x {
		sum := v + f[0]*y[i] + f[1]*z[i]
		x[i] -= f[2] * sum
		y[i] -= f[3] * sum
		z[i] -= f[4] * sum
	}
}

// plainPass is the reference for the routines of passes.
func plainPass[T Float](k kind, n int, a unsafe.Pointer, line int, x, y, factors, sums unsafe.Pointer) {
	f, s := (*[rows]T)(factors), (*[rows]T)(sums)
	*s = [rows]T{}
	for i := range rows {
		row := unsafe.Slice((*T)(unsafe.Add(a, i*line)), n)
		if k != axpys {
			var even, odd T
			from := unsafe.Slice((*T)(x), n)
			for j := 0; j+1 < n; j += 2 {
				even += row[j] * from[j]
				odd += row[j+1] * from[j+1]
			}
			if n%2 == 1 {
				even += row[n-1] * from[n-1]
			}
			s[i] = even + odd
		}
		if k != dots && f[i] != 0 {
			to := unsafe.Slice((*T)(y), n)
			for j, v := range row {
				to[j] += f[i] * v
			}
		}
	}
}

// plainRotate is the reference for the routines of Rotate.
func plainRotate[T Float](x, y []T, c, s T) {
	for i, v := range x {
		w := y[i]
		x[i], y[i] = c*v+s*w, c*w-s*v
	}
}
