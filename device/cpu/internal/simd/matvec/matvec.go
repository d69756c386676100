package matvec

import "unsafe"

// Float is an element type.
type Float interface{ float32 | float64 }

// rows is the number of rows that a routine reads at once.
const rows = 4

// A call of a routine reads at most pieces of rows with piece elements, and work elements in all: the goroutine cannot be
// preempted during the call.
const (
	piece = 1 << 13
	work  = 1 << 16
)

// Both stores in sums the inner products of rows of a matrix with x, and adds to y the sum of the rows' multiples by
// factors: sums = A·x and y += Aᵀ·factors, with one pass over A. The rows have len(x) elements and are stride elements
// apart, from a[0] on; there are len(sums) of them.
func Both[T Float](sums, y, a []T, stride int, x, factors []T) {
	p := passes[T]{kind: both, n: len(x), stride: stride}
	p.run(len(sums), sums, y, a, x, factors)
}

// Dots stores in sums the inner products of rows with x: sums = A·x.
func Dots[T Float](sums, a []T, stride int, x []T) {
	p := passes[T]{kind: dots, n: len(x), stride: stride}
	p.run(len(sums), sums, nil, a, x, nil)
}

// Axpys adds to y the sum of multiples of rows: y += Aᵀ·factors. The rows have len(y) elements.
func Axpys[T Float](y, a []T, stride int, factors []T) {
	p := passes[T]{kind: axpys, n: len(y), stride: stride}
	p.run(len(factors), nil, y, a, nil, factors)
}

// kind is what a pass computes.
type kind int

const (
	both kind = iota
	dots
	axpys
)

// passes are the passes over all rows of a matrix, with n elements each.
type passes[T Float] struct {
	kind      kind
	n, stride int
}

// run passes over whole groups of rows, and then over the last rows, for which a routine reads the last one several times.
func (p *passes[T]) run(all int, sums, y, a, x, factors []T) {
	if all == 0 {
		return
	}
	if p.n == 0 {
		clear(sums)
		return
	}
	_ = a[(all-1)*p.stride+p.n-1]
	at := pointers{a: unsafe.Pointer(unsafe.SliceData(a)), x: unsafe.Pointer(unsafe.SliceData(x)), y: unsafe.Pointer(unsafe.SliceData(y)),
		factors: unsafe.Pointer(unsafe.SliceData(factors)), sums: unsafe.Pointer(unsafe.SliceData(sums))}
	if p.n > piece {
		p.long(all, sums, at)
		return
	}
	size := int(unsafe.Sizeof(*new(T)))
	line := p.stride * size
	s := shape{n: p.n, second: line, third: 2 * line, fourth: 3 * line, group: rows * line}
	for done := 0; done < all; { // no address is past the end of the operands
		here := at.from(p.kind, done, line, size)
		if all-done < rows {
			p.last(s, here, all-done, line)
			return
		}
		s.groups = min((all-done)/rows, max(1, work/(rows*p.n)))
		pass[T](p.kind, &s, &here)
		done += s.groups * rows
	}
}

// last passes over one to three rows.
func (p *passes[T]) last(s shape, at pointers, rest, line int) {
	var f, sums [rows]T
	if p.kind != dots {
		copy(f[:], unsafe.Slice((*T)(at.factors), rest))
	}
	to := at.sums
	at.factors, at.sums = unsafe.Pointer(&f), unsafe.Pointer(&sums)
	s.groups, s.second, s.third, s.fourth = 1, min(1, rest-1)*line, min(2, rest-1)*line, (rest-1)*line
	pass[T](p.kind, &s, &at)
	if p.kind != axpys {
		copy(unsafe.Slice((*T)(to), rest), sums[:rest])
	}
}

// long passes over parts of the rows, one after the other.
func (p *passes[T]) long(all int, sums []T, at pointers) {
	size := int(unsafe.Sizeof(*new(T)))
	var part [rows]T
	for i := 0; i < all; i += rows {
		many := min(rows, all-i)
		if p.kind != axpys {
			clear(sums[i : i+many])
		}
		for from := 0; from < p.n; from += piece {
			q := passes[T]{kind: p.kind, n: min(piece, p.n-from), stride: p.stride}
			here := pointers{a: unsafe.Add(at.a, (i*p.stride+from)*size)}
			var x, y, f, s []T
			if p.kind != axpys {
				x, s = unsafe.Slice((*T)(unsafe.Add(at.x, from*size)), q.n), part[:many]
			}
			if p.kind != dots {
				y, f = unsafe.Slice((*T)(unsafe.Add(at.y, from*size)), q.n), unsafe.Slice((*T)(unsafe.Add(at.factors, i*size)), many)
			}
			q.run(many, s, y, unsafe.Slice((*T)(here.a), (many-1)*p.stride+q.n), x, f)
			for k, v := range s {
				sums[i+k] += v
			}
		}
	}
}

// shape is what a routine reads: groups of four rows, and the distances of the rows from the first one in bytes.
type shape struct{ groups, n, second, third, fourth, group int }

// pointers are the addresses of the operands.
type pointers struct{ a, x, y, factors, sums unsafe.Pointer }

// from returns the addresses of what belongs to a row and those after it.
func (p pointers) from(k kind, row, line, size int) pointers {
	p.a = unsafe.Add(p.a, row*line)
	if k != dots {
		p.factors = unsafe.Add(p.factors, row*size)
	}
	if k != axpys {
		p.sums = unsafe.Add(p.sums, row*size)
	}
	return p
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
func plainPass[T Float](k kind, s *shape, p *pointers) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	for g := range s.groups {
		for i, distance := range [rows]int{0, s.second, s.third, s.fourth} {
			row := unsafe.Slice((*T)(unsafe.Add(p.a, g*s.group+distance)), s.n)
			if k != axpys {
				var even, odd T
				x := unsafe.Slice((*T)(p.x), s.n)
				for j := 0; j+1 < s.n; j += 2 {
					even += row[j] * x[j]
					odd += row[j+1] * x[j+1]
				}
				if s.n%2 == 1 {
					even += row[s.n-1] * x[s.n-1]
				}
				*(*T)(unsafe.Add(p.sums, (g*rows+i)*size)) = even + odd
			}
			if k == dots {
				continue
			}
			if f := *(*T)(unsafe.Add(p.factors, (g*rows+i)*size)); f != 0 {
				y := unsafe.Slice((*T)(p.y), s.n)
				for j, v := range row {
					y[j] += f * v
				}
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
