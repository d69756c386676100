package conv

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/clamp"
)

type float interface{ float32 | float64 }

// plain returns the reference for the routines, in plain Go. Its tiles have the sizes of those for the smaller vectors.
func plain[T float]() *Kernels {
	var zero T
	size := int(unsafe.Sizeof(zero))
	s := &Kernels{Size: size, Lanes: 32 / size, Vectors: 3, Filters: 4, Rows: 4, positions: []int{4, 4, 4}, width: []int{6, 4, 3, 3},
		transpose: plainTranspose[T], copyRows: plainCopyRows[T], tileIn: plainTileInput[T], tileOut: plainTileOutput[T]}
	for n := 1; n <= s.Vectors; n++ {
		s.lanes = append(s.lanes, func(k int, x *byte, from, off *int, w, c *byte, to *int, add int, start *byte, _ int, bounds *byte) {
			plainLanes((*T)(unsafe.Pointer(x)), unsafe.Slice(from, s.Positions(n)), unsafe.Slice(off, k),
				unsafe.Slice((*T)(unsafe.Pointer(w)), k*n*s.Lanes), (*T)(unsafe.Pointer(c)), unsafe.Slice(to, s.Positions(n)), add != 0, n*s.Lanes, (*T)(unsafe.Pointer(start)), (*clamp.Bounds[T])(unsafe.Pointer(bounds)))
		})
	}
	for n := 1; n <= s.Filters; n++ {
		s.rows = append(s.rows, func(k int, x *byte, off *int, w, c *byte, stride, add int, start, bounds *byte) {
			plainRows((*T)(unsafe.Pointer(x)), unsafe.Slice(off, k), unsafe.Slice((*T)(unsafe.Pointer(w)), k*n),
				(*T)(unsafe.Pointer(c)), stride, add != 0, n, s.Width(n), (*T)(unsafe.Pointer(start)), (*clamp.Bounds[T])(unsafe.Pointer(bounds)))
		})
	}
	for n := 1; n <= 9; n++ {
		s.products = append(s.products, func(rows, count int, a *byte, apart int, x *byte, step int, off *int, c *byte) {
			plainProducts(rows, count, (*T)(unsafe.Pointer(a)), apart, (*T)(unsafe.Pointer(x)), step, unsafe.Slice(off, n), (*T)(unsafe.Pointer(c)))
		})
	}
	for _, height := range []int{3, 5, 7} {
		run := func(rows, n int, y *byte, apart int, x *byte, step int, off *int, count int, w, start *byte) {
			plainSlide(height, rows, n, (*T)(unsafe.Pointer(y)), apart, (*T)(unsafe.Pointer(x)), step, unsafe.Slice(off, count),
				unsafe.Slice((*T)(unsafe.Pointer(w)), count*height), (*T)(unsafe.Pointer(start)))
		}
		s.slides[height] = [3]slide{run, run, run}
	}
	return s
}

func plainLanes[T float](x *T, from, off []int, w []T, c *T, to []int, add bool, width int, start *T, bounds *clamp.Bounds[T]) {
	for i := range from {
		for j := range width {
			sum := first(start, j)
			for k, o := range off {
				sum += *at(x, from[i]+o) * w[k*width+j]
			}
			store(at(c, to[i]+j), sum, add, bounds)
		}
	}
}

// plainTransformation computes with the elements of four vectors.
func plainTransformation[T float](n int, d *byte, step int, y *byte, apart int, compute func(d [4]T) []T) {
	x, z := (*T)(unsafe.Pointer(d)), (*T)(unsafe.Pointer(y))
	for i := range n {
		for k, v := range compute([4]T{*at(x, i), *at(x, step+i), *at(x, 2*step+i), *at(x, 3*step+i)}) {
			*at(z, k*apart+i) = v
		}
	}
}

func plainTileInput[T float](n int, d *byte, step int, y *byte, apart int) {
	plainTransformation(n, d, step, y, apart, func(d [4]T) []T { return []T{d[0] - d[2], d[1] + d[2], d[2] - d[1], d[1] - d[3]} })
}

func plainTileOutput[T float](n int, d *byte, step int, y *byte, apart int) {
	plainTransformation(n, d, step, y, apart, func(d [4]T) []T { return []T{d[0] + d[1] + d[2], d[1] - d[2] - d[3]} })
}

func plainRows[T float](x *T, off []int, w []T, c *T, stride int, add bool, filters, width int, start *T, bounds *clamp.Bounds[T]) {
	for i := range filters {
		for j := range width {
			sum := first(start, i)
			for k, o := range off {
				sum += *at(x, o+j) * w[k*filters+i]
			}
			store(at(c, i*stride+j), sum, add, bounds)
		}
	}
}

func plainTranspose[T float](rows, columns int, dst *byte, across int, src *byte, along int) {
	to, from := (*T)(unsafe.Pointer(dst)), (*T)(unsafe.Pointer(src))
	for i := range rows {
		for j := range columns {
			*at(to, j*across+i) = *at(from, i*along+j)
		}
	}
}

func plainCopyRows[T float](rows, n int, dst *byte, to int, src *byte, from int) {
	for r := range rows {
		copy(unsafe.Slice(at((*T)(unsafe.Pointer(dst)), r*to), n), unsafe.Slice(at((*T)(unsafe.Pointer(src)), r*from), n))
	}
}

func plainProducts[T float](rows, n int, a *T, apart int, x *T, step int, off []int, c *T) {
	for i, o := range off {
		var sum T
		for r := range rows {
			for j := range n {
				sum += *at(a, r*apart+j) * *at(x, o+r*step+j)
			}
		}
		*at(c, i) += sum
	}
}

func plainSlide[T float](height, rows, n int, y *T, apart int, x *T, step int, off []int, w []T, start *T) {
	for r := range rows {
		for j := range n {
			sum := first(start, 0)
			for t, o := range off {
				for i := range height {
					sum += w[t*height+i] * *at(x, o+(r+i)*step+j)
				}
			}
			*at(y, r*apart+j) = sum
		}
	}
}

// first returns the initial value of a sum.
func first[T float](start *T, i int) T {
	if start == nil {
		return 0
	}
	return *at(start, i)
}

func at[T float](p *T, i int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), i*int(unsafe.Sizeof(*p))))
}

func store[T float](p *T, sum T, add bool, bounds *clamp.Bounds[T]) {
	if add {
		sum += *p
	}
	*p = bounds.Of(sum)
}
