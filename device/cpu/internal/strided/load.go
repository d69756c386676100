package strided

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/move"
	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/vm"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// Convert is like dtype.Convert, with faster routines for long runs.
func Convert(to dtype.DType, dst unsafe.Pointer, dstStep int, from dtype.DType, src unsafe.Pointer, srcStep, n int) {
	switch {
	case n < shortRow || dstStep != 1:
		dtype.Convert(to, dst, dstStep, from, src, srcStep, n)
	case to == from && srcStep == -1:
		move.Reverse(dst, unsafe.Add(src, (1-n)*to.Size()), n, to.Size())
	case to == from || srcStep != 1:
		dtype.Convert(to, dst, dstStep, from, src, srcStep, n)
	default:
		move.Convert(to, dst, from, src, n)
	}
}

// Load converts the elements at n points from start on to type t and writes them contiguously to dst.
func (v *View) Load(dst unsafe.Pointer, t dtype.DType, start, n int) {
	switch {
	case n == 0:
		return
	case v.Flat:
		Convert(t, dst, 1, v.DType, v.Element(start), 1, n)
		return
	case v.Uniform:
		dtype.Convert(t, dst, 1, v.DType, v.Base, 0, n)
		return
	}
	var c Cursor
	c.Seek(v, start)
	if v.DType == t && v.Row() < n && v.Row() < shortRow {
		v.loadShortRows(dst, &c, n)
		return
	}
	size, row, step := t.Size(), v.Row(), v.Step()
	for done := 0; ; {
		k := min(row-c.Column(), n-done)
		if v.DType == t && step != 1 && step != 0 {
			vm.Gather(unsafe.Add(dst, done*size), v.Element(c.Offset), step, k, size)
		} else {
			Convert(t, unsafe.Add(dst, done*size), 1, v.DType, v.Element(c.Offset), step, k)
		}
		if done += k; done == n {
			return
		}
		c.NextRow()
	}
}

// Store converts n numbers of type t at src, and writes them to the elements at n points from start on.
func (v *View) Store(src unsafe.Pointer, t dtype.DType, start, n int) {
	switch {
	case n == 0:
		return
	case v.Flat:
		Convert(v.DType, v.Element(start), 1, t, src, 1, n)
		return
	}
	size, row, step := t.Size(), v.Row(), v.Step()
	var c Cursor
	c.Seek(v, start)
	for done := 0; ; {
		k := min(row-c.Column(), n-done)
		Convert(v.DType, v.Element(c.Offset), step, t, unsafe.Add(src, done*size), 1, k)
		if done += k; done == n {
			return
		}
		c.NextRow()
	}
}

// shortRow is the length from which a row is worth a call of its own.
const shortRow = 32

// loadShortRows copies elements from the cursor on, in one loop over all rows.
func (v *View) loadShortRows(dst unsafe.Pointer, c *Cursor, n int) {
	switch v.Size {
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

func copyShortRows[T any](dst unsafe.Pointer, v *View, c *Cursor, n int) {
	z := memory.Slice[T](dst, n)
	row, step := v.Row(), v.Step()
	for len(z) > 0 {
		k := min(row-c.Column(), len(z))
		at := c.Offset
		for i := range z[:k] {
			z[i] = *(*T)(v.Element(at))
			at += step
		}
		z = z[k:]
		c.NextRow()
	}
}

// SameBits reports whether a conversion copies the elements bit by bit.
func SameBits(to, from dtype.DType) bool {
	return to == from || to.IsInteger() && (from.IsInteger() || from.IsBool()) && to.Size() == from.Size()
}
