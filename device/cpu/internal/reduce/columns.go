package reduce

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device"
	"github.com/ndgrad/ndgrad/device/cpu/internal/elementwise"
	"github.com/ndgrad/ndgrad/device/cpu/internal/memory"
	"github.com/ndgrad/ndgrad/device/cpu/internal/strided"
	"github.com/ndgrad/ndgrad/device/cpu/internal/workers"
	"github.com/ndgrad/ndgrad/nd/dtype"
)

// columnwise reports whether the values lie closer together along the last kept axis than along the last reduced one:
// then whole rows of kept elements are combined, and memory is read in its order.
func (r *reduction) columnwise() bool {
	l := r.launch
	if r.plan.Raw || r.kept == 0 || r.kept == l.Rank || r.length == 1 {
		return false
	}
	along, across := 0, 0
	for _, x := range l.Inputs() {
		along += strided.Magnitude(x.Strides[r.kept-1])
		across += strided.Magnitude(x.Strides[l.Rank-1])
	}
	return along < across
}

// rotate moves the last kept axis to the end. The results keep their order.
func (r *reduction) rotate() {
	l := r.launch
	rotateLeft(l.Shape[r.kept-1 : l.Rank])
	for k := range l.N {
		rotateLeft(l.Operands[k].Strides[r.kept-1 : l.Rank])
	}
}

// unrotate undoes rotate.
func (r *reduction) unrotate() {
	l := r.launch
	rotateRight(l.Shape[r.kept-1 : l.Rank])
	for k := range l.N {
		rotateRight(l.Operands[k].Strides[r.kept-1 : l.Rank])
	}
}

func rotateLeft(s []int) {
	firstOne := s[0]
	copy(s, s[1:])
	s[len(s)-1] = firstOne
}

func rotateRight(s []int) {
	last := s[len(s)-1]
	copy(s[1:], s)
	s[0] = last
}

// leafRows is how many rows are combined one after the other; from there on, in pairs.
const leafRows = 128

// bands is how the columns of a reduction are cut. A matrix is the values for one point of the kept axes but the last;
// a strip is some of its columns, a band some of its rows.
type bands struct {
	matrices, rows, columns int
	strips, stripLen        int
	bands, bandLen          int
}

// reduceColumns reduces the matrices that rotate made.
func (r *reduction) reduceColumns() {
	b := bands{rows: r.length, columns: r.eval.Row}
	b.matrices = r.outputs / b.columns
	if b.rows <= leafRows && b.rows*b.columns <= strided.BlockLen && !r.eval.WithinRows() {
		r.reduceSmallMatrices(b)
		r.unrotate()
		return
	}
	b.stripLen = min(b.columns, strided.BlockLen)
	if r.columnSpans() {
		b.stripLen = min(b.columns, spanColumns)
	}
	b.strips = (b.columns + b.stripLen - 1) / b.stripLen
	b.bandLen = max(1, strided.GroupLen/(b.stripLen*leafRows)) * leafRows
	b.bands = (b.rows + b.bandLen - 1) / b.bandLen
	tasks := b.matrices * b.strips * b.bands
	perTask := r.cost() * float64(b.stripLen*min(b.bandLen, b.rows))
	switch {
	case b.bands > 1:
		partial := memory.TakeScratch(b.bands * r.outputs * r.width)
		workers.ForRanges(tasks, perTask, func(from, to int) { r.columnBands(b, partial.At(0), from, to) })
		r.combineBands(b, partial.At(0))
		partial.Recycle()
	case workers.Sharing(workers.Estimate(tasks, perTask)):
		workers.ForRanges(tasks, perTask, func(from, to int) { r.columnBands(b, r.target, from, to) })
	default:
		r.columnBands(b, r.target, 0, tasks)
	}
	r.unrotate()
}

// reduceSmallMatrices computes several matrices in one block.
func (r *reduction) reduceSmallMatrices(b bands) {
	area := b.rows * b.columns
	perBlock := strided.BlockLen / area
	blocks := (b.matrices + perBlock - 1) / perBlock
	if cost := r.cost() * float64(perBlock*area); workers.Sharing(workers.Estimate(blocks, cost)) {
		workers.ForRanges(blocks, cost, func(from, to int) { r.smallMatrices(b, perBlock, from, to) })
		return
	}
	r.smallMatrices(b, perBlock, 0, blocks)
}

func (r *reduction) smallMatrices(b bands, perBlock, from, to int) {
	area, rowSize := b.rows*b.columns, b.columns*r.width
	regs := r.eval.Registers()
	for block := from; block < to; block++ {
		matrix := block * perBlock
		n := min(perBlock, b.matrices-matrix)
		r.eval.Run(regs, matrix*area, n*area)
		for k := range n {
			values := unsafe.Add(r.value(regs), k*area*r.width)
			r.addRows(unsafe.Add(r.target, (matrix+k)*rowSize), values, b.rows, b.columns, true)
		}
	}
	regs.Recycle()
}

// addRows combines rows of values into dst; the first ones of all are copied there.
func (r *reduction) addRows(dst, values unsafe.Pointer, rows, columns int, isFirst bool) {
	if isFirst {
		n := columns * r.width
		copy(memory.Slice[byte](dst, n), memory.Slice[byte](values, n))
		if rows--; rows == 0 {
			return
		}
		values = unsafe.Add(values, n)
	}
	r.fold.columns(dst, values, rows, columns, columns)
}

// columnBands reduces bands of strips. The results of band k lie behind those of the bands before it.
func (r *reduction) columnBands(b bands, dst unsafe.Pointer, from, to int) {
	pitch := (b.stripLen*r.width + 7) &^ 7
	stack := memory.TakeScratch(pitch * levelsFor(b.bandLen/leafRows))
	t := pairwise{fold: r.fold, base: stack.At(0), pitch: pitch, width: r.width}
	inSpans := r.columnSpans()
	var regs *elementwise.Registers
	if !inSpans {
		regs = r.eval.Registers()
	}
	for task := from; task < to; task++ {
		band := task % b.bands
		strip := task / b.bands % b.strips
		matrix := task / b.bands / b.strips
		column := strip * b.stripLen
		t.columns = min(b.stripLen, b.columns-column)
		t.reset()
		row, end := band*b.bandLen, min((band+1)*b.bandLen, b.rows)
		for row < end {
			n := min(leafRows, end-row)
			start := (matrix*b.rows+row)*b.columns + column
			if inSpans {
				r.spanLeaf(t.next(), start, n, t.columns, b.columns)
			} else {
				r.leaf(regs, t.next(), start, n, t.columns, b.columns)
			}
			t.push()
			row += n
		}
		at := band*r.outputs + matrix*b.columns + column
		size := t.columns * r.width
		copy(memory.Slice[byte](unsafe.Add(dst, at*r.width), size), memory.Slice[byte](t.finish(), size))
	}
	if regs != nil {
		regs.Recycle()
	}
	stack.Recycle()
}

// spanColumns is how many columns are combined side by side at most, where the rows are combined where they lie: so many
// results stay in the first-level cache.
const spanColumns = 4 * strided.BlockLen

// columnSpans reports whether the rows are combined where they lie.
func (r *reduction) columnSpans() bool { return r.inSpans && r.spans.kind == elementwise.PatternInput }

// spanLeaf combines a few rows where they lie.
func (r *reduction) spanLeaf(dst unsafe.Pointer, start, rows, columns, stride int) {
	x := r.spans.a
	axis := r.launch.Rank - 2
	down := r.launch.Shape[axis]
	strided.Splat(dst, r.dtype, neutral(r.launch.Combine, r.dtype), columns)
	for rows > 0 {
		n := min(rows, down-start/stride%down)
		r.fold.columns(dst, x.At(start), n, columns, x.Strides[axis])
		rows, start = rows-n, start+n*stride
	}
}

// neutral is the identity, of sums the zero that leaves -0 as it is.
func neutral(c device.Combine, t dtype.DType) device.Scalar {
	if c == device.CombineSum && t.IsInexact() {
		return device.Scalar{Re: math.Copysign(0, -1), Im: math.Copysign(0, -1)}
	}
	return elementwise.Identity(c, t)
}

// leaf combines a few rows one after the other. Blocks take one row, or several where rows are short and whole.
func (r *reduction) leaf(regs *elementwise.Registers, dst unsafe.Pointer, start, rows, columns, stride int) {
	atOnce := 1
	if columns == stride && !r.eval.WithinRows() {
		atOnce = max(1, strided.BlockLen/columns)
	}
	for row := 0; row < rows; row += atOnce {
		n := min(atOnce, rows-row)
		r.eval.Run(regs, start+row*stride, n*columns)
		r.addRows(dst, r.value(regs), n, columns, row == 0)
	}
}

// combineBands combines the results of the bands, in pairs.
func (r *reduction) combineBands(b bands, partial unsafe.Pointer) {
	size := r.outputs * r.width
	for step := 1; step < b.bands; step *= 2 {
		for k := 0; k+step < b.bands; k += 2 * step {
			r.fold.columns(unsafe.Add(partial, k*size), unsafe.Add(partial, (k+step)*size), 1, r.outputs, 0)
		}
	}
	copy(memory.Slice[byte](r.target, size), memory.Slice[byte](partial, size))
}
