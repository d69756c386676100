package matvec

import "unsafe"

// Float is an element type.
type Float interface{ float32 | float64 }

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

// BothPairs is Both for complex numbers, which are pairs of floats; lengths and strides count floats. The inner products
// conjugate the rows: sums = conj(A)·x and y += Aᵀ·factors.
func BothPairs[T Float](sums, y, a []T, stride int, x, factors []T) {
	p := passes[T]{kind: both | pairs, n: len(x), stride: stride}
	p.run(len(sums)/2, sums, y, a, x, factors)
}

// DotsPairs is Dots for complex numbers, with conjugated rows.
func DotsPairs[T Float](sums, a []T, stride int, x []T) {
	p := passes[T]{kind: dots | pairs, n: len(x), stride: stride}
	p.run(len(sums)/2, sums, nil, a, x, nil)
}

// AxpysPairs is Axpys for complex numbers.
func AxpysPairs[T Float](y, a []T, stride int, factors []T) {
	p := passes[T]{kind: axpys | pairs, n: len(y), stride: stride}
	p.run(len(factors)/2, nil, y, a, nil, factors)
}

// Triangle is Both for the rows of a triangle: it reads only the elements of each row before the group that the row is in. Rows
// come in groups of Group; the factors are x.
func Triangle[T Float](sums, y, a []T, stride int, x []T) {
	p := passes[T]{kind: both, stride: stride}
	p.triangle(len(sums), sums, y, a, x)
}

// TrianglePairs is Triangle for complex numbers; the inner products conjugate the rows.
func TrianglePairs[T Float](sums, y, a []T, stride int, x []T) {
	p := passes[T]{kind: both | pairs, stride: stride}
	p.triangle(len(sums)/2, sums, y, a, x)
}

// Group returns the number of rows of a group of Triangle, or of TrianglePairs.
func Group(ofPairs bool) int {
	if ofPairs {
		return rowsOf(both | pairs)
	}
	return rowsOf(both)
}

// triangle passes over the groups of a triangle.
func (p *passes[T]) triangle(all int, sums, y, a, x []T) {
	rows, parts := rowsOf(p.kind), p.kind.parts()
	clear(sums[:min(rows, all)*parts])
	line := p.stride * p.size()
	s := shape{grow: rows * parts, second: line, third: 2 * line, fourth: 3 * line, group: rows * line}
	whole := all / rows * rows
	if all <= rows {
		return
	}
	_ = a[(all-1)*p.stride+(all-1)/rows*rows*parts-1]
	_, _, _ = sums[all*parts-1], y[all*parts-1], x[all*parts-1]
	for done := rows; done < all; {
		p.n = done * parts
		if p.n > piece || done == whole { // long rows, and the last ones that are not a whole group
			many := min(rows, all-done)
			q := passes[T]{kind: p.kind, n: p.n, stride: p.stride}
			q.run(many, sums[done*parts:(done+many)*parts], y[:p.n], a[done*p.stride:], x[:p.n], x[done*parts:(done+many)*parts])
			done += many
			continue
		}
		here := pointers{
			a: unsafe.Pointer(&a[done*p.stride]), x: unsafe.Pointer(&x[0]), y: unsafe.Pointer(&y[0]),
			factors: unsafe.Pointer(&x[done*parts]), sums: unsafe.Pointer(&sums[done*parts]),
		}
		s.n = p.n
		s.groups = min((whole-done)/rows, max(1, work/(rows*p.n)), max(1, (piece-p.n)/(rows*parts)))
		pass[T](p.kind, &s, &here)
		done += s.groups * rows
	}
}

// kind is what a pass computes: inner products, sums of multiples, or both, of real numbers or of pairs.
type kind int

const (
	dots kind = 1 << iota
	axpys
	pairs
	both = dots | axpys
)

// parts is the number of floats of a number.
func (k kind) parts() int {
	if k&pairs != 0 {
		return 2
	}
	return 1
}

// mostRows is the largest number of rows that a routine reads at once.
const mostRows = 4

// passes are the passes over all rows of a matrix, with n floats each.
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
	rows := rowsOf(p.kind)
	line := p.stride * p.size()
	s := shape{n: p.n, second: line, third: 2 * line, fourth: 3 * line, group: rows * line}
	for done := 0; done < all; { // no address is past the end of the operands
		here := at.from(p.kind, done, line, p.kind.parts()*p.size())
		if all-done < rows {
			p.last(s, here, all-done, line)
			return
		}
		s.groups = min((all-done)/rows, max(1, work/(rows*p.n)))
		pass[T](p.kind, &s, &here)
		done += s.groups * rows
	}
}

func (p *passes[T]) size() int { return int(unsafe.Sizeof(*new(T))) }

// last passes over rows that are not a whole group.
func (p *passes[T]) last(s shape, at pointers, rest, line int) {
	var f, sums [2 * mostRows]T
	n := rest * p.kind.parts()
	if p.kind&axpys != 0 {
		copy(f[:], unsafe.Slice((*T)(at.factors), n))
	}
	to := at.sums
	at.factors, at.sums = unsafe.Pointer(&f), unsafe.Pointer(&sums)
	s.groups, s.second, s.third, s.fourth = 1, min(1, rest-1)*line, min(2, rest-1)*line, (rest-1)*line
	pass[T](p.kind, &s, &at)
	if p.kind&dots != 0 {
		copy(unsafe.Slice((*T)(to), n), sums[:n])
	}
}

// long passes over parts of the rows, one after the other.
func (p *passes[T]) long(all int, sums []T, at pointers) {
	size, parts := p.size(), p.kind.parts()
	var part [2 * mostRows]T
	for i := 0; i < all; i += mostRows {
		many := min(mostRows, all-i)
		if p.kind&dots != 0 {
			clear(sums[i*parts : (i+many)*parts])
		}
		for from := 0; from < p.n; from += piece {
			q := passes[T]{kind: p.kind, n: min(piece, p.n-from), stride: p.stride}
			var x, y, f, s []T
			if p.kind&dots != 0 {
				x, s = unsafe.Slice((*T)(unsafe.Add(at.x, from*size)), q.n), part[:many*parts]
			}
			if p.kind&axpys != 0 {
				y, f = unsafe.Slice((*T)(unsafe.Add(at.y, from*size)), q.n), unsafe.Slice((*T)(unsafe.Add(at.factors, i*parts*size)), many*parts)
			}
			q.run(many, s, y, unsafe.Slice((*T)(unsafe.Add(at.a, (i*p.stride+from)*size)), (many-1)*p.stride+q.n), x, f)
			for k, v := range s {
				sums[i*parts+k] += v
			}
		}
	}
}

// shape is what a routine reads: groups of rows, the length of the rows of the first group and by how much it grows from group to
// group, and the distances of the rows from the first one in bytes.
type shape struct{ groups, n, grow, second, third, fourth, group int }

// pointers are the addresses of the operands.
type pointers struct{ a, x, y, factors, sums unsafe.Pointer }

// from returns the addresses of what belongs to a row and those after it.
func (p pointers) from(k kind, row, line, size int) pointers {
	p.a = unsafe.Add(p.a, row*line)
	if k&axpys != 0 {
		p.factors = unsafe.Add(p.factors, row*size)
	}
	if k&dots != 0 {
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

// Poles returns Σ w/(g - offset), and its derivative Σ w/(g - offset)², for gaps g with weights w.
func Poles(gaps, weights []float64, offset float64) (sum, slope float64) {
	weights = weights[:len(gaps)]
	for at := 0; at < len(gaps); at += piece {
		end := min(at+piece, len(gaps))
		sums := polesPiece(gaps[at:end], weights[at:end], offset)
		sum += sums[0]
		slope += sums[1]
	}
	return sum, slope
}

// Quotients replaces gaps g with weights w by w/(g - offset), and returns the sum of their squares.
func Quotients(gaps, weights []float64, offset float64) (squares float64) {
	weights = weights[:len(gaps)]
	for at := 0; at < len(gaps); at += piece {
		end := min(at+piece, len(gaps))
		squares += quotientsPiece(gaps[at:end], weights[at:end], offset)
	}
	return squares
}

// ScaleQuotients multiplies the elements of y by (g - offset)/d, for gaps g with divisors d.
func ScaleQuotients(y, gaps, divisors []float64, offset float64) {
	gaps, divisors = gaps[:len(y)], divisors[:len(y)]
	for at := 0; at < len(y); at += piece {
		end := min(at+piece, len(y))
		scaleQuotientsPiece(y[at:end], gaps[at:end], divisors[at:end], offset)
	}
}

// plainQuotients is the reference for the routines of Quotients, plainScaleQuotients for those of ScaleQuotients.
func plainQuotients(gaps, weights []float64, offset float64) (squares float64) {
	for i, g := range gaps {
		gaps[i] = weights[i] / (g - offset)
		squares += gaps[i] * gaps[i]
	}
	return squares
}

func plainScaleQuotients(y, gaps, divisors []float64, offset float64) {
	for i, g := range gaps {
		y[i] *= (g - offset) / divisors[i]
	}
}

// plainPoles is the reference for the routines of Poles.
func plainPoles(gaps, weights []float64, offset float64) (sums [2]float64) {
	for i, g := range gaps {
		t := 1 / (g - offset)
		w := weights[i] * t
		sums[0] += w
		sums[1] += w * t
	}
	return sums
}

// ReflectColumns is Reflect of the first three elements of rows, which are line elements apart.
func ReflectColumns[T Float](rows int, a []T, line int, factors *[5]T) {
	for ; rows > piece; rows -= piece {
		reflectColumnsPiece(piece, a, line, factors)
		a = a[piece*line:]
	}
	if rows > 0 {
		reflectColumnsPiece(rows, a, line, factors)
	}
}

// plainReflectColumns is the reference for the routines of ReflectColumns.
func plainReflectColumns[T Float](rows int, a []T, line int, f *[5]T) {
	for i := range rows {
		x := a[i*line:][:3]
		sum := x[0] + f[0]*x[1] + f[1]*x[2]
		x[0] -= f[2] * sum
		x[1] -= f[3] * sum
		x[2] -= f[4] * sum
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

// plainRotate is the reference for the routines of Rotate.
func plainRotate[T Float](x, y []T, c, s T) {
	for i, v := range x {
		w := y[i]
		x[i], y[i] = c*v+s*w, c*w-s*v
	}
}
