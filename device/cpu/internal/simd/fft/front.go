package fft

import "unsafe"

// FrontRadix is the radix of Front.
const FrontRadix = 16

// HasFront reports whether there is a Front for m, and a routine for it.
func HasFront[T Float](m int) bool { return hasFront[T]() && (m >= wideLanes[T]() || inPairs[T](m)) }

// inPairs reports whether the numbers of two rows fill the lanes.
func inPairs[T Float](m int) bool { return 2*m == wideLanes[T]() }

// Front is the first half of the transform of a row of FrontRadix·m complex numbers: for each p below m the transform of
// the numbers p + m·j, whose result k is multiplied by exp(-2πi·pk/(FrontRadix·m)) and becomes number k of row p of a
// matrix of complex vectors. A pass over columns of this matrix follows.
type Front[T Float] struct {
	m       int
	factors []T // complex vectors: for each block of as many p as a vector has lanes, for each k from 1 on
}

// NewFront returns the first half of a transform of FrontRadix·m numbers. root(k) is exp(-2πi·k/(FrontRadix·m)).
func NewFront[T Float](m int, root func(k int) (re, im float64)) *Front[T] {
	lanes := wideLanes[T]()
	f := &Front[T]{m: m}
	for b := range (m + lanes - 1) / lanes {
		for k := 1; k < FrontRadix; k++ {
			for part := range 2 {
				for l := range lanes {
					p := f.firstOf(b) + l
					if inPairs[T](m) {
						p = l % m
					}
					re, im := root(p * k)
					f.factors = append(f.factors, T([2]float64{re, im}[part]))
				}
			}
		}
	}
	return f
}

// firstOf returns the first p of a block. The last block ends with the last p: it may compute some of its numbers again.
func (f *Front[T]) firstOf(b int) int {
	lanes := wideLanes[T]()
	return max(0, min(b*lanes, f.m-lanes))
}

// Size returns how many elements the factors have.
func (f *Front[T]) Size() int { return len(f.factors) }

// Together is the number of rows that Run transforms.
func (f *Front[T]) Together() int {
	if inPairs[T](f.m) {
		return 2
	}
	return 1
}

// Run transforms one row x, or two rows, stride bytes apart, to matrices in y that follow each other.
func (f *Front[T]) Run(x unsafe.Pointer, stride int, y []T, swap Swapped) {
	lanes, size := wideLanes[T](), int(unsafe.Sizeof(*new(T)))
	one, column := 2*size, 2*f.m*size // bytes
	if inPairs[T](f.m) {
		front(1, (*T)(x), column, stride, y, f.factors, swap)
		return
	}
	whole := f.m / lanes
	second := lanes / 2 * one
	front(whole, (*T)(x), column, second, y, f.factors, swap)
	if f.m%lanes != 0 {
		p := f.firstOf(whole)
		front(1, (*T)(unsafe.Add(x, p*one)), column, second, y[2*FrontRadix*p:], f.factors[2*(FrontRadix-1)*lanes*whole:], swap)
	}
}

// plainFront is a transform, a product and a move for each number.
func plainFront[T Float](blocks int, x *T, xStride, second int, y, w []T, swap Swapped) {
	lanes := wideLanes[T]()
	re, im := swap.parts(1)
	var in, out columns[T]
	for b := range blocks {
		for l := range lanes {
			at := unsafe.Add(unsafe.Pointer(x), b*128+l/(lanes/2)*second+l%(lanes/2)*2*int(unsafe.Sizeof(*x)))
			for j := range FrontRadix {
				n := (*T)(unsafe.Add(at, j*xStride))
				in.put(j, *number(n, re), *number(n, im))
			}
			out.transform(FrontRadix, &in)
			for k := range FrontRadix {
				re, im := out.re[k], out.im[k]
				if k > 0 {
					f := w[2*((FrontRadix-1)*b+k-1)*lanes+l:]
					re, im = multiplied(re, im, f[0], f[lanes])
				}
				to := 2*FrontRadix*(b*lanes+l) + k/lanes*2*lanes + k%lanes
				y[to], y[to+lanes] = re, im
			}
		}
	}
}
