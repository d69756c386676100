package ops

import (
	"slices"

	"github.com/ndgrad/ndgrad/nd"
	"github.com/ndgrad/ndgrad/nd/ops/internal/release"
)

// copiesElements reports whether the new elements are elements of the array.
func (o *PadOptions) copiesElements() bool {
	switch o.Mode {
	case PadEdge, PadWrap:
		return true
	}
	return (o.Mode == PadReflect || o.Mode == PadSymmetric) && o.ReflectType != ReflectOdd
}

// padCopies pads an array that has elements with some of them: it copies x once, and then fills the sides of each axis from what the
// result already holds.
func padCopies(fn nd.Func, x *nd.Array, widths [][2]int, shape []int, mode PadMode) *nd.Array {
	y := fn.NewLike(x.DType(), shape, x)
	padInto(y, x, widths, mode)
	return y
}

// padPiece is the number of bytes that are padded at a time: the sides are filled while the copy is still in the cache.
const padPiece = 2 << 20

// padInto is padCopies into y; it goes through the first axis in parts if that axis is not padded.
func padInto(y, x *nd.Array, widths [][2]int, mode PadMode) {
	if n, bytes := x.Dim(0), y.Size()*y.DType().Size(); widths[0] == [2]int{} && n > 1 && bytes > padPiece {
		step := max(1, n*padPiece/bytes)
		for from := 0; from < n; from += step {
			part := nd.Span(from, min(from+step, n))
			to, some := y.Index(part), x.Index(part)
			padInto(to, some, widths, mode)
			release.Operands(nil, to, some)
		}
		return
	}
	filled := make([]nd.Index, x.Rank())
	for k, w := range widths {
		filled[k] = nd.Span(w[0], w[0]+x.Dim(k))
	}
	y.Assign(x, filled...)
	for k, w := range widths {
		n := x.Dim(k)
		for side, first := range []int{-w[0], n} {
			if w[side] == 0 {
				continue
			}
			at := slices.Clone(filled)
			for from, to := 0, 0; from < w[side]; from = to {
				source, step := paddedPosition(mode, n, first+from), 0
				for to = from + 1; to < w[side]; to++ { // elements that lie in a row in x, in either direction
					next := paddedPosition(mode, n, first+to) - source
					if to == from+1 && next >= -1 && next <= 1 {
						step = next
					} else if to == from+1 || next != (to-from)*step {
						break
					}
				}
				at[k] = run(w[0]+source, step, to-from)
				some := y.Index(at...)
				at[k] = nd.Span(w[0]+first+from, w[0]+first+to)
				y.Assign(some, at...)
				some.Release()
			}
		}
		filled[k] = nd.All()
	}
}

// run returns the index of n elements of an axis from the given one on; step is 1, 0 or -1.
func run(first, step, n int) nd.Index {
	switch {
	case step == 0 || n == 1:
		return nd.Span(first, first+1) // broadcasts
	case step > 0:
		return nd.Span(first, first+n)
	case first == n-1: // down to the first element
		return nd.From(first).By(-1)
	}
	return nd.Span(first, first-n).By(-1)
}
