package fft

import "unsafe"

// Front is the first half of the transform of a row of Radix·M complex numbers: for each p below M the transform of the
// numbers p + M·j, whose result k is multiplied by exp(-2πi·pk/(Radix·M)) and becomes number k of row p of a matrix of
// complex vectors. A pass over columns of this matrix follows.
type Front[T Float] struct {
	Radix, M int
	factors  []T // complex vectors: for each block of p, for each k from 1 on
}

// FrontOf returns the first half for rows of n numbers, without its factors, if the current instructions have a routine
// for it.
func FrontOf[T Float](n int) (f Front[T], ok bool) {
	for _, radix := range []int{16, 8} {
		f = Front[T]{Radix: radix, M: n / radix}
		if n%radix == 0 && hasFront[T](radix) && f.M >= f.block() {
			return f, true
		}
	}
	return f, false
}

// Mixed reports whether the matrix has the results of two rows in the same vectors: half a vector holds those of one.
func (f *Front[T]) Mixed() bool { return f.Radix < wideLanes[T]() }

// Together is the number of rows that Run transforms: two, if one has half as many numbers as lanes.
func (f *Front[T]) Together() int {
	if f.Mixed() || 2*f.M == wideLanes[T]() {
		return 2
	}
	return 1
}

// block returns for how many p a routine computes at once.
func (f *Front[T]) block() int { return wideLanes[T]() / f.Together() }

// firstOf returns the first p of a block. The last block ends with the last p: it may compute some numbers again.
func (f *Front[T]) firstOf(b int) int { return min(b*f.block(), f.M-f.block()) }

// Prepare computes the factors. root(k) is exp(-2πi·k/(Radix·M)).
func (f *Front[T]) Prepare(root func(k int) (re, im float64)) {
	lanes, block := wideLanes[T](), f.block()
	for b := range (f.M + block - 1) / block {
		for k := 1; k < f.Radix; k++ {
			w := make([]T, 2*lanes)
			for l := range lanes {
				re, im := root((f.firstOf(b) + l%block) * k)
				w[l], w[lanes+l] = T(re), T(im)
			}
			f.factors = append(f.factors, w...)
		}
	}
}

// Size returns how many elements the factors have.
func (f *Front[T]) Size() int { return len(f.factors) }

// Run transforms the row x, or two rows, stride bytes apart, to matrices in y that follow each other, or are mixed.
func (f *Front[T]) Run(x unsafe.Pointer, stride int, y []T, swap Swapped) {
	lanes, block, one := wideLanes[T](), f.block(), 2*int(unsafe.Sizeof(*new(T)))
	second := lanes / 2 * one
	if f.Together() == 2 {
		second = stride
	}
	whole := f.M / block
	front(f.Radix, whole, (*T)(x), f.M*one, second, y, f.factors, swap)
	if f.M%block != 0 {
		p := f.firstOf(whole)
		front(f.Radix, 1, (*T)(unsafe.Add(x, p*one)), f.M*one, second, y[2*max(f.Radix, lanes)*p:], f.factors[2*(f.Radix-1)*lanes*whole:], swap)
	}
}

// plainFront is a transform, a product and a move for each number.
func plainFront[T Float](radix, blocks int, x *T, xStride, second int, y, w []T, swap Swapped) {
	lanes, one := wideLanes[T](), 2*int(unsafe.Sizeof(*x))
	step, rowOf := lanes*one, max(radix, lanes) // of blocks in bytes, of results in lanes
	if radix < lanes {
		step /= 2
	}
	re, im := swap.parts(1)
	var in, out columns[T]
	for b := range blocks {
		for l := range lanes {
			row, p := l/(lanes/2), l%(lanes/2)
			at := unsafe.Add(unsafe.Pointer(x), b*step+row*second+p*one)
			for j := range radix {
				n := (*T)(unsafe.Add(at, j*xStride))
				in.put(j, *number(n, re), *number(n, im))
			}
			out.transform(radix, &in)
			for k := range radix {
				re, im := out.re[k], out.im[k]
				if k > 0 {
					f := w[2*((radix-1)*b+k-1)*lanes+l:]
					re, im = multiplied(re, im, f[0], f[lanes])
				}
				to := 2*rowOf*(b*lanes+l) + k/lanes*2*lanes + k%lanes
				if radix < lanes {
					to = 2*rowOf*(b*lanes/2+p) + pairedLane(row, k)
				}
				y[to], y[to+lanes] = re, im
			}
		}
	}
}
