package sorting

import "cmp"

// even finds positions in a row of evenly spaced floats, such as the edges of a histogram: a line through both ends gives a position that
// is at most one away.
type even struct{ first, perStep float64 }

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
	last := float64(len(row) - 1)
	e = even{float64(row[0]), last / (float64(row[len(row)-1]) - float64(row[0]))}
	if !(e.perStep > 0 && e.perStep <= 0x1p1000) {
		return e, false
	}
	for k, v := range row {
		if away := (float64(v)-e.first)*e.perStep - float64(k); !(away > -0.5 && away < 0.5) {
			return e, false
		}
	}
	return e, true
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

// searchEven corrects the position that the line gives by the elements around it.
func searchEven[F float32 | float64](e even, positions []int64, row, values []F, right bool, ofNaN int) {
	end := float64(len(row))
	for i, v := range values {
		at, k := (float64(v)-e.first)*e.perStep+1, 0
		switch {
		case at >= end:
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
