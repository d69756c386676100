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
		first(t.Radix, min(t.M-p, most), c, (*T)(unsafe.Add(x, p*row)), row-c*vector, t.M*row, to, (t.Radix-1)*c*vector, c*vector, w, lanesOf[T](false, swap))
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
		final(t.Radix, min(rows-i, most), c, &x[i*c*vector/size], 0, rows*c*vector, (*T)(unsafe.Add(y, i*row)), row-c*vector, rows*row, lanesOf[T](true, swap), scale)
	}
}

// The indices of lanes of two vectors which Read and Write take, of the size of an element: pairs of vectors of AVX-512.
var (
	indices32 = indicesOf[int32](16)
	indices64 = indicesOf[int64](8)
)

// lanesOf returns the indices for complex vectors of complex numbers, or for the other direction.
func lanesOf[T Float](join bool, swap Swapped) *T {
	at := 0
	if join {
		at += 2
	}
	if swap {
		at++
	}
	if unsafe.Sizeof(*new(T)) == 8 {
		return (*T)(unsafe.Pointer(&indices64[at][0]))
	}
	return (*T)(unsafe.Pointer(&indices32[at][0]))
}

func indicesOf[I int32 | int64](lanes int) (to [4][]I) {
	for swap := range 2 {
		split, join := make([]I, 2*lanes), make([]I, 2*lanes)
		for i := range lanes {
			for part := range 2 {
				split[(part^swap)*lanes+i], join[2*i+part] = I(2*i+part), I((part^swap)*lanes+i)
			}
		}
		to[swap], to[2+swap] = split, join
	}
	return to
}
