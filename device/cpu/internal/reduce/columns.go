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

// columnwise reports whether the values are closer together along the last kept axis than along the last reduced one:
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

// rotateBack undoes rotate.
func (r *reduction) rotateBack() {
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

// leafRows is how many rows are combined one after the other; more rows are combined in pairs.
const leafRows = 128

// columnCut says how the columns of a reduction are split. A matrix has the values at one point of the kept axes except
// the last; a strip has some of its columns, a group some of its rows.
type columnCut struct {
	matrices, rows, columns int
	strips, stripLen        int
	groups, groupLen        int
}

// reduceColumns reduces the matrices that rotate arranged.
func (r *reduction) reduceColumns() {
	cut := columnCut{rows: r.length, columns: r.eval.Row}
	cut.matrices = r.outputs / cut.columns
	if cut.rows <= leafRows && cut.rows*cut.columns <= strided.BlockLen && !r.eval.WithinRows() {
		r.reduceSmallMatrices(cut)
		r.rotateBack()
		return
	}
	cut.stripLen = min(cut.columns, strided.BlockLen)
	if r.columnsInPlace() {
		cut.stripLen = min(cut.columns, inPlaceColumns)
	}
	cut.strips = (cut.columns + cut.stripLen - 1) / cut.stripLen
	cut.groupLen = max(1, strided.GroupLen/(cut.stripLen*leafRows)) * leafRows
	cut.groups = (cut.rows + cut.groupLen - 1) / cut.groupLen
	tasks := cut.matrices * cut.strips * cut.groups
	perTask := r.cost() * float64(cut.stripLen*min(cut.groupLen, cut.rows))
	switch {
	case cut.groups > 1:
		partial := memory.TakeScratch(cut.groups * r.outputs * r.width)
		workers.ForRanges(tasks, perTask, func(from, to int) { r.columnGroups(cut, partial.At(0), from, to) })
		r.combineGroups(cut, partial.At(0))
		partial.Recycle()
	case workers.Sharing(workers.Estimate(tasks, perTask)):
		workers.ForRanges(tasks, perTask, func(from, to int) { r.columnGroups(cut, r.target, from, to) })
	default:
		r.columnGroups(cut, r.target, 0, tasks)
	}
	r.rotateBack()
}

// reduceSmallMatrices computes several matrices in one block.
func (r *reduction) reduceSmallMatrices(cut columnCut) {
	area := cut.rows * cut.columns
	perBlock := strided.BlockLen / area
	blocks := (cut.matrices + perBlock - 1) / perBlock
	if cost := r.cost() * float64(perBlock*area); workers.Sharing(workers.Estimate(blocks, cost)) {
		workers.ForRanges(blocks, cost, func(from, to int) { r.smallMatrices(cut, perBlock, from, to) })
		return
	}
	r.smallMatrices(cut, perBlock, 0, blocks)
}

func (r *reduction) smallMatrices(cut columnCut, perBlock, from, to int) {
	area, rowSize := cut.rows*cut.columns, cut.columns*r.width
	regs := r.eval.Registers()
	for block := from; block < to; block++ {
		matrix := block * perBlock
		n := min(perBlock, cut.matrices-matrix)
		r.eval.Run(regs, matrix*area, n*area)
		for k := range n {
			values := unsafe.Add(r.value(regs), k*area*r.width)
			r.addRows(unsafe.Add(r.target, (matrix+k)*rowSize), values, cut.rows, cut.columns, true)
		}
	}
	regs.Recycle()
}

// addRows combines rows of values into dst; the very first rows are copied there.
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

// columnGroups reduces groups of strips. The results of group k lie after those of the groups before it.
func (r *reduction) columnGroups(cut columnCut, dst unsafe.Pointer, from, to int) {
	pitch := (cut.stripLen*r.width + 7) &^ 7
	stack := memory.TakeScratch(pitch * levelsFor(cut.groupLen/leafRows))
	t := pairwise{fold: r.fold, base: stack.At(0), pitch: pitch, width: r.width}
	inSpans := r.columnsInPlace()
	var regs *elementwise.Registers
	if !inSpans {
		regs = r.eval.Registers()
	}
	for task := from; task < to; task++ {
		group := task % cut.groups
		strip := task / cut.groups % cut.strips
		matrix := task / cut.groups / cut.strips
		column := strip * cut.stripLen
		t.columns = min(cut.stripLen, cut.columns-column)
		t.reset()
		row, end := group*cut.groupLen, min((group+1)*cut.groupLen, cut.rows)
		for row < end {
			n := min(leafRows, end-row)
			start := (matrix*cut.rows+row)*cut.columns + column
			if inSpans {
				r.leafInPlace(t.next(), start, n, t.columns, cut.columns)
			} else {
				r.leaf(regs, t.next(), start, n, t.columns, cut.columns)
			}
			t.push()
			row += n
		}
		at := group*r.outputs + matrix*cut.columns + column
		size := t.columns * r.width
		copy(memory.Slice[byte](unsafe.Add(dst, at*r.width), size), memory.Slice[byte](t.finish(), size))
	}
	if regs != nil {
		regs.Recycle()
	}
	stack.Recycle()
}

// inPlaceColumns is the maximum number of columns that are combined side by side if the rows are combined in place:
// this many results stay in the first-level cache.
const inPlaceColumns = 4 * strided.BlockLen

// columnsInPlace reports whether the rows are combined in place.
func (r *reduction) columnsInPlace() bool {
	return r.inPlace && r.pattern.kind == elementwise.PatternInput
}

// leafInPlace combines a few rows in place.
func (r *reduction) leafInPlace(dst unsafe.Pointer, start, rows, columns, stride int) {
	x := r.pattern.a
	axis := r.launch.Rank - 2
	down := r.launch.Shape[axis]
	strided.Splat(dst, r.dtype, neutral(r.launch.Combine, r.dtype), columns)
	for rows > 0 {
		n := min(rows, down-start/stride%down)
		if r.pattern.eval != nil {
			r.pattern.computedColumns(dst, start, n, columns, stride)
		} else {
			r.fold.columns(dst, x.At(start), n, columns, x.Strides[axis])
		}
		rows, start = rows-n, start+n*stride
	}
}

// neutral is the identity; for sums, it is the zero that keeps -0.
func neutral(c device.Combine, t dtype.DType) device.Scalar {
	if c == device.CombineSum && t.IsInexact() {
		return device.Scalar{Re: math.Copysign(0, -1), Im: math.Copysign(0, -1)}
	}
	return elementwise.Identity(c, t)
}

// leaf combines a few rows one after the other. A block holds one row, or several if rows are short and whole.
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

// combineGroups combines the results of the groups, in pairs.
func (r *reduction) combineGroups(cut columnCut, partial unsafe.Pointer) {
	size := r.outputs * r.width
	for step := 1; step < cut.groups; step *= 2 {
		for k := 0; k+step < cut.groups; k += 2 * step {
			r.fold.columns(unsafe.Add(partial, k*size), unsafe.Add(partial, (k+step)*size), 1, r.outputs, 0)
		}
	}
	copy(memory.Slice[byte](r.target, size), memory.Slice[byte](partial, size))
}
