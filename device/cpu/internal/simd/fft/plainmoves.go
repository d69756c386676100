package fft

import "unsafe"

func plainLoadColumns[T Float](lanes, n int, x *T, stride, columns int, re, im *T) {
	vectors := (columns + lanes - 1) / lanes
	for i := range n {
		for v := range vectors {
			at := (i*vectors + v) * 2 * lanes
			for l := range lanes {
				var a, b T
				if c := v*lanes + l; c < columns {
					a, b = *number(x, 2*(i*stride+c)), *number(x, 2*(i*stride+c)+1)
				}
				*number(re, at+l), *number(im, at+l) = a, b
			}
		}
	}
}

func plainStoreColumns[T Float](lanes, n int, y *T, stride, columns int, re, im *T, scale T) {
	vectors := (columns + lanes - 1) / lanes
	for i := range n {
		for c := range columns {
			at := (i*vectors+c/lanes)*2*lanes + c%lanes
			*number(y, 2*(i*stride+c)), *number(y, 2*(i*stride+c)+1) = *number(re, at)*scale, *number(im, at)*scale
		}
	}
}

func plainLoadRows[T Float](lanes, n int, rows **T, re, im *T) {
	for l, row := range unsafe.Slice(rows, lanes) {
		for i := range n {
			*number(re, 2*i*lanes+l), *number(im, 2*i*lanes+l) = *number(row, 2*i), *number(row, 2*i+1)
		}
	}
}

func plainStoreRows[T Float](lanes, n int, rows **T, re, im *T, scale T) {
	for l, row := range unsafe.Slice(rows, lanes) {
		for i := range n {
			*number(row, 2*i), *number(row, 2*i+1) = *number(re, 2*i*lanes+l)*scale, *number(im, 2*i*lanes+l)*scale
		}
	}
}

func plainTurn[T Float](lanes, blocks int, x []T, xStride int, w, u, y []T, yStride int) {
	for i := range blocks * lanes {
		for l := range lanes {
			at := 2*i*lanes + l
			wr, wi := w[at], w[at+lanes]
			if u != nil {
				wr, wi = multiplied(wr, wi, u[2*i], u[2*i+1])
			}
			from := 2*i*xStride*lanes + l
			re, im := x[from], x[from+lanes]
			to := 2*(i/lanes+l*yStride)*lanes + i%lanes
			y[to], y[to+lanes] = multiplied(re, im, wr, wi)
		}
	}
}

func plainMultiply[T Float](lanes, n int, x, w, y []T, re, im int) {
	for i := range n {
		for l := range lanes {
			at := 2*i*lanes + l
			a, b := multiplied(x[at], x[at+lanes], w[at], w[at+lanes])
			y[at+re], y[at+im] = a, b
		}
	}
}

// number returns the address of element i.
func number[T Float](p *T, i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p))))
}
