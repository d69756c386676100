package lanes

import "math"

// Routines for one matrix, whose rows are contiguous.

// piece is how many elements of a row a call takes at most: the goroutine cannot be preempted during one.
const piece = 1 << 12

// Triangle replaces x, of m rows and n columns, by T⁻¹·x for a lower triangle T of m rows, whose first element is at t. Of its
// diagonal only the inverses are read. Negative strides that begin at the last row make it the substitution for an upper
// triangle.
func Triangle[T Float](m, n int, t *T, tRow, tColumn int, inverses []T, x *T, xRow int) {
	for from := 0; from < n && m > 0; from += piece {
		triangle(m, min(n-from, piece), t, tRow, tColumn, inverses[:m], next(x, from), xRow)
	}
}

// mostLanes is the largest number of lanes.
const mostLanes = 16

// SubtractRows subtracts Σ factors[i]·(row i of x) from a row, and returns the index of its largest absolute value. The first
// NaN counts as the largest.
func SubtractRows[T Float](row, factors, x []T, xRow int) (largest int) {
	most, lanes := uint64(0), Width[T]()
	for from := 0; from < len(row); from += piece {
		var found [2 * mostLanes]T
		part := row[from:min(from+piece, len(row))]
		column(part, factors, x[min(from, len(x)):], xRow, &found)
		sizes, best := found[:min(lanes, len(part))], uint64(0)
		for _, v := range sizes {
			best = max(best, order(v))
		}
		if from > 0 && best <= most {
			continue
		}
		most, largest = best, len(row)
		for lane, v := range sizes {
			if order(v) == best {
				largest = min(largest, from+int(found[lanes+lane])*lanes+lane)
			}
		}
	}
	return largest
}

// order returns a number that orders absolute values; that of every NaN is the same, and the largest.
func order[T Float](v T) uint64 {
	const nan = 0x7ff<<52 + 1
	return min(math.Float64bits(float64(v)), nan)
}

// Scale sets n elements of each row of y to those of x times a factor. y may be x.
func Scale[T Float](rows, n int, y []T, yRow int, factor T, x []T, xRow int) {
	for from := 0; from < n; from += piece {
		columns := min(n-from, piece)
		most := max(1, 16*piece/columns) // rows of a call
		for row := 0; row < rows; row += most {
			scale(min(most, rows-row), columns, y[row*yRow+from:], yRow, factor, x[row*xRow+from:], xRow)
		}
	}
}

func plainScale[T Float](rows, n int, y []T, yRow int, factor T, x []T, xRow int) {
	for i := range rows {
		for j, v := range x[i*xRow:][:n] {
			y[i*yRow+j] = factor * v
		}
	}
}

// plainTriangle computes with offsets, because strides may be negative.
func plainTriangle[T Float](m, n int, t *T, tRow, tColumn int, inverses []T, x *T, xRow int) {
	for i := range m {
		for j := range n {
			v := *next(x, i*xRow+j)
			for k := range i {
				v -= *next(t, i*tRow+k*tColumn) * *next(x, k*xRow+j)
			}
			*next(x, i*xRow+j) = v * inverses[i]
		}
	}
}

func plainColumn[T Float](row, factors, x []T, xRow int, largest *[2 * mostLanes]T) {
	for l := range plainWidth {
		largest[l] = -1
	}
	for j := range row {
		for i, f := range factors {
			row[j] -= f * x[i*xRow+j]
		}
		best, found := &largest[j%plainWidth], &largest[plainWidth+j%plainWidth]
		if v := max(row[j], -row[j]); *best == *best && !(v <= *best) {
			*best, *found = v, T(j/plainWidth)
		}
	}
}
