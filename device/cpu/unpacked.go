package cpu

import "unsafe"

// unpacked is a product of few rows, where copying the right factor would take as long as the product, or of small
// matrices. Each row of a is converted once; b is read where it lies.
type unpacked[T number] struct {
	p    *matrixProduct
	a, b block
	c    target[T]
	room *scratch
	row  []T // of a
}

// unpackedColumns is how many sums are made at once.
const unpackedColumns = 256

func (u *unpacked[T]) multiply(shared bool) {
	if shared {
		u.share()
		return
	}
	u.columns(0, u.p.n)
}

// share takes a copy, which each piece of the work copies again.
func (u unpacked[T]) share() {
	groups := (u.p.n + unpackedColumns - 1) / unpackedColumns
	forRanges(groups, float64(u.p.m)*float64(u.p.k)*unpackedColumns*productCost, func(from, to int) {
		own := u
		own.columns(from*unpackedColumns, min(to*unpackedColumns, u.p.n))
	})
}

func (u *unpacked[T]) columns(from, to int) {
	u.room = takeScratch((u.p.k + 2*unpackedColumns) * u.p.dtype.Size())
	byRows := u.b.across() && u.p.n > 1
	for i := range u.p.m {
		u.loadRow(i)
		if byRows {
			u.addRows(i, from, to)
		} else {
			u.addColumns(i, from, to)
		}
	}
	u.room.recycle()
}

func (u *unpacked[T]) loadRow(i int) {
	u.row = room[T](u.room, 0, u.p.k)
	loadLine(u.p, unsafe.Pointer(&u.row[0]), u.a, i, 0, u.p.k)
}

// addRows adds multiples of b's rows up, a piece of them at a time.
func (u *unpacked[T]) addRows(i, from, to int) {
	all := room[T](u.room, 0, u.p.k+2*unpackedColumns)[u.p.k:]
	turned := matrix{dtype: u.b.dtype, size: u.b.size, line: u.b.depth, depth: u.b.line}
	across := block{&turned, u.b.base}
	inPlace := u.b.dtype == u.p.dtype && u.b.line == 1 && !u.p.logical
	for j := from; j < to; j += unpackedColumns {
		n := min(unpackedColumns, to-j)
		sums, line := all[:n], all[unpackedColumns:][:n]
		clear(sums)
		for k, v := range u.row {
			if inPlace {
				line = elements[T](across.at(k, j), n)
			} else {
				loadLine(u.p, unsafe.Pointer(&line[0]), across, k, j, n)
			}
			addMultiple(sums, line, v)
		}
		for k, v := range sums {
			*u.c.at(i, j+k) = v
		}
	}
}

func addMultiple[T number](dst, x []T, v T) {
	dst = dst[:len(x)]
	for i, w := range x {
		dst[i] += v * w
	}
}

// addColumns makes the products with b's columns.
func (u *unpacked[T]) addColumns(i, from, to int) {
	line := room[T](u.room, 0, u.p.k+2*unpackedColumns)[u.p.k:][:unpackedColumns]
	inPlace := u.b.dtype == u.p.dtype && u.b.depth == 1 && !u.p.logical
	for j := from; j < to; j++ {
		var total T
		for k := 0; k < u.p.k; k += unpackedColumns {
			n := min(unpackedColumns, u.p.k-k)
			column := line[:n]
			if inPlace {
				column = elements[T](u.b.at(j, k), n)
			} else {
				loadLine(u.p, unsafe.Pointer(&column[0]), u.b, j, k, n)
			}
			total += dot(u.row[k:k+n], column)
		}
		*u.c.at(i, j) = total
	}
}

func dot[T number](x, y []T) T {
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
