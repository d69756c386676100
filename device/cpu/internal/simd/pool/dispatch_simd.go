//go:build (amd64 || arm64) && !purego

package pool

import (
	"sync"
	"unsafe"

	"github.com/ndgrad/ndgrad/device/cpu/internal/simd/isa"
)

// combining is a routine that computes one row of Combine, gridding one that computes rows of largest elements under grids of taps, spreading a
// routine that computes one row of Spread.
type (
	combining[T float32 | float64] func(n int, y *T, at *uint8, x *T, start, stride int, taps *int, count int)
	gridding[T float32 | float64]  func(count, n int, y *T, apart int, x *T, start, next, rows, down int) int
	spreading[T float32 | float64] func(n int, x *T, length int, g *T, at *uint8, start int, taps *int, first, count int)
)

// routines are the routines of one level: for Combine by combination and stride (any, 1, 2), and by the columns of a grid (2, 3),
// for Spread by stride (1, 2), without and with positions (spreadAt).
type routines[T float32 | float64] struct {
	windows          [3][3]combining[T]
	grids            [2]gridding[T]
	spread, spreadAt [2]spreading[T]
}

var (
	avx2F32 = routines[float32]{
		windows: [3][3]combining[float32]{
			{sumsAnyAVX2F32, sums1AVX2F32, sums2AVX2F32},
			{largestAnyAVX2F32, largest1AVX2F32, largest2AVX2F32},
			{largestAtAnyAVX2F32, largestAt1AVX2F32, largestAt2AVX2F32},
		},
		grids:    [2]gridding[float32]{grid2AVX2F32, grid3AVX2F32},
		spread:   [2]spreading[float32]{spread1AVX2F32, spread2AVX2F32},
		spreadAt: [2]spreading[float32]{spreadAt1AVX2F32, spreadAt2AVX2F32},
	}
	avx2F64 = routines[float64]{
		windows: [3][3]combining[float64]{
			{sumsAnyAVX2F64, sums1AVX2F64, sums2AVX2F64},
			{largestAnyAVX2F64, largest1AVX2F64, largest2AVX2F64},
			{largestAtAnyAVX2F64, largestAt1AVX2F64, largestAt2AVX2F64},
		},
		grids:    [2]gridding[float64]{grid2AVX2F64, grid3AVX2F64},
		spread:   [2]spreading[float64]{spread1AVX2F64, spread2AVX2F64},
		spreadAt: [2]spreading[float64]{spreadAt1AVX2F64, spreadAt2AVX2F64},
	}
	avx512F32 = routines[float32]{
		windows: [3][3]combining[float32]{
			{sumsAnyAVX512F32, sums1AVX512F32, sums2AVX512F32},
			{largestAnyAVX512F32, largest1AVX512F32, largest2AVX512F32},
			{largestAtAnyAVX512F32, largestAt1AVX512F32, largestAt2AVX512F32},
		},
		grids:    [2]gridding[float32]{grid2AVX512F32, grid3AVX512F32},
		spread:   [2]spreading[float32]{spread1AVX512F32, spread2AVX512F32},
		spreadAt: [2]spreading[float32]{spreadAt1AVX512F32, spreadAt2AVX512F32},
	}
	avx512F64 = routines[float64]{
		windows: [3][3]combining[float64]{
			{sumsAnyAVX512F64, sums1AVX512F64, sums2AVX512F64},
			{largestAnyAVX512F64, largest1AVX512F64, largest2AVX512F64},
			{largestAtAnyAVX512F64, largestAt1AVX512F64, largestAt2AVX512F64},
		},
		grids:    [2]gridding[float64]{grid2AVX512F64, grid3AVX512F64},
		spread:   [2]spreading[float64]{spread1AVX512F64, spread2AVX512F64},
		spreadAt: [2]spreading[float64]{spreadAt1AVX512F64, spreadAt2AVX512F64},
	}
)

// current returns the routines for type T, and the smallest number of elements that they support. It returns nil if
// there are no routines.
func current[T float32 | float64]() (r *routines[T], least int) {
	double := unsafe.Sizeof(*new(T)) == 8
	var table unsafe.Pointer
	switch level := isa.Current(); {
	case level == isa.AVX512 && double:
		table, least = unsafe.Pointer(&avx512F64), 1
	case level == isa.AVX512:
		table, least = unsafe.Pointer(&avx512F32), 1
	case level == isa.AVX2 && double:
		table, least = unsafe.Pointer(&avx2F64), 4
	case level == isa.AVX2:
		table, least = unsafe.Pointer(&avx2F32), 8
	}
	return (*routines[T])(table), least
}

// largestStride keeps the offsets of a gather within 32 bits, for all the lanes of a vector.
const largestStride = 1 << 24

//go:noinline
func combine[T float32 | float64](c Combination, rows Rows, y []T, at []uint8, x []T, stride int, taps []Tap) {
	r, least := current[T]()
	if r == nil || rows.Length < least || stride > largestStride {
		plainRows(c, rows, y, at, x, stride, taps)
		return
	}
	form := 0
	if stride <= 2 {
		form = stride
	}
	run := r.windows[c][form]
	if c == Largest && stride == 2 {
		if g, ok := gridOf(taps); ok && combineGrid(r.grids[g.columns-2], g, rows, y, x) {
			return
		}
	}
	for row := range rows.N {
		var positions *uint8
		if c == LargestAt {
			positions = &at[row*rows.ApartAt]
		}
		run(rows.Length, &y[row*rows.Apart], positions, &x[0], rows.Start+row*rows.Down, stride, &taps[0].At, len(taps))
	}
}

// grid describes taps that are rows of neighbouring elements, down elements apart.
type grid struct{ first, rows, columns, down int }

// gridOf returns the grid of taps, if there are routines for it.
func gridOf(taps []Tap) (g grid, ok bool) {
	g = grid{first: taps[0].At, columns: 1}
	for g.columns < len(taps) && taps[g.columns].At == g.first+g.columns {
		g.columns++
	}
	if g.columns < 2 || g.columns > 3 || len(taps)%g.columns != 0 {
		return g, false
	}
	if g.rows = len(taps) / g.columns; g.rows > 1 {
		g.down = taps[g.columns].At - g.first
	}
	for i, tap := range taps {
		if tap.At != g.first+i/g.columns*g.down+i%g.columns {
			return g, false
		}
	}
	return g, true
}

// combineGrid stores the largest elements of windows, and reports whether no element is NaN: otherwise they must be computed again.
func combineGrid[T float32 | float64](run gridding[T], g grid, rows Rows, y, x []T) bool {
	start := rows.Start + g.first
	if run(rows.N, rows.Length, &y[0], rows.Apart, &x[0], start, rows.Down, g.rows, g.down) != 0 {
		return false
	}
	if g.columns == 3 { // the routines do not look at the last column of the last windows
		for row := range rows.N {
			for i := range g.rows {
				if last := x[start+row*rows.Down+i*g.down+2*rows.Length]; last != last {
					return false
				}
			}
		}
	}
	return true
}

// spreadPiece is spread for rows. It passes the common cases directly to their routine.
//
//go:noinline
func spreadPiece[T float32 | float64](rows Rows, x []T, g []T, at []uint8, taps []Tap, ends []int) {
	stride := len(ends)
	r, least := current[T]()
	groups := rows.Length / stride
	if r == nil || groups < least || stride > 2 || groups*stride < rows.Length || len(taps) == 0 || len(g) == 0 {
		for row := range rows.N {
			spread(x[row*rows.Apart:][:rows.Length], g, at, rows.Start+row*rows.Down, taps, ends)
		}
		return
	}
	run := r.form(at, stride)
	for row := range rows.N {
		run(groups, &x[row*rows.Apart], rows.Length, &g[0], unsafe.SliceData(at), rows.Start+row*rows.Down, &taps[0].At, ends[0], len(taps))
	}
}

//go:noinline
func spread[T float32 | float64](x []T, g []T, at []uint8, start int, taps []Tap, ends []int) {
	stride := len(ends)
	r, least := current[T]()
	groups := (len(x) + stride - 1) / stride
	switch {
	case r == nil || groups < least || len(taps) == 0 || len(g) == 0:
		plainSpread(x, g, at, start, taps, ends)
	case stride > 2:
		spreadPhases(r, least, x, g, at, start, taps, ends)
	case groups*stride > len(x) && groups > 1: // the last group is computed by itself
		groups--
		spread(x[:groups*stride], g, at, start, taps, ends)
		spread(x[groups*stride:], g, at, start+groups, taps, ends)
	default:
		r.form(at, stride)(groups, &x[0], len(x), &g[0], unsafe.SliceData(at), start, &taps[0].At, ends[0], len(taps))
	}
}

func (r *routines[T]) form(at []uint8, stride int) spreading[T] {
	if at == nil {
		return r.spread[stride-1]
	}
	return r.spreadAt[stride-1]
}

// phaseRoom is room for the elements of one phase.
type phaseRoom [1024]float64

var phaseRooms = sync.Pool{New: func() any { return new(phaseRoom) }}

// spreadPhases computes the elements of each phase side by side, one phase after another, and then copies them to their
// locations.
func spreadPhases[T float32 | float64](r *routines[T], least int, x []T, g []T, at []uint8, start int, taps []Tap, ends []int) {
	room := phaseRooms.Get().(*phaseRoom)
	defer phaseRooms.Put(room)
	phase := unsafe.Slice((*T)(unsafe.Pointer(room)), len(room))
	run, stride, from := r.form(at, 1), len(ends), 0
	for p, end := range ends {
		own := taps[from:end]
		from = end
		for i, k := p, start; i < len(x); i, k = i+len(phase)*stride, k+len(phase) {
			n := min((len(x)-i+stride-1)/stride, len(phase))
			if n < least || len(own) == 0 {
				plainSpread(phase[:n], g, at, k, own, []int{len(own)})
			} else {
				run(n, &phase[0], n, &g[0], unsafe.SliceData(at), k, &own[0].At, len(own), len(own))
			}
			for j, v := range phase[:n] {
				x[i+j*stride] = v
			}
		}
	}
}
