package vm

import (
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// moves says how the addresses of operands change from one row to the next. The routines go from row to row by themselves, since
// a call for each row takes as long as some hundred elements.
type moves struct {
	streams, uniforms int
	stream            [maxStreams]streamMove
	uniform           [maxStreams]uniformMove
}

// streamMove moves a stream by its pitch.
type streamMove struct{ offset, pitch int }

// uniformMove moves the address of an input that has one element per row, and copies this element to the scalar at offset.
type uniformMove struct {
	at            unsafe.Pointer
	pitch, offset int
}

// ForRows begins a description of rows: each stream and each uniform input has to be set.
func (r *Runner) ForRows() { r.moves.streams, r.moves.uniforms = 0, 0 }

// SetStreamRows is SetStream for several rows, pitch bytes apart.
func (r *Runner) SetStreamRows(k int, p unsafe.Pointer, pitch int) {
	r.streams[k] = p
	if m := &r.moves; pitch != 0 {
		m.stream[m.streams] = streamMove{streamOffset(k), pitch}
		m.streams++
	}
}

// SetUniformRows is SetUniform for an input with one element for each of several rows, pitch bytes apart.
func (r *Runner) SetUniformRows(input int, p unsafe.Pointer, pitch int) {
	r.SetUniform(input, p)
	if pitch == 0 {
		return
	}
	for k := range r.code.numbers {
		if number := &r.code.numbers[k]; number.op == device.OpInput && number.index == input {
			m := &r.moves
			m.uniform[m.uniforms] = uniformMove{p, pitch, 8 * k}
			m.uniforms++
		}
	}
}

// IsUniform reports whether operand k of the launch is an input that has one element per run or row.
func (c *Code) IsUniform(k int) bool { return c.layout.Uniform&(1<<k) != 0 }

// MostRows returns how many rows of n elements one call can compute; 0 if rows must be run one by one.
func (c *Code) MostRows(n int) int {
	if n == 0 || n > c.piece || !c.wide && n%c.lanes != 0 {
		return 0
	}
	for k := range c.numbers {
		if number := &c.numbers[k]; number.op == device.OpInput && !c.isCopied(number) {
			return 0
		}
	}
	return max(1, c.piece/n)
}

// isCopied reports whether the bits of an element are those of the scalar.
func (c *Code) isCopied(number *number) bool {
	if number.storage != number.dtype {
		return false
	}
	if c.double {
		return number.dtype == dtype.Float64 || number.dtype == dtype.Int64
	}
	return number.dtype == dtype.Float32 || number.dtype == dtype.Int32
}

// RunRows computes the given number of rows of n elements each, at most MostRows. The operands were set since ForRows.
//
//go:noinline
func (r *Runner) RunRows(rows, n int) {
	if r.moves.streams == 0 {
		rows = 1 // all rows are written to the same elements
	}
	r.frame.moves, r.rows, r.length = &r.moves, rows-1, n
	r.index, r.left = 0, n
	r.enterAndCorrect()
	r.frame.moves = nil
}
