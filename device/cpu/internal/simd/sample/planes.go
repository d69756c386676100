package sample

import (
	"math"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// PlanePoints is the number of points of a PlaneTable.
const PlanePoints = 256

// Plane is a plane of elements. Its rows are contiguous, and have at least two elements.
type Plane struct {
	Rows, Columns int
	Stride        int // between rows, in elements
}

// Fits reports whether the numbers of elements of the plane fit in 32 bits, and locations in it have fractions in float32.
func (p Plane) Fits() bool {
	const largest = 1 << 22
	return p.Rows <= largest && p.Columns <= largest && max(p.Stride, -p.Stride) <= (math.MaxInt32-p.Columns)/p.Rows
}

// PlaneTable has the elements at the corners of points in a plane. Corner c lies in the row c&1 and in the column c>>1 of the four.
// Numbers of the next corner, such as weights, lie PlanePoints further.
type PlaneTable struct {
	Pairs  [2][PlanePoints]int32 // in each row, the number of the lower of two neighbours that contain the corners
	Upper  [2 * planeMask]byte   // for each column, bits that say whether the corner is the upper neighbour
	loaded [PlanePoints][2]float32
	values [4][PlanePoints]float32
}

// planeMask is the size in bytes of a bit for each point.
const planeMask = PlanePoints / 8

// planeNumbers is what the routine of corners knows of a plane.
type planeNumbers struct {
	LastRow, LastColumn float32
	Stride              int32
}

// PlaneWeights are what elements at the corners are multiplied by: the weights, and, unless they are nil, the slopes of the weights
// in the row and in the column of the location. All are 0 outside of the plane.
type PlaneWeights struct{ Weights, RowSlopes, ColumnSlopes *[4 * PlanePoints]float32 }

// Corners finds the corners of points: what Corners finds along both axes, if the elements outside count as 0. Rounding in
// float32 would change only weights that are 0 then.
func (t *PlaneTable) Corners(p Plane, rows, columns []float32, w PlaneWeights) {
	lastRow, lastColumn := float32(p.Rows-1), float32(p.Columns-1)
	if planeCorners(t, &planeNumbers{lastRow, lastColumn, int32(p.Stride)}, rows, columns, w) {
		return
	}
	for i, location := range rows {
		row, column := cornersOf(location, lastRow), cornersOf(columns[i], lastColumn)
		left := column.first
		for c := range t.Pairs {
			t.Pairs[c][i] = clampIndex(row.first+float32(c), lastRow)*int32(p.Stride) + clampIndex(left, lastColumn-1)
		}
		setBit(t.Upper[:], i, left >= lastColumn)
		setBit(t.Upper[planeMask:], i, left >= 0)
		for c := range 4 {
			at := c*PlanePoints + i
			w.Weights[at] = row.weights[c&1] * column.weights[c>>1]
			if w.RowSlopes != nil {
				w.RowSlopes[at], w.ColumnSlopes[at] = row.slopes[c&1]*column.weights[c>>1], row.weights[c&1]*column.slopes[c>>1]
			}
		}
	}
}

// axisCorners are the two corners of a location along an axis.
type axisCorners struct {
	first           float32
	weights, slopes [2]float32
}

func cornersOf(location, last float32) axisCorners {
	location = max(-2, min(location, last+2)) // NaN stays NaN
	first := float32(math.Floor(float64(location)))
	rest, zero := location-first, first-first
	a := axisCorners{first, [2]float32{1 - rest, rest}, [2]float32{zero - 1, zero + 1}}
	for c := range a.weights {
		if at := first + float32(c); at < 0 || at > last {
			a.weights[c], a.slopes[c] = 0, 0
		}
	}
	return a
}

// clampIndex returns the nearest index from 0 to last, or 0 for NaN.
func clampIndex(index, last float32) int32 {
	if index > 0 {
		return int32(min(index, last))
	}
	return 0
}

// Sums sets each element of y to the sum of the elements of a plane at the corners of a point, times weights. It reports whether no
// sum is NaN.
func (t *PlaneTable) Sums(y []float32, plane unsafe.Pointer, weights *[4 * PlanePoints]float32) bool {
	if isa.Gathers() {
		return gatherSums(t, y, plane, weights)
	}
	return Sums(y, t.load(plane, len(y)), weights[:], 4, PlanePoints)
}

// Collect adds numbers times the elements of a plane at the corners of a point to sums, of which each corner has its own.
func (t *PlaneTable) Collect(sums *[4 * PlanePoints]float32, numbers []float32, plane unsafe.Pointer) {
	if isa.Gathers() {
		gatherProducts(t, sums, numbers, plane)
		return
	}
	n := len(numbers)
	values, products := t.load(plane, n), unsafe.Slice(&t.loaded[0][0], n)
	for at := 0; at < len(sums); at += PlanePoints {
		Sums(products, values[at:], numbers, 1, PlanePoints)
		Mix(sums[at:][:n], sums[at:][:n], products, 1, 1)
	}
}

// load returns the elements of a plane at the corners of n points.
func (t *PlaneTable) load(plane unsafe.Pointer, n int) []float32 {
	for row := range t.Pairs {
		for i, pair := range t.Pairs[row][:n] {
			t.loaded[i] = *(*[2]float32)(unsafe.Add(plane, 4*int(pair)))
		}
		Split(n, t.values[row][:], t.values[2+row][:], t.loaded[:], t.Upper[:], planeMask)
	}
	return unsafe.Slice(&t.values[0][0], 4*PlanePoints)
}

// Offsets sets offsets to the distances in bytes of the elements at the corners of n points.
func (t *PlaneTable) Offsets(n int, offsets *[4 * PlanePoints]int) {
	if planeOffsets(t, n, offsets) {
		return
	}
	for c := range 4 {
		for i := range n {
			offsets[c*PlanePoints+i] = 4 * t.At(c, i)
		}
	}
}

// At returns the number of the element at a corner of a point.
func (t *PlaneTable) At(corner, i int) int {
	return int(t.Pairs[corner&1][i]) + int(t.Upper[corner>>1*planeMask+i/8]>>(i%8)&1)
}
