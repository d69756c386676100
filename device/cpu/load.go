package cpu

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/vm"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// convert is dtype.Convert, with routines of our own for long runs.
func convert(to dtype.DType, dst unsafe.Pointer, dstStep int, from dtype.DType, src unsafe.Pointer, srcStep, n int) {
	if to == from || dstStep != 1 || srcStep != 1 || n < shortRow {
		dtype.Convert(to, dst, dstStep, from, src, srcStep, n)
	} else {
		move.Convert(to, dst, from, src, n)
	}
}

// load converts the elements at the points from start on to type t and writes them to dst, one after the other.
func (v *view) load(dst unsafe.Pointer, t dtype.DType, start, n int) {
	switch {
	case n == 0:
		return
	case v.flat:
		convert(t, dst, 1, v.dtype, v.element(start), 1, n)
		return
	case v.uniform:
		dtype.Convert(t, dst, 1, v.dtype, v.base, 0, n)
		return
	}
	var c cursor
	c.seek(v, start)
	if v.dtype == t && v.row() < n && v.row() < shortRow {
		v.loadShortRows(dst, &c, n)
		return
	}
	size, row, step := t.Size(), v.row(), v.step()
	for done := 0; ; {
		k := min(row-c.column(), n-done)
		if v.dtype == t && step != 1 && step != 0 {
			vm.Gather(unsafe.Add(dst, done*size), v.element(c.offset), step, k, size)
		} else {
			convert(t, unsafe.Add(dst, done*size), 1, v.dtype, v.element(c.offset), step, k)
		}
		if done += k; done == n {
			return
		}
		c.nextRow()
	}
}

// store converts n numbers of type t from src on, and writes them to the elements at the points from start on.
func (v *view) store(src unsafe.Pointer, t dtype.DType, start, n int) {
	switch {
	case n == 0:
		return
	case v.flat:
		convert(v.dtype, v.element(start), 1, t, src, 1, n)
		return
	}
	size, row, step := t.Size(), v.row(), v.step()
	var c cursor
	c.seek(v, start)
	for done := 0; ; {
		k := min(row-c.column(), n-done)
		convert(v.dtype, v.element(c.offset), step, t, unsafe.Add(src, done*size), 1, k)
		if done += k; done == n {
			return
		}
		c.nextRow()
	}
}

// shortRow is the length from which rows are worth a call.
const shortRow = 32

// loadShortRows copies elements from the cursor on, in one loop over all rows.
func (v *view) loadShortRows(dst unsafe.Pointer, c *cursor, n int) {
	switch v.size {
	case 1:
		copyShortRows[uint8](dst, v, c, n)
	case 2:
		copyShortRows[uint16](dst, v, c, n)
	case 4:
		copyShortRows[uint32](dst, v, c, n)
	case 8:
		copyShortRows[uint64](dst, v, c, n)
	case 16:
		copyShortRows[[2]uint64](dst, v, c, n)
	}
}

func copyShortRows[T any](dst unsafe.Pointer, v *view, c *cursor, n int) {
	z := elements[T](dst, n)
	row, step := v.row(), v.step()
	for len(z) > 0 {
		k := min(row-c.column(), len(z))
		at := c.offset
		for i := range z[:k] {
			z[i] = *(*T)(v.element(at))
			at += step
		}
		z = z[k:]
		c.nextRow()
	}
}
