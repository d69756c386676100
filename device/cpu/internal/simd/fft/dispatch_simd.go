//go:build (amd64 || arm64) && !purego

package fft

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// routines are the routines of one level for T.
type routines[T Float] struct {
	passes, last [largestRadix + 1]func(m, s int, x *T, xStep, xStride int, y *T, yStep, yStride int, w *T)
	first        [largestRadix + 1]func(m, s int, x *T, xStep, xStride int, y *T, yStep, yStride int, w, lanes *T)
	pairs        [largestRadix + 1]func(m, s int, x *T, xStep, xStride int, y *T, yStep, yStride int, w, lanes *T, second int, scale T)
	final        [largestRadix + 1]func(m, s int, x *T, xStep, xStride int, y *T, yStep, yStride int, w, lanes *T, scale T)
	loadColumns  func(n int, x *T, stride, vectors, tail int, re, im *T)
	storeColumns func(n int, y *T, stride, vectors, tail int, re, im *T, scale T)
	loadRows     func(n int, rows, to **T, re, im *T)
	storeRows    func(n int, rows **T, re, im *T, scale T)
	turn         func(blocks int, x *T, xStride int, w, u, y *T, yStride int)
	splitTurn    func(blocks int, x *T, xStride int, w, u, y *T, yStride int)
	multiply     func(n int, x, w, re, im *T)
	mirror       func(n int, low, high, w, lowTo, highTo *T, tail int, sin, cos, sum T)
	squares      [2]func(n int, x *T, xStride int, y *T, yStride int, w *T, scale T) // forward and swapped, or nil
	fronts       [largestRadix + 1]func(n int, x *T, xStride, second int, y, w, lanes *T)
}

var (
	avx2F32 = routines[float32]{
		passes: [...]func(m, s int, x *float32, xStep, xStride int, y *float32, yStep, yStride int, w *float32){
			2: pass2AVX2F32, 3: pass3AVX2F32, 4: pass4AVX2F32, 5: pass5AVX2F32, 7: pass7AVX2F32, 8: pass8AVX2F32, 11: pass11AVX2F32, 13: pass13AVX2F32, largestRadix: nil,
		},
		last: [...]func(m, s int, x *float32, xStep, xStride int, y *float32, yStep, yStride int, w *float32){
			2: lastpass2AVX2F32, 3: lastpass3AVX2F32, 4: lastpass4AVX2F32, 5: lastpass5AVX2F32, 7: lastpass7AVX2F32, 8: lastpass8AVX2F32, 11: lastpass11AVX2F32, 13: lastpass13AVX2F32, largestRadix: nil,
		},
		loadColumns:  loadColumnsAVX2F32,
		storeColumns: storeColumnsAVX2F32,
		loadRows:     loadRowsAVX2F32,
		storeRows:    storeRowsAVX2F32,
		turn:         turnAVX2F32,
		splitTurn:    splitTurnAVX2F32,
		multiply:     multiplyAVX2F32,
		mirror:       mirrorAVX2F32,
	}
	avx2F64 = routines[float64]{
		passes: [...]func(m, s int, x *float64, xStep, xStride int, y *float64, yStep, yStride int, w *float64){
			2: pass2AVX2F64, 3: pass3AVX2F64, 4: pass4AVX2F64, 5: pass5AVX2F64, 7: pass7AVX2F64, 8: pass8AVX2F64, 11: pass11AVX2F64, 13: pass13AVX2F64, largestRadix: nil,
		},
		last: [...]func(m, s int, x *float64, xStep, xStride int, y *float64, yStep, yStride int, w *float64){
			2: lastpass2AVX2F64, 3: lastpass3AVX2F64, 4: lastpass4AVX2F64, 5: lastpass5AVX2F64, 7: lastpass7AVX2F64, 8: lastpass8AVX2F64, 11: lastpass11AVX2F64, 13: lastpass13AVX2F64, largestRadix: nil,
		},
		loadColumns:  loadColumnsAVX2F64,
		storeColumns: storeColumnsAVX2F64,
		loadRows:     loadRowsAVX2F64,
		storeRows:    storeRowsAVX2F64,
		turn:         turnAVX2F64,
		splitTurn:    splitTurnAVX2F64,
		multiply:     multiplyAVX2F64,
		mirror:       mirrorAVX2F64,
	}
	avx512F32 = routines[float32]{
		passes: [...]func(m, s int, x *float32, xStep, xStride int, y *float32, yStep, yStride int, w *float32){
			2: pass2AVX512F32, 3: pass3AVX512F32, 4: pass4AVX512F32, 5: pass5AVX512F32, 7: pass7AVX512F32, 8: pass8AVX512F32, 11: pass11AVX512F32, 13: pass13AVX512F32, 16: pass16AVX512F32,
		},
		last: [...]func(m, s int, x *float32, xStep, xStride int, y *float32, yStep, yStride int, w *float32){
			2: lastpass2AVX512F32, 3: lastpass3AVX512F32, 4: lastpass4AVX512F32, 5: lastpass5AVX512F32, 7: lastpass7AVX512F32, 8: lastpass8AVX512F32, 11: lastpass11AVX512F32, 13: lastpass13AVX512F32, 16: lastpass16AVX512F32,
		},
		first: [...]func(m, s int, x *float32, xStep, xStride int, y *float32, yStep, yStride int, w, lanes *float32){
			4: firstpass4AVX512F32, 5: firstpass5AVX512F32, 8: firstpass8AVX512F32, 16: firstpass16AVX512F32,
		},
		final: [...]func(m, s int, x *float32, xStep, xStride int, y *float32, yStep, yStride int, w, lanes *float32, scale float32){
			3: finalpass3AVX512F32, 4: finalpass4AVX512F32, 5: finalpass5AVX512F32, 8: finalpass8AVX512F32, 16: finalpass16AVX512F32,
		},
		pairs: [...]func(m, s int, x *float32, xStep, xStride int, y *float32, yStep, yStride int, w, lanes *float32, second int, scale float32){
			3: pairspass3AVX512F32, 5: pairspass5AVX512F32, 7: pairspass7AVX512F32, largestRadix: nil,
		},
		loadColumns:  loadColumnsAVX512F32,
		storeColumns: storeColumnsAVX512F32,
		loadRows:     loadRowsAVX512F32,
		storeRows:    storeRowsAVX512F32,
		turn:         turnAVX512F32,
		splitTurn:    splitTurnAVX512F32,
		multiply:     multiplyAVX512F32,
		mirror:       mirrorAVX512F32,
		squares:      [...]func(n int, x *float32, xStride int, y *float32, yStride int, w *float32, scale float32){squareAVX512F32, swappedSquareAVX512F32},
		fronts:       [...]func(n int, x *float32, xStride, second int, y, w, lanes *float32){8: front8AVX512F32, 16: front16AVX512F32},
	}
	avx512F64 = routines[float64]{
		passes: [...]func(m, s int, x *float64, xStep, xStride int, y *float64, yStep, yStride int, w *float64){
			2: pass2AVX512F64, 3: pass3AVX512F64, 4: pass4AVX512F64, 5: pass5AVX512F64, 7: pass7AVX512F64, 8: pass8AVX512F64, 11: pass11AVX512F64, 13: pass13AVX512F64, 16: pass16AVX512F64,
		},
		last: [...]func(m, s int, x *float64, xStep, xStride int, y *float64, yStep, yStride int, w *float64){
			2: lastpass2AVX512F64, 3: lastpass3AVX512F64, 4: lastpass4AVX512F64, 5: lastpass5AVX512F64, 7: lastpass7AVX512F64, 8: lastpass8AVX512F64, 11: lastpass11AVX512F64, 13: lastpass13AVX512F64, 16: lastpass16AVX512F64,
		},
		first: [...]func(m, s int, x *float64, xStep, xStride int, y *float64, yStep, yStride int, w, lanes *float64){
			4: firstpass4AVX512F64, 5: firstpass5AVX512F64, 8: firstpass8AVX512F64, 16: firstpass16AVX512F64,
		},
		final: [...]func(m, s int, x *float64, xStep, xStride int, y *float64, yStep, yStride int, w, lanes *float64, scale float64){
			3: finalpass3AVX512F64, 4: finalpass4AVX512F64, 5: finalpass5AVX512F64, 8: finalpass8AVX512F64, 16: finalpass16AVX512F64,
		},
		loadColumns:  loadColumnsAVX512F64,
		storeColumns: storeColumnsAVX512F64,
		loadRows:     loadRowsAVX512F64,
		storeRows:    storeRowsAVX512F64,
		turn:         turnAVX512F64,
		splitTurn:    splitTurnAVX512F64,
		multiply:     multiplyAVX512F64,
		mirror:       mirrorAVX512F64,
		squares:      [...]func(n int, x *float64, xStride int, y *float64, yStride int, w *float64, scale float64){squareAVX512F64, swappedSquareAVX512F64},
		fronts:       [...]func(n int, x *float64, xStride, second int, y, w, lanes *float64){8: front8AVX512F64, 16: front16AVX512F64},
	}
)

// current returns the routines for T, or nil for plain Go.
func current[T Float]() *routines[T] {
	var table unsafe.Pointer
	switch form := isa.FormOf[T](); {
	case form.Level == isa.AVX512 && form.Double:
		table = unsafe.Pointer(&avx512F64)
	case form.Level == isa.AVX512:
		table = unsafe.Pointer(&avx512F32)
	case form.Level == isa.AVX2 && form.Double:
		table = unsafe.Pointer(&avx2F64)
	case form.Level == isa.AVX2:
		table = unsafe.Pointer(&avx2F32)
	}
	return (*routines[T])(table)
}

func vectorBytes() int {
	if isa.Current() == isa.AVX512 {
		return 64
	}
	return plainBytes
}

//go:noinline
func run[T Float](radix, m, s int, x []T, xStep, xStride int, y []T, yStep, yStride int, w []T) {
	r := current[T]()
	if r == nil {
		plainPass(Lanes[T](), radix, m, s, x, xStep, xStride, y, yStep, yStride, w)
		return
	}
	size := int(unsafe.Sizeof(*new(T)))
	pass := r.last[radix]
	if w != nil {
		pass = r.passes[radix]
	}
	pass(m, s, &x[0], xStep*size, xStride*size, &y[0], yStep*size, yStride*size, unsafe.SliceData(w))
}

func hasSixteen[T Float]() bool {
	r := current[T]()
	return r != nil && r.passes[16] != nil
}

func reads[T Float](radix int) bool {
	r := current[T]()
	return r != nil && r.first[radix] != nil
}

func writes[T Float](radix int) bool {
	r := current[T]()
	return r != nil && r.final[radix] != nil
}

func writesPairs[T Float](radix int) bool {
	r := current[T]()
	return r != nil && r.pairs[radix] != nil
}

// Steps and strides of the next three functions are in bytes.

//go:noinline
func first[T Float](radix, m, s int, x *T, xStep, xStride int, y *T, yStep, yStride int, w, lanes *T) {
	current[T]().first[radix](m, s, x, xStep, xStride, y, yStep, yStride, w, lanes)
}

//go:noinline
func final[T Float](radix, m, s int, x *T, xStep, xStride int, y *T, yStep, yStride int, lanes *T, scale T) {
	current[T]().final[radix](m, s, x, xStep, xStride, y, yStep, yStride, nil, lanes, scale)
}

//go:noinline
func pairs[T Float](radix, m int, x *T, xStep, xStride int, y *T, yStep, yStride int, lanes *T, second int, scale T) {
	current[T]().pairs[radix](m, 1, x, xStep, xStride, y, yStep, yStride, nil, lanes, second, scale)
}

//go:noinline
func loadColumns[T Float](n int, x *T, stride, vectors, tail int, re, im *T) {
	if r := current[T](); r != nil {
		r.loadColumns(n, x, 2*stride*int(unsafe.Sizeof(*x)), vectors, tail, re, im)
		return
	}
	plainLoadColumns(Lanes[T](), n, x, stride, vectors*Lanes[T]()+tail, re, im)
}

//go:noinline
func storeColumns[T Float](n int, y *T, stride, vectors, tail int, re, im *T, scale T) {
	if r := current[T](); r != nil {
		r.storeColumns(n, y, 2*stride*int(unsafe.Sizeof(*y)), vectors, tail, re, im, scale)
		return
	}
	plainStoreColumns(Lanes[T](), n, y, stride, vectors*Lanes[T]()+tail, re, im, scale)
}

//go:noinline
func loadRows[T Float](n int, rows, to **T, re, im *T) {
	if r := current[T](); r != nil {
		r.loadRows(n, rows, to, re, im)
		return
	}
	plainLoadRows(Lanes[T](), n, rows, re, im)
}

//go:noinline
func storeRows[T Float](n int, rows **T, re, im *T, scale T) {
	if r := current[T](); r != nil {
		r.storeRows(n, rows, re, im, scale)
		return
	}
	plainStoreRows(Lanes[T](), n, rows, re, im, scale)
}

//go:noinline
func turn[T Float](blocks int, x []T, xStride int, w, u, y []T, yStride int) {
	r := current[T]()
	if r == nil {
		plainTurn(Lanes[T](), blocks, x, xStride, w, u, y, yStride)
		return
	}
	vector := 2 * vectorBytes()
	if u == nil {
		r.turn(blocks, &x[0], xStride*vector, &w[0], nil, &y[0], yStride*vector)
	} else {
		r.splitTurn(blocks, &x[0], xStride*vector, &w[0], &u[0], &y[0], yStride*vector)
	}
}

//go:noinline
func multiply[T Float](n int, x, w, y []T, re, im int) {
	if r := current[T](); r != nil {
		r.multiply(n, &x[0], &w[0], &y[re], &y[im])
		return
	}
	plainMultiply(Lanes[T](), n, x, w, y, re, im)
}

//go:noinline
func mirror[T Float](blocks int, low, high unsafe.Pointer, w []T, lowTo, highTo unsafe.Pointer, tail int, sin, cos, sum T) {
	if r := current[T](); r != nil {
		r.mirror(blocks, (*T)(low), (*T)(high), &w[0], (*T)(lowTo), (*T)(highTo), tail, sin, cos, sum)
		return
	}
	plainMirror(Lanes[T](), blocks, (*T)(low), (*T)(high), w, (*T)(lowTo), (*T)(highTo), tail, sin, cos, sum)
}

func hasSquares[T Float]() bool {
	r := current[T]()
	return r != nil && r.squares[0] != nil
}

//go:noinline
func squares[T Float](n int, x *T, xStride int, y *T, yStride int, w []T, swap Swapped, scale T) {
	if !hasSquares[T]() {
		plainSquares(n, x, xStride, y, yStride, w, swap, scale)
		return
	}
	square := current[T]().squares[0]
	if swap {
		square = current[T]().squares[1]
	}
	together := wideLanes[T]() / squareSide
	if n >= together {
		square(n/together, x, xStride, y, yStride, &w[0], scale)
	}
	if n%together > 0 { // the last row stands for its neighbour, too
		x, y = (*T)(unsafe.Add(unsafe.Pointer(x), (n-1)*xStride)), (*T)(unsafe.Add(unsafe.Pointer(y), (n-1)*yStride))
		square(1, x, 0, y, 0, &w[0], scale)
	}
}

func hasFront[T Float](radix int) bool {
	r := current[T]()
	return r != nil && r.fronts[radix] != nil
}

//go:noinline
func front[T Float](radix, blocks int, x *T, xStride, second int, y, w []T, swap Swapped) {
	if !hasFront[T](radix) {
		plainFront(radix, blocks, x, xStride, second, y, w, swap)
		return
	}
	current[T]().fronts[radix](blocks, x, xStride, second, &y[0], &w[0], lanesOf[T](split, swap))
}
