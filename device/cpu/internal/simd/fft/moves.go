package fft

import "unsafe"

// Swapped says that real and imaginary parts change roles: a forward transform between two swaps is an inverse one.
type Swapped bool

// parts returns where the real and the imaginary parts begin.
func (s Swapped) parts(lanes int) (re, im int) {
	if s {
		return lanes, 0
	}
	return 0, lanes
}

// LoadColumns splits n rows of complex numbers, stride numbers apart, into complex vectors. The last lanes of a row's
// last vector are 0.
func LoadColumns[T Float](n, columns int, x unsafe.Pointer, stride int, y []T, swap Swapped) {
	lanes := Lanes[T]()
	re, im := swap.parts(lanes)
	vectors := (columns + lanes - 1) / lanes
	most := max(1, mostVectors/vectors)
	for i := 0; i < n; i += most {
		part := y[2*i*vectors*lanes:]
		at := unsafe.Add(x, 2*i*stride*int(unsafe.Sizeof(*new(T))))
		loadColumns(min(n-i, most), (*T)(at), stride, columns/lanes, columns%lanes, &part[re], &part[im])
	}
}

// StoreColumns is the inverse of LoadColumns, times scale.
func StoreColumns[T Float](n, columns int, y unsafe.Pointer, stride int, x []T, swap Swapped, scale T) {
	lanes := Lanes[T]()
	re, im := swap.parts(lanes)
	vectors := (columns + lanes - 1) / lanes
	most := max(1, mostVectors/vectors)
	for i := 0; i < n; i += most {
		part := x[2*i*vectors*lanes:]
		at := unsafe.Add(y, 2*i*stride*int(unsafe.Sizeof(*new(T))))
		storeColumns(min(n-i, most), (*T)(at), stride, columns/lanes, columns%lanes, &part[re], &part[im], scale)
	}
}

// LoadRows splits as many rows of n complex numbers as there are lanes into n complex vectors. y has room for a
// multiple of Lanes/2 vectors. The rows to, as many and as long, will be written soon.
func LoadRows[T Float](n int, rows, to []unsafe.Pointer, y []T, swap Swapped) {
	re, im := swap.parts(Lanes[T]())
	loadRows(n, (**T)(unsafe.Pointer(&rows[0])), (**T)(unsafe.Pointer(&to[0])), &y[re], &y[im])
}

// StoreRows is the inverse of LoadRows, times scale. Equal rows may be stored several times.
func StoreRows[T Float](n int, rows []unsafe.Pointer, x []T, swap Swapped, scale T) {
	re, im := swap.parts(Lanes[T]())
	storeRows(n, (**T)(unsafe.Pointer(&rows[0])), &x[re], &x[im], scale)
}

// Turn transposes n vectors, xStride vectors apart, and multiplies them by n factors w. Lane l of vector i goes to
// lane i%Lanes of vector i/Lanes + l·yStride of y. All three have room for a multiple of Lanes vectors. If u is not
// nil, the factors are products of the vectors w and the complex numbers u.
func Turn[T Float](n int, x []T, xStride int, w, u, y []T, yStride int) {
	lanes := Lanes[T]()
	blocks := (n + lanes - 1) / lanes
	most := mostVectors / lanes
	for b := 0; b < blocks; b += most {
		at := b * lanes
		var part []T
		if u != nil {
			part = u[2*at:]
		}
		turn(min(blocks-b, most), x[2*at*xStride*lanes:], xStride, w[2*at*lanes:], part, y[2*b*lanes:], yStride)
	}
}

// Multiply stores the products of complex vectors and factors in y, which may be x.
func Multiply[T Float](x, w, y []T, swap Swapped) {
	lanes := Lanes[T]()
	re, im := swap.parts(lanes)
	size := 2 * lanes
	for n := len(x) / size; n > 0; {
		part := min(n, mostVectors)
		multiply(part, x, w, y, re, im)
		x, w, y, n = x[part*size:], w[part*size:], y[part*size:], n-part
	}
}
