package sorting

import (
	"cmp"
	"math"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/sort"
)

// even finds positions in a row of evenly spaced floats, such as the edges of a histogram: a line through both ends gives a position that
// is at most one away.
type even struct{ line sort.Even }

// evenlySpaced returns how to search a row that is long and close to evenly spaced, if so many values are searched that looking at the whole
// row pays.
func evenlySpaced[T cmp.Ordered](row []T, values int) (e even, ok bool) {
	const longRow = 8
	if len(row) < longRow || 2*len(row) > 5*values {
		return e, false
	}
	switch row := any(row).(type) {
	case []float64:
		return evenly(row)
	case []float32:
		return evenly(row)
	}
	return e, false
}

func evenly[F float32 | float64](row []F) (e even, ok bool) {
	last, first := float64(len(row)-1), float64(row[0])
	perStep, farthest := last/(float64(row[len(row)-1])-first), 0.0
	if !(perStep > 0 && perStep <= 0x1p1000) {
		return e, false
	}
	for k, v := range row {
		away := math.Abs((float64(v)-first)*perStep - float64(k))
		if !(away < 0.5) {
			return e, false
		}
		farthest = max(farthest, away)
	}
	doubt := farthest + 0x1p-50*(last+3) // and what roundings add
	return even{sort.Even{First: first, PerStep: perStep, Length: last + 1, Low: doubt, High: 1 - doubt}}, true
}

// search is searchHalves for the row. The position of NaN is given.
func (e even) search(positions []int64, row, values any, right bool, ofNaN int) {
	switch row := row.(type) {
	case []float64:
		searchEven(e, positions, row, values.([]float64), right, ofNaN)
	case []float32:
		searchEven(e, positions, row, values.([]float32), right, ofNaN)
	}
}

// searchEven uses vectors where it can.
func searchEven[F float32 | float64](e even, positions []int64, row, values []F, right bool, ofNaN int) {
	for len(values) > 0 {
		done, other := sort.Positions(&e.line, positions, row, values, right)
		to := done + other
		searchNear(e.line, positions[done:to], row, values[done:to], right, ofNaN)
		positions, values = positions[to:], values[to:]
	}
}

// searchNear corrects the position that the line gives by the elements around it.
func searchNear[F float32 | float64](line sort.Even, positions []int64, row, values []F, right bool, ofNaN int) {
	for i, v := range values {
		at, k := (float64(v)-line.First)*line.PerStep+1, 0
		switch {
		case at >= line.Length:
			k = len(row)
		case at > 0:
			k = int(at)
		case v != v:
			positions[i] = int64(ofNaN)
			continue
		}
		if right {
			for k > 0 && row[k-1] > v {
				k--
			}
			for k < len(row) && row[k] <= v {
				k++
			}
		} else {
			for k > 0 && row[k-1] >= v {
				k--
			}
			for k < len(row) && row[k] < v {
				k++
			}
		}
		positions[i] = int64(k)
	}
}
