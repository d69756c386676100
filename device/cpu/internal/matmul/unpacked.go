package matmul

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/device/internal/scalar"
)

// unpacked is a product with few rows, for which copying the right factor would take as long as the product, or a
// product of small matrices. Each row of a is converted once; b is read in place.
type unpacked[T scalar.Number] struct {
	p    *Product
	a, b Block
	c    Target[T]
	room *memory.Scratch
	row  []T // of a
}

// unpackedColumns is how many sums are computed together.
const unpackedColumns = 256

func (u *unpacked[T]) multiply(shared bool) {
	if shared {
		u.share()
		return
	}
	u.columns(0, u.p.N)
}

// share gets a copy, which each piece of the work copies again.
func (u unpacked[T]) share() {
	groups := (u.p.N + unpackedColumns - 1) / unpackedColumns
	workers.ForRanges(groups, float64(u.p.M)*float64(u.p.K)*unpackedColumns*ProductCost, func(from, to int) {
		own := u
		own.columns(from*unpackedColumns, min(to*unpackedColumns, u.p.N))
	})
}

func (u *unpacked[T]) columns(from, to int) {
	u.room = memory.TakeScratch((u.p.K + 2*unpackedColumns) * u.p.DType.Size())
	byRows := u.b.across() && u.p.N > 1
	for i := range u.p.M {
		u.loadRow(i)
		if byRows {
			u.addRows(i, from, to)
		} else {
			u.addColumns(i, from, to)
		}
	}
	u.room.Recycle()
}

func (u *unpacked[T]) loadRow(i int) {
	u.row = memory.Room[T](u.room, 0, u.p.K)
	loadLine(u.p, unsafe.Pointer(&u.row[0]), u.a, i, 0, u.p.K)
}

// addRows sums multiples of b's rows, for some of their elements at a time.
func (u *unpacked[T]) addRows(i, from, to int) {
	all := memory.Room[T](u.room, 0, u.p.K+2*unpackedColumns)[u.p.K:]
	transposed := Matrix{DType: u.b.DType, Size: u.b.Size, Line: u.b.Depth, Depth: u.b.Line}
	across := Block{&transposed, u.b.Base}
	inPlace := u.b.DType == u.p.DType && u.b.Line == 1 && !u.p.logical
	for j := from; j < to; j += unpackedColumns {
		n := min(unpackedColumns, to-j)
		sums, line := all[:n], all[unpackedColumns:][:n]
		clear(sums)
		for k, v := range u.row {
			if inPlace {
				line = memory.Slice[T](across.At(k, j), n)
			} else {
				loadLine(u.p, unsafe.Pointer(&line[0]), across, k, j, n)
			}
			Axpy(sums, line, v)
		}
		for k, v := range sums {
			*u.c.at(i, j+k) = v
		}
	}
}

// Axpy adds v·x to dst, as BLAS's axpy.
func Axpy[T scalar.Number](dst, x []T, v T) {
	dst = dst[:len(x)]
	for i, w := range x {
		dst[i] += v * w
	}
}

// addColumns computes the products with b's columns.
func (u *unpacked[T]) addColumns(i, from, to int) {
	line := memory.Room[T](u.room, 0, u.p.K+2*unpackedColumns)[u.p.K:][:unpackedColumns]
	inPlace := u.b.DType == u.p.DType && u.b.Depth == 1 && !u.p.logical
	for j := from; j < to; j++ {
		var total T
		for k := 0; k < u.p.K; k += unpackedColumns {
			n := min(unpackedColumns, u.p.K-k)
			column := line[:n]
			if inPlace {
				column = memory.Slice[T](u.b.At(j, k), n)
			} else {
				loadLine(u.p, unsafe.Pointer(&column[0]), u.b, j, k, n)
			}
			total += dot(u.row[k:k+n], column)
		}
		*u.c.at(i, j) = total
	}
}

func dot[T scalar.Number](x, y []T) T {
	var s0, s1, s2, s3 T
	y = y[:len(x)]
	for len(x) >= 4 && len(y) >= 4 {
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += v * y[i]
	}
	return (s0 + s1) + (s2 + s3)
}
