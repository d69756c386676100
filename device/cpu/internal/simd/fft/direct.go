package fft

import "unsafe"

// Reads reports whether Read does the pass, the first of several, on columns.
func (t *Pass[T]) Reads(columns int) bool {
	return t.M > 1 && columns%Lanes[T]() == 0 && reads[T](t.Radix)
}

// Read is LoadColumns and the pass in one, without a buffer between them.
func (t *Pass[T]) Read(columns int, x unsafe.Pointer, stride int, y []T, swap Swapped) {
	size := int(unsafe.Sizeof(*new(T)))
	vector, row := 2*Lanes[T]()*size, 2*stride*size // in bytes
	c := columns / Lanes[T]()
	most := max(1, mostVectors/(t.Radix*c))
	for p := 0; p < t.M; p += most {
		w, to := &t.Factors[2*(t.Radix-1)*p], &y[p*t.Radix*c*vector/size]
		first(t.Radix, min(t.M-p, most), c, (*T)(unsafe.Add(x, p*row)), row-c*vector, t.M*row, to, (t.Radix-1)*c*vector, c*vector, w, lanesOf[T](split, swap))
	}
}

// Writes reports whether Write does the pass, the last one, on columns.
func (t *Pass[T]) Writes(columns int) bool {
	return t.M == 1 && columns%Lanes[T]() == 0 && writes[T](t.Radix)
}

// Write is the pass on columns of n numbers and StoreColumns in one.
func (t *Pass[T]) Write(n, columns int, x []T, y unsafe.Pointer, stride int, swap Swapped, scale T) {
	size := int(unsafe.Sizeof(*new(T)))
	vector, row := 2*Lanes[T]()*size, 2*stride*size // in bytes
	c, rows := columns/Lanes[T](), n/t.Radix
	most := max(1, mostVectors/(t.Radix*c))
	for i := 0; i < rows; i += most {
		final(t.Radix, min(rows-i, most), c, &x[i*c*vector/size], 0, rows*c*vector, (*T)(unsafe.Add(y, i*row)), row-c*vector, rows*row, lanesOf[T](join, swap), scale)
	}
}

// WritesPairs reports whether WritePairs does the pass, the last one.
func (t *Pass[T]) WritesPairs() bool { return t.M == 1 && writesPairs[T](t.Radix) }

// WritePairs is Write for n complex vectors with the lanes of a Front of radix 8 of two rows, second bytes apart.
func (t *Pass[T]) WritePairs(n int, x []T, y unsafe.Pointer, second int, swap Swapped, scale T) {
	vector := 2 * vectorBytes()
	rows, row := n/t.Radix, vector/2
	pairs(t.Radix, rows, &x[0], 0, rows*vector, (*T)(y), row-vector, rows*row, lanesOf[T](joinPairs, swap), second, scale)
}

// The indices of lanes of two vectors which Read and Write take, of the size of an element: pairs of vectors of AVX-512.
var (
	indices32 = indicesOf[int32](16)
	indices64 = indicesOf[int64](8)
)

// order is an order of lanes: complex vectors of complex numbers, the other direction, and this for the numbers of two rows.
type order int

const (
	split order = iota
	join
	joinPairs
	orders
)

// lanesOf returns the indices for an order.
func lanesOf[T Float](o order, swap Swapped) *T {
	at := 2 * o
	if swap {
		at++
	}
	if unsafe.Sizeof(*new(T)) == 8 {
		return (*T)(unsafe.Pointer(&indices64[at][0]))
	}
	return (*T)(unsafe.Pointer(&indices32[at][0]))
}

func indicesOf[I int32 | int64](lanes int) (to [2 * orders][]I) {
	for swap := range 2 {
		for o := range orders {
			to[2*int(o)+swap] = make([]I, 2*lanes)
		}
		for i := range lanes {
			for part := range 2 {
				re := (part ^ swap) * lanes
				to[2*split+order(swap)][re+i] = I(2*i + part)
				to[2*join+order(swap)][2*i+part] = I(re + i)
				to[2*joinPairs+order(swap)][2*i+part] = I(re + pairedLane(i/(lanes/2), i%(lanes/2)))
			}
		}
	}
	return to
}

// pairedLane returns the lane of result k of one of two rows.
func pairedLane(row, k int) int { return 4*(k/4*2+row) + k%4 }
