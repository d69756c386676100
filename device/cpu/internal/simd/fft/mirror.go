package fft

import "unsafe"

// Mirror combines the numbers k and h-k of x, for n numbers k from first on, at most up to h/2. With a = x[k], b the
// conjugate of x[h-k] and p = (sin·w.re + i·cos·w.im)·(a - b) it stores sum·(a + b) + p in y[k], and the conjugate of
// sum·(a + b) - p in y[h-k]. w has complex vectors with numbers for k from 1 on; first - 1 is a multiple of Lanes. y may
// be x.
func Mirror[T Float](h, first, n int, x, y unsafe.Pointer, w []T, sin, cos, sum T) {
	lanes, size := Lanes[T](), 2*int(unsafe.Sizeof(*new(T)))
	end := first + n
	for k := first; k < min(end, (h+1)/2); {
		pairs := min(min(end, (h+1)/2)-k, mostVectors*lanes)
		high := (h - k) * size
		mirror(pairs/lanes, unsafe.Add(x, k*size), unsafe.Add(x, high), w[2*(k-1):], unsafe.Add(y, k*size), unsafe.Add(y, high), pairs%lanes, sin, cos, sum)
		k += pairs
	}
	if k := h / 2; h%2 == 0 && first <= k && k < end {
		middle, at := number((*T)(x), 2*k), (k-1)/lanes*2*lanes+(k-1)%lanes
		to := number((*T)(y), 2*k)
		mirrorPair(middle, middle, w[at], w[at+lanes], to, to, sin, cos, sum)
	}
}

func mirrorPair[T Float](a, b *T, ws, wc T, y, z *T, sin, cos, sum T) {
	ar, ai, br, bi := *a, *number(a, 1), *b, *number(b, 1)
	er, ei := T((ar+br)*sum), T((ai-bi)*sum)
	pr, pi := multiplied(ar-br, ai+bi, ws*sin, wc*cos)
	*y, *number(y, 1) = er+pr, ei+pi
	if y != z {
		*z, *number(z, 1) = er-pr, pi-ei
	}
}

func plainMirror[T Float](lanes, blocks int, low, high *T, w []T, lowTo, highTo *T, tail int, sin, cos, sum T) {
	for i := range blocks + 1 {
		for l := range lanes {
			if i == blocks && l >= tail {
				return
			}
			at, k := 2*i*lanes+l, i*lanes+l
			mirrorPair(number(low, 2*k), number(high, -2*k), w[at], w[at+lanes], number(lowTo, 2*k), number(highTo, -2*k), sin, cos, sum)
		}
	}
}
